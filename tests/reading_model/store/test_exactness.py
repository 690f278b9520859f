"""Texts and keys come back as they were stored, or are refused before anything is stored (cases F35 and F36)."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
import sqlalchemy as sa

from evals.mariadb import MariaDB
from reading_model.errors import StoreUnavailable, ValueNotStorable
from reading_model.models import PaperMetadata
from reading_model.store import NewPaper, ReadingStore, open_store, upgrade_schema
from reading_model.store.connection import check_row_size, check_server, connect
from reading_model.store.tables import control
from reading_model.store.transactions import reading, write

F35_VALUES = {
    "title": "🧬 𝛽-catenin in 𠮷野家 — a study",
    "author": "Zoë O’Neil 👩🏽‍🔬",
    "quote": 'It\'s 100% "sure" \\ done; -- not SQL',
    "ascii_65536": "a" * 65536,
    "two_byte_70000": "é" * 70000,
    "emoji_at_65535": "a" * 65533 + "🧪" + "end",
    "long_title": "T" * 600,
}
HARD_VALUES = [
    "",
    " ",
    "x ",
    " x",
    "\0",
    "a\r\nb\tc\n",
    "\ufeffbom",
    "\uffff\ufffe",
    "nai\u0308ve",
    "\u2028",
    "%s :name ?",
    "'",
]
F36_PAIRS = [
    ("résumé parsing", "resume parsing"),
    ("Ärzte", "Arzte"),
    ("😀", "🚀"),
    ("straße", "strasse"),
    ("ev_Ab1", "ev_aB1"),
    ("span", "span "),
    ("naïve", "nai\u0308ve"),
]


@pytest.fixture(params=["", "NO_BACKSLASH_ESCAPES", "ANSI_QUOTES,PIPES_AS_CONCAT", "STRICT_TRANS_TABLES"])
def server_mode(request: pytest.FixtureRequest, mariadb: MariaDB) -> Iterator[str]:
    """The server's own sql_mode, which a user may have set in any way."""
    ((before,),) = mariadb.execute("SELECT @@GLOBAL.sql_mode")
    mariadb.execute(f"SET GLOBAL sql_mode = '{request.param}'")
    yield request.param
    mariadb.execute(f"SET GLOBAL sql_mode = '{before}'")


def _is_kept(store: ReadingStore, value: str) -> bool:
    store.control.set("name", value)
    store.papers.set_metadata("p", PaperMetadata(title=value, authors=(value, value), venue=value))
    known = store.papers.get(["p"])[0].metadata
    return store.control.get("name") == known.title == known.venue == known.authors[0] == value


@pytest.mark.parametrize("value", [*F35_VALUES.values(), *HARD_VALUES], ids=lambda value: ascii(value[:12]))
def test_f35_texts_come_back_as_they_were(store: ReadingStore, value: str) -> None:
    store.papers.add(NewPaper("p", "f" * 64, value, 1, "pdf/x.pdf"))
    assert store.papers.get()[0].filename == value
    assert _is_kept(store, value)


@pytest.mark.mariadb
def test_f35_whatever_mode_the_server_has(server_mode: str, mariadb: MariaDB) -> None:
    url = mariadb.new_database()
    upgrade_schema(url)
    store = open_store(url)
    store.papers.add(NewPaper("p", "f" * 64, "x", 1, "pdf/x.pdf"))
    assert all(_is_kept(store, value) for value in [*F35_VALUES.values(), *HARD_VALUES])
    with reading(store.engine) as connection:
        query = sa.select(sa.func.char_length(control.c.value), sa.func.octet_length(control.c.value))
        store.control.set("name", F35_VALUES["two_byte_70000"])
        assert connection.execute(query).one() == (70_000, 140_000)
    with pytest.raises(ValueNotStorable):
        store.papers.add(NewPaper("p" * 200, "f" * 64, "x", 1, "pdf/x.pdf"))
    with pytest.raises(ValueNotStorable):
        store.papers.add(NewPaper("q", "f" * 64, "x", 1 << 63, "pdf/x.pdf"))
    assert len(store.papers.get()) == 1
    store.close()


@pytest.mark.parametrize("pair", F36_PAIRS, ids=ascii)
def test_f36_keys_are_compared_byte_by_byte(store: ReadingStore, pair: tuple[str, str]) -> None:
    for key in pair:
        assert store.papers.add(NewPaper(key, "f" * 64, key, 1, f"pdf/{key}.pdf"))
        store.access.grant(key, key, key)
        store.control.set(key, key)
    assert sorted(record.paper_id for record in store.papers.get()) == sorted(pair)
    for key in pair:
        assert [record.filename for record in store.papers.get([key])] == [key]
        assert store.access.accessible(key) == [key]
        assert store.control.get(key) == key


def test_a_key_that_is_too_long_is_refused_on_every_database(store: ReadingStore) -> None:
    assert store.papers.add(NewPaper("é" * 64, "f" * 64, "x", 1, "pdf/x.pdf"))
    with pytest.raises(ValueNotStorable, match="130 bytes"):
        store.papers.add(NewPaper("é" * 65, "f" * 64, "x", 1, "pdf/x.pdf"))


def test_errors_of_the_database_do_not_show_document_text(store: ReadingStore) -> None:
    secret = "the text of a paper"

    def work(connection: sa.Connection) -> None:
        connection.execute(sa.text("INSERT INTO no_such_table VALUES (:value)"), {"value": secret})

    with pytest.raises(StoreUnavailable) as caught:
        write(store.engine, work)
    assert secret not in f"{caught.value} {caught.value.__cause__}"


@pytest.mark.mariadb
def test_a_connection_or_column_that_is_not_utf8mb4_is_refused(mariadb: MariaDB) -> None:
    url = mariadb.new_database()
    upgrade_schema(url)
    with pytest.raises(StoreUnavailable, match="latin1"):
        open_store(f"{url}?charset=latin1")
    database = url.rsplit("/", 1)[1]
    mariadb.execute(f"ALTER TABLE {database}.papers MODIFY title LONGTEXT CHARACTER SET utf8mb3")
    with pytest.raises(StoreUnavailable, match=r"papers\.title is utf8mb3"):
        open_store(url)


@pytest.mark.mariadb
def test_a_server_that_does_not_keep_strict_mode_is_refused(mariadb: MariaDB) -> None:
    engine = connect(mariadb.new_database())
    with reading(engine) as connection:
        check_server(connection)
        connection.exec_driver_sql("SET SESSION sql_mode = ''")
        with pytest.raises(StoreUnavailable, match="strict mode"):
            check_server(connection)
    engine.dispose()


@pytest.mark.mariadb
def test_a_connection_that_breaks_in_a_transaction_says_so(mariadb: MariaDB) -> None:
    engine = connect(mariadb.new_database())

    def work(connection: sa.Connection) -> None:
        mariadb.execute(f"KILL {connection.exec_driver_sql('SELECT CONNECTION_ID()').scalar()}")
        connection.exec_driver_sql("SELECT 1")

    with pytest.raises(StoreUnavailable, match="broke"):
        write(engine, work)
    engine.dispose()


@pytest.mark.mariadb
def test_a_row_that_the_server_would_not_take_is_refused_before_it_is_sent(mariadb: MariaDB) -> None:
    url = mariadb.new_database()
    upgrade_schema(url)
    mariadb.execute("SET GLOBAL max_allowed_packet = 1048576")
    try:
        store = open_store(url)
        store.control.set("name", "a" * 900_000)
        with pytest.raises(ValueNotStorable, match="max_allowed_packet"):
            store.control.set("name", "é" * 600_000)
        with pytest.raises(ValueNotStorable):
            store.control.set("name", "'" * 600_000)
        assert store.control.get("name") == "a" * 900_000
        store.close()
    finally:
        mariadb.execute("SET GLOBAL max_allowed_packet = 67108864")


def test_the_size_of_a_row_counts_bytes_and_escapes() -> None:
    check_row_size(("é" * 50, b"\0" * 20, None, 7), 140)
    with pytest.raises(ValueNotStorable):
        check_row_size(("é" * 50, b"\0" * 20, None, 7), 139)


@pytest.mark.mariadb
def test_a_connection_that_the_server_closed_is_replaced(mariadb: MariaDB) -> None:
    url = mariadb.new_database()
    upgrade_schema(url)
    store = open_store(url)
    store.control.set("name", "1")
    for number, *_ in mariadb.execute(
        f"SELECT id FROM information_schema.processlist WHERE db = '{url.rsplit('/', 1)[1]}'"
    ):
        mariadb.execute(f"KILL {number}")
    assert store.control.get("name") == "1"
    store.close()


@pytest.mark.mariadb
def test_a_reader_sees_what_was_committed_meanwhile(mariadb: MariaDB) -> None:
    url = mariadb.new_database()
    upgrade_schema(url)
    store = open_store(url)
    query = sa.select(control.c.value)
    with reading(store.engine) as connection:
        assert connection.execute(query).all() == []
        store.control.set("name", "1")
        assert connection.execute(query).scalar() == "1"
    store.close()


@pytest.mark.mariadb
def test_transactions_that_block_each_other_are_both_done_in_the_end(mariadb: MariaDB) -> None:
    url = mariadb.new_database()
    upgrade_schema(url)
    engine = connect(url)
    rows: list[dict[str, Any]] = [{"name": name, "value": "0", "changed_at": sa.func.now()} for name in "ab"]
    for row in rows:
        write(engine, lambda connection, row=row: connection.execute(sa.insert(control).values(row)))
    both_hold_one = Barrier(2)
    tries: list[str] = []

    def swap(order: str) -> None:
        def work(connection: sa.Connection) -> None:
            tries.append(order)
            for place, name in enumerate(order):
                connection.exec_driver_sql("UPDATE retrieval_control SET value = value + 1 WHERE name = %s", (name,))
                if place == 0 and tries.count(order) == 1:
                    both_hold_one.wait(timeout=20)

        write(engine, work)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(swap, ["ab", "ba"]))
    assert len(tries) == 3
    with reading(engine) as connection:
        assert connection.execute(sa.select(control.c.value)).scalars().all() == ["2", "2"]
    engine.dispose()

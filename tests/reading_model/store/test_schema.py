from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from evals.mariadb import MariaDB
from reading_model.errors import SchemaOutOfDate, StoreUnavailable
from reading_model.store import NewPaper, downgrade_schema, open_store, schema, schema_revision, upgrade_schema
from reading_model.store.connection import connect
from reading_model.store.schema import HEAD, alembic_config
from reading_model.store.tables import metadata
from reading_model.store.transactions import reading, write


def test_an_empty_database_has_no_revision_and_is_refused(database_url: str) -> None:
    assert schema_revision(database_url).current is None
    with pytest.raises(SchemaOutOfDate, match="no schema yet"):
        open_store(database_url)


def test_upgrading_brings_the_newest_revision_and_can_be_repeated(database_url: str) -> None:
    upgrade_schema(database_url)
    upgrade_schema(database_url)
    state = schema_revision(database_url)
    assert state.is_current
    open_store(database_url).close()


def test_the_migrations_make_exactly_the_tables_that_the_statements_use(database_url: str) -> None:
    upgrade_schema(database_url)
    engine = connect(database_url)
    with reading(engine) as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
    engine.dispose()


def test_downgrading_to_base_leaves_no_table_of_ours(database_url: str) -> None:
    upgrade_schema(database_url)
    downgrade_schema(database_url, "base")
    engine = connect(database_url)
    assert set(sa.inspect(engine).get_table_names()) <= {"alembic_version"}
    engine.dispose()
    upgrade_schema(database_url)
    assert schema_revision(database_url).is_current


def test_an_upgrade_that_was_stopped_half_way_goes_on(database_url: str) -> None:
    upgrade_schema(database_url)
    engine = connect(database_url)

    def undo_some(connection: sa.Connection) -> None:
        for table in ("retrieval_control", "paper_publications"):
            connection.exec_driver_sql(f"DROP TABLE {table}")
        sa.Index("ix_papers_sha256", metadata.tables["papers"].c.sha256).drop(connection)
        connection.exec_driver_sql("DELETE FROM alembic_version")

    write(engine, undo_some)
    engine.dispose()
    upgrade_schema(database_url)
    opened = open_store(database_url)
    opened.control.set("a", "1")
    opened.close()


def test_processes_that_upgrade_at_once_do_it_once(database_url: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(upgrade_schema, [database_url] * 4))
    assert schema_revision(database_url).is_current


def test_the_newest_revision_is_the_one_this_release_asks_for() -> None:
    assert ScriptDirectory.from_config(alembic_config()).get_heads() == [HEAD]


@pytest.mark.mariadb
def test_a_process_that_changes_the_schema_makes_the_others_wait(
    mariadb: MariaDB, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = mariadb.new_database()
    monkeypatch.setattr(schema, "_LOCK_SECONDS", 0)
    engine = connect(url)
    with reading(engine) as other:
        other.execute(sa.text("SELECT GET_LOCK('paperledger-schema', 0)"))
        with pytest.raises(StoreUnavailable, match="another process"):
            upgrade_schema(url)
    engine.dispose()
    assert schema_revision(url).current is None


def test_a_database_of_another_release_is_refused(database_url: str) -> None:
    upgrade_schema(database_url)
    engine = connect(database_url)
    write(engine, lambda connection: connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(SchemaOutOfDate, match="schema 9999"):
        open_store(database_url)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://host/name",
        "no url",
        "sqlite:////no/such/folder/at/all.db",
        "mysql+nodriver://host/name",
        "mysql+mysqldb://host/name",
    ],
)
def test_a_database_that_cannot_be_used_says_so(url: str) -> None:
    with pytest.raises(StoreUnavailable) as caught:
        open_store(url)
    assert caught.value.hint


def test_going_back_one_revision_keeps_the_papers(database_url: str) -> None:
    upgrade_schema(database_url)
    opened = open_store(database_url)
    opened.papers.add(NewPaper("p", "f" * 64, "p.pdf", 1, "pdf/p.pdf"))
    opened.close()
    downgrade_schema(database_url, "0001")
    assert schema_revision(database_url).current == "0001"
    upgrade_schema(database_url)
    opened = open_store(database_url)
    assert [record.paper_id for record in opened.papers.get()] == ["p"]
    assert opened.builds.running() is None
    opened.close()

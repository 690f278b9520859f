"""Engines: one way to connect to SQLite and to MySQL or MariaDB, so that nothing is cut short, padded or replaced.

Every MySQL connection sets its own sql_mode. Strict mode must not depend on the server's settings, and a server with
NO_BACKSLASH_ESCAPES or ANSI_QUOTES would read our statements differently.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, cast

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from reading_model.errors import StoreUnavailable, ValueNotStorable

SQL_MODE = "STRICT_ALL_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION"
WRITES = "paperledger_writes"
"""Execution option of a connection that will write: SQLite then takes the write lock at BEGIN."""

_BUSY_SECONDS = 60.0
_ESCAPED = re.compile("[\0\n\r\x1a\"'\\\\]")
_STATEMENT_RESERVE = 65_536


def connect(url: str) -> sa.Engine:
    """An engine for `sqlite:///file` or `mysql+pymysql://...`; no connection is made yet.

    Raises StoreUnavailable for an URL that names no supported database.
    """
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() == "sqlite":
            return _sqlite(parsed)
        if parsed.get_backend_name() in {"mysql", "mariadb"}:
            return _mysql(parsed)
    except (ArgumentError, NoSuchModuleError, ValueError):
        # the cause quotes the URL, and that may hold a password
        message = "the database URL cannot be read"
        raise StoreUnavailable(message, hint="Use sqlite:///file.db or mysql+pymysql://user@host/name.") from None
    except ModuleNotFoundError as error:
        message = f"the database driver `{error.name}` is not installed"
        raise StoreUnavailable(message, hint="Install paperledger with the extra `mysql`.") from error
    message = f"`{parsed.get_backend_name()}` is no supported database"
    raise StoreUnavailable(message, hint="Use sqlite:///file.db or mysql+pymysql://user@host/name.")


def check_server(connection: sa.Connection) -> None:
    """Refuse a MySQL connection that would change texts: utf8mb4 in all three places and strict mode.

    Raises StoreUnavailable with the setting that is wrong.
    """
    if connection.dialect.name == "sqlite":
        return
    row = connection.exec_driver_sql(
        "SELECT @@character_set_client, @@character_set_connection, @@character_set_results, @@sql_mode"
    ).one()
    wrong = sorted({name for name in row[:3] if name != "utf8mb4"})
    if wrong:
        message = f"the connection speaks {', '.join(wrong)} instead of utf8mb4"
        raise StoreUnavailable(message, hint="Remove `charset` from the database URL.")
    if "STRICT_ALL_TABLES" not in row[3]:
        message = "the server does not keep strict mode, so it would cut texts short"
        raise StoreUnavailable(message, hint="Allow the session's sql_mode to be set.")
    _check_columns(connection)


def _check_columns(connection: sa.Connection) -> None:
    foreign = connection.exec_driver_sql(
        "SELECT table_name, column_name, character_set_name FROM information_schema.columns "
        "WHERE table_schema = DATABASE() AND data_type = 'longtext' AND character_set_name <> 'utf8mb4' "
        "ORDER BY table_name, column_name"
    ).first()
    if foreign is not None:
        message = f"column {foreign[0]}.{foreign[1]} is {foreign[2]} instead of utf8mb4"
        raise StoreUnavailable(message, hint="Convert the table: ALTER TABLE ... CONVERT TO CHARACTER SET utf8mb4.")


def _sqlite(url: URL) -> sa.Engine:
    engine = sa.create_engine(url, hide_parameters=True, connect_args={"timeout": _BUSY_SECONDS})

    def configure(connection: Any, _record: object) -> None:
        # the driver must not open transactions on its own: `begin` below decides which kind
        connection.isolation_level = None
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA foreign_keys = ON")

    def begin(connection: sa.Connection) -> None:
        # a transaction that reads first and writes later may find the lock taken and cannot wait for it
        writes = connection.get_execution_options().get(WRITES, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    event.listen(engine, "connect", configure)
    event.listen(engine, "begin", begin)
    return engine


def _mysql(url: URL) -> sa.Engine:
    if "charset" not in url.query:
        url = url.update_query_dict({"charset": "utf8mb4"})
    engine = sa.create_engine(
        url,
        hide_parameters=True,
        pool_pre_ping=True,
        # a long read must see what was committed meanwhile, for instance a paper that became ready
        isolation_level="READ COMMITTED",
        # before anything else is said: SQLAlchemy asks a new connection how it quotes names
        connect_args={"sql_mode": SQL_MODE},
    )

    def configure(connection: Any, record: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT @@max_allowed_packet")
            record.info["max_allowed_packet"] = int(cursor.fetchone()[0])

    def check_size(
        connection: sa.Connection, _cursor: Any, _statement: str, parameters: Any, _context: Any, executemany: bool
    ) -> None:
        limit = connection.info["max_allowed_packet"] - _STATEMENT_RESERVE
        rows: Iterable[object] = parameters if executemany else (parameters or {},)
        for row in rows:
            # our statements name their parameters; only the driver's own are positional, and small
            if isinstance(row, dict):
                check_row_size(cast("dict[str, object]", row).values(), limit)

    event.listen(engine, "connect", configure)
    event.listen(engine, "before_cursor_execute", check_size)
    return engine


def check_row_size(row: Iterable[object], limit: int) -> None:
    """Refuse a row that one statement cannot carry: the server would reset the connection instead of saying so.

    `limit` is in bytes. Raises ValueNotStorable.
    """
    texts = [value for value in row if isinstance(value, str | bytes)]
    # four bytes a character and every byte escaped is the most that a row can take
    if sum(map(len, texts)) * 8 <= limit or (size := sum(map(_statement_bytes, texts))) <= limit:
        return
    message = f"a row of {size} bytes does not fit into the server's max_allowed_packet"
    raise ValueNotStorable(message, hint="Raise max_allowed_packet on the server, for instance to 64M.")


def _statement_bytes(value: str | bytes) -> int:
    text = value.decode("latin-1") if isinstance(value, bytes) else value
    return len(value if isinstance(value, bytes) else value.encode()) + len(_ESCAPED.findall(text))

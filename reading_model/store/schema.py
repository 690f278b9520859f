"""Schema versions: Alembic's revisions, run from inside the package."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from reading_model.errors import SchemaOutOfDate, StoreUnavailable
from reading_model.store.connection import check_server, connect
from reading_model.store.transactions import reading, write

_LOCK = "paperledger-schema"
_LOCK_SECONDS = 60


@dataclass(frozen=True, slots=True)
class SchemaState:
    """The revision a database has (None: no schema yet) and the newest one of this release."""

    current: str | None
    head: str

    @property
    def is_current(self) -> bool:
        """Whether this release can use the database."""
        return self.current == self.head


def schema_revision(url: str) -> SchemaState:
    """The schema version of a database. Raises StoreUnavailable when it cannot be reached."""
    engine = connect(url)
    try:
        return state_of(engine)
    finally:
        engine.dispose()


def state_of(engine: sa.Engine) -> SchemaState:
    """The schema version behind an engine."""
    with reading(engine) as connection:
        current = MigrationContext.configure(connection).get_current_revision()
    head = ScriptDirectory.from_config(_config()).get_current_head()
    assert head is not None
    return SchemaState(current, head)


def require_current(engine: sa.Engine) -> None:
    """Raises SchemaOutOfDate unless the database has this release's schema."""
    state = state_of(engine)
    if state.is_current:
        return
    if state.current is None:
        message = "the database has no schema yet"
    else:
        message = f"the database has schema {state.current}, this release needs {state.head}"
    raise SchemaOutOfDate(message)


def upgrade_schema(url: str, revision: str = "head") -> None:
    """Bring a database to this release's schema (or to `revision`), creating it in an empty one; safe to repeat."""
    _migrate(url, lambda config: command.upgrade(config, revision))


def downgrade_schema(url: str, revision: str) -> None:
    """Take a database back to an older schema; `base` removes every table and what is in it."""
    _migrate(url, lambda config: command.downgrade(config, revision))


def _migrate(url: str, step: Callable[[Config], None]) -> None:
    engine = connect(url)

    def work(connection: sa.Connection) -> None:
        check_server(connection)
        # two processes may start at once: SQLite has the write lock already, MySQL commits at every DDL statement
        locked = connection.dialect.name == "sqlite" or _take_lock(connection)
        if not locked:
            message = "another process is changing the schema"
            raise StoreUnavailable(message, hint="Wait until it has finished, then try again.")
        config = _config()
        config.attributes["connection"] = connection
        try:
            step(config)
        finally:
            if connection.dialect.name != "sqlite":
                connection.execute(sa.text("SELECT RELEASE_LOCK(:name)"), {"name": _LOCK})

    try:
        write(engine, work)
    finally:
        engine.dispose()


def _take_lock(connection: sa.Connection) -> bool:
    query = sa.text("SELECT GET_LOCK(:name, :seconds)")
    return connection.execute(query, {"name": _LOCK, "seconds": _LOCK_SECONDS}).scalar() == 1


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", (Path(__file__).parent / "migrations").as_posix().replace("%", "%%"))
    return config

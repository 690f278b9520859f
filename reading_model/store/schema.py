"""Schema versions: Alembic's revisions, run from inside the package.

Alembic is imported only to change a schema: opening a store compares two revision names, which must be quick.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa

from reading_model.errors import SchemaOutOfDate, StoreUnavailable
from reading_model.store.connection import check_server, connect
from reading_model.store.transactions import reading, write

if TYPE_CHECKING:
    from alembic.config import Config

HEAD = "0002"
"""The newest revision in `migrations/versions`."""

_VERSIONS = sa.table("alembic_version", sa.column("version_num", sa.String()))
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
        if not sa.inspect(connection).has_table(_VERSIONS.name):
            return SchemaState(None, HEAD)
        return SchemaState(connection.execute(sa.select(_VERSIONS.c.version_num)).scalar(), HEAD)


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
    from alembic import command  # noqa: PLC0415 - see the module

    _migrate(url, lambda config: command.upgrade(config, revision))


def downgrade_schema(url: str, revision: str) -> None:
    """Take a database back to an older schema; `base` removes every table and what is in it."""
    from alembic import command  # noqa: PLC0415 - see the module

    _migrate(url, lambda config: command.downgrade(config, revision))


def _migrate(url: str, step: Callable[[Config], None]) -> None:
    def work(connection: sa.Connection) -> None:
        check_server(connection)
        config = alembic_config()
        config.attributes["connection"] = connection
        step(config)

    engine = connect(url)
    try:
        with _alone(engine):
            write(engine, work)
    finally:
        engine.dispose()


@contextmanager
def _alone(engine: sa.Engine) -> Generator[None, None, None]:
    """Let one process at a time change the schema, until what it did is committed."""
    if engine.dialect.name == "sqlite":
        yield  # the transaction takes the write lock at once
        return
    with reading(engine) as guard:
        if guard.execute(sa.select(sa.func.get_lock(_LOCK, _LOCK_SECONDS))).scalar() != 1:
            message = "another process is changing the schema"
            raise StoreUnavailable(message, hint="Wait until it has finished, then try again.")
        try:
            yield
        finally:
            guard.execute(sa.select(sa.func.release_lock(_LOCK)))


def alembic_config() -> Config:
    """Alembic's configuration: where the revisions are; there is no file of it."""
    from alembic.config import Config  # noqa: PLC0415 - see the module

    config = Config()
    config.set_main_option("script_location", (Path(__file__).parent / "migrations").as_posix().replace("%", "%%"))
    return config

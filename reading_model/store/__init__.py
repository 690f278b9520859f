"""The canonical store: papers, reading models and who holds them, in SQLite or in MySQL/MariaDB.

`upgrade_schema` prepares a database, `open_store` opens it. Everything a model holds is written in one transaction,
read transactions are short, and texts come back exactly as they were stored or are refused before anything is written.
"""

from __future__ import annotations

import sqlalchemy as sa

from reading_model.store.access import AccessStore
from reading_model.store.builds import BuildStore, IndexBuild
from reading_model.store.clock import Clock, database_clock
from reading_model.store.connection import check_server, connect
from reading_model.store.control import ACTIVE_CONTRACT, ControlStore
from reading_model.store.leases import Lease, LeaseStore
from reading_model.store.locations import LocationStore
from reading_model.store.papers import PaperStore
from reading_model.store.reading_models import ModelStore
from reading_model.store.records import Artifact, CurrentModel, NewPaper
from reading_model.store.schema import (
    SchemaState,
    downgrade_schema,
    require_current,
    schema_revision,
    upgrade_schema,
)
from reading_model.store.transactions import reading

__all__ = [
    "ACTIVE_CONTRACT",
    "AccessStore",
    "Artifact",
    "BuildStore",
    "Clock",
    "ControlStore",
    "CurrentModel",
    "IndexBuild",
    "Lease",
    "LeaseStore",
    "LocationStore",
    "ModelStore",
    "NewPaper",
    "PaperStore",
    "ReadingStore",
    "SchemaState",
    "downgrade_schema",
    "open_store",
    "schema_revision",
    "upgrade_schema",
]


class ReadingStore:
    """An open database; its parts hold the statements. Threads may share it, processes open their own.

    Leases are measured by `clock`.
    """

    def __init__(self, engine: sa.Engine, *, clock: Clock = database_clock) -> None:
        self.engine = engine
        self.papers = PaperStore(engine)
        self.models = ModelStore(engine)
        self.locations = LocationStore(engine)
        self.access = AccessStore(engine)
        self.control = ControlStore(engine)
        self.leases = LeaseStore(engine, clock)
        self.builds = BuildStore(engine, clock)

    def close(self) -> None:
        """Give back all connections."""
        self.engine.dispose()


def open_store(url: str, *, clock: Clock = database_clock) -> ReadingStore:
    """Open a database by its SQLAlchemy URL; `clock` measures leases.

    Raises SchemaOutOfDate unless it has this release's schema, StoreUnavailable when it cannot be reached or would not
    keep texts as they are.
    """
    engine = connect(url)
    try:
        with reading(engine) as connection:
            check_server(connection)
        require_current(engine)
    except BaseException:
        engine.dispose()
        raise
    return ReadingStore(engine, clock=clock)

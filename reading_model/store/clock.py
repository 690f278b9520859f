"""The clock that leases are measured by: the database's, because owners may run on machines whose clocks differ."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import sqlalchemy as sa

Clock = Callable[[sa.Connection], datetime]
"""The present instant, UTC, as the database behind the connection sees it."""


def database_clock(connection: sa.Connection) -> datetime:
    """The server's clock; an SQLite file has none, but everyone who opens it shares a machine."""
    if connection.dialect.name == "sqlite":
        return datetime.now(UTC)
    return connection.exec_driver_sql("SELECT UTC_TIMESTAMP(6)").scalar_one().replace(tzinfo=UTC)

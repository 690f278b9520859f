"""Pieces of statements that several stores use."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import TypeVar

import sqlalchemy as sa

IN_LIMIT = 500
"""Values in one IN list."""

Item = TypeVar("Item")


def chunks(items: Collection[Item], size: int = IN_LIMIT) -> Iterator[Sequence[Item]]:
    """The items in order, at most `size` at a time, repeated ones once."""
    rest = iter(dict.fromkeys(items))
    while chunk := list(islice(rest, size)):
        yield chunk


def exists(connection: sa.Connection, column: sa.Column[str], value: str) -> bool:
    """Whether a row has this key."""
    return connection.execute(sa.select(sa.literal(1)).where(column == value).limit(1)).first() is not None


def now() -> datetime:
    """The present instant, UTC."""
    return datetime.now(UTC)

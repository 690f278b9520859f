"""Pieces of statements that several stores use."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Any, TypeVar

import sqlalchemy as sa

IN_LIMIT = 500
"""Values in one IN list."""

Item = TypeVar("Item")


def chunks(items: Collection[Item], size: int = IN_LIMIT) -> Iterator[Sequence[Item]]:
    """The items in order, at most `size` at a time, repeated ones once."""
    rest = iter(dict.fromkeys(items))
    while chunk := list(islice(rest, size)):
        yield chunk


class OneOf:
    """A statement with `column IN (...)` that is asked often: built and compiled once for each size of the list.

    Sizes are powers of two; a shorter list repeats its last value. An expanding parameter would have the statement's
    text worked out again on every call, which costs as much as running it.
    """

    def __init__(self, column: sa.Column[str], statement: sa.Select[*tuple[Any, ...]]) -> None:
        self._column = column
        self._statement = statement
        self._kept: dict[int, sa.Select[*tuple[Any, ...]]] = {}

    def rows(
        self, connection: sa.Connection, values: Collection[str], fixed: Mapping[str, object] | None = None
    ) -> Iterator[sa.Row[Any]]:
        """The rows for the values, `IN_LIMIT` of them a query; `fixed` gives the statement's other parameters."""
        for chunk in chunks(values):
            asked = padded(chunk)
            parameters = {f"one_of_{number}": value for number, value in enumerate(asked)}
            yield from connection.execute(self._sized(len(asked)), {**parameters, **(fixed or {})}).all()

    def _sized(self, size: int) -> sa.Select[*tuple[Any, ...]]:
        if size not in self._kept:
            listed = [sa.bindparam(f"one_of_{number}", type_=self._column.type) for number in range(size)]
            self._kept[size] = self._statement.where(self._column.in_(listed))
        return self._kept[size]


def padded(items: Sequence[Item]) -> list[Item]:
    """At least one item, the last one repeated up to a power of two: so few statements do for lists of any length."""
    return [*items, *[items[-1]] * ((1 << (len(items) - 1).bit_length()) - len(items))]


def exists(connection: sa.Connection, column: sa.Column[str], value: str) -> bool:
    """Whether a row has this key."""
    return connection.execute(sa.select(sa.literal(1)).where(column == value).limit(1)).first() is not None


def now() -> datetime:
    """The present instant, UTC."""
    return datetime.now(UTC)

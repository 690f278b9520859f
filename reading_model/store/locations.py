"""Locations: by reference for reading, as a stream for the index."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import sqlalchemy as sa

from reading_model.models import SEARCHABLE_KINDS, LocationKind, LocationRecord
from reading_model.store import rows
from reading_model.store.statements import OneOf, chunks
from reading_model.store.tables import locations, models
from reading_model.store.transactions import reading

_BATCH = 400
"""Locations that a stream holds in memory at a time."""

_JOINED = sa.select(locations, models.c.paper_id, models.c.parser).join_from(
    locations, models, locations.c.model_version == models.c.model_version
)

_BY_REFS = OneOf(locations.c.location_ref, _JOINED)


class LocationStore:
    """The table `paper_locations`."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    def by_refs(self, refs: Sequence[str]) -> dict[str, LocationRecord]:
        """Locations by reference, of any model version; unknown ones are left out. One query per 500."""
        with reading(self._engine) as connection:
            return {row.location_ref: rows.location_record_of(row) for row in _BY_REFS.rows(connection, refs)}

    def of_models(
        self, model_versions: Sequence[str], kinds: Collection[LocationKind] = SEARCHABLE_KINDS
    ) -> Iterator[LocationRecord]:
        """Locations of some models, ordered by model version and ordinal, a few hundred in memory at a time.

        Every batch is a query of its own: a cursor left open while the caller works would be cut by the server.
        """
        for chunk in chunks(sorted(set(model_versions))):
            for batch in batches(self._counts(chunk, kinds)):
                yield from self._read(batch, kinds)

    def count(self, model_version: str, kinds: Collection[LocationKind] = SEARCHABLE_KINDS) -> int:
        """How many locations of these kinds a model has."""
        return self._counts([model_version], kinds).get(model_version, 0)

    def _counts(self, versions: Sequence[str], kinds: Collection[LocationKind]) -> dict[str, int]:
        query = (
            sa.select(locations.c.model_version, sa.func.count())
            .where(locations.c.model_version.in_(versions), _of_kind(kinds))
            .group_by(locations.c.model_version)
            .order_by(locations.c.model_version)
        )
        with reading(self._engine) as connection:
            return {row[0]: row[1] for row in connection.execute(query)}

    def _read(self, versions: Sequence[str], kinds: Collection[LocationKind]) -> Iterator[LocationRecord]:
        query = (
            _JOINED.where(locations.c.model_version.in_(versions), _of_kind(kinds))
            .order_by(locations.c.model_version, locations.c.ordinal)
            .limit(_BATCH)
        )
        after = -1
        while True:
            # only a model that fills a batch alone has a second one, so an ordinal is enough to go on from
            with reading(self._engine) as connection:
                found = list(connection.execute(query.where(locations.c.ordinal > after)))
            yield from map(rows.location_record_of, found)
            if len(found) < _BATCH:
                return
            after = found[-1].ordinal


def batches(counts: Mapping[str, int], size: int = _BATCH) -> Iterator[list[str]]:
    """Group models so that a group has fewer than `size` locations, or is one model."""
    batch: list[str] = []
    filled = 0
    for version, count in counts.items():
        if batch and filled + count >= size:
            yield batch
            batch, filled = [], 0
        batch.append(version)
        filled += count
    if batch:
        yield batch


def _of_kind(kinds: Collection[LocationKind]) -> sa.ColumnElement[bool]:
    return locations.c.kind.in_(sorted(kind.value for kind in kinds))

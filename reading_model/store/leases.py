"""Who builds the points of a model: claimed by compare-and-set, held by a lease, fenced by a token.

Every claim raises the model's token. Whoever slept through a lease that somebody else took over holds an older token,
and nothing it says about the model's points counts any more (`LeaseLost`).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import sqlalchemy as sa

from reading_model.errors import LeaseLost, StoreError
from reading_model.models import IndexStatus
from reading_model.store.clock import Clock
from reading_model.store.tables import models
from reading_model.store.transactions import reading, write

_UNDER_WAY = (IndexStatus.BUILDING.value, IndexStatus.REBUILDING.value)


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to build the points of one model; `status` is the state that the claim led to."""

    model_version: str
    owner: str
    token: int
    status: IndexStatus


class LeaseStore:
    """The life cycle of points, in the rows of `paper_reading_models`."""

    def __init__(self, engine: sa.Engine, clock: Clock) -> None:
        self._engine = engine
        self._clock = clock

    def claim(self, model_version: str, owner: str, *, seconds: float) -> Lease | None:
        """Take a model to build its points: REBUILDING where it answers, else BUILDING.

        None while somebody else's lease on it runs. Raises StoreError for an unknown model.
        """

        def work(connection: sa.Connection) -> Lease | None:
            row = connection.execute(
                sa.select(
                    models.c.index_status, models.c.current_marker, models.c.index_token, models.c.index_lease_until
                )
                .where(models.c.model_version == model_version)
                .with_for_update()
            ).one_or_none()
            if row is None:
                message = f"there is no model {model_version}"
                raise StoreError(message)
            instant = self._clock(connection)
            if row.index_status in _UNDER_WAY and row.index_lease_until is not None and row.index_lease_until > instant:
                return None
            answers = row.current_marker == 1 and IndexStatus(row.index_status).answers
            status = IndexStatus.REBUILDING if answers else IndexStatus.BUILDING
            taken = connection.execute(
                sa.update(models)
                .where(models.c.model_version == model_version, models.c.index_token == row.index_token)
                .values(
                    index_status=status.value,
                    index_owner=owner,
                    index_token=row.index_token + 1,
                    index_lease_until=instant + timedelta(seconds=seconds),
                    index_error=None,
                    index_changed_at=instant,
                )
            )
            return Lease(model_version, owner, row.index_token + 1, status) if taken.rowcount == 1 else None

        return write(self._engine, work)

    def extend(self, lease: Lease, *, seconds: float) -> None:
        """The heartbeat: the lease now ends `seconds` from this moment. Raises LeaseLost."""

        def work(connection: sa.Connection) -> int:
            until = self._clock(connection) + timedelta(seconds=seconds)
            return connection.execute(_held(lease).values(index_lease_until=until)).rowcount

        if write(self._engine, work) != 1:
            raise lost(lease)

    def fail(self, lease: Lease, error: str) -> None:
        """Give a claim back as FAILED, with the reason. Raises LeaseLost."""

        def work(connection: sa.Connection) -> int:
            ended = {
                "index_status": IndexStatus.FAILED.value,
                "index_owner": None,
                "index_lease_until": None,
                "index_error": error,
                "index_changed_at": self._clock(connection),
            }
            return connection.execute(_held(lease).values(ended)).rowcount

        if write(self._engine, work) != 1:
            raise lost(lease)

    def under_way(self) -> dict[str, str]:
        """Models whose points somebody with a running lease builds now, with the owner's name."""
        query = sa.select(models.c.model_version, models.c.index_owner, models.c.index_lease_until).where(
            models.c.index_status.in_(_UNDER_WAY), models.c.index_lease_until.is_not(None)
        )
        with reading(self._engine) as connection:
            instant = self._clock(connection)
            return {
                row.model_version: row.index_owner or ""
                for row in connection.execute(query)
                if row.index_lease_until > instant
            }

    def end_all(self) -> int:
        """End every lease, and how many there were. Only for a caller who knows that no owner is alive.

        The states stay: what was being built is found and put right like any other interrupted work.
        """
        statement = (
            sa.update(models)
            .where(models.c.index_lease_until.is_not(None))
            .values(index_owner=None, index_lease_until=None, index_token=models.c.index_token + 1)
        )
        return write(self._engine, lambda connection: connection.execute(statement).rowcount)


def lost(lease: Lease) -> LeaseLost:
    """The error of an owner whose lease somebody else has taken over."""
    return LeaseLost(f"{lease.owner} no longer builds the points of {lease.model_version}: its lease was taken over")


def _held(lease: Lease) -> Any:
    return sa.update(models).where(
        models.c.model_version == lease.model_version,
        models.c.index_token == lease.token,
        models.c.index_owner == lease.owner,
    )

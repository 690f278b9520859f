"""Full builds of the index beside the one that serves: one at a time, under a lease, switched to in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from reading_model.errors import LeaseLost
from reading_model.models import IndexStatus, PaperRecord
from reading_model.store.clock import Clock
from reading_model.store.control import ACTIVE_CONTRACT, held_value, set_value
from reading_model.store.papers import held_records
from reading_model.store.tables import builds, models
from reading_model.store.transactions import reading, write


class BuildState(StrEnum):
    """BUILDING -> READY, the collection serves; or -> DROPPED, it was given up."""

    BUILDING = "BUILDING"
    READY = "READY"
    DROPPED = "DROPPED"


@dataclass(frozen=True, slots=True)
class IndexBuild:
    """A full build of the index into the collection `collection`; `done` of `papers` papers have their points.

    `owned` tells whether the owner's lease ran when this was read; without an owner the build waits to be resumed.
    """

    collection: str
    contract: str
    state: BuildState
    owner: str | None
    owned: bool
    papers: int
    done: int
    started_at: datetime


@dataclass(frozen=True, slots=True)
class BuildLease:
    """The right to go on with a build, until somebody else takes it over."""

    collection: str
    owner: str
    token: int


class BuildStore:
    """The table `index_builds`."""

    def __init__(self, engine: sa.Engine, clock: Clock) -> None:
        self._engine = engine
        self._clock = clock

    def running(self) -> IndexBuild | None:
        """The build that is not finished, if there is one."""
        with reading(self._engine) as connection:
            row = connection.execute(sa.select(builds).where(builds.c.running == 1)).one_or_none()
            return None if row is None else _build_of(row, self._clock(connection))

    def collections(self) -> tuple[str, ...]:
        """The collections of all builds that there ever were; their names are not used again."""
        with reading(self._engine) as connection:
            return tuple(connection.execute(sa.select(builds.c.collection).order_by(builds.c.started_at)).scalars())

    def start(self, collection: str, contract: str, owner: str, *, papers: int, seconds: float) -> BuildLease | None:
        """Begin a build; None while another one is not finished."""

        def work(connection: sa.Connection) -> None:
            instant = self._clock(connection)
            connection.execute(
                sa.insert(builds).values(
                    collection=collection,
                    running=1,
                    contract=contract,
                    state=BuildState.BUILDING.value,
                    token=1,
                    owner=owner,
                    lease_until=instant + timedelta(seconds=seconds),
                    papers=papers,
                    done=0,
                    started_at=instant,
                    changed_at=instant,
                )
            )

        try:
            write(self._engine, work)
        except IntegrityError:
            return None
        return BuildLease(collection, owner, 1)

    def take_over(self, collection: str, owner: str, *, seconds: float, alone: bool = False) -> BuildLease | None:
        """Go on with the build that is not finished; None while its owner's lease runs.

        `alone`: the caller knows that nobody else is at it, for instance because it has the collection's folder open.
        """

        def work(connection: sa.Connection) -> BuildLease | None:
            this = (builds.c.collection == collection) & (builds.c.running == 1)
            row = connection.execute(sa.select(builds).where(this).with_for_update()).one_or_none()
            instant = self._clock(connection)
            if row is None or (not alone and _build_of(row, instant).owned):
                return None
            values = {"owner": owner, "token": row.token + 1, "lease_until": instant + timedelta(seconds=seconds)}
            taken = connection.execute(sa.update(builds).where(this, builds.c.token == row.token).values(values))
            return BuildLease(collection, owner, row.token + 1) if taken.rowcount == 1 else None

        return write(self._engine, work)

    def progress(self, lease: BuildLease, *, done: int, papers: int, seconds: float) -> None:
        """The heartbeat, with how far the build is. Raises LeaseLost."""

        def work(connection: sa.Connection) -> int:
            instant = self._clock(connection)
            values = {"done": done, "papers": papers, "lease_until": instant + timedelta(seconds=seconds)}
            return connection.execute(_held(lease).values({**values, "changed_at": instant})).rowcount

        self._require_held(lease, write(self._engine, work))

    def pause(self, lease: BuildLease) -> None:
        """Leave a build so that anybody can go on with it at once. Raises LeaseLost."""
        self._end(lease, {"owner": None, "lease_until": None})

    def drop(self, lease: BuildLease, error: str) -> None:
        """Give a build up. Raises LeaseLost."""
        ended = {"owner": None, "lease_until": None, "running": None}
        self._end(lease, {**ended, "state": BuildState.DROPPED.value, "error": error})

    def switch(
        self,
        lease: BuildLease,
        contract: str,
        *,
        is_complete: Callable[[Sequence[PaperRecord]], bool],
        lengths: Mapping[str, float],
    ) -> bool:
        """Put a build into force: its contract, and every current model READY under it, in one transaction.

        First `is_complete` is asked about the papers as they are in that transaction, in which nobody can change them;
        False, and nothing changes, when it says no. It must have no other effect: the transaction may run twice.
        `lengths` gives the length of each model's indexed texts in weighted words. Raises LeaseLost.
        """

        def work(connection: sa.Connection) -> bool:
            held_value(connection, ACTIVE_CONTRACT, to_change=True)
            instant = self._clock(connection)
            ended = {"running": None, "owner": None, "lease_until": None, "state": BuildState.READY.value}
            held = connection.execute(_held(lease).values(changed_at=instant)).rowcount
            self._require_held(lease, held)
            if not is_complete(held_records(connection)):
                return False
            connection.execute(
                sa.update(models)
                .where(models.c.current_marker == 1)
                .values(
                    index_status=IndexStatus.READY.value,
                    index_contract=contract,
                    point_count=models.c.searchable_count,
                    # whoever writes points of a model into the old index must not make it current
                    index_token=models.c.index_token + 1,
                    index_owner=None,
                    index_lease_until=None,
                    index_error=None,
                    index_changed_at=instant,
                )
            )
            measured = [{"version": version, "length": length} for version, length in lengths.items()]
            if measured:
                connection.execute(
                    sa.update(models)
                    .where(models.c.model_version == sa.bindparam("version"))
                    .values(index_length=sa.bindparam("length")),
                    measured,
                )
            set_value(connection, ACTIVE_CONTRACT, contract)
            connection.execute(_held(lease).values(ended))
            return True

        return write(self._engine, work)

    def _end(self, lease: BuildLease, values: Mapping[str, Any]) -> None:
        def work(connection: sa.Connection) -> int:
            return connection.execute(_held(lease).values({**values, "changed_at": self._clock(connection)})).rowcount

        self._require_held(lease, write(self._engine, work))

    def _require_held(self, lease: BuildLease, rows: int) -> None:
        if rows != 1:
            message = f"{lease.owner} no longer builds {lease.collection}: its lease was taken over"
            raise LeaseLost(message)


def _held(lease: BuildLease) -> Any:
    return sa.update(builds).where(
        builds.c.collection == lease.collection,
        builds.c.running == 1,
        builds.c.token == lease.token,
        builds.c.owner == lease.owner,
    )


def _build_of(row: Any, instant: datetime) -> IndexBuild:
    return IndexBuild(
        collection=row.collection,
        contract=row.contract,
        state=BuildState(row.state),
        owner=row.owner,
        owned=row.owner is not None and row.lease_until is not None and row.lease_until > instant,
        papers=row.papers,
        done=row.done,
        started_at=row.started_at,
    )

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from reading_model.errors import ContractChanged, LeaseLost, StoreError
from reading_model.models import IndexStatus, PaperMetadata
from reading_model.store import ACTIVE_CONTRACT, Lease, NewPaper, ReadingStore, open_store
from reading_model.store.clock import database_clock
from reading_model.store.tables import models
from reading_model.store.transactions import reading
from tests.reading_model.store.conftest import model_of

P = "p"


class Hand:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.instant = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self, _connection: sa.Connection) -> datetime:
        return self.instant

    def move(self, seconds: float) -> None:
        self.instant += timedelta(seconds=seconds)


@pytest.fixture
def clock() -> Hand:
    return Hand()


@pytest.fixture
def timed(store_url: str, clock: Hand) -> Iterator[ReadingStore]:
    """A store with one paper whose model is stored."""
    opened = open_store(store_url, clock=clock)
    opened.papers.add(NewPaper(P, "f" * 64, "p.pdf", 1, "pdf/p.pdf"))
    opened.models.save(model_of(P))
    yield opened
    opened.close()


VERSION = model_of(P).model_version


def state(store: ReadingStore) -> tuple[str, str | None]:
    with reading(store.engine) as connection:
        row = connection.execute(sa.select(models).where(models.c.model_version == VERSION)).one()
    return row.index_status, row.index_owner


def ready(store: ReadingStore) -> None:
    store.models.activate(P, VERSION, contract="c", point_count=1)


def test_a_claim_builds_what_is_new_and_rebuilds_what_answers(timed: ReadingStore) -> None:
    lease = timed.leases.claim(VERSION, "a", seconds=60)
    assert lease
    assert lease.status is IndexStatus.BUILDING
    assert state(timed) == ("BUILDING", "a")
    timed.models.activate(P, VERSION, contract="c", point_count=1, lease=lease, length=12.5)
    assert state(timed) == ("READY", None)
    assert timed.models.measured_lengths() == {VERSION: 12.5}
    again = timed.leases.claim(VERSION, "b", seconds=60)
    assert again
    assert again.status is IndexStatus.REBUILDING
    timed.leases.fail(again, "disk full")
    assert state(timed) == ("FAILED", None)
    third = timed.leases.claim(VERSION, "b", seconds=60)
    assert third
    assert third.status is IndexStatus.BUILDING


def test_nobody_claims_a_model_whose_lease_runs(timed: ReadingStore, clock: Hand) -> None:
    assert timed.leases.claim(VERSION, "a", seconds=60)
    clock.move(59)
    assert timed.leases.claim(VERSION, "b", seconds=60) is None
    assert timed.leases.under_way() == {VERSION: "a"}


def test_an_expired_lease_is_taken_over_and_its_owner_stops(timed: ReadingStore, clock: Hand) -> None:
    slow = timed.leases.claim(VERSION, "slow", seconds=60)
    assert slow
    clock.move(60)
    assert timed.leases.under_way() == {}
    quick = timed.leases.claim(VERSION, "quick", seconds=60)
    assert quick
    with pytest.raises(LeaseLost, match="slow no longer builds"):
        timed.leases.extend(slow, seconds=60)
    with pytest.raises(LeaseLost):
        timed.leases.fail(slow, "late")
    with pytest.raises(LeaseLost):
        timed.models.activate(P, VERSION, contract="c", point_count=1, lease=slow)
    assert timed.models.current([P]) == {}
    timed.models.activate(P, VERSION, contract="c", point_count=1, lease=quick)
    assert timed.models.current([P])[P].index_status is IndexStatus.READY


def test_an_owner_of_the_same_name_is_fenced_by_the_token(timed: ReadingStore, clock: Hand) -> None:
    first = timed.leases.claim(VERSION, "a", seconds=1)
    clock.move(2)
    second = timed.leases.claim(VERSION, "a", seconds=60)
    assert first
    assert second
    assert second.token == first.token + 1
    with pytest.raises(LeaseLost):
        timed.leases.extend(first, seconds=60)
    with pytest.raises(LeaseLost):
        timed.leases.fail(first, "late")
    with pytest.raises(LeaseLost):
        timed.models.activate(P, VERSION, contract="c", point_count=1, lease=first)


def test_a_heartbeat_keeps_a_lease(timed: ReadingStore, clock: Hand) -> None:
    lease = timed.leases.claim(VERSION, "a", seconds=60)
    assert lease
    clock.move(50)
    timed.leases.extend(lease, seconds=60)
    clock.move(50)
    assert timed.leases.claim(VERSION, "b", seconds=60) is None


def test_a_lease_that_ran_out_and_nobody_took_still_counts(timed: ReadingStore, clock: Hand) -> None:
    lease = timed.leases.claim(VERSION, "a", seconds=60)
    assert lease
    clock.move(3600)
    timed.models.activate(P, VERSION, contract="c", point_count=1, lease=lease)
    assert state(timed) == ("READY", None)


def test_leases_of_owners_known_to_be_dead_end_at_once(timed: ReadingStore) -> None:
    dead = timed.leases.claim(VERSION, "dead", seconds=3600)
    assert dead
    assert timed.leases.end_all() == 1
    assert timed.leases.end_all() == 0
    assert timed.leases.claim(VERSION, "b", seconds=60)
    with pytest.raises(LeaseLost):
        timed.leases.extend(dead, seconds=60)


def test_of_many_who_claim_at_once_one_wins(timed: ReadingStore) -> None:
    def claim(owner: int) -> Lease | None:
        return timed.leases.claim(VERSION, str(owner), seconds=60)

    with ThreadPoolExecutor(6) as pool:
        leases = list(pool.map(claim, range(6)))
    assert sum(lease is not None for lease in leases) == 1


def test_a_model_does_not_become_current_with_points_of_an_old_contract(timed: ReadingStore) -> None:
    lease = timed.leases.claim(VERSION, "a", seconds=60)
    timed.control.set(ACTIVE_CONTRACT, "new")
    with pytest.raises(ContractChanged, match="now new"):
        timed.models.activate(P, VERSION, contract="old", point_count=1, lease=lease)
    timed.models.activate(P, VERSION, contract="new", point_count=1, lease=lease)


def test_an_unknown_model_cannot_be_claimed(timed: ReadingStore) -> None:
    with pytest.raises(StoreError, match="rm_nothing"):
        timed.leases.claim("rm_nothing", "a", seconds=60)


def test_a_new_title_marks_the_points_of_a_paper_and_fences_who_builds_them(timed: ReadingStore) -> None:
    ready(timed)
    assert not timed.papers.set_metadata(P, PaperMetadata(title=model_of(P).metadata.title, year=2020))
    assert state(timed) == ("READY", None)
    lease = timed.leases.claim(VERSION, "a", seconds=60)
    assert timed.papers.set_metadata(P, PaperMetadata(title="Another"))
    assert state(timed) == ("REBUILDING", None)
    with pytest.raises(LeaseLost):
        timed.models.activate(P, VERSION, contract="c", point_count=1, lease=lease)


def test_the_clock_of_a_database_tells_the_present(store_url: str) -> None:
    opened = open_store(store_url)
    with reading(opened.engine) as connection:
        told = database_clock(connection)
    opened.close()
    assert abs(told - datetime.now(UTC)) < timedelta(minutes=1)

from __future__ import annotations

from collections.abc import Sequence

import pytest

from reading_model.errors import LeaseLost
from reading_model.models import IndexStatus, PaperRecord
from reading_model.store import ACTIVE_CONTRACT, ReadingStore
from reading_model.store.builds import BuildLease, BuildState
from tests.reading_model.store.test_leases import VERSION, Hand, P, clock, ready, timed

__all__ = ["clock", "timed"]


def start(store: ReadingStore, collection: str = "locations_2") -> BuildLease:
    lease = store.builds.start(collection, "new", "a", papers=1, seconds=60)
    assert lease
    return lease


def complete(_records: Sequence[PaperRecord]) -> bool:
    return True


def test_one_build_runs_at_a_time(timed: ReadingStore) -> None:
    assert timed.builds.running() is None
    start(timed)
    assert timed.builds.start("locations_3", "new", "b", papers=1, seconds=60) is None
    running = timed.builds.running()
    assert running is not None
    assert (running.collection, running.contract, running.state) == ("locations_2", "new", BuildState.BUILDING)
    assert (running.owner, running.owned, running.done, running.papers) == ("a", True, 0, 1)


def test_a_build_is_taken_over_when_its_lease_has_run_out(timed: ReadingStore, clock: Hand) -> None:
    slow = start(timed)
    assert timed.builds.take_over("locations_2", "b", seconds=60) is None
    clock.move(60)
    quick = timed.builds.take_over("locations_2", "b", seconds=60)
    assert quick
    with pytest.raises(LeaseLost, match="a no longer builds"):
        timed.builds.progress(slow, done=1, papers=1, seconds=60)
    with pytest.raises(LeaseLost):
        timed.builds.switch(slow, "new", is_complete=complete, lengths={})
    timed.builds.progress(quick, done=1, papers=1, seconds=60)
    running = timed.builds.running()
    assert running
    assert (running.owner, running.done) == ("b", 1)


def test_a_paused_build_is_anybodys_and_a_dropped_one_nobodys(timed: ReadingStore) -> None:
    timed.builds.pause(start(timed))
    running = timed.builds.running()
    assert running
    assert not running.owned
    lease = timed.builds.take_over("locations_2", "b", seconds=60)
    assert lease
    timed.builds.drop(lease, "other rules")
    assert timed.builds.running() is None
    assert timed.builds.take_over("locations_2", "c", seconds=60, alone=True) is None
    start(timed, "locations_3")
    assert set(timed.builds.collections()) == {"locations_2", "locations_3"}


def test_an_owner_that_took_its_own_build_over_is_fenced_by_the_token(timed: ReadingStore) -> None:
    first = start(timed)
    assert timed.builds.take_over("locations_2", "a", seconds=60, alone=True)
    with pytest.raises(LeaseLost):
        timed.builds.progress(first, done=1, papers=1, seconds=60)
    with pytest.raises(LeaseLost):
        timed.builds.switch(first, "new", is_complete=complete, lengths={})


def test_who_knows_to_be_alone_need_not_wait(timed: ReadingStore) -> None:
    start(timed)
    assert timed.builds.take_over("locations_2", "b", seconds=60, alone=True)


def test_the_switch_makes_every_current_model_ready_under_the_new_contract(timed: ReadingStore) -> None:
    ready(timed)
    timed.control.set(ACTIVE_CONTRACT, "c")
    writing = timed.leases.claim(VERSION, "writer", seconds=60)
    lease = start(timed)
    seen: list[list[str]] = []

    def asked(records: Sequence[PaperRecord]) -> bool:
        seen.append([record.paper_id for record in records])
        return True

    assert timed.builds.switch(lease, "new", is_complete=asked, lengths={VERSION: 40.0})
    assert seen == [[P]]
    current = timed.models.current([P])[P]
    assert (current.index_status, current.index_contract) == (IndexStatus.READY, "new")
    assert current.point_count == current.searchable_count
    assert timed.models.measured_lengths() == {VERSION: 40.0}
    assert timed.control.get(ACTIVE_CONTRACT) == "new"
    assert timed.builds.running() is None
    assert writing
    with pytest.raises(LeaseLost):
        timed.leases.extend(writing, seconds=60)


def test_nothing_switches_while_papers_are_missing(timed: ReadingStore) -> None:
    ready(timed)
    lease = start(timed)
    assert not timed.builds.switch(lease, "new", is_complete=lambda _: False, lengths={})
    assert timed.models.current([P])[P].index_contract == "c"
    assert timed.builds.switch(lease, "new", is_complete=complete, lengths={})

"""Two processes at the points of one library: whatever one does between two steps of the other, no points are lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from index.contract import SCOPED_IDF, IndexContract
from index.embedded_engine import EmbeddedEngine
from index.engine import LOCATIONS
from index.errors import IndexUnavailable
from index.indexer import Indexer, active_contract
from index.rebuilding import IndexRebuild
from index.serving import ServingIndex
from reading_model.errors import LeaseLost
from reading_model.store import ACTIVE_CONTRACT, Lease, ReadingStore
from tests.index.libraries import Library
from tests.index.test_serving import RULES, engine, serving, store

__all__ = ["engine", "serving", "store"]

WINDY = ["windy hill", "windy lake", "quiet barn"]


@pytest.fixture
def other(library: Library) -> Indexer:
    """The other process."""
    return Indexer(library.store, library.locations, library.cards, library.contract)


def once(work: Callable[[], object]) -> Callable[[], None]:
    """`work` at the first call, nothing at the others."""
    left = [work]

    def call() -> None:
        if left:
            left.pop()()

    return call


def test_who_activated_a_parse_leaves_the_points_of_the_next_parse_alone(
    library: Library, other: Indexer, monkeypatch: pytest.MonkeyPatch
) -> None:
    zeroth = library.put("p", ["windy old"], parse="0")
    first = library.save("p", WINDY, parse="1")
    second = library.save("p", ["windy new"], parse="2")
    activate = library.store.models.activate
    faster = once(lambda: other.index_model("p", second))

    def then_another(*args: str, **kwargs: object) -> tuple[str, ...]:
        demoted = activate(*args, **kwargs)  # type: ignore[arg-type]
        faster()
        return demoted

    monkeypatch.setattr(library.store.models, "activate", then_another)
    library.indexer.index_model("p", first)
    assert library.current() == {"p": second}
    assert [library.locations.count(version) for version in (zeroth, first, second)] == [0, 0, 1]
    assert library.indexer.verify().clean


def test_who_builds_a_parse_again_that_is_replaced_meanwhile_does_not_bring_it_back(
    library: Library, other: Indexer, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = library.put("p", WINDY)
    second = library.save("p", ["windy new"], parse="2")
    written = library.locations.upsert
    replaced = once(lambda: other.index_model("p", second))

    def meanwhile(points: Sequence[object]) -> None:
        replaced()
        written(points)  # type: ignore[arg-type]

    monkeypatch.setattr(library.locations, "upsert", meanwhile)
    with pytest.raises(LeaseLost):
        library.indexer.index_model("p", first)
    assert library.current() == {"p": second}
    assert library.found("windy") == ["p"]


def test_a_start_leaves_a_paper_alone_that_another_process_finishes_meanwhile(
    library: Library, other: Indexer, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = library.save("p", WINDY)
    library.put("another", ["windy"])
    count = library.locations.count
    finished = once(lambda: other.index_model("p", version))

    def finished_first(model_version: str | None = None) -> int:
        finished()
        return count(model_version)

    monkeypatch.setattr(library.locations, "count", finished_first)
    assert library.indexer.check().removed_models == ()
    library.indexer.repair()
    monkeypatch.undo()
    assert library.locations.count(version) == 3
    assert library.cards.count() == 2
    assert library.indexer.verify().clean


def test_a_start_deletes_the_card_of_a_paper_whose_first_build_was_killed(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.put("p", WINDY)
    version = library.save("killed", WINDY)

    def killed(*_args: object, **_kwargs: object) -> None:
        raise KeyboardInterrupt

    def gives_nothing_back(*_args: object) -> None:
        pass

    monkeypatch.setattr(library.store.models, "activate", killed)
    monkeypatch.setattr(library.indexer, "_give_back", gives_nothing_back)
    with pytest.raises(KeyboardInterrupt):
        library.indexer.index_model("killed", version)
    monkeypatch.undo()
    assert library.indexer.check().removed_models == (), "its lease runs: its points and its card are left alone"
    assert (library.locations.count(version), library.cards.count()) == (3, 2)
    library.store.leases.end_all()
    assert library.indexer.check().removed_models == (version,)
    assert (library.locations.count(version), library.cards.count()) == (0, 1)
    assert library.indexer.verify().clean


def test_points_of_a_failed_build_go_while_nobody_else_can_claim_the_model(
    library: Library, other: Indexer, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = library.save("p", WINDY)
    fail = library.store.leases.fail

    def failed_and_claimed(lease: Lease, error: str) -> None:
        fail(lease, error)
        monkeypatch.undo()
        assert other.index_model("p", version) == 3

    def broken(_points: Sequence[object]) -> None:
        message = "no space left"
        raise IndexUnavailable(message)

    monkeypatch.setattr(library.store.leases, "fail", failed_and_claimed)
    monkeypatch.setattr(library.locations, "upsert", broken)
    with pytest.raises(IndexUnavailable):
        library.indexer.index_model("p", version)
    assert library.locations.count(version) == 3
    assert library.indexer.verify().clean


def test_a_new_library_has_the_contract_of_whoever_opens_it_first(
    store: ReadingStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = IndexContract.default(idf=SCOPED_IDF).of_generation(2, avgdl=100).text()
    get = store.control.get
    rebuilt = once(lambda: store.control.set(ACTIVE_CONTRACT, first))

    def just_before(name: str) -> str | None:
        value = get(name)
        rebuilt()
        return value

    monkeypatch.setattr(store.control, "get", just_before)
    assert active_contract(store).text() == first
    assert get(ACTIVE_CONTRACT) == first


def test_two_processes_switch_an_alias_at_one_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = EmbeddedEngine(tmp_path)
    engine.create("locations_2", RULES.of_generation(2, avgdl=100)).close()
    replace = Path.replace
    also = once(lambda: EmbeddedEngine(tmp_path).switch(LOCATIONS, "locations_2"))

    def also_switched(self: Path, target: Path) -> Path:
        also()
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", also_switched)
    engine.switch(LOCATIONS, "locations_2")
    assert engine.target(LOCATIONS) == "locations_2"
    assert not list(tmp_path.glob("*.new"))


def test_a_build_whose_collections_cannot_be_made_is_nobodys(
    store: ReadingStore, engine: EmbeddedEngine, serving: ServingIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_name: str, _contract: IndexContract) -> None:
        message = "no space left"
        raise IndexUnavailable(message)

    monkeypatch.setattr(engine, "create", full)
    with pytest.raises(IndexUnavailable):
        IndexRebuild(store, engine, RULES).run()
    running = store.builds.running()
    assert running is not None
    assert not running.owned

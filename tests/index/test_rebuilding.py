from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from index.contract import IndexContract
from index.embedded import EmbeddedQdrant
from index.embedded_engine import EmbeddedEngine
from index.engine import LOCATIONS, IndexPoint
from index.errors import ContractMismatch, PointsIncomplete, RebuildRunning
from index.indexer import active_contract
from index.points import measured_point
from index.rebuilding import IndexRebuild
from index.reports import RebuildProgress
from index.server_calls import ServerAddress
from index.serving import ServingIndex
from index.serving_indexer import ServingIndexer
from index.state import read_state
from reading_model.errors import LeaseLost
from reading_model.models import BY_USER, IndexStatus, PaperMetadata
from reading_model.store import ACTIVE_CONTRACT, ReadingStore
from tests.index.conftest import on_server
from tests.index.libraries import reading_model, store_paper
from tests.index.test_serving import RULES, WINDY, engine, found, put, serving, store
from tests.qdrant_facade import QdrantFacade

__all__ = ["engine", "serving", "store"]


def mean_length(store: ReadingStore) -> float:
    lengths = [
        measured_point(location, record.metadata.title, RULES)[1]
        for record in store.papers.get()
        for location in store.locations.of_models([record.model_version or ""])
    ]
    return sum(lengths) / len(lengths)


def stopped_after(papers: int) -> Callable[[RebuildProgress], None]:
    def watch(now: RebuildProgress) -> None:
        if now.phase == "building" and now.done == papers:
            raise KeyboardInterrupt

    return watch


@pytest.fixture
def four(store: ReadingStore, serving: ServingIndex) -> None:
    for name in ("p", "q", "r", "s"):
        put(store, serving, name, [*WINDY, f"something about {name} alone"])


def test_a_full_rebuild_measures_the_mean_length_and_freezes_it(
    store: ReadingStore, engine: EmbeddedEngine, serving: ServingIndex, four: None
) -> None:
    mean = read_state(store, engine, idf=RULES.idf).mean_length
    assert mean is not None
    assert mean.frozen == 240
    assert mean.measured == pytest.approx(mean_length(store))
    assert mean.drifted
    report = IndexRebuild(store, engine, RULES).run()
    assert report.avgdl == pytest.approx(mean_length(store), abs=0.001)
    assert (report.papers, report.resumed) == (4, 0)
    assert active_contract(store).avgdl == report.avgdl
    mean = read_state(store, engine, idf=RULES.idf).mean_length
    assert mean is not None
    assert not mean.drifted
    assert found(store, serving, "alone") == ["p", "q", "r", "s"]


def test_an_upgraded_analyzer_is_a_rebuild_and_not_the_end(
    store: ReadingStore, engine: EmbeddedEngine, serving: ServingIndex, four: None
) -> None:
    serving.close()
    old = replace(active_contract(store), analyzer="scholar-v0").text()
    store.control.set(ACTIVE_CONTRACT, old)
    state = read_state(store, engine, idf=RULES.idf)
    assert state.mismatch
    assert "scholar-v0" in state.mismatch
    phases: list[str] = []
    IndexRebuild(store, engine, RULES, lambda now: phases.append(now.phase)).run()
    assert phases == ["measuring"] * 4 + ["building"] * 4
    again = ServingIndex(store, engine, RULES.idf)
    assert ServingIndexer(again).verify().clean
    assert engine.names() == ("locations_2", "papers_2")
    again.close()


def test_a_contract_that_cannot_be_read_is_rebuilt_too(
    store: ReadingStore, engine: EmbeddedEngine, serving: ServingIndex, four: None
) -> None:
    serving.close()
    store.control.set(ACTIVE_CONTRACT, "some other time's contract")
    assert read_state(store, engine, idf=RULES.idf).mean_length is None
    IndexRebuild(store, engine, RULES).run()
    again = ServingIndex(store, engine, RULES.idf)
    assert ServingIndexer(again).verify().clean
    again.close()


def test_what_was_done_before_an_interruption_is_kept(
    store: ReadingStore, engine: EmbeddedEngine, serving: ServingIndex, four: None
) -> None:
    with pytest.raises(KeyboardInterrupt):
        IndexRebuild(store, engine, RULES, stopped_after(2)).run()
    running = store.builds.running()
    assert running is not None
    assert (running.collection, running.owned) == ("locations_2", False)
    assert found(store, serving, "alone") == ["p", "q", "r", "s"]
    assert ServingIndexer(serving).verify().clean, "an unfinished build is no leftover"
    seen: list[RebuildProgress] = []
    report = IndexRebuild(store, engine, RULES, seen.append).run()
    assert (report.papers, report.resumed) == (4, 2)
    assert [now.done for now in seen] == [3, 4]
    assert found(store, serving, "alone") == ["p", "q", "r", "s"]
    assert ServingIndexer(serving).verify().clean


def test_afresh_throws_an_interrupted_build_away(
    store: ReadingStore, engine: EmbeddedEngine, serving: ServingIndex, four: None
) -> None:
    with pytest.raises(KeyboardInterrupt):
        IndexRebuild(store, engine, RULES, stopped_after(2)).run()
    report = IndexRebuild(store, engine, RULES).run(afresh=True)
    assert report.resumed == 0
    assert IndexContract.parse(report.contract).collection == "locations_3"
    assert found(store, serving, "alone") == ["p", "q", "r", "s"]
    assert engine.names() == ("locations_3", "papers_3")


def test_an_interrupted_build_of_other_rules_is_not_gone_on_with(
    store: ReadingStore, engine: EmbeddedEngine, serving: ServingIndex, four: None
) -> None:
    with pytest.raises(KeyboardInterrupt):
        IndexRebuild(store, engine, replace(RULES, k1=0.9), stopped_after(2)).run()
    report = IndexRebuild(store, engine, RULES).run()
    assert report.resumed == 0
    assert found(store, serving, "alone") == ["p", "q", "r", "s"]


def test_what_happens_to_papers_meanwhile_is_in_the_new_index(
    store: ReadingStore, engine: EmbeddedEngine, serving: ServingIndex, four: None
) -> None:
    indexer = ServingIndexer(serving)

    def meanwhile(now: RebuildProgress) -> None:
        if now.phase != "building" or now.done != 4 or store.papers.get(["new"]):
            return
        put(store, serving, "new", ["windy dune alone"])
        again = store_paper(store, reading_model("p", ["another text alone"], parse="2"))
        indexer.index_model("p", again)
        versions = store.models.versions("q")
        indexer.remove_points("q", versions)
        store.papers.delete("q")
        assert store.papers.set_metadata("r", PaperMetadata(title="Ravens", sources={"title": BY_USER}))
        indexer.index_model("r", store.models.current(["r"])["r"].model_version)
        store.papers.set_metadata("s", PaperMetadata(title="On s", venue="Swans"))
        indexer.refresh_card("s")

    IndexRebuild(store, engine, RULES, meanwhile).run()
    assert sorted(found(store, serving, "alone")) == ["new", "p", "r", "s"]
    assert set(found(store, serving, "ravens")) == {"r"}
    report = indexer.verify()
    assert report.clean, report


def test_papers_that_keep_coming_until_the_switch_are_caught_up_with(
    store: ReadingStore, engine: EmbeddedEngine, serving: ServingIndex, four: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    switch = store.builds.switch
    came: list[str] = []

    def switch_later(*args: object, **kwargs: object) -> bool:
        if len(came) < 3:
            came.append(f"late{len(came)}")
            put(store, serving, came[-1], ["late and alone"])
        return switch(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(store.builds, "switch", switch_later)
    IndexRebuild(store, engine, RULES).run()
    assert sorted(found(store, serving, "late")) == came
    assert ServingIndexer(serving).verify().clean


def test_a_paper_whose_points_failed_is_searchable_after_a_rebuild(
    store: ReadingStore, engine: EmbeddedEngine, serving: ServingIndex, four: None
) -> None:
    version = store.models.current(["p"])["p"].model_version
    store.models.set_index_status(version, IndexStatus.FAILED, expected=tuple(IndexStatus))
    IndexRebuild(store, engine, RULES).run()
    assert found(store, serving, "alone") == ["p", "q", "r", "s"]


def test_two_rebuilds_at_once_are_one_too_many(
    store: ReadingStore, engine: EmbeddedEngine, serving: ServingIndex, four: None
) -> None:
    def second(now: RebuildProgress) -> None:
        if now.done == 1:
            with pytest.raises(RebuildRunning):
                IndexRebuild(store, engine, RULES).run()
            with pytest.raises(RebuildRunning):
                IndexRebuild(store, engine, replace(RULES, k1=0.9)).run()

    IndexRebuild(store, engine, RULES, second).run()
    assert found(store, serving, "alone") == ["p", "q", "r", "s"]


def test_who_lost_the_lease_switches_nothing(
    store: ReadingStore, engine: EmbeddedEngine, serving: ServingIndex, four: None
) -> None:
    def overtaken(now: RebuildProgress) -> None:
        if now.done == 4:
            assert store.builds.take_over("locations_2", "quick", seconds=60, alone=True)

    with pytest.raises(LeaseLost):
        IndexRebuild(store, engine, RULES, overtaken).run()
    assert active_contract(store).generation == 1
    running = store.builds.running()
    assert running is not None
    assert running.owner == "quick"
    assert found(store, serving, "alone") == ["p", "q", "r", "s"]


def test_points_that_get_lost_stop_the_switch(
    store: ReadingStore, engine: EmbeddedEngine, serving: ServingIndex, four: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = EmbeddedQdrant.upsert

    def lossy(self: EmbeddedQdrant, points: Sequence[IndexPoint]) -> None:
        wrong = [replace(point, payload=replace(point.payload, page=99)) for point in points]
        written(self, wrong)

    monkeypatch.setattr(EmbeddedQdrant, "upsert", lossy)
    with pytest.raises(PointsIncomplete):
        IndexRebuild(store, engine, RULES).run()
    monkeypatch.undo()
    assert active_contract(store).generation == 1
    assert found(store, serving, "alone") == ["p", "q", "r", "s"]


def test_an_empty_library_can_be_rebuilt(store: ReadingStore, engine: EmbeddedEngine, serving: ServingIndex) -> None:
    report = IndexRebuild(store, engine, RULES).run()
    assert (report.papers, report.avgdl) == (0, 240)
    put(store, serving, "p", WINDY)
    assert found(store, serving, "windy") == ["p", "p"]


def test_generations_are_never_used_again(
    store: ReadingStore, engine: EmbeddedEngine, serving: ServingIndex, four: None
) -> None:
    for number in (2, 3):
        report = IndexRebuild(store, engine, RULES).run()
        assert IndexContract.parse(report.contract).generation == number
        assert found(store, serving, "alone") == ["p", "q", "r", "s"]
    assert engine.names() == ("locations_3", "papers_3")


def test_a_program_of_other_rules_is_told_that_the_index_was_rebuilt(
    store: ReadingStore, engine: EmbeddedEngine, serving: ServingIndex, four: None
) -> None:
    IndexRebuild(store, engine, replace(RULES, k1=0.9)).run()
    with pytest.raises(ContractMismatch, match=r"k1=0\.9"):
        found(store, serving, "alone")


def test_the_state_tells_of_a_stopped_rebuild_and_of_who_has_the_index(
    store: ReadingStore, engine: EmbeddedEngine, serving: ServingIndex, four: None
) -> None:
    with pytest.raises(KeyboardInterrupt):
        IndexRebuild(store, engine, RULES, stopped_after(1)).run()
    state = read_state(store, engine, idf=RULES.idf)
    assert state.counts is None
    assert state.in_use
    assert (state.papers, state.expected_points) == ({IndexStatus.READY: 4}, 16)
    assert state.rebuild is not None
    assert state.leftovers == ()
    serving.close()
    state = read_state(store, engine, idf=RULES.idf)
    assert state.counts is not None
    assert (state.counts.points, state.counts.cards) == (16, 4)


def test_a_server_is_rebuilt_the_same_way_and_a_lease_there_has_to_run_out(
    store: ReadingStore, running_facade: QdrantFacade
) -> None:
    with on_server(ServerAddress(running_facade.url)) as engine:
        serving = ServingIndex(store, engine, RULES.idf)
        put(store, serving, "p", WINDY)
        next_one = RULES.of_generation(2, avgdl=100)
        assert store.builds.start("locations_2", next_one.text(), "dead", papers=1, seconds=3600)
        with pytest.raises(RebuildRunning, match="dead"):
            IndexRebuild(store, engine, RULES).run()
        later = ReadingStore(store.engine, clock=lambda _: datetime.now(UTC) + timedelta(hours=2))
        assert IndexRebuild(later, engine, RULES).run().contract == next_one.text()
        assert engine.target(LOCATIONS) == "locations_2"
        assert found(store, serving, "windy") == ["p", "p"]
        assert engine.names() == ("locations_2", "papers_2")
        assert ServingIndexer(serving).verify().clean
        serving.close()

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from index.contract import IndexContract
from index.embedded import EmbeddedQdrant
from index.embedded_engine import EmbeddedEngine
from index.engine import LOCATIONS
from index.errors import ContractMismatch, IndexInUse, IndexUnavailable
from index.leftovers import leftovers
from index.rebuilding import IndexRebuild
from index.retrieval import LocationQuery, LocationRetrieval
from index.serving import OpenIndex, ServingIndex
from index.serving_indexer import ServingIndexer
from reading_model.models import IndexStatus, PaperMetadata
from reading_model.store import ACTIVE_CONTRACT, ReadingStore, open_store
from tests.index.conftest import OpenLibrary
from tests.index.libraries import reading_model, store_paper

WINDY = ["windy hill", "windy lake over there", "quiet barn"]
RULES = IndexContract.default()


@pytest.fixture
def store(quick_folder: Path, sqlite_template: Path) -> Iterator[ReadingStore]:
    file = quick_folder / "library.sqlite"
    file.write_bytes(sqlite_template.read_bytes())
    opened = open_store(f"sqlite:///{file}")
    yield opened
    opened.close()


@pytest.fixture
def engine(quick_folder: Path) -> EmbeddedEngine:
    return EmbeddedEngine(quick_folder / "index")


@pytest.fixture
def serving(store: ReadingStore, engine: EmbeddedEngine) -> Iterator[ServingIndex]:
    opened = ServingIndex(store, engine, RULES.idf)
    yield opened
    opened.close()


def put(store: ReadingStore, serving: ServingIndex, paper_id: str, texts: list[str]) -> str:
    version = store_paper(store, reading_model(paper_id, texts, metadata=PaperMetadata(title=f"On {paper_id}")))
    ServingIndexer(serving).index_model(paper_id, version)
    return version


def found(store: ReadingStore, serving: ServingIndex, text: str) -> list[str]:
    def search(index: OpenIndex) -> list[str]:
        current = store.models.current([record.paper_id for record in store.papers.get()])
        models = {
            paper: model.model_version
            for paper, model in current.items()
            if model.index_contract == index.contract.text()
        }
        query = LocationQuery(models=models, corpus=None, text=text)
        hits = LocationRetrieval(store, index.locations, index.contract).search(query).hits
        return [hit.record.paper_id for hit in hits]

    return serving.run(search)


def test_a_process_that_serves_moves_to_the_new_index_by_itself(
    store: ReadingStore, engine: EmbeddedEngine, serving: ServingIndex
) -> None:
    put(store, serving, "p", WINDY)
    before = found(store, serving, "windy")
    IndexRebuild(store, engine, RULES).run()
    assert engine.names() == ("locations", "locations_2", "papers", "papers_2"), "the old one is open and stays"
    assert found(store, serving, "windy") == before == ["p", "p"]
    assert engine.names() == ("locations_2", "papers_2")
    with serving.use() as index:
        assert index.contract.collection == "locations_2"
    assert not serving.follow()
    assert ServingIndexer(serving).verify().clean


def test_a_call_under_way_keeps_the_index_it_began_with_and_is_done_again(
    store: ReadingStore, engine: EmbeddedEngine, serving: ServingIndex
) -> None:
    put(store, serving, "p", WINDY)
    seen: list[tuple[str, int]] = []

    def slow(index: OpenIndex) -> str:
        if not seen:
            IndexRebuild(store, engine, RULES).run()
        seen.append((index.contract.collection, index.locations.count()))
        return index.contract.collection

    assert serving.run(slow) == "locations_2"
    assert seen == [("locations", 3), ("locations_2", 3)]


def test_an_error_that_comes_of_the_switch_is_not_shown(
    store: ReadingStore, engine: EmbeddedEngine, serving: ServingIndex
) -> None:
    put(store, serving, "p", WINDY)

    def work(index: OpenIndex) -> str:
        if index.contract.generation == 1:
            IndexRebuild(store, engine, RULES).run()
            message = "gone"
            raise IndexUnavailable(message)
        return "answered"

    assert serving.run(work) == "answered"


def test_any_other_error_is_raised_as_it_is(serving: ServingIndex) -> None:
    def work(_index: OpenIndex) -> None:
        message = "no space left"
        raise IndexUnavailable(message)

    with pytest.raises(IndexUnavailable, match="no space"):
        serving.run(work)


def test_points_written_into_an_index_that_goes_out_of_force_are_written_again(
    store: ReadingStore, engine: EmbeddedEngine, serving: ServingIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, serving, "p", WINDY)
    version = store_paper(store, reading_model("q", ["windy shore"]))
    claim = store.leases.claim
    rebuilt: list[int] = []

    def claim_while_the_index_is_rebuilt(model_version: str, owner: str, *, seconds: float) -> object:
        lease = claim(model_version, owner, seconds=seconds)
        if not rebuilt:
            rebuilt.append(1)
            IndexRebuild(store, engine, RULES).run()
        return lease

    monkeypatch.setattr(store.leases, "claim", claim_while_the_index_is_rebuilt)
    assert ServingIndexer(serving).index_model("q", version) == 1
    current = store.models.current(["q"])["q"]
    assert (current.index_status, current.index_contract) == (IndexStatus.READY, store.control.get(ACTIVE_CONTRACT))
    assert sorted(found(store, serving, "windy")) == ["p", "p", "q"]
    assert ServingIndexer(serving).verify().clean


def test_a_switch_that_was_cut_short_before_the_alias_is_completed_by_the_next_start(
    store: ReadingStore, engine: EmbeddedEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = ServingIndex(store, engine, RULES.idf)
    put(store, first, "p", WINDY)
    first.close()

    def killed(alias: str, name: str) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(engine, "switch", killed)
        with pytest.raises(KeyboardInterrupt):
            IndexRebuild(store, engine, RULES).run()
    assert engine.target(LOCATIONS) == "locations"
    second = ServingIndex(store, engine, RULES.idf)
    assert engine.target(LOCATIONS) == "locations_2"
    assert found(store, second, "windy") == ["p", "p"]
    assert leftovers(store, engine) == ("locations", "papers")
    ServingIndexer(second).open_well()
    assert engine.names() == ("locations_2", "papers_2")
    second.close()


def test_the_process_that_made_the_switch_is_waited_for(store: ReadingStore, engine: EmbeddedEngine) -> None:
    put_in = ServingIndex(store, engine, RULES.idf)
    put(store, put_in, "p", WINDY)
    put_in.close()
    holding: list[OpenIndex] = []
    serving = ServingIndex(store, engine, RULES.idf, sleep=lambda _: holding.pop().close())
    IndexRebuild(store, engine, RULES).run()
    contract = IndexContract.parse(store.control.get(ACTIVE_CONTRACT) or "")
    holding.append(
        OpenIndex(
            contract,
            engine.create("locations_2", contract),
            engine.create("papers_2", contract.for_cards()),
        )
    )
    assert found(store, serving, "windy") == ["p", "p"]
    assert holding == []
    serving.close()


def test_a_second_process_is_told_who_has_the_index(store: ReadingStore, engine: EmbeddedEngine) -> None:
    first = ServingIndex(store, engine, RULES.idf)
    with pytest.raises(IndexInUse):
        ServingIndex(store, engine, RULES.idf)
    first.close()


def test_an_index_of_other_rules_is_refused_with_the_way_out(store: ReadingStore, engine: EmbeddedEngine) -> None:
    store.control.set(ACTIVE_CONTRACT, replace(RULES, analyzer="scholar-v0").text())
    with pytest.raises(ContractMismatch) as caught:
        ServingIndex(store, engine, RULES.idf)
    assert "paperledger index rebuild" in caught.value.hint
    assert "scholar-v0" in str(caught.value)
    assert RULES.analyzer in str(caught.value)


def test_leases_of_a_killed_owner_end_when_the_folder_is_opened(store: ReadingStore, engine: EmbeddedEngine) -> None:
    version = store_paper(store, reading_model("p", WINDY))
    assert store.leases.claim(version, "killed", seconds=3600)
    serving = ServingIndex(store, engine, RULES.idf)
    assert ServingIndexer(serving).index_model("p", version) == 3
    serving.close()


def test_threads_that_search_during_a_switch_all_get_answers(
    store: ReadingStore, engine: EmbeddedEngine, serving: ServingIndex
) -> None:
    put(store, serving, "p", WINDY)
    asked = threading.Semaphore(0)
    switched = threading.Event()

    def ask(_number: int) -> set[tuple[str, ...]]:
        answers = {tuple(found(store, serving, "windy"))}
        asked.release()
        while not switched.is_set():
            answers.add(tuple(found(store, serving, "windy")))
        answers.add(tuple(found(store, serving, "windy")))
        return answers

    with ThreadPoolExecutor(3) as pool:
        answers = pool.map(ask, range(3))
        try:
            assert all(asked.acquire(timeout=30) for _ in range(3))
            IndexRebuild(store, engine, RULES).run()
        finally:
            switched.set()
        assert list(answers) == [{("p", "p")}] * 3
    assert engine.names() == ("locations_2", "papers_2")


def test_an_old_index_that_a_service_still_has_open_is_no_fault(store: ReadingStore, engine: EmbeddedEngine) -> None:
    service = ServingIndex(store, engine, RULES.idf)
    put(store, service, "p", WINDY)
    report = IndexRebuild(store, engine, RULES).run()
    assert report.removed == ()
    command = ServingIndex(store, engine, RULES.idf)
    indexer = ServingIndexer(command)
    assert leftovers(store, engine) == ("locations", "papers")
    assert indexer.verify().clean
    service.close()
    assert indexer.verify().leftovers == ("locations", "papers")
    command.close()


def test_verify_names_collections_that_nothing_needs(
    store: ReadingStore, engine: EmbeddedEngine, serving: ServingIndex
) -> None:
    put(store, serving, "p", WINDY)
    stray = RULES.of_generation(7, avgdl=9)
    engine.create("locations_7", stray).close()
    indexer = ServingIndexer(serving)
    report = indexer.verify()
    assert report.leftovers == ("locations_7",)
    assert not report.clean
    indexer.put_right(report)
    assert indexer.verify().clean


def test_what_is_missing_and_what_is_too_much_is_put_right(store: ReadingStore, serving: ServingIndex) -> None:
    lost = put(store, serving, "p", WINDY)
    gone = put(store, serving, "q", WINDY)
    store.papers.delete("q")
    with serving.use() as index:
        index.locations.delete_models([lost])
    indexer = ServingIndexer(serving)
    report = indexer.verify()
    assert report.papers_to_build == ("p",)
    assert report.models_to_remove == tuple(sorted([gone, "q"]))
    indexer.put_right(report)
    assert indexer.verify().clean


def test_opening_a_library_is_the_same_with_folders_made_by_hand(tmp_path: Path, open_library: OpenLibrary) -> None:
    library = open_library(tmp_path, None)
    library.put("p", WINDY)
    library.close()
    store = open_store(f"sqlite:///{tmp_path / 'library.sqlite'}")
    serving = ServingIndex(store, EmbeddedEngine(tmp_path / "index"), RULES.idf)
    assert found(store, serving, "windy") == ["p", "p"]
    serving.close()
    store.close()


def test_settling_merges_both_collections_and_changes_no_answer(
    store: ReadingStore, serving: ServingIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    merged: list[object] = []

    def optimize(collection: EmbeddedQdrant) -> None:
        merged.append(collection)
        kept(collection)

    kept = EmbeddedQdrant.optimize
    monkeypatch.setattr(EmbeddedQdrant, "optimize", optimize)
    put(store, serving, "p", WINDY)
    put(store, serving, "q", ["windy road"])
    before = found(store, serving, "windy")
    ServingIndexer(serving).settle()
    assert found(store, serving, "windy") == before
    with serving.use() as index:
        assert merged == [index.locations, index.cards]

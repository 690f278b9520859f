"""Whatever changes a score or a point is refused when it differs, at start and on search, with both sides named."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from index.contract import IndexContract, idf_mode
from index.engine import CARDS, LOCATIONS
from index.errors import CollectionMismatch, ContractMismatch
from index.indexer import ACTIVE_CONTRACT, Indexer, active_contract
from index.papers import PaperQuery, PaperRetrieval
from index.retrieval import LocationQuery, LocationRetrieval
from index.server_calls import ServerAddress
from tests.index.conftest import OpenLibrary, on_server
from tests.index.libraries import Engines, Library
from tests.qdrant_facade import Collection, QdrantFacade

OURS = IndexContract.default()

CHANGES: dict[str, dict[str, Any]] = {
    "collection": {"collection": "another"},
    "projection": {"projection": "another"},
    "analyzer": {"analyzer": "another"},
    "term id": {"term_id": "another"},
    "scorer": {"scorer": "another"},
    "k1": {"k1": OURS.k1 + 0.5},
    "b": {"b": OURS.b / 2},
    "avgdl": {"avgdl": OURS.avgdl + 1},
    "title weight": {"fields": OURS.fields.replace("title:", "title:1")},
    "section weight": {"fields": OURS.fields.replace("section:", "section:1")},
    "text weight": {"fields": OURS.fields.replace("text:", "text:1")},
    "a field more": {"fields": OURS.fields + ",caption:1"},
    "a field less": {"fields": OURS.fields.partition(",")[2]},
    "engine": {"engine": "another"},
    "IDF over everything": {"idf": idf_mode("global")},
    "IDF in each of four shards": {"idf": idf_mode("scope", 4)},
}


def test_every_field_of_the_contract_is_changed_by_one_of_these() -> None:
    changed = {field.name for change in CHANGES.values() for field in fields(IndexContract) if field.name in change}
    assert changed == {field.name for field in fields(IndexContract)}


@pytest.fixture(scope="module", params=["embedded", "server"])
def made(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, open_library: OpenLibrary
) -> Iterator[Library]:
    """A library with one paper, made under our contract."""
    folder = tmp_path_factory.mktemp("library")
    if request.param == "embedded":
        library = open_library(folder, Engines(folder / "index"))
        library.put("a", ["a windy hill"])
        yield library
        library.close()
        return
    facade: QdrantFacade = request.getfixturevalue("running_facade")
    with on_server(ServerAddress(facade.url)) as engine:
        library = open_library(folder, Engines(engine))
        library.put("a", ["a windy hill"])
        yield library
        library.close()


@pytest.mark.parametrize("change", CHANGES)
def test_another_contract_is_refused_at_start_and_on_search(made: Library, change: str) -> None:
    theirs = replace(OURS, **CHANGES[change])
    card = theirs.for_cards()
    engine = made.engines.engine
    models = made.current()
    refusals: list[tuple[IndexContract, Callable[[], object]]] = [
        (theirs, lambda: engine.serving(LOCATIONS, theirs)),
        (theirs, Indexer(made.store, made.locations, made.cards, theirs).check),
        (
            theirs,
            lambda: LocationRetrieval(made.store, made.locations, theirs).search(LocationQuery(models, None, "windy")),
        ),
    ]
    if card != OURS.for_cards():  # the cards have a mean length and fields of their own
        refusals.append((card, lambda: engine.serving(CARDS, card)))
    for expected, act in refusals:
        with pytest.raises(ContractMismatch) as caught:
            act()
        assert expected.text() in str(caught.value)
        assert (OURS if expected is theirs else OURS.for_cards()).text() in str(caught.value)
    assert made.found("windy") == ["a"]


@pytest.mark.parametrize("change", [name for name in CHANGES if name != "avgdl"])
def test_a_library_that_was_made_under_another_contract_is_refused(made: Library, change: str) -> None:
    theirs = replace(OURS, **CHANGES[change])
    made.store.control.set(ACTIVE_CONTRACT, theirs.text())
    with pytest.raises(ContractMismatch) as caught:
        active_contract(made.store)
    assert theirs.text() in str(caught.value)
    assert OURS.text() in str(caught.value)


def test_the_mean_length_is_the_librarys_own(made: Library) -> None:
    theirs = replace(OURS, avgdl=241.0)
    made.store.control.set(ACTIVE_CONTRACT, theirs.text())
    assert active_contract(made.store) == theirs


def of_vectors(**change: Any) -> Callable[[Collection], None]:
    return lambda collection: collection.params.update(change)


def set_metadata(name: str, value: str) -> Callable[[Collection], None]:
    def change(collection: Collection) -> None:
        collection.metadata = (collection.metadata or {}) | {name: value}

    return change


def forget_metadata(collection: Collection) -> None:
    collection.metadata = None


def index_of_another_kind(collection: Collection) -> None:
    collection.payload_schema["model_version"] = {"type": "text"}


IDF = {"modifier": "idf"}

FORMS: dict[str, tuple[Callable[[Collection], None], str]] = {
    "sparse modifier": (
        of_vectors(sparse_vectors={"lexical_bm25_v1": {}}),
        "has sparse vector 'lexical_bm25_v1' with modifier none, "
        "this program needs sparse vector 'lexical_bm25_v1' with modifier idf",
    ),
    "vector name": (
        of_vectors(sparse_vectors={"bm25": IDF}),
        "has sparse vector 'bm25' with modifier idf, this program needs sparse vector 'lexical_bm25_v1'",
    ),
    "a dense vector": (
        of_vectors(vectors={"dense": {"size": 3, "distance": "Dot"}}),
        "has dense vector 'dense' and sparse vector 'lexical_bm25_v1' with modifier idf, this program needs sparse",
    ),
    "an unnamed dense vector": (
        of_vectors(vectors={"size": 3, "distance": "Dot"}),
        "has dense vector '' and sparse vector 'lexical_bm25_v1' with modifier idf, this program needs sparse",
    ),
    "a second sparse vector": (
        of_vectors(sparse_vectors={"lexical_bm25_v1": IDF, "more": IDF}),
        "and sparse vector 'more' with modifier idf, this program needs sparse vector 'lexical_bm25_v1'",
    ),
    "no vector": (of_vectors(sparse_vectors=None), "has no vector, this program needs sparse vector 'lexical_bm25_v1'"),
    "weights of fewer bits": (
        of_vectors(sparse_vectors={"lexical_bm25_v1": IDF | {"index": {"datatype": "float16"}}}),
        "has weights of type float16, this program needs weights of type float32",
    ),
    "shards": (of_vectors(shard_number=2), "has 2 shards, this program needs 1 shard"),
    "shard keys": (
        of_vectors(sharding_method="custom"),
        "has 1 shard, placed by shard keys, this program needs 1 shard",
    ),
    "kind of a payload index": (
        index_of_another_kind,
        "has a text index of model_version, this program needs a keyword index of model_version",
    ),
    "library": (
        set_metadata("paperledger_library", "another"),
        "has points of the library another, this program needs points of the library test_",
    ),
    "contract": (
        set_metadata("paperledger_contract", replace(OURS, k1=2.0).text()),
        f"under the contract {replace(OURS, k1=2.0).text()}, this program uses {OURS.text()}",
    ),
    "no contract": (forget_metadata, f"under the contract no contract, this program uses {OURS.text()}"),
}


@pytest.fixture(scope="module")
def on_facade(
    running_facade: QdrantFacade, tmp_path_factory: pytest.TempPathFactory, open_library: OpenLibrary
) -> Iterator[tuple[Library, Collection, Collection]]:
    folder: Path = tmp_path_factory.mktemp("library")
    with on_server(ServerAddress(running_facade.url)) as engine:
        library = open_library(folder, Engines(engine))
        library.put("a", ["a windy hill"])
        made = [found for name, found in running_facade.collections.items() if library_of(found) == library_id(library)]
        yield library, made[0], made[1]
        library.close()


def library_of(collection: Collection) -> str:
    return (collection.metadata or {})["paperledger_library"]


def library_id(library: Library) -> str:
    return library.engines.engine._plan.library  # type: ignore[union-attr]


@pytest.mark.parametrize("form", FORMS)
def test_a_collection_of_another_form_is_refused_at_start_and_on_search(
    on_facade: tuple[Library, Collection, Collection], form: str, facade: QdrantFacade
) -> None:
    library, locations, cards = on_facade
    change, said = FORMS[form]
    for collection, search in (
        (locations, lambda: library.search("windy")),
        (locations, lambda: library.search("zebra")),  # no hit shows its contract
        (cards, lambda: library.paper_search.search(PaperQuery(("a",), None, "paper"))),
    ):
        kept = dict(collection.params), collection.metadata, dict(collection.payload_schema)
        change(collection)
        try:
            with pytest.raises(ContractMismatch) as on_search:
                search()
            with pytest.raises(ContractMismatch) as at_start:
                Engines(library.engines.engine)
        finally:
            collection.params, collection.metadata, collection.payload_schema = kept
        for caught in (on_search, at_start):
            told = str(caught.value) if collection is locations else str(caught.value).replace(CARD_TEXT, OURS.text())
            assert said in told
            assert caught.value.hint
        if form not in {"contract", "no contract"}:
            assert isinstance(at_start.value, CollectionMismatch)
    assert library.found("windy") == ["a"]


CARD_TEXT = OURS.for_cards().text()


def test_a_paper_search_under_another_contract_is_refused(made: Library) -> None:
    theirs = replace(OURS, k1=1.5)
    with pytest.raises(ContractMismatch) as caught:
        PaperRetrieval(made.store, made.cards, theirs).search(PaperQuery(("a",), None, "paper"))
    assert theirs.for_cards().text() in str(caught.value)
    assert OURS.for_cards().text() in str(caught.value)


def test_a_missing_payload_index_is_made_again(
    on_facade: tuple[Library, Collection, Collection], facade: QdrantFacade
) -> None:
    library, locations, _ = on_facade
    del locations.payload_schema["page"]
    assert library.found("windy") == ["a"]
    Engines(library.engines.engine)
    assert locations.payload_schema["page"]["type"] == "integer"
    assert facade.calls("/index") == 1


def test_another_number_of_replicas_is_a_warning(
    on_facade: tuple[Library, Collection, Collection], caplog: pytest.LogCaptureFixture
) -> None:
    library, locations, _ = on_facade
    locations.params["replication_factor"] = 3
    Engines(library.engines.engine)
    locations.params["replication_factor"] = 1
    assert "has 3 replicas, the settings ask for 1" in caplog.text

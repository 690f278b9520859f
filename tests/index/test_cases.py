"""Cases of the shared collection, each through the real engine and a library of papers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from reading_model.artifacts import pack
from reading_model.builder import build_reading_model
from reading_model.parsing.mineru.bundle import open_bundle
from reading_model.parsing.mineru.parser import parse
from reading_model.store import NewPaper
from tests.index.conftest import OpenLibrary, engines_of
from tests.index.libraries import Engines, Library, one_paper_each
from tests.places import CASES, needs_data


@pytest.fixture(scope="module", params=["embedded", "facade"])
def engines(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engines]:
    """Each engine in turn."""
    with engines_of(request, tmp_path_factory) as made:
        yield made


@pytest.fixture(scope="module", params=["embedded", "facade"])
def module_engines(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engines]:
    """Each engine in turn."""
    with engines_of(request, tmp_path_factory) as made:
        yield made


def lines_of(name: str) -> list[tuple[str, str]]:
    file = CASES / "inputs" / name
    return [(line["id"], line["text"]) for line in map(json.loads, file.read_text("utf-8").splitlines())]


@pytest.mark.data
@needs_data()
def test_f08_typography_does_not_hide_words(library: Library) -> None:
    one_paper_each(library, lines_of("f08-typography.jsonl"))
    expected = {
        "fibrils": "d1",
        "difficult flatten": "d1",
        "amyloid \ufb01brils": "d1",
        "discretionary": "d2",
        "catalysis": "d2",
        "captions": "d3",
        "state-of-the-art": "d4",
    }
    assert {query: library.found(query)[:1] for query in expected} == {query: [doc] for query, doc in expected.items()}


@pytest.mark.data
@needs_data()
def test_f09_technical_terms_come_before_near_misses(library: Library) -> None:
    one_paper_each(library, lines_of("f09-technical-terms.jsonl"))
    expected = {
        "F-score@5": "t1",
        "nDCG@10": "t1",
        "β-catenin": "t2",
        "catenin": "t2",
        "GPT-4": "t3",
        "C++": "t5",
        "C#": "t7",
        "p<0.05": "t8",
        "COVID-19": "t10",
        "naive": "t12",
        "naïve": "t12",
        "CO2": "t13",
        "12.5%": "t13",
        "R package": "t15",
    }
    assert {query: library.found(query)[:1] for query in expected} == {query: [doc] for query, doc in expected.items()}


@pytest.mark.data
@needs_data()
def test_f10_scripts_without_spaces_are_found_by_their_words(library: Library) -> None:
    one_paper_each(library, lines_of("f10-cjk.jsonl"))
    expected = {
        "稀疏检索": "c1",
        "证据": "c1",
        "图像分类": "c2",
        "転移学習": "c3",
        "BM25": "c4",
        "검색": "c5",
    }
    assert {query: library.found(query)[:1] for query in expected} == {query: [doc] for query, doc in expected.items()}
    assert library.found("火山喷发") == []


@pytest.mark.data
@needs_data()
@pytest.mark.parametrize("together", [True, False], ids=["one paper", "a paper each"])
def test_f13_equal_scores_come_in_one_order(
    tmp_path: Path, open_library: OpenLibrary, engines: Engines, together: bool
) -> None:
    lines = lines_of("f13-ties.jsonl")
    lists: list[list[list[str]]] = []
    for number, given in enumerate((lines, lines[::-1])):
        folder = tmp_path / str(number)
        folder.mkdir()
        library = open_library(folder, engines.empty())
        if together:
            # ordinals must not change with the order of insertion, only the order of writing may
            library.put("paper", [text for _, text in lines])
        else:
            one_paper_each(library, given)
        found = {
            k: [[hit.record.location.text for hit in library.search("alpha", top_k=k).hits] for _ in range(5)]
            for k in (3, 5, 12)
        }
        library.store.close()
        assert all(repeat == found[k][0] for k in found for repeat in found[k])
        assert found[3][0] == found[5][0][:3]
        assert found[5][0] == found[12][0][:5]
        assert len(found[12][0]) == 12
        lists.append(found[12])
    assert lists[0] == lists[1]


@pytest.mark.parametrize(
    ("texts", "query", "expected"),
    [
        ({"a1": "windy london town"}, "windy", ["a1"]),
        ({"b1": "hello there", "b2": "windy london"}, "windy london", ["b2"]),
        (
            {"e1": "a windy road", "e2": "windy windy hill", "e3": "the quiet lake", "e4": "the quiet barn"},
            "windy",
            ["e2", "e1"],
        ),
        ({"g1": "windy hill windy", "g2": "windy lake road"}, "windy", ["g1", "g2"]),
    ],
    ids=["one", "two", "half", "all"],
)
def test_f14_words_that_are_everywhere_still_find_their_documents(
    library: Library, texts: dict[str, str], query: str, expected: list[str]
) -> None:
    one_paper_each(library, list(texts.items()))
    hits = library.search(query).hits
    assert [hit.record.paper_id for hit in hits] == expected
    assert all(hit.score > 0 for hit in hits)


@pytest.fixture(scope="module")
def f15(shared_library: Library) -> Library:
    one_paper_each(
        shared_library,
        [
            ("w1", "The WHO guideline on malaria was revised."),
            ("w2", "The authors who wrote it left early."),
            ("w3", "IT staff moved the server."),
            ("w4", "It rained for two days on end."),
            ("w5", "Bates' first survey was lost."),
        ],
    )
    return shared_library


@pytest.mark.parametrize("query", ["", "   ", "?", "...", "the of and", "to be or not to be"])
def test_f15_nothing_to_search_for_finds_nothing_and_says_so(f15: Library, query: str) -> None:
    result = f15.search(query)
    assert result.hits == ()
    assert result.reason in {"query_required", "only_stop_words"}


def test_f15_no_hit_fills_the_list(f15: Library) -> None:
    assert f15.found("zyxglorp quandle") == []


@pytest.mark.parametrize(
    ("query", "paper"),
    [("WHO guideline", "w1"), ("IT staff", "w3"), ("What is Bates' first survey", "w5"), ("who's 'Bates'", "w5")],
)
def test_f15_acronyms_and_apostrophes(f15: Library, query: str, paper: str) -> None:
    assert f15.found(query)[0] == paper


@pytest.mark.data
@needs_data()
def test_f11_a_paper_that_is_parsed_again_leaves_nothing_of_its_first_parse(
    library: Library, open_library: OpenLibrary, tmp_path_factory: pytest.TempPathFactory
) -> None:
    first = _parsed_again(library, "f11-first-parse")
    before = library.search("legacy calibration constant").hits
    second = _parsed_again(library, "f11-second-parse")
    assert _parsed_again(library, "f11-second-parse") == second != first
    assert all("read twice" not in hit.record.location.text for hit in library.search("read twice by mistake").hits)
    after = library.search("calibration constant").hits
    assert "17.8" in after[0].record.location.text
    assert all("17.3" not in hit.record.location.text for hit in after)
    assert len(list(library.locations.scroll())) == library.store.locations.count(second)
    current = library.current("p1")["p1"]
    old = library.store.locations.by_refs([hit.record.location.ref for hit in before])
    assert all(record.model_version != current for record in old.values())
    folder = tmp_path_factory.mktemp("fresh")
    engines = Engines(folder / "index")
    fresh = open_library(folder, engines)
    _parsed_again(fresh, "f11-second-parse")
    assert [(hit.record.location.ref, hit.score) for hit in fresh.search("calibration constant").hits] == [
        (hit.record.location.ref, hit.score) for hit in after
    ]
    fresh.close()


def _parsed_again(library: Library, name: str) -> str:
    """Build and index a content list as paper `p1`; the model version."""
    document = parse(open_bundle(CASES / "inputs" / f"{name}.content_list.json").packed())
    artifact = pack(document)
    model = build_reading_model(document, paper_id="p1", artifact_sha256=artifact.sha256)
    library.store.papers.add(NewPaper("p1", "0" * 64, "p1.json", 1, "sources/p1.zip"))
    library.store.models.save(model)
    library.indexer.index_model("p1", model.model_version)
    return model.model_version

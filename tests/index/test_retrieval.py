from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from index.contract import IndexContract
from index.errors import ContractMismatch
from index.retrieval import ONLY_STOP_WORDS, QUERY_REQUIRED, LocationQuery, LocationRetrieval
from reading_model.documents import BlockType
from reading_model.models import LocationKind, PaperMetadata
from tests.index.conftest import engines_of
from tests.index.libraries import Engines, Library, Place


@pytest.fixture(scope="module", params=["embedded", "facade"])
def module_engines(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engines]:
    """Each engine in turn."""
    with engines_of(request, tmp_path_factory) as made:
        yield made


@pytest.fixture(scope="module")
def gulls(shared_library: Library) -> Library:
    shared_library.put(
        "gulls",
        [
            Place("Gulls glide over the windy hill.", section="Abstract"),
            Place("Wind speed was measured on the hill.", section="2 Methods", page=2),
            Place("hill | speed\nnorth | 12.5", LocationKind.TABLE, BlockType.TABLE, "3 Results", 3, 4),
            Place("Figure 1: The hill from above.", LocationKind.FIGURE, BlockType.FIGURE, "3 Results", 4),
            Place("v = s / t on the hill", block=BlockType.FORMULA, section="3 Results", page=4),
            Place("Terns were not seen.", section="4 Discussion", page=5),
        ],
        metadata=PaperMetadata(title="Soaring birds"),
    )
    shared_library.put("terns", ["Terns dive near the hill.", "Nothing else was seen."])
    return shared_library


def texts(library: Library, text: str, *papers: str, **options: object) -> list[str]:
    return [hit.record.location.text for hit in library.search(text, *papers, **options).hits]


def test_hits_come_with_their_record_score_and_preview(gulls: Library) -> None:
    result = gulls.search("glide", "gulls")
    (hit,) = result.hits
    assert hit.record.location.section_title == "Abstract"
    assert hit.record.model_version == gulls.current()["gulls"]
    assert hit.score > 0
    assert hit.preview.text == hit.record.location.text[hit.preview.start : hit.preview.end]
    assert (result.matched_count, result.complete, result.reason) == (1, True, None)


def test_only_the_papers_asked_for_are_searched(gulls: Library) -> None:
    assert gulls.found("terns", "terns") == ["terns"]
    assert set(gulls.found("terns")) == {"gulls", "terns"}
    assert gulls.location_search.search(LocationQuery(models={}, corpus=None, text="terns")).hits == ()


def test_titles_of_paper_and_section_are_searched(gulls: Library) -> None:
    assert len(texts(gulls, "soaring birds", top_k=20)) == 6
    assert texts(gulls, "discussion") == ["Terns were not seen."]


def test_a_section_hint_ranks_that_section_first(gulls: Library) -> None:
    assert texts(gulls, "hill", "gulls")[0] != texts(gulls, "hill", "gulls", section="methods")[0]
    assert texts(gulls, "hill", "gulls", section="methods")[0].startswith("Wind speed")
    assert texts(gulls, "", "gulls", section="discussion") == ["Terns were not seen."]


@pytest.mark.parametrize(
    ("options", "kinds"),
    [
        ({"kinds": ("table",)}, {"table"}),
        ({"kinds": ("table", "figure")}, {"table", "figure"}),
        ({"blocks": ("formula",)}, {"passage"}),
        ({"kinds": ("table",), "blocks": ("formula",)}, {"table", "passage"}),
        ({"blocks": ("figure",)}, {"figure"}),
        ({"page_from": 5}, set[str]()),
        ({"page_from": 4, "page_to": 4, "kinds": ("table",)}, {"table"}),
    ],
)
def test_kinds_blocks_and_pages_filter(gulls: Library, options: dict[str, object], kinds: set[str]) -> None:
    assert {hit.record.location.kind.value for hit in gulls.search("hill", "gulls", **options).hits} == kinds


def test_a_figure_location_is_no_passage_that_holds_a_figure(gulls: Library) -> None:
    assert {hit.record.location.kind for hit in gulls.search("hill", "gulls", kinds=("passage",)).hits} == {
        LocationKind.PASSAGE
    }


@pytest.mark.parametrize(
    ("text", "reason"), [("", QUERY_REQUIRED), (" \n", QUERY_REQUIRED), ("the of", ONLY_STOP_WORDS)]
)
def test_nothing_to_search_for_says_so(gulls: Library, text: str, reason: str) -> None:
    result = gulls.search(text)
    assert (result.hits, result.matched_count, result.reason) == ((), 0, reason)


def test_a_list_that_is_cut_says_so(gulls: Library) -> None:
    result = gulls.search("hill", "gulls", top_k=2)
    assert (len(result.hits), result.matched_count, result.complete) == (2, 5, False)


def test_a_broad_question_opens_with_the_abstract_of_each_of_a_few_papers(gulls: Library) -> None:
    result = gulls.search("What is this paper about?")
    assert [hit.record.location.text for hit in result.hits] == [
        "Gulls glide over the windy hill.",
        "Terns dive near the hill.",
    ]
    assert [hit.score for hit in result.hits] == [0, 0]


def test_a_broad_question_within_pages_or_over_many_papers_has_no_lead(gulls: Library) -> None:
    assert texts(gulls, "What is this paper about?", page_from=1) == []
    assert texts(gulls, "What is this paper about?", top_k=3) == []


def test_scores_do_not_depend_on_papers_outside_the_corpus(library: Library) -> None:
    library.put("mine", ["windy hill", "quiet lake"])
    corpus = (library.current()["mine"],)

    def found() -> list[tuple[str, float]]:
        query = LocationQuery(models=library.current("mine"), corpus=corpus, text="windy lake")
        return [(hit.record.location.text, hit.score) for hit in library.location_search.search(query).hits]

    alone = found()
    library.put("theirs", ["windy windy windy", "windy shore", "windy barn"])
    assert found() == alone
    assert len(alone) == 2


def test_a_point_that_sql_contradicts_is_left_out(library: Library) -> None:
    library.put("p", ["windy hill", "windy lake"])
    points = list(library.locations.scroll())
    ref = library.search("hill").hits[0].record.location.ref
    assert library.found("windy") == ["p", "p"]
    # the model is another one than the caller says is current
    stale = LocationQuery(models={"other": library.current()["p"]}, corpus=None, text="windy")
    assert library.location_search.search(stale).hits == ()
    from index.encoder import FieldText, encode_document
    from index.engine import IndexPoint

    vector = encode_document([FieldText("windy hill", 1)], library.contract).vector
    (number, payload) = next(point for point in points if point[1].location_ref == ref)
    library.locations.upsert([IndexPoint(number, vector, replace(payload, text_sha256="0" * 64))])
    stray = replace(payload, location_ref="passage_ref_stray")
    library.locations.upsert([IndexPoint("00000000-0000-0000-0000-000000000001", vector, stray)])
    result = library.search("windy")
    assert [hit.record.location.text for hit in result.hits] == ["windy lake"]
    assert result.matched_count == 1


def test_points_of_another_contract_are_an_error(gulls: Library) -> None:
    other = LocationRetrieval(gulls.store, gulls.locations, IndexContract.default(avgdl=9))
    with pytest.raises(ContractMismatch, match="paper gulls"):
        other.search(LocationQuery(models=gulls.current("gulls"), corpus=None, text="hill"))


def test_near_duplicates_of_a_paper_are_folded(library: Library) -> None:
    long = " ".join(f"word{n}" for n in range(40))
    library.put("p", [long, long + " again", "word1 elsewhere"])
    assert len(library.search("word1").hits) == 2


def test_equal_scores_are_in_the_order_of_papers_and_refs(library: Library) -> None:
    for paper in ("q", "p", "r"):
        library.put(paper, ["windy hill", "windy lake"])
    hits = library.search("windy").hits
    order = [(hit.record.paper_id, hit.record.location.ref) for hit in hits]
    assert order == sorted(order)
    assert len(order) == 6

from __future__ import annotations

from collections.abc import Iterator

import pytest

from index.contract import IndexContract
from index.errors import ContractMismatch
from index.papers import (
    CLUES_REQUIRED,
    NOT_A_DOI,
    NOT_AN_ARXIV_NUMBER,
    PaperClues,
    PaperHits,
    PaperQuery,
    PaperRetrieval,
    Resolution,
)
from reading_model.models import PaperMetadata
from tests.index.conftest import engines_of
from tests.index.libraries import Engines, Library


@pytest.fixture(scope="module", params=["embedded", "facade"])
def module_engines(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engines]:
    """Each engine in turn."""
    with engines_of(request, tmp_path_factory) as made:
        yield made


PAPERS = {
    "gulls": PaperMetadata(
        title="Gulls over {\\em Windy} Hills",
        authors=("Ada Lovelace", "Jan Łódź"),
        year=2021,
        venue="NeurIPS",
        doi="10.5555/abc.2021.0042",
        arxiv_id="2101.00007v3",
        abstract="We watch gulls soar.",
    ),
    "terns": PaperMetadata(title="Terns", authors=("Grace Hopper",), year=2019, venue="Journal of Terns"),
    "twin": PaperMetadata(title="Terns", year=2020, arxiv_id="hep-th/9901001"),
    "plain": PaperMetadata(doi="10.48550/arXiv.2101.00071"),
}
ALL = tuple(PAPERS)


@pytest.fixture(scope="module")
def papers(shared_library: Library) -> Library:
    for name, metadata in PAPERS.items():
        shared_library.put(name, ["text"], metadata=metadata, filename=f"{name}.pdf")
    return shared_library


def search(library: Library, text: str = "", **options: object) -> PaperHits:
    query = PaperQuery(**{"paper_ids": ALL, "corpus": None, "text": text, **options})  # type: ignore[arg-type]
    return library.paper_search.search(query)


def ids(hits: PaperHits) -> list[str]:
    return [hit.record.paper_id for hit in hits.hits]


def resolve(library: Library, **clues: object) -> Resolution:
    return library.paper_search.resolve(PaperClues(**clues), ALL)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "first"),
    [("windy hills", "gulls"), ("soaring", "gulls"), ("Lovelace", "gulls"), ("neurips", "gulls"), ("plain", "plain")],
)
def test_title_abstract_authors_venue_and_filename_are_searched(papers: Library, text: str, first: str) -> None:
    result = search(papers, text)
    assert ids(result)[0] == first
    assert result.hits[0].score > 0


def test_words_that_fit_any_paper_are_left_out_of_a_search(papers: Library) -> None:
    assert ids(search(papers, "find papers about gulls")) == ["gulls"]


def test_a_blank_query_lists_the_scope_newest_first(papers: Library) -> None:
    assert ids(search(papers)) == ["gulls", "twin", "terns", "plain"]
    assert ids(search(papers, paper_ids=("terns",))) == ["terns"]
    assert search(papers, paper_ids=()).hits == ()
    assert search(papers, "terns", paper_ids=()).hits == ()


def test_stop_words_alone_find_nothing_and_say_so(papers: Library) -> None:
    assert search(papers, "the of") == PaperHits(reason="only_stop_words")


def test_pages_of_results_cover_all_matches(papers: Library) -> None:
    first = search(papers, "terns", limit=1)
    second = search(papers, "terns", limit=1, offset=1)
    assert (first.matched_count, first.next_offset, second.next_offset) == (2, 1, None)
    assert sorted(ids(first) + ids(second)) == ["terns", "twin"]
    assert search(papers, "terns", offset=5) == PaperHits(matched_count=2)


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"authors": ("lovelace",)}, {"gulls"}),
        ({"authors": ("Hopper, G.", "nobody")}, {"terns"}),
        ({"venues": ("NEURIPS",)}, {"gulls"}),
        ({"year_from": 2020}, {"gulls", "twin"}),
        ({"year_to": 2020}, {"terns", "twin"}),
        ({"year_from": 2020, "year_to": 2020}, {"twin"}),
        ({"venues": ("nowhere",)}, set[str]()),
    ],
)
def test_authors_venues_and_years_filter(papers: Library, filters: dict[str, object], found: set[str]) -> None:
    assert set(ids(search(papers, **filters))) == found
    assert set(ids(search(papers, "gulls terns", **filters))) == found


def test_idf_is_counted_over_the_scope(papers: Library) -> None:
    narrow = search(papers, "terns", paper_ids=("terns",), corpus=("terns",)).hits[0].score
    wide = search(papers, "terns", paper_ids=("terns",), corpus=ALL).hits[0].score
    assert narrow < wide


def test_cards_of_another_contract_are_an_error(papers: Library) -> None:
    other = PaperRetrieval(papers.store, papers.cards, IndexContract(avgdl=240, k1=2.0))
    with pytest.raises(ContractMismatch, match="card of paper"):
        other.search(PaperQuery(paper_ids=ALL, corpus=None, text="terns"))


@pytest.mark.parametrize(
    ("clues", "paper"),
    [
        ({"paper_id": "gulls"}, "gulls"),
        ({"title": "gulls over windy hills!"}, "gulls"),
        ({"filename": "/tmp/Gulls.PDF"}, "gulls"),
        ({"doi": "https://doi.org/10.5555/ABC.2021.0042."}, "gulls"),
        ({"doi": "10.48550/arXiv.2101.00007v3"}, "gulls"),
        ({"doi": "10.48550/arXiv.2101.00071"}, "plain"),
        ({"arxiv_id": "arXiv:2101.00007"}, "gulls"),
        ({"arxiv_id": "https://arxiv.org/abs/2101.00007v3"}, "gulls"),
        ({"arxiv_id": "2101.00071"}, "plain"),
        ({"arxiv_id": "hep-th/9901001"}, "twin"),
        ({"authors": ("Hopper",)}, "terns"),
        ({"title": "Terns", "year": 2020}, "twin"),
        ({"authors": ("nobody", "Lodz")}, "gulls"),
    ],
)
def test_clues_resolve_one_paper(papers: Library, clues: dict[str, object], paper: str) -> None:
    found = resolve(papers, **clues)
    assert (found.status, [match.paper_id for match in found.matches]) == ("resolved", [paper])


@pytest.mark.parametrize(
    "clues",
    [
        {"paper_id": "unknown"},
        {"title": "Gulls"},
        {"title": "?!"},
        {"filename": "other.pdf"},
        {"doi": "10.5555/abc.2021.004"},
        {"doi": "10.48550/arXiv.2101.00007v1"},
        {"arxiv_id": "2101.0007"},
        {"arxiv_id": "2101.00070"},
        {"authors": ("Hop",)},
        {"title": "Terns", "year": 1999},
        {"doi": "10.5555/abc.2021.0042", "title": "Terns"},
    ],
)
def test_a_clue_that_does_not_hold_finds_nothing(papers: Library, clues: dict[str, object]) -> None:
    assert resolve(papers, **clues) == Resolution("not_found")


def test_two_papers_of_one_title_are_ambiguous_and_both_are_listed(papers: Library) -> None:
    found = resolve(papers, title="TERNS")
    assert (found.status, [match.paper_id for match in found.matches]) == ("ambiguous", ["terns", "twin"])


def test_f18_another_version_is_named_and_not_given_out(papers: Library) -> None:
    assert resolve(papers, arxiv_id="2101.00007v1") == Resolution("not_found", reason="other_version_held: v3")
    assert resolve(papers, arxiv_id="hep-th/9901001v2").reason == "other_version_held: version unknown"


def test_no_clue_and_malformed_clues_say_why(papers: Library) -> None:
    assert resolve(papers) == Resolution("not_found", reason=CLUES_REQUIRED)
    assert resolve(papers, doi="10.5555/").reason == NOT_A_DOI
    assert resolve(papers, arxiv_id="soon").reason == NOT_AN_ARXIV_NUMBER


def test_papers_outside_the_given_ids_do_not_resolve(papers: Library) -> None:
    assert papers.paper_search.resolve(PaperClues(title="Terns"), ["twin"]).status == "resolved"
    assert papers.paper_search.resolve(PaperClues(title="Terns"), []).status == "not_found"


def test_a_caller_s_own_filename_goes_before_the_library_s(papers: Library) -> None:
    own = {"terns": "mine.pdf"}
    assert papers.paper_search.resolve(PaperClues(filename="mine.pdf"), ALL, own).status == "resolved"
    assert papers.paper_search.resolve(PaperClues(filename="terns.pdf"), ALL, own).status == "not_found"

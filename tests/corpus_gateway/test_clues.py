from __future__ import annotations

import pytest

from corpus_gateway.clues import comparable_doi, comparable_title, matches, names_author, names_nothing, same_arxiv
from corpus_gateway.wire import PaperCard, PaperIdentity

CARD = PaperCard(
    paper_id="p",
    title="A {\\em Study} of F&amp;B",
    authors=["Zoë O’Neil"],
    year=2020,
    doi="10.1234/AB.c",
    filename="A.pdf",
)


@pytest.mark.parametrize(
    "doi",
    [
        "10.1234/ab.c",
        "10.1234/AB.C.",
        "doi:10.1234/ab.c",
        "https://doi.org/10.1234/ab.c",
        "http://dx.doi.org/10.1234/AB.c).",
        " 10.1234/ab.c ",
    ],
)
def test_a_doi_may_be_written_in_any_of_its_forms(doi: str) -> None:
    assert comparable_doi(doi) == "10.1234/ab.c"
    assert matches(PaperIdentity(doi=doi), CARD)


def test_what_is_no_doi_stays_what_it_is() -> None:
    assert comparable_doi("Gulls") == "gulls"


@pytest.mark.parametrize("title", ["a study of f&b", "A Study of F B!", "\\textit{A Study} of F\\&B"])
def test_titles_compare_without_markup_and_punctuation(title: str) -> None:
    assert comparable_title(title) == "a study of f b"
    assert matches(PaperIdentity(title=title), CARD)


@pytest.mark.parametrize(
    ("wanted", "held", "same"),
    [
        ("2412.08972", "2412.08972v2", True),
        ("2412.08972v2", "2412.08972v2", True),
        ("2412.08972v1", "2412.08972v2", False),
        ("2412.08972v2", "2412.08972", False),
        ("2412.08972", "2412.08972", True),
        ("arXiv:2412.08972V2", "2412.08972v2", True),
        ("https://arxiv.org/abs/2412.08972", "2412.08972v2", True),
        ("https://arxiv.org/pdf/2412.08972v2.pdf", "2412.08972v2", True),
        ("hep-th/9901001", "hep-th/9901001v3", True),
        ("2412.08973", "2412.08972", False),
        ("2412.08972", None, False),
    ],
)
def test_an_arxiv_version_counts_where_it_is_asked_for(wanted: str, held: str | None, *, same: bool) -> None:
    assert same_arxiv(wanted, held) is same


def test_an_author_may_be_named_in_part() -> None:
    assert names_author(" o’neil ", CARD.authors)
    assert not names_author(" ", CARD.authors)
    assert not matches(PaperIdentity(authors=["Byron"]), CARD)
    assert matches(PaperIdentity(authors=["Byron", "zoë"]), CARD)


def test_an_unknown_value_never_fits_a_clue() -> None:
    bare = PaperCard(paper_id="p", title="T")
    for clues in (
        {"doi": "10.1/x"},
        {"year": 2020},
        {"arxiv_id": "2412.08972"},
        {"filename": "a.pdf"},
        {"authors": ["A"]},
    ):
        assert not matches(PaperIdentity.model_validate(clues), bare)


def test_no_clue_is_told_from_a_clue() -> None:
    assert names_nothing(PaperIdentity())
    assert names_nothing(PaperIdentity(title="", authors=[]))
    assert not names_nothing(PaperIdentity(year=0))
    assert matches(PaperIdentity(filename="a.PDF", year=2020, paper_id="p"), CARD)

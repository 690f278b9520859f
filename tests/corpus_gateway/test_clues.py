from __future__ import annotations

import pytest

from corpus_gateway.clues import matches, names_nothing
from corpus_gateway.wire import PaperCard, PaperIdentity

CARD = PaperCard(
    paper_id="p",
    title="A {\\em Study} of F&amp;B",
    authors=["Zoë O’Neil"],
    year=2020,
    doi="10.1234/AB.c",
    arxiv_id="2412.08972v2",
    filename="A.pdf",
)


@pytest.mark.parametrize(
    "clues",
    [
        {"paper_id": "p"},
        {"title": "a study of f&b"},
        {"doi": "https://doi.org/10.1234/ab.C."},
        {"arxiv_id": "2412.08972"},
        {"arxiv_id": "arXiv:2412.08972v2"},
        {"filename": "a.PDF"},
        {"authors": ["Byron", "zoë o’neil"]},
        {"year": 2020},
        {"doi": " ", "title": "", "authors": [" "], "paper_id": "p"},
        {"paper_id": "p", "title": "A Study of F&B", "filename": "A.pdf", "year": 2020},
    ],
)
def test_clues_in_any_of_their_forms_hold(clues: dict[str, object]) -> None:
    assert matches(PaperIdentity.model_validate(clues), CARD)


@pytest.mark.parametrize(
    "clues",
    [
        {"paper_id": "P"},
        {"title": "A Study"},
        {"title": "!?"},
        {"doi": "10.1234/ab"},
        {"doi": "no doi"},
        {"arxiv_id": "2412.08972v1"},
        {"arxiv_id": "2412.08973"},
        {"arxiv_id": "no number"},
        {"filename": "b.pdf"},
        {"authors": ["Byron"]},
        {"year": 2021},
        {"paper_id": "p", "year": 2021},
    ],
)
def test_one_clue_that_fails_is_enough(clues: dict[str, object]) -> None:
    assert not matches(PaperIdentity.model_validate(clues), CARD)


@pytest.mark.parametrize(
    "clues",
    [{"doi": "10.1234/x"}, {"year": 2020}, {"arxiv_id": "2412.08972"}, {"filename": "a.pdf"}, {"authors": ["Ann"]}],
)
def test_an_unknown_value_never_fits_a_clue(clues: dict[str, object]) -> None:
    assert not matches(PaperIdentity.model_validate(clues), PaperCard(paper_id="p", title="T"))


def test_no_clue_is_told_from_a_clue() -> None:
    assert names_nothing(PaperIdentity())
    assert names_nothing(PaperIdentity(title="", doi="  ", authors=[" "]))
    assert not names_nothing(PaperIdentity(year=0))
    assert not names_nothing(PaperIdentity(authors=["Ann"]))

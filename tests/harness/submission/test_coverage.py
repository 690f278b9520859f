# ruff: noqa: E501 - titles beside their names
from __future__ import annotations

import pytest

from harness.submission.coverage import aliases_of, names
from harness.submission.formula import FormulaError, parse_formula


@pytest.mark.parametrize(
    ("title", "aliases"),
    [
        ("BERT: Pre-training of Encoders", ("BERT: Pre-training of Encoders", "BERT")),
        ("Gulls: A Survey of Birds", ("Gulls: A Survey of Birds",)),
        ("Deep Learning", ("Deep Learning",)),
        ("deep learning", ()),
        ("T5", ()),
        ("GPT", ("GPT",)),
        ("x" * 30 + " and the " + "y" * 30 + ": Z", ("x" * 30 + " and the " + "y" * 30 + ": Z",)),
        ("A " + "x" * 28 + " of the " + "y" * 22 + ": Z", ("A " + "x" * 28 + " of the " + "y" * 22 + ": Z", "A " + "x" * 28 + " of the " + "y" * 22)),
    ],
)  # fmt: skip
def test_what_a_paper_may_be_called(title: str, aliases: tuple[str, ...]) -> None:
    assert aliases_of({"p": title})["p"] == aliases


def test_a_name_of_two_papers_is_that_of_neither() -> None:
    shared = aliases_of({"p": "BERT: One", "q": "BERT: Two"})
    assert "BERT" not in (*shared["p"], *shared["q"])
    assert names("as BERT-base says", ("BERT",)) is False
    assert names("as **BERT** says", ("BERT",)) is True


def test_a_formula_of_400_characters_is_read_and_one_more_is_not() -> None:
    assert parse_formula("a" * 400).names == {"a" * 400}
    with pytest.raises(FormulaError, match="400"):
        parse_formula("a" * 401)

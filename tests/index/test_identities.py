from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.identities import (
    ArxivNumber,
    comparable_arxiv,
    comparable_doi,
    comparable_filename,
    comparable_title,
    names_author,
    within_name,
)

SICI = "10.5555/(sici)1097-0000(19980815)17:15<1661::aid-own968>3.0.co;2-2"


@pytest.mark.parametrize(
    ("given_", "doi"),
    [
        ("10.5555/ABC.2021.0042", "10.5555/abc.2021.0042"),
        ("https://doi.org/10.5555/abc.2021.0042.", "10.5555/abc.2021.0042"),
        ("doi:10.5555/abc.2021.0042,", "10.5555/abc.2021.0042"),
        ("DOI: 10.5555/AbC.2021.0042)", "10.5555/abc.2021.0042"),
        (" 10.5555/abc.2021.0042\u200b ", "10.5555/abc.2021.0042"),
        ("10.5555/xyz.2009.02(IWNOP)", "10.5555/xyz.2009.02(iwnop)"),
        ("(10.5555/xyz.2009.02(iwnop))", "10.5555/xyz.2009.02(iwnop)"),
        ("http://dx.doi.org/10.5555%2F12345678", "10.5555/12345678"),
        (SICI.replace("<", "&lt;").replace(">", "&gt;"), SICI),
        ("“10.5555/12345678”.", "10.5555/12345678"),
        ("10.5555/", None),
        ("10.5555/)", None),
        ("not a doi", None),
    ],
)
def test_f16_dois_in_any_dress(given_: str, doi: str | None) -> None:
    assert comparable_doi(given_) == doi


@given(st.text(max_size=40))
def test_f16_a_comparable_doi_is_comparable_to_itself(text: str) -> None:
    doi = comparable_doi("10.5555/" + text)
    assert doi is None or comparable_doi(doi) == doi


@pytest.mark.parametrize(
    ("given_", "number"),
    [
        ("2101.00007", ArxivNumber("2101.00007", None)),
        ("arXiv:2101.00007v3", ArxivNumber("2101.00007", 3)),
        ("ARXIV:2101.00007V3", ArxivNumber("2101.00007", 3)),
        ("arXiv: 2101.00007", ArxivNumber("2101.00007", None)),
        ("https://arxiv.org/abs/2101.00007v3", ArxivNumber("2101.00007", 3)),
        ("https://arxiv.org/pdf/2101.00007v3.pdf", ArxivNumber("2101.00007", 3)),
        ("10.48550/arXiv.2101.00007", ArxivNumber("2101.00007", None)),
        ("hep-th/9901001", ArxivNumber("hep-th/9901001", None)),
        ("arXiv:math.AG/9901001v2", ArxivNumber("math.ag/9901001", 2)),
        ("2101.0007", ArxivNumber("2101.0007", None)),
        ("2101.7", None),
        ("10.5555/2101.00007", None),
        ("", None),
    ],
)
def test_f18_arxiv_numbers_with_and_without_version(given_: str, number: ArxivNumber | None) -> None:
    assert comparable_arxiv(given_) == number


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Gulls &amp; Terns: A Study", "gulls terns a study"),
        ("Pre-training of \\emph{Gulls}", "Pretraining of Gulls"),
        ('M\\"{o}wen im {\\em Flug} {\\ss}', "Möwen im Flug ß"),
        ("The $\\beta$-catenin Way", "The β-catenin way"),
        ("H<sub>2</sub>O on Ice", "H2O on ice"),
        ("The β-catenin Way", "the beta catenin way"),
    ],
)
def test_titles_are_compared_by_letters_and_digits(one: str, other: str) -> None:
    assert comparable_title(one) == comparable_title(other)


def test_different_titles_stay_different() -> None:
    assert comparable_title("Gulls I") != comparable_title("Gulls II")


@pytest.mark.parametrize("name", ["Paper.PDF", "folder/paper.pdf", "C:\\folder\\paper.pdf", " paper "])
def test_filenames_are_compared_without_folder_case_and_suffix(name: str) -> None:
    assert comparable_filename(name) == "paper"


@pytest.mark.parametrize("wanted", ["Cohan", "arman cohan", "Cohan, A.", "A. Cohan", "COHAN Arman"])
def test_names_in_usual_forms_name_an_author(wanted: str) -> None:
    assert names_author(wanted, "Arman Cohan")


@pytest.mark.parametrize("wanted", ["", "A.", "Cohen", "Arman Smith", "B. Cohan"])
def test_other_names_do_not(wanted: str) -> None:
    assert not names_author(wanted, "Arman Cohan")


def test_names_are_compared_without_diacritics() -> None:
    assert names_author("Lodz", "Jan Łódź")


def test_venues_are_compared_by_words_without_case() -> None:
    assert within_name("neurips", "NeurIPS 2023")
    assert not within_name("ACL", "NAACL 2019")
    assert not within_name("", "NeurIPS")

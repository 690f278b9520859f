from __future__ import annotations

from pathlib import Path

import pytest

from corpus_gateway.bibliography import Bibliography
from reading_model.bibliography import BibliographyEntry
from reading_model.models import PaperMetadata

UNKNOWN = PaperMetadata()


@pytest.mark.parametrize(
    ("entry", "path", "found"),
    [
        (BibliographyEntry("k", "T", files=("old/place/Paper.PDF",)), "here/paper.pdf", UNKNOWN),
        (BibliographyEntry("k", "T", doi="10.1000/ABC"), "x.pdf", PaperMetadata(doi="https://doi.org/10.1000/abc")),
        (BibliographyEntry("k", "T", arxiv_id="2001.01234"), "x.pdf", PaperMetadata(arxiv_id="2001.01234v3")),
        (BibliographyEntry("k", "T", arxiv_id="2001.01234v1"), "2001.01234v2.pdf", UNKNOWN),
        (BibliographyEntry("k", "The {Étude}: of X"), "x.pdf", PaperMetadata(title="THE ETUDE OF X")),
        (BibliographyEntry("Smith2020", "T"), "smith2020.pdf", UNKNOWN),
    ],
    ids=["file", "doi", "arxiv", "arxiv in the file's name", "title", "key"],
)
def test_an_entry_finds_its_file_by(entry: BibliographyEntry, path: str, found: PaperMetadata) -> None:
    bibliography = Bibliography([entry])
    assert bibliography.unmatched() == [entry]
    assert bibliography.given(Path(path), found) == entry.given()
    assert (bibliography.unmatched(), bibliography.files_without()) == ([], [])


def test_what_belongs_to_nothing_is_named() -> None:
    entry = BibliographyEntry("k", "Another", doi="10.1000/x")
    bibliography = Bibliography([entry])
    found = PaperMetadata(title="Words", doi="10.1000/y", arxiv_id="2001.01234")
    assert bibliography.given(Path("a.pdf"), found) == {}
    assert bibliography.unmatched() == [entry]
    assert bibliography.files_without() == [Path("a.pdf")]


def test_a_clue_that_fits_different_entries_decides_nothing() -> None:
    one, other = BibliographyEntry("a", "Editorial", year=2001), BibliographyEntry("b", "Editorial", year=2002)
    assert Bibliography([one, other]).given(Path("x.pdf"), PaperMetadata(title="Editorial")) == {}
    assert Bibliography([one, other]).given(Path("b.pdf"), PaperMetadata(title="Editorial")) == other.given()


def test_an_entry_that_stands_there_twice_is_used_up_as_one() -> None:
    twice = [BibliographyEntry("a", "T", doi="10.1000/x"), BibliographyEntry("b", "T", doi="10.1000/x")]
    bibliography = Bibliography(twice)
    assert bibliography.given(Path("x.pdf"), PaperMetadata(doi="10.1000/x")) == twice[0].given()
    assert bibliography.unmatched() == []


def test_of_files_with_one_name_the_nearest_path_counts() -> None:
    one = BibliographyEntry("a", "One", files=("files/11/Full Text.pdf",))
    other = BibliographyEntry("b", "Other", files=("files/12/Full Text.pdf",))
    bibliography = Bibliography([one, other])
    assert bibliography.given(Path("/z/files/12/Full Text.pdf"), UNKNOWN) == {"title": "Other"}
    assert bibliography.given(Path("Full Text.pdf"), UNKNOWN) == {}


def test_the_file_that_an_entry_names_wins_over_every_other_clue() -> None:
    named = BibliographyEntry("a", "Named", files=("paper.pdf",))
    same_doi = BibliographyEntry("b", "Same", doi="10.1000/x")
    bibliography = Bibliography([same_doi, named])
    assert bibliography.given(Path("paper.pdf"), PaperMetadata(doi="10.1000/x")) == {"title": "Named"}

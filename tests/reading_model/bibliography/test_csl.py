from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reading_model.bibliography import BibliographyEntry, read_csl, write_csl
from reading_model.errors import BibliographyUnreadable
from reading_model.models import PaperMetadata
from tests.reading_model.bibliography.values import papers

ITEM: dict[str, Any] = {
    "id": "http://zotero.org/1",
    "type": "article-journal",
    "title": "On <i>E. coli</i> &amp; H<sub>2</sub>O",
    "author": [
        {"family": "Müller", "given": "Jörg"},
        {"family": "Berg", "given": "Ann", "non-dropping-particle": "van der"},
        {"literal": "OpenAI Team"},
        {},
    ],
    "issued": {"date-parts": [["2020", 5]]},
    "container-title": ["Journal"],
    "DOI": "10.1000/x",
    "number": "arXiv:2001.01234",
    "abstract": "<jats:p>Words.</jats:p>",
}


def test_an_item_of_a_reference_manager_is_read_whole() -> None:
    expected = BibliographyEntry(
        key="http://zotero.org/1",
        title="On E. coli & H2O",
        authors=("Jörg Müller", "Ann van der Berg", "OpenAI Team"),
        year=2020,
        venue="Journal",
        doi="10.1000/x",
        arxiv_id="2001.01234",
        abstract="Words.",
    )
    assert read_csl(json.dumps([ITEM])) == [expected]
    assert read_csl(json.dumps({"items": [ITEM]})) == [expected]


@pytest.mark.parametrize(("issued", "year"), [({"raw": "May 1999"}, 1999), ({}, None), (None, None), ("2020", None)])
def test_a_year_is_known_or_not(issued: object, year: int | None) -> None:
    assert read_csl(json.dumps([{"issued": issued}]))[0].year == year


def test_an_arxiv_number_stands_in_its_doi() -> None:
    assert read_csl(json.dumps([{"DOI": "10.48550/arXiv.2101.00001"}]))[0].arxiv_id == "2101.00001"


@pytest.mark.parametrize("text", ["[", '{"title": "x"}', '"x"', "[1]", '[{"author": "Jane"}]', '[{"author": ["J"]}]'])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(BibliographyUnreadable):
        read_csl(text)


JSON = st.recursive(st.none() | st.integers() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=2))


@given(st.lists(st.dictionaries(st.sampled_from([*ITEM]), JSON | st.dictionaries(st.sampled_from(["raw"]), JSON))))
def test_odd_values_give_entries_or_the_error(items: list[Any]) -> None:
    with suppress(BibliographyUnreadable):
        assert len(read_csl(json.dumps(items))) == len(items)


@settings(max_examples=50)
@given(papers())
def test_what_is_written_is_read_again(paper: PaperMetadata) -> None:
    (entry,) = read_csl(write_csl([(paper, "a.pdf")]))
    names = ("title", "authors", "year", "venue", "doi", "arxiv_id", "abstract")
    assert {name: getattr(entry, name) for name in names} == {name: getattr(paper, name) for name in names}


def test_names_are_divided_for_citation_styles() -> None:
    (item,) = json.loads(write_csl([(PaperMetadata(authors=("Ludwig van Beethoven", "Plato")), "a.pdf")]))
    family = {"family": "Beethoven", "given": "Ludwig", "non-dropping-particle": "van"}
    assert item["author"] == [family, {"literal": "Plato"}]

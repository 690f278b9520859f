"""Cases F04, F05, F06 and F20 at the reading model: a content list alone."""

from __future__ import annotations

import pytest

from reading_model.builder import build_reading_model
from reading_model.documents import BlockType
from reading_model.models import LocationKind, LocationRecord, PageStatus, ReadingModel
from reading_model.spans import split_spans
from tests.places import CASES, needs_data
from tests.reading_model.parsing.mineru.outputs import imported

pytestmark = [pytest.mark.data, needs_data()]


def model_of(name: str) -> ReadingModel:
    parsed = imported(CASES / "inputs" / f"{name}.content_list.json")
    return build_reading_model(parsed, paper_id="p1", artifact_sha256="a" * 64)


def section_holding(model: ReadingModel, text: str) -> str:
    (element,) = [item for item in model.elements if item.text == text]
    assert element.section is not None
    return model.sections[element.section].title


def test_F04_headings_on_one_level_form_the_tree_that_their_numbers_tell() -> None:
    model = model_of("f04-flat-headings")
    assert model.metadata.title == "Counting Locations in Sparse Libraries"
    assert model.metadata.abstract == "We count reading locations and report where they fail."
    parents = {
        section.title: None if section.parent is None else model.sections[section.parent].title
        for section in model.sections
        if section.title not in ("Front matter", "Abstract")
    }
    assert parents == {
        "1 Introduction": None,
        "2 Methods": None,
        "2.1 Data": "2 Methods",
        "2.1.1 Cleaning": "2.1 Data",
        "2020 survey wave": "2.1.1 Cleaning",
        "2.2 Model": "2 Methods",
        "3 Results": None,
        "References": None,
        "A Proofs": None,
        "A.1 First lemma": "A Proofs",
    }
    assert section_holding(model, "Each location became one sparse point.") == "2.2 Model"
    assert section_holding(model, "3.5 percent of all lookups failed before this work.") == "1 Introduction"
    entries = [item.text for item in model.elements if item.type is BlockType.REFERENCE]
    assert entries == ["[1] A. Writer. On spans. 2019.", "[2] B. Reader. On pages. 2021."]


def test_F05_a_table_over_a_page_break_is_one_table_with_its_rows_notes_and_decoded_cells() -> None:
    model = model_of("f05-table-over-pages")
    (table,) = [item for item in model.elements if item.type is BlockType.TABLE]
    assert table.table is not None
    assert table.table.row_count == 7
    assert table.table.header_rows == 1
    (location,) = [item for item in model.locations if item.kind is LocationKind.TABLE]
    assert (location.page, location.page_end) == (1, 2)
    notes = {
        kind: [item.text for item in model.elements if item.type is kind and item.parent == table.ordinal]
        for kind in BlockType
    }
    assert notes[BlockType.CAPTION] == ["Table 2. Recall by corpus"]
    assert notes[BlockType.FOOTNOTE] == ["p from a two-sided test."]
    assert "p < 0.05" in location.text
    assert "&lt" not in location.text
    assert all(item.text.strip() for item in model.locations)


def test_F06_a_page_between_two_others_that_has_nothing_on_it_is_a_page_without_text() -> None:
    model = model_of("f06-blank-page")
    assert [page.number for page in model.pages] == [1, 2, 3]
    assert model.pages[1].status is PageStatus.TEXTLESS
    (third,) = [item for item in model.elements if item.text == "Third page: the result was 31 percent."]
    assert third.page == 3
    assert [item.page for item in model.locations if item.kind is LocationKind.PAGE] == [1, 3]


def test_F20_the_same_sentence_in_three_places_is_evidence_of_the_place_that_was_read() -> None:
    model = model_of("f20-repeated-sentence")
    elements = {item.ordinal: item for item in model.elements}
    evidence: dict[str, tuple[int, str]] = {}
    for title, page in (("Abstract", 1), ("4 Results", 3), ("5 Conclusion", 4)):
        (location,) = [
            item for item in model.locations if item.kind is LocationKind.SECTION and item.section_title == title
        ]
        record = LocationRecord("p1", model.model_version, "mineru-artifact", location)
        spans = split_spans(record, elements)
        assert split_spans(record, elements) == spans
        (span,) = [item for item in spans if "The gain was 4.1 points." in item.text]
        assert [box.page for box in span.boxes] == [page] * len(span.boxes)
        evidence[title] = (span.page, span.evidence_id)
    assert [page for page, _ in evidence.values()] == [1, 3, 4]
    assert len({identity for _, identity in evidence.values()}) == 3
    (paragraph,) = [item for item in model.elements if item.page == 3 and item.type is BlockType.PARAGRAPH]
    starts = [at for at in range(len(paragraph.text)) if paragraph.text.startswith("The gain was 4.1 points", at)]
    assert starts == [33, 58]

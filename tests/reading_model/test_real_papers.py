"""The model of a real paper: what its reader would check by eye."""

from __future__ import annotations

import pytest

from reading_model.builder import build_reading_model
from reading_model.models import LocationKind, LocationRecord, ReadingModel, RelationKind
from reading_model.parsing import parse_file
from reading_model.spans import split_spans
from tests.places import DATA, needs_data

pytestmark = [pytest.mark.data, needs_data()]


@pytest.fixture(scope="module")
def model() -> ReadingModel:
    parsed = parse_file(DATA / "papers" / "acl2018-literature-graph.pdf")
    return build_reading_model(parsed, paper_id="p", artifact_sha256="a" * 64)


def test_its_numbered_sections_form_the_tree_of_the_paper(model: ReadingModel) -> None:
    top = [section.title for section in model.sections if section.parent is None]
    assert top == [
        "Front matter",
        "Abstract",
        "1 Introduction",
        "2 Structure of The Literature Graph",
        "3 Extracting Metadata",
        "4 Entity Extraction and Linking",
        "5 Other Research Problems",
        "6 Conclusion and Future Work",
        "References",
    ]
    paths = {section.path for section in model.sections}
    assert "2 Structure of The Literature Graph > 2.1 Node Types" in paths


def test_a_sentence_that_goes_on_in_the_next_column_below_a_figure_is_whole(model: ReadingModel) -> None:
    (passage,) = [
        location
        for location in model.locations
        if location.kind is LocationKind.PASSAGE and "(e.g., Xiong et al.," in location.text
    ]
    assert "(e.g., Xiong et al., 2017). We describe methods used in a scalable deployed" in passage.text
    assert passage.section_title == "1 Introduction"


def test_a_table_is_read_with_its_caption_and_named_where_it_is_discussed(model: ReadingModel) -> None:
    (table,) = [item for item in model.locations if item.kind is LocationKind.TABLE and "Table 4" in item.text]
    assert table.text.startswith("Table 4: The Bag of Concepts F1 score")
    assert "Neural | 84.6 | 85.8" in table.text.splitlines()
    held = {part.element for part in table.parts}
    proofs = [
        model.elements[relation.source].text[relation.proof_start : relation.proof_end]
        for relation in model.relationships
        if relation.kind is RelationKind.MENTIONS and relation.target in held
    ]
    assert proofs == ["Table 4", "Table 4"]


def test_every_span_has_rectangles_inside_its_page(model: ReadingModel) -> None:
    elements = {element.ordinal: element for element in model.elements}
    sizes = {page.number: page for page in model.pages}
    for location in model.locations:
        for span in split_spans(LocationRecord("p", model.model_version, "pdfium", location), elements):
            assert span.boxes
            for box in span.boxes:
                assert box.page == span.page
                assert -1 <= box.rect.x0 < box.rect.x1 <= sizes[box.page].width + 1
                assert -1 <= box.rect.y0 < box.rect.y1 <= sizes[box.page].height + 1


def test_a_number_is_found_in_the_passage_that_states_it(model: ReadingModel) -> None:
    places = [
        (location.page, location.section_title)
        for location in model.locations
        if location.kind is LocationKind.PASSAGE and "37M unique paper nodes" in location.text
    ]
    assert places == [(2, "2.1 Node Types")]

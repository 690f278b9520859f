from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reading_model.builder import build_reading_model
from reading_model.documents import Block, BlockType, ParsedDocument, ParsedMetadata, ParsedPage, Provenance, Sourced
from reading_model.errors import NoText
from reading_model.identity import location_ref_of, model_version_of, sha256_hex
from reading_model.models import LocationKind, PageStatus, ReadingModel, RelationKind, Relationship
from reading_model.sections import FURNITURE
from tests.reading_model.sample_documents import (
    PROVENANCE,
    block,
    document,
    heading,
    long_text,
    paper,
    paragraph,
    table,
)


def build(parsed: ParsedDocument) -> ReadingModel:
    return build_reading_model(parsed, paper_id="p", artifact_sha256="a" * 64)


def texts(model: ReadingModel, kind: LocationKind) -> list[str]:
    return [location.text for location in model.locations if location.kind is kind]


@pytest.fixture
def model() -> ReadingModel:
    return build(paper())


def test_the_sample_paper_becomes_pages_sections_and_elements(model: ReadingModel) -> None:
    assert [(page.number, page.status) for page in model.pages] == [
        (1, PageStatus.READABLE),
        (2, PageStatus.READABLE),
        (3, PageStatus.TEXTLESS),
    ]
    assert [section.path for section in model.sections] == [
        "Front matter",
        "Abstract",
        "1 Introduction",
        "1 Introduction > 1.1 Data",
        "References",
    ]
    assert [element.ordinal for element in model.elements] == list(range(len(paper().blocks)))
    assert (model.source_sha256, model.provenance) == (sha256_hex("file"), PROVENANCE)
    assert model.diagnostics == paper().diagnostics


def test_furniture_is_kept_as_elements_and_stands_in_no_text(model: ReadingModel) -> None:
    assert model.elements[0].section is None
    assert not any("Proceedings" in location.text for location in model.locations)
    assert not any("Proceedings" in page.text for page in model.pages)


def test_page_texts_join_what_stands_on_the_page(model: ReadingModel) -> None:
    assert model.pages[0].text.startswith(
        "Counting 🧪 in Small Libraries\n\nAda Lovelace and Émile Zola\n\nAbstract\n\n"
    )
    turning = paper().blocks[8].text
    assert model.pages[0].text.endswith(turning[:180].strip())
    assert model.pages[1].text.startswith(turning[180:].strip())
    assert all(page.text_sha256 == sha256_hex(page.text) for page in model.pages)
    assert texts(model, LocationKind.PAGE) == [page.text for page in model.pages[:2]]


def test_a_page_that_several_sections_share_names_none(model: ReadingModel) -> None:
    pages = [location for location in model.locations if location.kind is LocationKind.PAGE]
    assert pages[0].section_title is None
    one = build(document(heading("1 One"), paragraph("x"), paragraph("y", page=2)))
    assert [location.section_title for location in one.locations if location.kind is LocationKind.PAGE] == ["1 One"] * 2


def test_a_table_is_caption_header_rows_and_notes(model: ReadingModel) -> None:
    (location,) = [location for location in model.locations if location.kind is LocationKind.TABLE]
    assert location.text == "Table 1: Counts per year.\nyear | count\n2019 | 0 . 9 8\n2020 | 7\n* preliminary"
    assert location.searchable_text == location.text.replace("0 . 9 8", "0.98")
    assert (location.page, location.page_end, location.section_title) == (2, 2, "1.1 Data")
    assert location.element_types == (BlockType.CAPTION, BlockType.TABLE, BlockType.FOOTNOTE)


def test_a_figure_is_its_caption_and_the_sentences_that_name_it(model: ReadingModel) -> None:
    assert texts(model, LocationKind.FIGURE) == ["Figure 1: Growth.\n\nTable 1 and Figure 1 show it."]


def test_a_caption_whose_drawing_the_parser_missed_is_a_figure_nevertheless() -> None:
    found = build(document(paragraph("See Fig. 2."), block(BlockType.CAPTION, "Figure 2: Growth.")))
    assert texts(found, LocationKind.FIGURE) == ["Figure 2: Growth.\n\nSee Fig. 2."]
    assert texts(found, LocationKind.PASSAGE) == ["See Fig. 2."]


def test_a_caption_whose_table_the_parser_missed_stays_in_the_text() -> None:
    found = build(document(paragraph("See it."), block(BlockType.CAPTION, "Table 2: Counts.")))
    assert texts(found, LocationKind.PASSAGE) == ["See it.\n\nTable 2: Counts."]


def test_a_picture_without_words_is_no_location() -> None:
    found = build(document(paragraph("x"), Block(0, BlockType.FIGURE, "", 1)))
    assert texts(found, LocationKind.FIGURE) == []


def test_a_section_without_words_is_no_location() -> None:
    found = build(document(Block(0, BlockType.FIGURE, "", 1), heading("1 One")))
    assert [section.title for section in found.sections] == ["Front matter", "1 One"]
    assert texts(found, LocationKind.SECTION) == ["1 One"]


def test_headings_are_in_sections_but_not_in_passages(model: ReadingModel) -> None:
    assert "1.1 Data" in "\n".join(texts(model, LocationKind.SECTION))
    assert "1.1 Data" not in "\n".join(texts(model, LocationKind.PASSAGE))
    passages = [location for location in model.locations if location.kind is LocationKind.PASSAGE]
    assert [location.section_title for location in passages] == [
        "Front matter",
        "Abstract",
        "1 Introduction",
        "1.1 Data",
        "References",
    ]


def test_searchable_locations_come_in_reading_order(model: ReadingModel) -> None:
    kinds = [location.kind.value for location in model.locations]
    assert kinds == ["page"] * 2 + ["section"] * 5 + ["passage"] * 4 + ["table", "figure", "passage"]
    assert [location.ordinal for location in model.locations] == list(range(len(kinds)))


def test_relations_name_elements(model: ReadingModel) -> None:
    by_kind: dict[RelationKind, list[Relationship]] = {}
    for relation in model.relationships:
        by_kind.setdefault(relation.kind, []).append(relation)
    assert by_kind[RelationKind.CAPTION_OF] == [
        Relationship(RelationKind.CAPTION_OF, 9, 10),
        Relationship(RelationKind.CAPTION_OF, 13, 12),
    ]
    assert by_kind[RelationKind.FOOTNOTE_OF] == [Relationship(RelationKind.FOOTNOTE_OF, 11, 10)]
    proofs = {
        relation.target: model.elements[relation.source].text[relation.proof_start : relation.proof_end]
        for relation in by_kind[RelationKind.MENTIONS]
    }
    assert proofs == {10: "Table 1", 12: "Figure 1"}
    contained = {relation.target: relation.source for relation in by_kind[RelationKind.CONTAINS]}
    assert contained == {item.ordinal: item.section for item in model.elements if item.section is not None}


def test_a_section_is_mentioned_by_its_number_and_a_doubtful_label_by_nobody() -> None:
    found = build(
        document(
            heading("1 One"),
            paragraph("As Section 2.1 says. See Table 1."),
            heading("2.1 Two", 2),
            block(BlockType.CAPTION, "Table 1: a"),
            block(BlockType.CAPTION, "Table 1: b"),
        )
    )
    mentions = [relation for relation in found.relationships if relation.kind is RelationKind.MENTIONS]
    assert [(relation.source, relation.target) for relation in mentions] == [(1, 2)]


def test_a_table_that_goes_on_over_pages_is_named_by_its_first_caption() -> None:
    found = build(
        document(
            paragraph("See Table 2."),
            block(BlockType.CAPTION, "Table 2: Counts", parent=20),
            table([["a", "b"]]),
            block(BlockType.CAPTION, "Table 2 (continued)", page=2, parent=40),
            table([["c", "d"]], page=2),
        )
    )
    mentions = [relation for relation in found.relationships if relation.kind is RelationKind.MENTIONS]
    assert [(relation.source, relation.target) for relation in mentions] == [(0, 2)]
    (table_place,) = [location for location in found.locations if location.kind is LocationKind.TABLE]
    assert table_place.text == "Table 2: Counts\na | b\nc | d"
    assert (table_place.page, table_place.page_end) == (1, 2)


def test_metadata_is_what_the_file_says(model: ReadingModel) -> None:
    known = model.metadata
    assert (known.title, known.authors) == ("Counting 🧪 in Small Libraries", ("Ada Lovelace", "Émile Zola"))
    assert (known.year, known.venue, known.doi) == (2024, None, None)
    assert known.abstract == "We count reading locations and report where they fail."
    assert known.sources == {
        "title": "first_page",
        "authors": "first_page",
        "year": "pdf_info",
        "abstract": "first_page",
    }


def test_a_year_that_is_none_and_a_title_that_is_printed() -> None:
    found = ParsedMetadata(year=Sourced("12345", "pdf_info"))
    known = build(document(block(BlockType.TITLE, "Two\nlines"), paragraph("x"), metadata=found)).metadata
    assert (known.title, known.year, known.abstract) == ("Two lines", None, None)
    assert known.sources == {"title": "first_page"}


def test_the_ids_are_those_of_the_identity_rules(model: ReadingModel) -> None:
    assert model.model_version == model_version_of("p", PROVENANCE, "a" * 64)
    for location in model.locations:
        assert location.text_sha256 == sha256_hex(location.text)
        kind = location.kind.value
        assert location.ref == location_ref_of("p", model.model_version, kind, location.ordinal, location.text)


def test_another_artifact_or_parser_makes_another_version() -> None:
    versions = {
        build_reading_model(parsed, paper_id=paper_id, artifact_sha256=artifact).model_version
        for parsed in (paper(), replace(paper(), provenance=Provenance("pdfium", "2")))
        for paper_id in ("p", "q")
        for artifact in ("a" * 64, "b" * 64)
    }
    assert len(versions) == 8


def test_positions_are_rounded_to_hundredths(model: ReadingModel) -> None:
    edges = [edge for element in model.elements for line in element.lines for edge in line.edges or ()]
    assert edges == [round(edge, 2) for edge in edges]
    assert any(edge != round(edge, 2) for item in paper().blocks for line in item.lines for edge in line.edges or ())


def test_f12_a_file_without_text_is_refused_with_its_reason() -> None:
    with pytest.raises(NoText, match="none of the 2 pages"):
        build(document(pages=2))
    with pytest.raises(NoText):
        build(document(block(BlockType.PAGE_NUMBER, "1"), paragraph("  \n ")))


def test_a_page_that_the_parser_left_out_is_missing() -> None:
    parsed = document(paragraph("x"), paragraph("y", page=3))
    sizes = (ParsedPage(1, 10, 20), ParsedPage(3, 10, 20, 90, "iii"))
    found = build(replace(parsed, pages=sizes)).pages
    assert [page.status for page in found] == [PageStatus.READABLE, PageStatus.MISSING, PageStatus.READABLE]
    assert (found[2].label, found[2].rotation, found[2].width) == ("iii", 90, 10)


def test_a_block_without_lines_that_spans_pages_stays_on_its_first() -> None:
    tall = replace(table([["a", "b"]]), lines=())
    tall = replace(tall, boxes=(*tall.boxes, replace(tall.boxes[0], page=2)))
    found = build(document(tall, paragraph("x", page=2)))
    assert [page.text for page in found.pages] == ["a | b", "x"]


any_block = st.builds(
    lambda kind, text, page, level, parent: replace(block(kind, text, page=page, level=level), parent=parent),
    st.sampled_from(BlockType),
    st.text(max_size=80)
    | st.integers(1, 12).map(long_text)
    | st.sampled_from(["1 One", "1.1 Two", "A Proofs", "References"]),
    st.integers(1, 3),
    st.none() | st.integers(1, 4),
    st.none() | st.sampled_from([0, 10, 20, 30, 77]),
)


@settings(max_examples=100, deadline=None)
@given(st.lists(any_block, max_size=12))
def test_any_document_makes_a_model_that_holds_together(blocks: list[Block]) -> None:
    parsed = document(*blocks, pages=3)
    try:
        model = build(parsed)
    except NoText:
        assert not any(item.text.strip() for item in blocks if item.type not in FURNITURE)
        return
    assert model == build(parsed)
    elements = model.elements
    assert len({location.ref for location in model.locations}) == len(model.locations)
    for location in model.locations:
        covered = [False] * len(location.text)
        for part in location.parts:
            length = part.element_end - part.element_start
            assert (
                location.text[part.start : part.start + length]
                == elements[part.element].text[part.element_start : part.element_end]
            )
            covered[part.start : part.start + length] = [True] * length
        assert all(done or mark.isspace() for done, mark in zip(covered, location.text, strict=True))
        assert location.text.strip()
        assert location.page <= location.page_end
    for section in model.sections:
        assert section.parent is None or section.parent < section.ordinal
        level = 0 if section.parent is None else model.sections[section.parent].level
        assert section.level == level + 1
    running = [element for element in elements if element.type not in FURNITURE]
    assert all(
        element.section is not None
        and model.sections[element.section].first_element
        <= element.ordinal
        < model.sections[element.section].end_element
        for element in running
    )
    ends = [0, *(section.end_element for section in model.sections)]
    assert all(section.first_element >= end for section, end in zip(model.sections, ends, strict=False))


def test_the_module_reads_nothing_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "open", lambda *_args, **_options: pytest.fail("the builder is pure"))
    assert build(paper()) == build(paper())

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reading_model.builder import build_reading_model
from reading_model.documents import Block, BlockType, Line, PageBox, Rect
from reading_model.errors import NoText
from reading_model.graphemes import Boundaries
from reading_model.identity import evidence_id_of
from reading_model.models import Element, Location, LocationKind, LocationRecord, Part, ReadingModel, Span
from reading_model.spans import SPAN_LIMIT, boxes_of, split_spans
from tests.reading_model.sample_documents import block, document, long_text, paper, paragraph, table

F19 = "🧪 Trial A ended early. 𝜎 rose to 3.1 after dose two. Ünit naïve vector x\u0304 end."


def build(*blocks: Block) -> ReadingModel:
    return build_reading_model(document(*blocks), paper_id="p", artifact_sha256="a" * 64)


def elements_of(model: ReadingModel) -> dict[int, Element]:
    return {element.ordinal: element for element in model.elements}


def spans_of(model: ReadingModel, location: Location) -> tuple[Span, ...]:
    return split_spans(LocationRecord("p", model.model_version, "pdfium", location), elements_of(model))


def of_kind(model: ReadingModel, kind: LocationKind) -> list[Location]:
    return [location for location in model.locations if location.kind is kind]


blocks = st.builds(
    lambda kind, text, page, turn: block(
        kind, text, page=page, turns_at=turn if turn is not None and 0 < turn < len(text) else None
    ),
    st.sampled_from([BlockType.PARAGRAPH, BlockType.LIST, BlockType.CODE, BlockType.FOOTNOTE, BlockType.CAPTION]),
    st.text(alphabet="ab. \n。\u0304é👩🏽\u200d🔬", max_size=90)
    | st.integers(1, 60).map(long_text)
    | st.just("x" * 3000)
    | st.text(max_size=50),
    st.integers(1, 3),
    st.none() | st.integers(1, 200),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(blocks, min_size=1, max_size=6))
def test_spans_slice_the_text_without_overlap_or_gap(content: list[Block]) -> None:
    try:
        model = build(*content)
    except NoText:
        return
    elements = elements_of(model)
    for location in model.locations:
        spans = spans_of(model, location)
        boundaries = Boundaries(location.text)
        assert "".join("".join(span.text.split()) for span in spans) == "".join(location.text.split())
        assert [span.number for span in spans] == list(range(len(spans)))
        end = 0
        for span in spans:
            assert span.text == location.text[span.start : span.end]
            assert not location.text[end : span.start].strip()
            assert span.start in boundaries
            assert span.end in boundaries
            assert span.end - span.start <= SPAN_LIMIT
            end = span.end
            assert span.evidence_id == evidence_id_of(
                "p", model.model_version, location.ref, span.start, span.end, span.text
            )
            assert span.boxes == boxes_of(location, elements, span.start, span.end)


def test_a_span_stays_on_its_page() -> None:
    text = long_text(4)
    turn = text.index("number 2")
    model = build(paragraph(text, turns_at=turn))
    spans = spans_of(model, of_kind(model, LocationKind.PASSAGE)[0])
    assert [span.page for span in spans] == [1, 2]
    assert spans[1].start == turn
    assert {box.page for box in spans[0].boxes} == {1}
    assert {box.page for box in spans[1].boxes} == {2}


def test_pages_are_told_apart_inside_a_passage_of_many_paragraphs() -> None:
    model = build(paragraph("On one."), paragraph("On two.", page=2), paragraph("Also on two.", page=2))
    (passage,) = of_kind(model, LocationKind.PASSAGE)
    assert [(span.page, span.text) for span in spans_of(model, passage)] == [
        (1, "On one."),
        (2, "On two.\n\nAlso on two."),
    ]


@pytest.mark.parametrize(
    ("quote", "code_points"),
    [
        ("rose to 3.1 after dose two", (25, 51)),
        ("𝜎 rose", (23, 29)),
    ],
)
def test_f19_offsets_are_code_points(quote: str, code_points: tuple[int, int]) -> None:
    model = build(paragraph(F19))
    (passage,) = of_kind(model, LocationKind.PASSAGE)
    (span,) = spans_of(model, passage)
    start = span.start + span.text.index(quote)
    assert (start, start + len(quote)) == code_points
    (box,) = boxes_of(passage, elements_of(model), *code_points)
    assert box.rect.x0 == pytest.approx(72 + 5.004 * code_points[0], abs=0.01)
    assert box.rect.x1 == pytest.approx(72 + 5.004 * code_points[1], abs=0.01)


def test_f19_no_span_starts_or_ends_inside_a_character() -> None:
    text = "x\u0304" * 900 + "👩🏽\u200d🔬" * 500
    model = build(paragraph(text))
    for location in model.locations:
        boundaries = Boundaries(location.text)
        for span in spans_of(model, location):
            assert span.start in boundaries
            assert span.end in boundaries


def test_a_long_table_is_cut_between_rows_and_starts_with_caption_and_header() -> None:
    rows = [["name", "value"], *([f"system {number}", f"{number}. of 9. A"] for number in range(120))]
    caption = block(BlockType.CAPTION, "Table 1: All systems.", parent=10)
    model = build(caption, table(rows))
    (location,) = of_kind(model, LocationKind.TABLE)
    spans = spans_of(model, location)
    assert spans[0].text.startswith("Table 1: All systems.\nname | value\nsystem 0 | ")
    assert len(spans) > 2
    lines = [line for span in spans for line in span.text.split("\n")]
    assert lines == location.text.split("\n")


def test_a_small_table_is_one_span_with_one_rectangle_a_row() -> None:
    model = build(table([["year", "count"], ["2019", "7"]]))
    (location,) = of_kind(model, LocationKind.TABLE)
    (span,) = spans_of(model, location)
    assert span.text == "year | count\n2019 | 7"
    assert [box.rect for box in span.boxes] == [Rect(72, 300, 197, 310), Rect(72, 312, 177, 322)]


def test_boxes_of_part_of_a_text_end_with_its_characters() -> None:
    text = "a" * 60 + "b" * 60 + "c" * 10
    model = build(paragraph(text))
    (passage,) = of_kind(model, LocationKind.PASSAGE)
    boxes = boxes_of(passage, elements_of(model), 50, 125)
    assert [(box.rect.y0, round(box.rect.x0), round(box.rect.x1)) for box in boxes] == [
        (100, 322, 372),
        (112, 72, 372),
        (124, 72, 97),
    ]
    assert boxes_of(passage, elements_of(model), 50, 50) == ()


def test_right_to_left_lines_have_upright_boxes() -> None:
    line = Line(0, 4, 1, Rect(10, 0, 50, 10), (50, 40, 30, 20, 10))
    element = _element("abcd", (line,))
    (box,) = boxes_of(_location(element), {0: element}, 1, 3)
    assert box.rect == Rect(20, 0, 40, 10)


def test_without_positions_the_line_stands_for_its_text_and_without_lines_the_block() -> None:
    line = Line(0, 4, 1, Rect(10, 0, 50, 10))
    element = _element("abcd", (line,))
    assert boxes_of(_location(element), {0: element}, 1, 3) == (PageBox(1, line.rect),)
    whole = PageBox(2, Rect(1, 2, 3, 4))
    bare = replace(element, lines=(), boxes=(whole,))
    assert boxes_of(_location(bare), {0: bare}, 1, 3) == (whole,)


def test_pieces_of_one_printed_line_are_one_rectangle_but_two_columns_are_two() -> None:
    lines = (
        Line(0, 2, 1, Rect(10, 0, 20, 10)),
        Line(2, 4, 1, Rect(22, 0, 30, 10)),
        Line(4, 6, 1, Rect(300, 0, 320, 10)),
        Line(6, 8, 2, Rect(300, 0, 320, 10)),
    )
    element = _element("abcdefgh", lines)
    assert [box.rect for box in boxes_of(_location(element), {0: element}, 0, 8)] == [
        Rect(10, 0, 30, 10),
        Rect(300, 0, 320, 10),
        Rect(300, 0, 320, 10),
    ]


def test_pieces_that_make_room_for_other_print_stay_apart() -> None:
    lines = (Line(0, 2, 1, Rect(10, 0, 20, 10)), Line(2, 4, 1, Rect(20, 3, 30, 10)), Line(4, 6, 1, Rect(36, 3, 40, 10)))
    element = _element("abcdef", lines)
    assert [box.rect for box in boxes_of(_location(element), {0: element}, 0, 6)] == [line.rect for line in lines]


def test_a_location_without_text_has_no_span() -> None:
    element = _element(" ", ())
    record = LocationRecord("p", "rm", "pdfium", replace(_location(element), text=" ", parts=()))
    assert split_spans(record, {}) == ()


def test_all_spans_of_a_paper_have_rectangles_on_their_page() -> None:
    model = build_reading_model(paper(), paper_id="p", artifact_sha256="a" * 64)
    spans = [span for location in model.locations for span in spans_of(model, location)]
    assert len({span.evidence_id for span in spans}) == len(spans)
    for span in spans:
        assert span.boxes
        assert {box.page for box in span.boxes} == {span.page}


def _element(text: str, lines: tuple[Line, ...]) -> Element:
    return Element(0, BlockType.PARAGRAPH, 1, 2, None, text, lines=lines)


def _location(element: Element) -> Location:
    part = Part(0, 0, len(element.text), 0)
    kind = LocationKind.PASSAGE
    return Location("ref", kind, 0, 1, 2, None, None, None, element.text, "", (part,))

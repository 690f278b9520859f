from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reading_model.documents import BlockType, ParsedDocument
from reading_model.errors import ParserUnavailable
from reading_model.parsing.ocr import GreyImage, OcrEngine, Reading, Unread
from reading_model.parsing.pdfium.frame import Frame
from reading_model.parsing.pdfium.page_content import RawPage
from reading_model.parsing.pdfium.parser import parse, parse_with_ocr
from reading_model.parsing.pdfium.scans import ReadScan, layouts_of
from tests.places import needs_tesseract
from tests.reading_model.parsing.pdf_writer import Page, write
from tests.reading_model.parsing.scan_writer import KnownText, painted, read_line, scan_of
from tests.reading_model.parsing.shared import of_type, running_text

PICTURE = GreyImage(61, 79, b"\xf0" * (61 * 79), 7)
PROSE = ["the quick brown fox jumps over the dog", "and runs away from it into the forest"]


def read(engine: OcrEngine, *pages: Page) -> ParsedDocument:
    return parse_with_ocr(write(pages), engine=lambda: engine)


def no_engine() -> OcrEngine:
    raise ParserUnavailable("There is none.")


def test_a_document_with_text_of_its_own_needs_no_engine_and_is_the_same_as_without() -> None:
    data = write([Page().lines(72, 100, PROSE), Page()])
    assert parse_with_ocr(data, engine=no_engine) == parse(data)


def test_a_picture_without_an_engine_is_an_error() -> None:
    with pytest.raises(ParserUnavailable):
        parse_with_ocr(write([painted(Page(), PICTURE)]), engine=no_engine)


@pytest.mark.parametrize("skew", [0.0, 0.0105, -0.03])
def test_columns_of_a_skewed_scan_are_read_one_after_the_other_and_lie_on_the_page(skew: float) -> None:
    rows = 30
    left = [read_line(72, 100 + 14 * row, f"left {row:02} of the words in a column", skew=skew) for row in range(rows)]
    right = [read_line(320, 100 + 14 * row, f"right {row:02} of the words in one", skew=skew) for row in range(rows)]
    lines = [line for pair in zip(left, right, strict=True) for line in pair]
    doc = read(KnownText([Reading(tuple(lines))]), painted(Page(), PICTURE))
    text = running_text(doc)
    places = [text.index(f"{side} {row:02}") for side in ("left", "right") for row in range(rows)]
    assert places == sorted(places)
    assert doc.provenance.config == "ocr=known 1"
    assert [(note.code, note.page) for note in doc.diagnostics] == [("read_by_ocr", 1)]
    by_text = {block.text[line.start : line.end].strip(): line for block in doc.blocks for line in block.lines}
    for row in (0, rows - 1):
        line = by_text[f"right {row:02} of the words in one"]
        known = right[row]
        assert line.edges is not None
        assert (line.edges[0], line.edges[-1]) == pytest.approx((known.x0, known.x1), abs=0.5)
        assert line.rect.y0 < min(known.y0, known.y1)
        assert max(known.y0, known.y1) < line.rect.y1 < max(known.y0, known.y1) + 5


def test_sizes_that_differ_by_the_grain_of_the_picture_are_one_size() -> None:
    sizes = [10.2, 9.8, 10.1, 9.7, 10.3, 10.0, 14.1]
    lines = [read_line(72, 100 + 14 * n, f"line {n} of text that runs on", size=size) for n, size in enumerate(sizes)]
    doc = read(KnownText([Reading(tuple(lines))]), painted(Page(), PICTURE))
    (paragraph,) = of_type(doc, BlockType.PARAGRAPH)
    heights = {round(line.rect.y1 - line.rect.y0, 2) for line in paragraph.lines}
    assert (len(paragraph.lines), len(heights)) == (6, 1)


def test_a_page_with_good_text_over_its_picture_is_never_read() -> None:
    engine = KnownText([])
    page = painted(Page(), PICTURE).lines(72, 100, [*PROSE, *PROSE, *PROSE])
    doc = read(engine, page)
    assert engine.asked == []
    assert PROSE[0] in running_text(doc)
    assert doc.provenance.config == ""


@pytest.mark.parametrize(("rows", "wins"), [(6, True), (1, False)])
def test_a_stamp_on_a_scan_gives_way_only_to_much_more_text(rows: int, wins: bool) -> None:
    page = painted(Page(), PICTURE).text(72, 780, "Downloaded by a reader")
    lines = [read_line(72, 100 + 14 * row, PROSE[0]) for row in range(rows)]
    doc = read(KnownText([Reading(tuple(lines))]), page)
    assert (PROSE[0] in running_text(doc)) is wins
    assert ("Downloaded" in running_text(doc)) is not wins


def test_an_empty_page_is_not_read_and_a_picture_without_words_stays_textless() -> None:
    engine = KnownText([Reading(())])
    doc = read(engine, Page().lines(72, 100, PROSE), Page(), painted(Page(), PICTURE))
    assert len(engine.asked) == 1
    assert [note.code for note in doc.diagnostics] == ["textless_pages"]
    assert doc.provenance.config == ""


def test_a_page_that_cannot_be_read_is_named_and_the_others_are_there() -> None:
    engine = KnownText([Unread("it took too long"), Reading((read_line(72, 100, PROSE[0]),))])
    doc = read(engine, painted(Page(), PICTURE), painted(Page(), PICTURE))
    notes = {note.code: note for note in doc.diagnostics}
    assert sorted(notes) == ["ocr_failed", "read_by_ocr", "textless_pages"]
    assert (notes["ocr_failed"].page, notes["read_by_ocr"].page) == (1, 2)
    assert "it took too long" in notes["ocr_failed"].message
    assert running_text(doc, 2) == PROSE[0]


@pytest.mark.parametrize(("rotate", "turn"), [(0, 90), (90, 0), (180, 0), (0, 270), (90, 180)])
def test_words_of_a_turned_scan_lie_on_the_page(rotate: int, turn: int) -> None:
    sideways = (rotate + turn) % 180 == 90
    line = read_line(20, 30, "at the upper left corner")
    engine = KnownText([Reading((line,), turn=turn)])
    (block,) = read(engine, painted(Page(rotate=rotate), PICTURE)).blocks
    rect = block.lines[0].rect
    assert 0 <= rect.x0 < rect.x1 <= 612
    assert 0 <= rect.y0 < rect.y1 <= 792
    assert (rect.y1 - rect.y0 > rect.x1 - rect.x0) is sideways
    width, height = (792, 612) if rotate % 180 else (612, 792)
    assert (engine.asked[0].width, engine.asked[0].height) == (width, height)


def test_rules_and_pictures_of_a_scan_frame_its_tables_and_figures() -> None:
    rows = [("Model", "Recall", "Cost"), ("BM25", "0.61", "1.0"), ("Dense", "0.67", "9.5"), ("Both", "0.71", "10.2")]
    cells = [
        read_line(x, 140 + 16 * number, cell)
        for number, row in enumerate(rows)
        for x, cell in zip((100, 220, 320), row, strict=True)
    ]
    lines = [read_line(100, 110, "Table 1: Recall of three models."), *cells]
    lines += [read_line(72, 300 + 13 * number, PROSE[number % 2]) for number in range(8)]
    rules = tuple((95.0, y, 380.0, y + 1) for y in (128.0, 145.0, 196.0))
    doc = read(KnownText([Reading(tuple(lines), rules)]), painted(Page(), PICTURE))
    (table,) = of_type(doc, BlockType.TABLE)
    assert table.table is not None
    assert [tuple(row) for row in table.table.rows()] == rows


def test_thick_strokes_are_bold_and_solid_marks_are_bullets_but_a_bold_one_stays() -> None:
    rows = ["1 Grass", *PROSE, "e Meadows", "e is a letter here", *PROSE]
    lines = tuple(read_line(72, 100 + 14 * number, row) for number, row in enumerate(rows))
    strokes = [[0.08 for _ in line.words] for line in lines]
    strokes[0] = [0.16, 0.11]
    strokes[3][0] = 0.19
    upright = (500.0, 90.0, 501.0, 300.0)
    reading = Reading(lines, rules=(upright,))
    (layout,) = layouts_of([ReadScan(RawPage(1, 612, 792, 0, None), reading, strokes, 72)])
    assert [line.text for line in layout.lines] == ["1 Grass", *PROSE, "• Meadows", "e is a letter here", *PROSE]
    assert [line.bold for line in layout.lines] == [True, *[False] * 6]
    (rule,) = layout.shapes
    assert (rule.top, rule.bottom) == (90, 300)
    assert rule.width < 1


@pytest.mark.parametrize("size", [60.0, 2.4])
def test_a_layer_of_impossible_sizes_under_a_scan_is_distrusted(size: float) -> None:
    page = Page()
    for number in range(40):
        page.text(30, 60 + 14 * number, f"{number * 7919} layer words", size=size, mode=3)
        page.content[-1] = page.content[-1].replace(" Tr ", f" Tr {100 if size > 50 else 500} Tz ", 1)
    doc = parse(write([painted(page, PICTURE)]))
    assert [note.code for note in doc.diagnostics] == ["distrusted_text", "no_text"]
    assert doc.blocks == ()
    again = read(KnownText([Reading((read_line(72, 100, PROSE[0]),))]), painted(page, PICTURE))
    assert [note.code for note in again.diagnostics] == ["read_by_ocr"]
    assert running_text(again) == PROSE[0]


def test_a_layer_of_true_sizes_under_a_scan_is_kept() -> None:
    page = Page()
    for number in range(40):
        page.text(72, 60 + 14 * number, "a layer of words at their true sizes", mode=3)
    doc = parse(write([painted(page, PICTURE)]))
    assert doc.diagnostics == ()
    assert "true sizes" in running_text(doc)


@given(
    st.floats(-0.1, 0.1).filter(lambda skew: abs(skew) > 1e-6),
    st.sampled_from([0, 90, 180, 270]),
    st.floats(0, 600),
    st.floats(0, 600),
)
def test_a_point_comes_back_from_a_skewed_frame_and_lies_in_its_rectangle(
    skew: float, angle: int, u: float, v: float
) -> None:
    frame = Frame(angle, 612, 792, skew)
    x, y = frame.unstraightened(u, v)
    assert frame.straightened(x, y) == pytest.approx((u, v), abs=1e-6)
    rect, upright = frame.rect_on_page(u, v, u + 30, v + 10), Frame(angle, 612, 792)
    plain = upright.rect_on_page(x, y, x, y)
    assert rect.x0 - 1e-6 <= plain.x0 <= rect.x1 + 1e-6
    assert rect.y0 - 1e-6 <= plain.y0 <= rect.y1 + 1e-6
    assert math.isclose((rect.x1 - rect.x0) * (rect.y1 - rect.y0), 300, rel_tol=1.5)


@needs_tesseract
def test_tesseract_reads_headings_bullets_and_columns_of_a_made_scan() -> None:
    page = Page().text(72, 80, "The Height of Grass in Five Meadows", size=18, font="F2")
    page.text(72, 120, "1 Introduction", size=12, font="F2")
    for number in range(20):
        page.text(72, 140 + 14 * number, f"Meadow {number + 10} was measured in the early")
        page.text(320, 140 + 14 * number, f"Column two and row {number + 10} say other things")
    doc = parse_with_ocr(scan_of([page]))
    text = running_text(doc)
    assert text.index("Meadow 29") < text.index("row 10")
    assert [block.text for block in of_type(doc, BlockType.HEADING)] == ["1 Introduction"]
    assert doc.metadata.title is not None
    assert doc.metadata.title.value == "The Height of Grass in Five Meadows"

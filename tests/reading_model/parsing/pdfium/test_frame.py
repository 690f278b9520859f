from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reading_model.documents import BlockType, Rect
from reading_model.parsing.pdfium.frame import Frame, quarter
from reading_model.parsing.pdfium.parser import parse
from tests.reading_model.parsing.pdf_writer import Page, write

WORDS = ["The first line of a page that is turned", "and the second line that goes on below it."]
lengths = st.floats(0, 500)


@given(st.sampled_from([0, 90, 180, 270]), lengths, lengths, lengths, lengths)
def test_a_rectangle_comes_back_from_the_frame(angle: int, x: float, y: float, width: float, height: float) -> None:
    frame = Frame(angle, 700, 900) if angle in (0, 180) else Frame(angle, 900, 700)
    rect = Rect(x, y, x + width, y + height)
    back = frame.rect_on_page(*frame.box(rect.x0, rect.y0, rect.x1, rect.y1))
    assert (back.x0, back.y0, back.x1, back.y1) == pytest.approx((rect.x0, rect.y0, rect.x1, rect.y1))


@pytest.mark.parametrize(("angle", "turn"), [(0, 0), (359, 0), (88, 90), (181, 180), (270, 270), (45, -1), (10, -1)])
def test_small_slants_count_as_quarter_turns(angle: int, turn: int) -> None:
    assert quarter(angle) == turn


@pytest.mark.parametrize("angle", [0, 90, 180, 270])
def test_turned_text_is_read_and_its_boxes_lie_on_the_page(angle: int) -> None:
    page = Page()
    across, down = {0: (0, 14), 90: (14, 0), 180: (0, -14), 270: (-14, 0)}[angle]
    for number, words in enumerate(WORDS):
        page.text(300 + number * across, 400 + number * down, words, angle=angle)
    (block,) = parse(write([page])).blocks
    assert block.text == " ".join(WORDS)
    first = block.lines[0]
    assert block.text[first.start : first.end] == WORDS[0]
    for line in block.lines:
        assert 0 <= line.rect.x0 < line.rect.x1 <= 612
        assert 0 <= line.rect.y0 < line.rect.y1 <= 792
    if angle in (90, 270):
        assert first.edges is None
        assert first.rect.y1 - first.rect.y0 > 3 * (first.rect.x1 - first.rect.x0)
    else:
        assert first.edges is not None
        assert first.edges[0] == pytest.approx(300, abs=1)
        assert (first.edges[-1] > first.edges[0]) == (angle == 0)


def test_a_mark_along_the_margin_is_an_aside() -> None:
    page = (
        Page().lines(72, 100, ["Plain text of the page runs here."] * 6).text(20, 500, "arXiv:2401.00001v1", angle=90)
    )
    asides = [block for block in parse(write([page])).blocks if block.type is BlockType.ASIDE]
    assert [block.text for block in asides] == ["arXiv:2401.00001v1"]
    assert asides[0].lines[0].edges is None


def test_rotate_changes_neither_text_nor_boxes() -> None:
    plain = parse(write([Page().lines(72, 100, WORDS)]))
    turned = parse(write([Page(rotate=180).lines(72, 100, WORDS)]))
    assert turned.pages[0].rotation == 180
    assert [block.boxes for block in turned.blocks] == [block.boxes for block in plain.blocks]

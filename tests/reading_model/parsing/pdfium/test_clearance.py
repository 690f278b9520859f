"""Rectangles around print that other print reaches into."""

from __future__ import annotations

import numpy as np

from reading_model.parsing.pdfium.clearance import mark_clearance, stretches
from reading_model.parsing.pdfium.frame import Frame
from reading_model.parsing.pdfium.lines import TextLine, spell_out
from reading_model.parsing.pdfium.page_content import Font, RawPage
from reading_model.parsing.pdfium.words import Word

FONT = Font("Serif", bold=False, italic=False, mono=False)
FRAME = Frame(0, 200.0, 200.0)


def word(text: str, x0: float, first: int, *, base: float = 100.0) -> Word:
    edges = [x0 + 5.0 * index for index in range(len(text) + 1)]
    return Word(text, edges, x0, edges[-1], base, 10.0, FONT, 0, source=range(first, first + len(text)))


def ink(*boxes: tuple[float, ...], blanks: int = 0) -> RawPage:
    """A page with this ink, of letters and then of blanks."""
    codes = [ord("x")] * (len(boxes) - blanks) + [ord(" ")] * blanks
    return RawPage(1, 200.0, 200.0, 0, None, codes=np.array(codes, np.int64), ink=np.array(boxes).reshape(-1, 4))


def heights(line: TextLine) -> list[tuple[int, int, float, float]]:
    text, _, starts = spell_out(line.words)
    return [(s.start, s.end, round(s.upper, 2), round(s.lower, 2)) for s in stretches(line, starts, len(text))]


def letters(x0: float, count: int, *, top: float = 95.0, bottom: float = 100.0) -> list[tuple[float, ...]]:
    return [(x0 + 5.0 * index + 0.5, top, x0 + 5.0 * index + 4.5, bottom) for index in range(count)]


def test_a_line_that_nothing_reaches_into_has_the_height_of_its_type() -> None:
    line = TextLine([word("abc", 10, 0)]).measure()
    mark_clearance(ink(*letters(10, 3)), FRAME, [line])
    assert heights(line) == [(0, 3, 92.0, 102.5)]


def test_a_descender_of_the_line_above_is_left_out() -> None:
    line = TextLine([word("abc", 10, 0)]).measure()
    mark_clearance(ink(*letters(10, 3), (12.0, 85.0, 16.0, 93.0)), FRAME, [line])
    assert heights(line) == [(0, 3, 93.02, 102.5)]


def test_a_large_operator_between_two_words_parts_their_rectangles() -> None:
    line = TextLine([word("abc", 10, 0), word("def", 32, 3)]).measure()
    mark_clearance(ink(*letters(10, 3), *letters(32, 3), (26.0, 88.0, 30.0, 106.0)), FRAME, [line])
    assert heights(line) == [(0, 3, 92.0, 102.5), (4, 7, 92.0, 102.5)]


def test_a_blank_with_the_box_of_its_font_reaches_into_nothing() -> None:
    line = TextLine([word("abc", 10, 0), word("def", 32, 3)]).measure()
    mark_clearance(ink(*letters(10, 3), *letters(32, 3), (25.0, 90.0, 32.0, 103.0), blanks=1), FRAME, [line])
    assert heights(line) == [(0, 7, 92.0, 102.5)]


def test_ink_beside_one_letter_parts_the_letters_of_a_word() -> None:
    line = TextLine([word("ab", 10, 0)]).measure()
    low, high = letters(10, 2)[0], (15.5, 93.0, 19.5, 94.0)
    # between a low letter and a raised one no single height is free of both pieces of other ink
    mark_clearance(ink(low, high, (15.6, 94.5, 19.4, 99.0), (10.6, 90.0, 14.4, 94.5)), FRAME, [line])
    assert [(start, end) for start, end, *_ in heights(line)] == [(0, 1), (1, 2)]
    (first, second) = heights(line)
    assert first[2] >= 94.5
    assert second[3] <= 94.5


def test_a_page_without_ink_changes_nothing() -> None:
    line = TextLine([word("abc", 10, 0)]).measure()
    mark_clearance(ink(), FRAME, [line])
    assert heights(line) == [(0, 3, 92.0, 102.5)]

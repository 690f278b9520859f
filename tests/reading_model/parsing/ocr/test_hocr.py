from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reading_model.parsing.ocr.hocr import reading_of

LINE = """<span class='ocr_line' title="bbox 10 20 110 50; baseline {slope} -6; x_size 30; {more}">{words}</span>"""
WORD = """<span class='ocrx_word' title='bbox 10 20 60 50; x_wconf {confidence}'>{letters}</span>"""
LETTER = """<span class='ocrx_cinfo' title='x_bboxes {x0} 20 {x1} 50; x_conf 99'>{letter}</span>"""


def word(*letters: tuple[str, int, int], confidence: int = 95) -> str:
    inner = "\n ".join(LETTER.format(letter=letter, x0=x0, x1=x1) for letter, x0, x1 in letters)
    return WORD.format(confidence=confidence, letters=inner)


def line(words: str, *, slope: float = 0, more: str = "x_descenders 5") -> str:
    return LINE.format(words=words, slope=slope, more=more)


def test_a_line_has_its_words_the_places_of_their_letters_and_a_baseline() -> None:
    hocr = line(
        word(("A", 10, 18), ("&amp;", 22, 30), ("ffi", 30, 45)) + word(("b", 60, 70), confidence=80), slope=0.01
    )
    (found,) = reading_of(hocr).lines
    assert [item.text for item in found.words] == ["A&ffi", "b"]
    assert found.words[0].edges == (10, 22, 30, 35, 40, 45)
    assert found.words[1].confidence == pytest.approx(0.8)
    assert (found.x0, found.y0, found.x1, found.y1) == pytest.approx((10, 44, 110, 45))
    assert 30 <= found.size <= 33


def test_specks_upright_stamps_and_steep_lines_are_left_out() -> None:
    speck = line(word((".", 10, 12), confidence=12))
    stamp = line(word(("A", 10, 18)), more="textangle 90")
    steep = line(word(("A", 10, 18)), slope=0.4)
    without_size = line(word(("A", 10, 18))).replace("x_size 30", "")
    assert reading_of(speck + stamp + steep + without_size).lines == ()


def test_rules_and_pictures_are_told_apart() -> None:
    hocr = (
        "<div class='ocr_separator' title='bbox 1 2 300 4'></div><div class='ocr_photo' title='bbox 5 6 70 80'></div>"
    )
    reading = reading_of(hocr, turn=90)
    assert (reading.rules, reading.pictures, reading.turn) == (((1, 2, 300, 4),), ((5, 6, 70, 80),), 90)
    assert reading.letters == 0


@given(st.text(alphabet="<>'\"/ =;abcdefghijklmnopqrstuvwxyz0123456789_-.&", max_size=300))
def test_whatever_a_program_writes_is_read_without_failing(text: str) -> None:
    for hocr in (text, line(text), f"<span class='ocrx_cinfo' title='{text}'>a</span>", line(word(("a", 1, 2))) + text):
        for found in reading_of(hocr).lines:
            assert all(len(item.edges) == len(item.text) + 1 for item in found.words)

from __future__ import annotations

import numpy as np
import pytest

from reading_model.parsing.ocr import GreyImage, Reading, ReadLine, ReadWord
from reading_model.parsing.ocr.strokes import stroke_widths
from reading_model.parsing.ocr.turning import turned

SMALL = GreyImage(3, 2, bytes([1, 2, 3, 4, 5, 6]), 72)


def test_a_picture_turns_clockwise() -> None:
    assert turned(SMALL, 90) == GreyImage(2, 3, bytes([4, 1, 5, 2, 6, 3]), 72)
    assert turned(SMALL, 0) == SMALL
    assert turned(turned(SMALL, 270), 90) == SMALL


@pytest.mark.parametrize("thickness", [2, 3, 5])
def test_strokes_are_as_thick_as_they_are_drawn(thickness: int) -> None:
    paper = np.full((60, 400), 255, dtype=np.uint8)
    for x in range(20, 180, 20):
        paper[18:40, x : x + thickness] = 0
    word = ReadWord("llllllll", tuple(range(15, 196, 20))[:9], 0.9)
    reading = Reading((ReadLine((word, ReadWord("a", (300, 350), 0.9)), 15, 40, 350, 40, 20),))
    ((found, blank),) = stroke_widths(GreyImage(400, 60, paper.tobytes(), 200), reading)
    assert found * 20 == pytest.approx(thickness, rel=0.4)
    assert blank == 0


def test_bold_strokes_are_told_from_thin_ones() -> None:
    widths: list[float] = []
    for thickness in (3, 4):
        paper = np.full((60, 400), 255, dtype=np.uint8)
        paper[18:40, 20 : 20 + thickness] = 0
        reading = Reading((ReadLine((ReadWord("l", (10, 40), 0.9),), 10, 40, 40, 40, 20),))
        widths.append(stroke_widths(GreyImage(400, 60, paper.tobytes(), 200), reading)[0][0])
    assert widths[1] > 1.22 * widths[0]

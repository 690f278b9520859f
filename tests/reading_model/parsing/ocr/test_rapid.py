from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from reading_model.parsing.ocr import GreyImage, Reading
from reading_model.parsing.ocr.rapid import RapidEngine, find_rapid, line_of

IMAGE = GreyImage(3, 2, bytes(6), 150)


def corners(x0: float, y0: float, x1: float, y1: float) -> list[list[float]]:
    return [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]


def test_a_sloping_line_has_a_baseline_and_words_share_their_width_among_letters() -> None:
    box = [[10, 20], [110, 22], [110, 52], [10, 50]]
    line = line_of(box, [("to", 0.9, corners(10, 20, 30, 50)), (" ", 0.9, corners(30, 20, 34, 50))])
    assert line is not None
    assert [(word.text, word.edges) for word in line.words] == [("to", (10, 20, 30))]
    assert line.y1 - line.y0 == pytest.approx(2)
    assert 40 < line.y0 < 50
    assert 20 < line.size < 30


@pytest.mark.parametrize("box", [corners(10, 20, 110, 20), corners(110, 20, 10, 50)])
def test_a_box_without_extent_is_no_line(box: list[list[float]]) -> None:
    assert line_of(box, [("to", 0.9, corners(10, 20, 30, 50))]) is None


def test_the_engine_gets_three_channels_and_its_lines_come_back() -> None:
    seen: list[Any] = []

    def recognise(picture: Any, *, return_word_box: bool) -> Any:
        seen.append(picture.shape)
        assert return_word_box
        return SimpleNamespace(boxes=[corners(0, 0, 3, 2)], word_results=[(("a", 0.5, corners(0, 0, 3, 2)),)])

    engine = RapidEngine(recognise, "9.9")
    answer = engine.read(IMAGE)
    assert isinstance(answer, Reading)
    assert (seen, engine.identity, answer.letters) == ([(2, 3, 3)], "rapidocr 9.9", 1)


def test_a_page_without_words_is_an_empty_reading() -> None:
    assert RapidEngine(lambda *_, **__: SimpleNamespace(boxes=None), "9.9").read(IMAGE) == Reading(())


def test_the_engine_is_there_when_the_extra_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reading_model.parsing.ocr.rapid.find_spec", lambda name: None)
    assert find_rapid() is None

"""RapidOCR (the extra `ocr`): PP-OCR models that ship inside the wheel, run by onnxruntime; English and Chinese."""
# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false
# an optional library without types; the values that leave this module are typed.

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

import numpy as np

from reading_model.parsing.ocr.reading import GreyImage, Reading, ReadLine, ReadWord, Unread

LINE_TO_EM = 0.87  # the detector's boxes reach a little over ascenders and descenders
BASELINE = 0.25  # of a box's height above its lower edge
_SETTINGS = {
    "EngineConfig.onnxruntime.intra_op_num_threads": 1,
    "EngineConfig.onnxruntime.inter_op_num_threads": 1,
    "Global.use_cls": False,  # text that stands on its head, line by line: not in papers
    "Global.log_level": "error",
}
Corners = Sequence[Sequence[float]]


@dataclass(frozen=True, slots=True)
class RapidEngine:
    """RapidOCR on one thread. `recognise` is its call: a picture of three channels to boxes and words."""

    recognise: Callable[..., Any]
    version: str
    dpi: int = 150

    @property
    def identity(self) -> str:
        """`rapidocr VERSION`."""
        return f"rapidocr {self.version}"

    def read(self, image: GreyImage) -> Reading | Unread:
        """Read a page: lines with their words; no rules, no pictures."""
        samples = np.frombuffer(image.samples, dtype=np.uint8).reshape(image.height, image.width)
        found: Any = self.recognise(np.repeat(samples[:, :, None], 3, axis=2), return_word_box=True)
        if found.boxes is None:
            return Reading(())
        lines = (line_of(corners, words) for corners, words in zip(found.boxes, found.word_results, strict=True))
        return Reading(tuple(line for line in lines if line))


def line_of(corners: Corners, words: Sequence[tuple[str, float, Corners]]) -> ReadLine | None:
    """A line from the corners of its box (top left first, clockwise) and its words with theirs."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = ((float(x), float(y)) for x, y in corners)
    height = ((dy - ay) + (cy - by)) / 2
    read = tuple(_word(text, float(score), box) for text, score, box in words if text.strip())
    if not read or height <= 0 or bx <= ax:
        return None
    return ReadLine(read, dx, dy - BASELINE * height, cx, cy - BASELINE * height, height * LINE_TO_EM)


def _word(text: str, score: float, corners: Corners) -> ReadWord:
    """The engine places words, not letters: those share the word's width."""
    left, right = (edge(float(x) for x, _ in corners) for edge in (min, max))
    text = text.strip()
    edges = tuple(left + (right - left) * step / len(text) for step in range(len(text) + 1))
    return ReadWord(text, edges, score)


def find_rapid() -> RapidEngine | None:
    """RapidOCR, or None where the extra is not installed."""
    if find_spec("rapidocr") is None or find_spec("onnxruntime") is None:
        return None
    from rapidocr import RapidOCR  # noqa: PLC0415 - an extra, which takes seconds to import

    return RapidEngine(RapidOCR(params=_SETTINGS), version("rapidocr"))

"""From a raw page to its layout: hidden text set aside, words, lines, and graphics in the page's frame."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from reading_model.documents import Diagnostic
from reading_model.parsing.pdfium.clearance import mark_clearance
from reading_model.parsing.pdfium.columns import gutters_of
from reading_model.parsing.pdfium.draft import PageLayout, Shape
from reading_model.parsing.pdfium.frame import Frame, frame_at, frame_of
from reading_model.parsing.pdfium.hidden import judge
from reading_model.parsing.pdfium.lines import TextLine, lines_of
from reading_model.parsing.pdfium.page_content import RawPage
from reading_model.parsing.pdfium.words import other_angles, words_of

SCAN_SHARE = 0.4


def layout_of(raw: RawPage) -> tuple[PageLayout, list[Diagnostic]]:
    """The page as lines, and what a person should know of it: `hidden_text`, `unreadable_text`, `distrusted_text`."""
    notes: list[Diagnostic] = []
    judged = judge(raw)
    frame = frame_of(raw)
    if judged.hidden:
        notes.append(_hidden_note(raw, judged.hidden))
    if judged.unreadable:
        message = "The text layer of this page is garbled (glyph numbers instead of characters); `--ocr auto` reads it."
        notes.append(Diagnostic("unreadable_text", message, raw.number))
        return PageLayout(raw.number, frame, [], [], []), notes
    if judged.distrusted:
        message = "The text layer under the picture of this page has impossible sizes; `--ocr auto` reads the picture."
        notes.append(Diagnostic("distrusted_text", message, raw.number))
        return PageLayout(raw.number, frame, [], [], []), notes
    words = words_of(raw, frame, judged.skipped)
    gutters = gutters_of(words, frame.width)
    lines = lines_of(words, gutters)
    mark_clearance(raw, frame, lines)
    for word in words:
        word.forget_source()
    return PageLayout(
        raw.number, frame, lines, _stamps(raw, frame, judged.skipped), _shapes(raw, frame), gutters
    ), notes


def _stamps(raw: RawPage, frame: Frame, skipped: frozenset[int]) -> list[tuple[Frame, list[TextLine]]]:
    """Text that runs in other directions than the page: marks of archives, labels of axes, heads of turned pages."""
    out: list[tuple[Frame, list[TextLine]]] = []
    for angle in other_angles(raw, frame):
        turned = frame_at(raw, angle)
        out.extend((turned, [line]) for line in lines_of(words_of(raw, turned, skipped)))
    return out


def _hidden_note(raw: RawPage, hidden: frozenset[int]) -> Diagnostic:
    count = int(np.count_nonzero(np.isin(raw.run_of, list(hidden)) & (raw.codes != 0x20)))
    message = f"{count} characters that a reader of the page cannot see were set aside."
    return Diagnostic("hidden_text", message, raw.number)


def _shapes(raw: RawPage, frame: Frame) -> list[Shape]:
    """Graphics that can be seen on the page: white fills and what lies outside it are left out."""
    out: list[Shape] = []
    for graphic in raw.graphics:
        if graphic.fill is not None and not graphic.stroked and min(graphic.fill[:3]) > 250:
            continue
        rect = graphic.rect
        x0, y0, x1, y1 = frame.box(rect.x0, rect.y0, rect.x1, rect.y1)
        x0, y0, x1, y1 = max(0.0, x0), max(0.0, y0), min(frame.width, x1), min(frame.height, y1)
        if x1 >= x0 and y1 >= y0:
            out.append(Shape(graphic.kind, x0, y0, x1, y1))
    return out


def page_ranges(numbers: Sequence[int]) -> str:
    """Page numbers for people: `1-3, 7`."""
    if not numbers:
        return ""
    starts = [numbers[0], *(b for a, b in pairwise(numbers) if b != a + 1)]
    ends = [*(a for a, b in pairwise(numbers) if b != a + 1), numbers[-1]]
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in zip(starts, ends, strict=True))

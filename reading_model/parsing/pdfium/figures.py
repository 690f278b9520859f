"""Figures: drawings with the labels inside and around them, and the captions they belong to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reading_model.parsing.pdfium.captions import Caption
from reading_model.parsing.pdfium.draft import PageLayout
from reading_model.parsing.pdfium.graphics import Drawing
from reading_model.parsing.pdfium.lines import TextLine
from reading_model.parsing.pdfium.prose import is_prose

LABEL_MARGIN = 16.0  # points around a drawing in which its labels stand
CAPTION_REACH = 140.0
MIN_SHARE = 0.03  # of the page, for a figure without a caption


@dataclass(slots=True, eq=False)
class FoundFigure:
    """A figure's extent, the lines of its labels, and its caption."""

    x0: float
    top: float
    x1: float
    bottom: float
    lines: list[TextLine]
    caption: Caption | None


def figures_of(
    page: PageLayout,
    lines: Sequence[TextLine],
    captions: Sequence[Caption],
    drawings: Sequence[Drawing],
    body_size: float,
) -> list[FoundFigure]:
    """The figures of a page; `lines` are those that no table and no caption holds."""
    usable = [d for d in drawings if _is_figure(d, lines, body_size)]
    groups: dict[int, list[Drawing]] = {}
    alone: list[Drawing] = []
    wanted = [caption for caption in captions if not caption.of_table]
    for drawing in usable:
        caption = _caption_for(drawing, wanted)
        if caption is None:
            alone.append(drawing)
        else:
            groups.setdefault(id(caption), []).append(drawing)
    taken: set[int] = set()
    found: list[FoundFigure] = []
    for caption in wanted:
        if id(caption) in groups:
            found.append(_figure(groups[id(caption)], caption, lines, taken, body_size))
    least = MIN_SHARE * page.frame.width * page.frame.height
    for drawing in alone:
        figure = _figure([drawing], None, lines, taken, body_size)
        if figure.lines or drawing.area >= least:
            found.append(figure)
    return found


def _is_figure(drawing: Drawing, lines: Sequence[TextLine], body_size: float) -> bool:
    """A picture, or curves, or many pieces; never a box around prose."""
    if not (drawing.image or drawing.curves >= 3 or drawing.pieces >= 6):
        return False
    inside = [line for line in lines if drawing.holds((line.x0 + line.x1) / 2, line.base)]
    width = drawing.x1 - drawing.x0
    prose = [line for line in inside if line.size > 0.85 * body_size and is_prose(line, min(width, 0.8 * width))]
    return len(prose) < 3


def _caption_for(drawing: Drawing, captions: Sequence[Caption]) -> Caption | None:
    """The nearest caption below, above or beside a drawing."""
    best: tuple[float, Caption] | None = None
    for caption in captions:
        across = min(drawing.x1, caption.x1) - max(drawing.x0, caption.x0)
        beside = min(drawing.bottom, caption.bottom) - max(drawing.top, caption.top)
        if across > 0.3 * min(drawing.x1 - drawing.x0, caption.x1 - caption.x0):
            below, above = caption.top - drawing.bottom, drawing.top - caption.bottom
            distance = below if below > -8 else above + 12
        elif beside > 0.5 * (caption.bottom - caption.top):
            distance = 30 + max(caption.x0 - drawing.x1, drawing.x0 - caption.x1)
        else:
            continue
        if -8 <= distance < CAPTION_REACH and (best is None or distance < best[0]):
            best = (distance, caption)
    return best[1] if best else None


def _figure(
    drawings: Sequence[Drawing], caption: Caption | None, lines: Sequence[TextLine], taken: set[int], body_size: float
) -> FoundFigure:
    x0, top = min(d.x0 for d in drawings), min(d.top for d in drawings)
    x1, bottom = max(d.x1 for d in drawings), max(d.bottom for d in drawings)
    whole = Drawing(x0, top, x1, bottom)
    field = _field(whole, caption) if caption else None
    labels: list[TextLine] = []
    for line in lines:
        x, y = (line.x0 + line.x1) / 2, line.base - 0.3 * line.size
        if id(line) in taken:
            continue
        near = caption is not None and whole.holds(x, y, LABEL_MARGIN) and _is_label(line, x1 - x0, body_size)
        near = near or (field is not None and field.holds(x, y) and not is_prose(line, 0.8 * (field.x1 - field.x0)))
        if near or any(d.holds(x, y, 1.0) for d in drawings):
            labels.append(line)
            taken.add(id(line))
    figure = FoundFigure(x0, top, x1, bottom, labels, caption)
    for line in labels:
        figure.x0, figure.x1 = min(figure.x0, line.x0), max(figure.x1, line.x1)
        figure.top, figure.bottom = min(figure.top, line.top), max(figure.bottom, line.bottom)
    return figure


def _field(whole: Drawing, caption: Caption) -> Drawing | None:
    """What lies between a drawing and its caption, over the width of both, belongs to the figure."""
    x0, x1 = min(whole.x0, caption.x0) - 2, max(whole.x1, caption.x1) + 2
    if caption.top >= whole.bottom - 8:
        return Drawing(x0, whole.top - LABEL_MARGIN, x1, caption.top)
    if caption.bottom <= whole.top + 8:
        return Drawing(x0, caption.bottom, x1, whole.bottom + LABEL_MARGIN)
    return None


def _is_label(line: TextLine, width: float, body_size: float) -> bool:
    return line.size < 0.93 * body_size and len(line.words) <= 9 and not is_prose(line, width)

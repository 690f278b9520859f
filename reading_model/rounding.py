"""Positions are kept to a hundredth of a point: finer than any display, and a third of the bytes."""

from __future__ import annotations

from dataclasses import replace

from reading_model.documents import Block, Line, PageBox, Rect

_DIGITS = 2


def rounded_block(block: Block) -> Block:
    """The block with all its positions rounded; rounding again changes nothing."""
    return replace(
        block,
        lines=tuple(_line(line) for line in block.lines),
        boxes=tuple(PageBox(box.page, _rect(box.rect)) for box in block.boxes),
    )


def _line(line: Line) -> Line:
    edges = None if line.edges is None else tuple([round(edge, _DIGITS) for edge in line.edges])
    return Line(line.start, line.end, line.page, _rect(line.rect), edges)


def _rect(rect: Rect) -> Rect:
    return Rect(round(rect.x0, _DIGITS), round(rect.y0, _DIGITS), round(rect.x1, _DIGITS), round(rect.y1, _DIGITS))

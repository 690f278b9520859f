"""Positions are kept to a hundredth of a point: finer than any display, and a third of the bytes."""

from __future__ import annotations

from dataclasses import replace

from reading_model.documents import Block, Line, PageBox, Rect
from reading_model.errors import ValueNotStorable

_HUNDREDTHS = 100


def rounded_block(block: Block) -> Block:
    """The block with all its positions rounded; rounding again changes nothing.

    Raises ValueNotStorable for a position that is infinite or no number.
    """
    try:
        return replace(
            block,
            lines=tuple(_line(line) for line in block.lines),
            boxes=tuple(PageBox(box.page, _rect(box.rect)) for box in block.boxes),
        )
    except (OverflowError, ValueError) as error:
        message = f"block {block.ordinal} has a position that is not a finite number"
        raise ValueNotStorable(message, hint="Try another parser, and report the file.") from error


def _line(line: Line) -> Line:
    edges = None if line.edges is None else tuple([round(edge * _HUNDREDTHS) / _HUNDREDTHS for edge in line.edges])
    return Line(line.start, line.end, line.page, _rect(line.rect), edges)


def _rect(rect: Rect) -> Rect:
    return Rect(_rounded(rect.x0), _rounded(rect.y0), _rounded(rect.x1), _rounded(rect.y1))


def _rounded(length: float) -> float:
    # several times as quick as round(length, 2), and that counts: every character has a position
    return round(length * _HUNDREDTHS) / _HUNDREDTHS

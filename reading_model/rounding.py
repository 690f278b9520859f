"""Positions are kept to a hundredth of a point: finer than any display, and a third of the bytes.

Those of characters, the bulk of a document, are packed at once: what is made of them, an artifact and rows of the
store, needs only that form, and it takes a tenth of the memory.
"""

from __future__ import annotations

from dataclasses import replace

from reading_model.documents import Block, Line, PageBox, Rect
from reading_model.edges import PackedEdges, packed_text
from reading_model.errors import ValueNotStorable

_HUNDREDTHS = 100


def rounded_block(block: Block) -> Block:
    """The block with all its positions rounded, edges packed; rounding again changes nothing.

    Raises ValueNotStorable for a position that is infinite or no number.
    """
    try:
        return replace(
            block,
            lines=tuple([_line(line) for line in block.lines]),
            boxes=tuple(PageBox(box.page, _rect(box.rect)) for box in block.boxes),
        )
    except (OverflowError, ValueError) as error:
        message = f"block {block.ordinal} has a position that is not a finite number"
        raise ValueNotStorable(message, hint="Try another parser, and report the file.") from error


def _line(line: Line) -> Line:
    edges = line.edges
    if isinstance(edges, PackedEdges):
        return line  # only what was rounded is packed
    if edges:
        edges = PackedEdges(packed_text([round(edge * _HUNDREDTHS) for edge in edges]))
    return Line(line.start, line.end, line.page, _rect(line.rect), edges)


def _rect(rect: Rect) -> Rect:
    # several times as quick as round(length, 2)
    x0, y0, x1, y1 = rect.x0 * _HUNDREDTHS, rect.y0 * _HUNDREDTHS, rect.x1 * _HUNDREDTHS, rect.y1 * _HUNDREDTHS
    return Rect(round(x0) / _HUNDREDTHS, round(y0) / _HUNDREDTHS, round(x1) / _HUNDREDTHS, round(y1) / _HUNDREDTHS)

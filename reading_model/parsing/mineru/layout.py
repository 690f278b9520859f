"""Printed lines from a layout document, and which of its blocks is which block of the content list."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from reading_model.documents import Rect
from reading_model.parsing.mineru.forms import in_thousandths, line_text, page_index, page_list, spans_of
from reading_model.parsing.mineru.inline import inline_text
from reading_model.parsing.mineru.json_values import Json, list_of, numbers, object_of, text_of

TOLERANCE = 3.0
"""Thousandths by which a place of the content list, cut to whole numbers, may differ from the layout's."""

_WITHOUT_LINES = frozenset({"image_body", "table_body", "chart_body"})


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """A line as the layout has it: its text, its place in thousandths, and whether it stands on a later page."""

    text: str
    place: Rect
    on_later_page: bool


@dataclass(frozen=True, slots=True)
class LayoutBlock:
    """A block of the layout: its place, its lines in order, and the places of its captions and notes in order."""

    page: int
    place: Rect
    lines: tuple[PrintedLine, ...]
    captions: tuple[LayoutBlock, ...] = ()
    footnotes: tuple[LayoutBlock, ...] = ()


class Layout:
    """The blocks of a layout document by page."""

    def __init__(self, document: object) -> None:
        self._blocks: dict[int, list[LayoutBlock]] = {}
        for position, item in enumerate(page_list(document) or ()):
            page = object_of(item)
            number = page_index(page, position) + 1
            self._blocks[number] = list(_blocks(page, number))

    def block_at(self, page: int, place: Rect | None) -> LayoutBlock | None:
        """The block of that page and place; None where the layout has none there."""
        if place is None:
            return None
        candidates = [(distance(block.place, place), index) for index, block in enumerate(self._blocks.get(page, ()))]
        nearest = min(candidates, default=(TOLERANCE + 1, 0))
        return self._blocks[page][nearest[1]] if nearest[0] <= TOLERANCE else None


def distance(one: Rect, other: Rect) -> float:
    """The greatest difference between the sides of two rectangles."""
    return max(abs(one.x0 - other.x0), abs(one.y0 - other.y0), abs(one.x1 - other.x1), abs(one.y1 - other.y1))


def _blocks(page: Json, number: int) -> Iterator[LayoutBlock]:
    size = numbers(page.get("page_size"), 2) or (0.0, 0.0)
    blocks = list_of(page.get("para_blocks")) or list_of(page.get("preproc_blocks"))
    for item in [*blocks, *list_of(page.get("discarded_blocks"))]:
        block = _block(object_of(item), number, size)
        if block is not None:
            yield block


def _block(block: Json, number: int, size: tuple[float, ...]) -> LayoutBlock | None:
    place = _rect(block.get("bbox"), size)
    if place is None:
        return None
    parts = [object_of(part) for part in list_of(block.get("blocks"))]
    noted = {
        kind: tuple(
            made
            for part in parts
            if text_of(part.get("type")).endswith(kind) and (made := _block(part, number, size)) is not None
        )
        for kind in ("_caption", "_footnote")
    }
    bodies = [part for part in parts if not text_of(part.get("type")).endswith(("_caption", "_footnote"))] or [block]
    lines = tuple(
        line for body in bodies if text_of(body.get("type")) not in _WITHOUT_LINES for line in _lines(body, size)
    )
    return LayoutBlock(number, place, lines, noted["_caption"], noted["_footnote"])


def _lines(block: Json, size: tuple[float, ...]) -> Iterator[PrintedLine]:
    for item in list_of(block.get("lines")):
        line = object_of(item)
        place = _rect(line.get("bbox"), size)
        text = inline_text(line_text(line))
        if place is not None and text:
            yield PrintedLine(text, place, any(span.get("cross_page") is True for span in spans_of({"lines": [line]})))


def _rect(bbox: object, size: tuple[float, ...]) -> Rect | None:
    found = numbers(in_thousandths(bbox, size), 4)
    return None if found is None else Rect(*found)

"""Spans: the citable pieces of a location, and the rectangles of any stretch of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from reading_model.cutting import Cutter
from reading_model.documents import BlockType, Line, PageBox, Rect
from reading_model.edges import extent
from reading_model.identity import evidence_id_of
from reading_model.models import Element, Location, LocationKind, LocationRecord, Part, Span

SPAN_LIMIT = 1200
"""Code points of a span at most, but for a single character that is longer."""

_WORD_GAP = 0.35  # of the height
_SAME_HEIGHT = 0.015  # points: positions are rounded to a hundredth


def split_spans(record: LocationRecord, elements: Mapping[int, Element]) -> tuple[Span, ...]:
    """Cut a location into spans: on one page each, at sentence ends (a table's between rows), never inside a character.

    `elements` holds at least the elements of the location's parts. Together the spans hold all of the text but blanks
    between them, in order, without overlap.
    """
    location = record.location
    rows = (
        [end for end, mark in enumerate(location.text) if mark == "\n"] if location.kind is LocationKind.TABLE else None
    )
    cutter = Cutter(location.text, rows)
    found: list[Span] = []
    for page, start, end in _page_runs(location, elements):
        for first, last in cutter.pieces(start, end, SPAN_LIMIT):
            text = location.text[first:last]
            evidence = evidence_id_of(record.paper_id, record.model_version, location.ref, first, last, text)
            boxes = boxes_of(location, elements, first, last)
            found.append(Span(len(found), first, last, text, page, boxes, evidence))
    return tuple(found)


def boxes_of(location: Location, elements: Mapping[int, Element], start: int, end: int) -> tuple[PageBox, ...]:
    """Rectangles of location.text[start:end], one a printed line or table row, in reading order.

    Where a parser gave no character positions the whole line is returned, where it gave no lines the element's boxes.
    """
    found: list[PageBox] = []
    for part in location.parts:
        first = max(start, part.start)
        last = min(end, part.start + part.element_end - part.element_start)
        if first >= last:
            continue
        element = elements[part.element]
        shift = part.element_start - part.start
        found.extend(_element_boxes(element, first + shift, last + shift))
    return tuple(found)


def _element_boxes(element: Element, start: int, end: int) -> list[PageBox]:
    if not element.lines:
        return list(element.boxes)
    merged: list[PageBox] = []
    is_table = element.type is BlockType.TABLE
    for line in element.lines:
        first = line.start if line.start > start else start
        last = line.end if line.end < end else end
        if first >= last or element.text[first:last].isspace():
            continue
        box = PageBox(line.page, _line_rect(line, first, last))
        if merged and _same_row(merged[-1], box, is_table=is_table):
            merged[-1] = PageBox(box.page, _union(merged[-1].rect, box.rect))
        else:
            merged.append(box)
    return merged


def _line_rect(line: Line, start: int, end: int) -> Rect:
    if line.edges is None:
        return line.rect
    is_whole = start == line.start and end == line.end
    # both ends of every character: right-to-left runs descend, and mixed lines go both ways
    left, right = extent(line.edges if is_whole else line.edges[start - line.start : end - line.start + 1])
    return Rect(left, line.rect.y0, right, line.rect.y1)


def _same_row(one: PageBox, other: PageBox, *, is_table: bool) -> bool:
    """Whether two pieces are of one row and nothing parts them; only the cells of a table may be far apart.

    Pieces that differ in height keep clear of what stands over or under them: no box around both would.
    """
    if one.page != other.page:
        return False
    if abs(one.rect.y0 - other.rect.y0) > _SAME_HEIGHT or abs(one.rect.y1 - other.rect.y1) > _SAME_HEIGHT:
        return False
    gap = max(one.rect.x0, other.rect.x0) - min(one.rect.x1, other.rect.x1)
    return is_table or gap <= _WORD_GAP * (one.rect.y1 - one.rect.y0)


def _union(one: Rect, other: Rect) -> Rect:
    return Rect(min(one.x0, other.x0), min(one.y0, other.y0), max(one.x1, other.x1), max(one.y1, other.y1))


def _page_runs(location: Location, elements: Mapping[int, Element]) -> list[tuple[int, int, int]]:
    """(page, start, end) of the stretches of the text that stand on one page; what joins parts goes with the first."""
    runs: list[tuple[int, int, int]] = []
    for page, start in _page_starts(location, elements):
        if runs and runs[-1][0] == page:
            continue
        if runs:
            runs[-1] = (runs[-1][0], runs[-1][1], start)
        runs.append((page, start if runs else 0, len(location.text)))
    return runs or [(location.page, 0, len(location.text))]


def _page_starts(location: Location, elements: Mapping[int, Element]) -> Iterator[tuple[int, int]]:
    for part in location.parts:
        element = elements[part.element]
        yield page_at(element, part.element_start), part.start
        if element.page != element.page_end:
            yield from _turns(element, part)


def _turns(element: Element, part: Part) -> Iterator[tuple[int, int]]:
    for line in element.lines:
        if part.element_start < line.start < part.element_end:
            yield line.page, part.start + line.start - part.element_start


def page_at(element: Element, offset: int) -> int:
    """The page on which a character of an element stands; between two lines, that of the line before."""
    page = element.page
    if element.page != element.page_end:
        for line in element.lines:
            if line.start > offset:
                break
            page = line.page
    return page

"""Pages of an output, and the way from thousandths of a shown page to points of the page at /Rotate 0."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reading_model.documents import PageBox, ParsedPage, Rect
from reading_model.parsing.mineru.forms import page_index, page_list
from reading_model.parsing.mineru.json_values import numbers, object_of

UNKNOWN_SIZE = 1000.0
"""Width and height of a page whose size nothing states: its boxes are right in proportion to the page."""


@dataclass(frozen=True, slots=True)
class Pages:
    """The pages of a document in order, from 1 without a gap."""

    pages: tuple[ParsedPage, ...]

    def box(self, number: int, place: Rect) -> PageBox:
        """A place in thousandths of the page as it is shown, as a rectangle in points at /Rotate 0."""
        page = self.pages[number - 1]
        left, top, right, bottom = (
            min(max(value / 1000, 0.0), 1.0) for value in (place.x0, place.y0, place.x1, place.y1)
        )
        turned = {
            0: (left, top, right, bottom),
            90: (top, 1 - right, bottom, 1 - left),
            180: (1 - right, 1 - bottom, 1 - left, 1 - top),
            270: (1 - bottom, left, 1 - top, right),
        }[page.rotation]
        x0, y0, x1, y1 = turned
        return PageBox(number, Rect(x0 * page.width, y0 * page.height, x1 * page.width, y1 * page.height))


def layout_sizes(layout: object) -> dict[int, tuple[float, float]]:
    """Page number to (width, height) as shown, in points, for the pages whose size a layout document states."""
    found: dict[int, tuple[float, float]] = {}
    for position, item in enumerate(page_list(layout) or ()):
        page = object_of(item)
        size = numbers(page.get("page_size"), 2)
        if size is not None and min(size) > 0:
            found[page_index(page, position) + 1] = (size[0], size[1])
    return found


def page_total(layout: object) -> int:
    """How many pages a layout document has; 0 where its pages do not count from 0 without a gap."""
    pages = page_list(layout) or []
    indices = [page_index(object_of(item), position) for position, item in enumerate(pages)]
    return len(pages) if indices == list(range(len(pages))) else 0


def pages_of(total: int, in_pdf: Sequence[ParsedPage], in_layout: dict[int, tuple[float, float]]) -> Pages:
    """Pages 1 to `total`, sized by the PDF, else by the layout, else by what is unknown."""
    pages: list[ParsedPage] = []
    for number in range(1, total + 1):
        if number <= len(in_pdf):
            pages.append(in_pdf[number - 1])
            continue
        width, height = in_layout.get(number, (UNKNOWN_SIZE, UNKNOWN_SIZE))
        pages.append(ParsedPage(number, width, height))
    return Pages(tuple(pages))

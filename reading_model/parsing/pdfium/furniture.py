"""Running heads and feet, page numbers: what stands at the edges of pages and is no part of the text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from reading_model.documents import BlockType
from reading_model.parsing.pdfium.draft import PageLayout
from reading_model.parsing.pdfium.lines import TextLine

EDGE_ROWS = 4  # printed rows at the top and the bottom of a page that may be furniture
EDGE_SHARE = 0.14  # of the page's height

GAP = 0.55  # of the body size: between furniture and text there is more than between lines
ALONE = 1.6  # of the body size: small type that far from the text is furniture on one page already

_PAGE_NUMBER = re.compile(
    r"^(?:[-–—| ]*(?:\d{1,4}|[ivxlc]{1,7})[-–—| ]*|(?:[Pp]age|[Ss]eite|p\.)\s*\d+(?:\s*(?:of|/|von)\s*\d+)?"
    r"|\d+\s*(?:/|of)\s*\d+)$"
)
_MASKED = re.compile(r"\d+|\b[ivxlcdm]{1,6}\b")


def furniture_of(pages: Sequence[PageLayout], body_size: float) -> list[dict[int, BlockType]]:
    """For each page the furniture among its lines, as index of line to HEADER, FOOTER or PAGE_NUMBER."""
    repeated = _repeated(pages)
    return [_of_page(page, repeated, body_size) for page in pages]


def _key(line: TextLine) -> tuple[str, int]:
    return _MASKED.sub("#", line.text.lower()), round(line.base / 4)


def _repeated(pages: Sequence[PageLayout]) -> set[tuple[str, int]]:
    counts: Counter[tuple[str, int]] = Counter()
    for page in pages:
        for rows in _edges(page):
            keys = {_key(page.lines[index]) for row in rows for index in row if _has_words(page.lines[index])}
            counts.update({(text, place + step) for text, place in keys for step in (-1, 0, 1)})
    least = 3 if len(pages) >= 5 else 2
    return {key for key, count in counts.items() if count >= least}


def _has_words(line: TextLine) -> bool:
    """Values in a table's rows look alike from page to page; a running head has words."""
    return sum(character.isalpha() for character in line.text) >= 4


def _edges(page: PageLayout) -> tuple[list[list[int]], list[list[int]]]:
    """The page's outermost rows, as indices of lines: from the top down, and from the bottom up."""
    rows = _rows(page.lines)
    height = page.frame.height
    top = [row for row in rows[:EDGE_ROWS] if page.lines[row[0]].base < EDGE_SHARE * height]
    bottom = [row for row in rows[: -EDGE_ROWS - 1 : -1] if page.lines[row[0]].base > (1 - EDGE_SHARE) * height]
    return top, bottom


def _rows(lines: Sequence[TextLine]) -> list[list[int]]:
    """Indices of lines on one baseline, from top to bottom."""
    rows: list[list[int]] = []
    for index, line in enumerate(lines):
        if rows and abs(lines[rows[-1][0]].base - line.base) < 0.35 * max(line.size, 4.0):
            rows[-1].append(index)
        else:
            rows.append([index])
    return rows


def _of_page(page: PageLayout, repeated: set[tuple[str, int]], body_size: float) -> dict[int, BlockType]:
    found: dict[int, BlockType] = {}
    for rows, kind in zip(_edges(page), (BlockType.HEADER, BlockType.FOOTER), strict=True):
        depth = _depth(page, rows, repeated, body_size, at_top=kind is BlockType.HEADER)
        for row in rows[:depth]:
            for index in row:
                number = _PAGE_NUMBER.match(page.lines[index].text.strip())
                found[index] = BlockType.PAGE_NUMBER if number else kind
    return found


def _depth(
    page: PageLayout, rows: list[list[int]], repeated: set[tuple[str, int]], body_size: float, *, at_top: bool
) -> int:
    """How many of the outermost rows are furniture: all up to the innermost that is known or stands alone."""
    everything = _rows(page.lines)
    depth = 0
    for place, row in enumerate(rows):
        lines = [page.lines[index] for index in row]
        known = any(_key(line) in repeated for line in lines) or _is_numbered(lines, repeated, body_size)
        if known and (place + 1 >= len(everything) or _gap(page, everything, place, at_top) > GAP * body_size):
            depth = place + 1
    if depth:
        return depth
    for place in range(min(2, len(rows), len(everything) - 1)):
        outer = page.lines[rows[place][0]]
        alone = _gap(page, everything, place, at_top) > ALONE * body_size
        if outer.size < 0.97 * body_size and alone and not outer.bold:
            depth = place + 1
    return depth


def _is_numbered(lines: Sequence[TextLine], repeated: set[tuple[str, int]], body_size: float) -> bool:
    """Whether a row is a page number, alone or beside small type; a formula has its number in brackets."""
    others = [line for line in lines if not _PAGE_NUMBER.match(line.text.strip())]
    return len(others) < len(lines) and all(line.size < 0.97 * body_size or _key(line) in repeated for line in others)


def _gap(page: PageLayout, rows: list[list[int]], place: int, at_top: bool) -> float:
    """The free space between a row, counted from the edge, and the next one inwards."""
    if at_top:
        return page.lines[rows[place + 1][0]].top - page.lines[rows[place][0]].bottom
    return page.lines[rows[-place - 1][0]].top - page.lines[rows[-place - 2][0]].bottom

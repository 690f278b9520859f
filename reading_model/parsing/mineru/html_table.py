"""Tables from HTML: cells with their row and column spans, whatever closing tags are missing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser

from reading_model.documents import Cell, Table
from reading_model.parsing.mineru.inline import inline_text

MAX_SPAN = 1000
"""Columns or rows of one cell, as in the HTML standard (13.2.6, colspan)."""
MAX_CELLS = 200_000
MAX_COLUMNS = 2000
MAX_GRID = 1_000_000
"""Rows times columns: what is larger is no table of a paper, and is kept as text."""

_NUMBER = re.compile(r"[-−–+±]?[\d.,]*\d[\d.,]*\s*(?:%|±.*|\(.*\))?")
_IN_BLANKS = frozenset({"br", "p", "div", "li", "hr"})
CELL_SEPARATOR = " | "


@dataclass(slots=True)
class _Cell:
    row: int
    is_header: bool
    row_span: int
    column_span: int
    text: list[str] = field(default_factory=list[str])


def table_of(html: str) -> Table | None:
    """The first table of some HTML, nested ones as text of their cell; None where there are no cells, or far too many.

    Header rows are those in `thead` or of `th` cells alone; else a first row of words, and a second one where the first
    spans several columns. A cell reaches no further than the rows and columns there are.
    """
    reader = _Reader()
    reader.feed(html)
    reader.close()
    if not reader.cells:
        return None
    return _placed(reader.cells, reader.head_rows, html)


def table_text(table: Table) -> str:
    """One line a row, cells parted by ` | `; a spanning cell stands once, where it begins."""
    grid = [[""] * table.column_count for _ in range(table.row_count)]
    for cell in table.cells:
        grid[cell.row][cell.column] = cell.text
    return "\n".join(CELL_SEPARATOR.join(row) for row in grid)


class _Reader(HTMLParser):
    """Collects the cells of the outermost table in the order of the source."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.cells: list[_Cell] = []
        self.head_rows = 0
        self._depth = 0
        self._row = -1
        self._open: _Cell | None = None
        self._in_head = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self._depth += 1
        elif self._depth > 1:
            self._blank(tag)
        elif tag == "thead":
            self._in_head = True
        elif tag == "tr":
            self._row += 1
            self._open = None
            if self._in_head:
                self.head_rows = self._row + 1
        elif tag in {"td", "th"}:
            self._start_cell(tag, dict(attrs))
        else:
            self._blank(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag == "table":
            self._depth = max(0, self._depth - 1)
        elif self._depth > 1:
            self._blank(tag)
        elif tag in {"td", "th", "tr"}:
            self._open = None
        elif tag == "thead":
            self._in_head = False

    def handle_data(self, data: str) -> None:
        if self._open is not None:
            self._open.text.append(data)

    def _blank(self, tag: str) -> None:
        if self._open is not None and (tag in _IN_BLANKS or tag in {"td", "th", "tr", "table"}):
            self._open.text.append(" ")

    def _start_cell(self, tag: str, attributes: dict[str, str | None]) -> None:
        self._row = max(self._row, 0)
        if len(self.cells) >= MAX_CELLS:
            self._open = None
            return
        self._open = _Cell(self._row, tag == "th", _span(attributes.get("rowspan")), _span(attributes.get("colspan")))
        self.cells.append(self._open)


def _span(value: str | None) -> int:
    text = (value or "").strip()
    return min(max(int(text), 1), MAX_SPAN) if text.isascii() and text.isdigit() and len(text) < 10 else 1


def _placed(found: list[_Cell], head_rows: int, html: str) -> Table | None:
    row_count = found[-1].row + 1
    taken: dict[int, int] = {}  # column -> first row that is free in it
    cells: list[Cell] = []
    row, column = 0, 0
    for item in found:
        if item.row != row:
            row, column = item.row, 0
        while taken.get(column, 0) > row:
            column += 1
        if column >= MAX_COLUMNS:
            return None
        rows = min(item.row_span, row_count - row)
        for spanned in range(column, column + item.column_span):
            taken[spanned] = row + rows
        text = inline_text(" ".join("".join(item.text).split()))
        cells.append(Cell(row, column, text, rows, item.column_span))
        column += item.column_span
    # a cell that reaches further than any cell begins spans columns that nothing stands in
    columns = 1 + max(cell.column for cell in cells)
    if columns * row_count > MAX_GRID:
        return None
    placed = tuple(replace(cell, column_span=min(cell.column_span, columns - cell.column)) for cell in cells)
    headers = head_rows or _th_rows(found) or _worded_rows(placed, row_count)
    return Table(placed, row_count, columns, min(headers, row_count), html)


def _th_rows(found: list[_Cell]) -> int:
    rows: dict[int, bool] = {}
    for cell in found:
        rows[cell.row] = rows.get(cell.row, True) and cell.is_header
    count = 0
    while rows.get(count, False):
        count += 1
    return count


def _worded_rows(cells: Sequence[Cell], row_count: int) -> int:
    first = [cell for cell in cells if cell.row == 0]
    if row_count < 2 or _is_numeric(first):
        return 0
    rows = max((cell.row_span for cell in first), default=1)
    if rows > 1:
        return rows if rows < row_count else 1
    second = [cell for cell in cells if cell.row == 1]
    is_grouped = any(cell.column_span > 1 for cell in first)
    return 2 if is_grouped and row_count > 2 and not _is_numeric(second) else 1


def _is_numeric(row: Sequence[Cell]) -> bool:
    texts = [cell.text for cell in row if cell.text]
    return sum(_NUMBER.fullmatch(text) is not None for text in texts) * 2 > len(texts)

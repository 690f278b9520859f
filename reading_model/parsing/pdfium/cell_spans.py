"""Cells over several columns or rows, and the printed rows that are one row of the table.

Four signs tell: a head that stands in the middle over several columns, a cell between the baselines of two rows, a head
with nothing under it, and rules that leave the first column out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import pairwise

from reading_model.parsing.pdfium.draft import CellDraft
from reading_model.parsing.pdfium.graphics import Rule

CLOSE = 0.8  # em between baselines: two rows do not come that close
CENTRED = 0.7  # em from the middle
WRAPPED = 1.45  # em between the lines of a head
WHOLE = 0.9  # of the table's width
Columns = Sequence[tuple[float, float]]


class Extent(Enum):
    """How much of a table's width a rule takes."""

    ANY = auto()
    PART = auto()
    WHOLE = auto()


@dataclass(slots=True, eq=False)
class GridRow:
    """A row of cells in order of columns, its baseline and size of type, and whether it belongs to the header."""

    cells: list[CellDraft]
    base: float
    size: float
    header: bool

    @property
    def columns(self) -> set[int]:
        """The columns that its cells cover."""
        return {column for cell in self.cells for column in range(cell.first, cell.last + 1)}

    def add(self, cell: CellDraft) -> None:
        """Put a cell into its place."""
        self.cells.append(cell)
        self.cells.sort(key=lambda other: other.first)


def with_spans(rows: list[GridRow], columns: Columns, rules: Sequence[Rule]) -> list[GridRow]:
    """The rows of the table; a cell over several rows stands in the first of them."""
    rows = _settled(rows)
    reaching: set[int] = set()
    for upper, lower in pairwise(rows):
        if upper.header and lower.header and not _ruled(upper, lower, rules, columns, Extent.PART):
            _widen(upper, lower, columns, reaching)
        for cell in upper.cells:
            if cell.rows > 1:
                reaching.update(range(cell.first, cell.last + 1))
    if _ruled_head(rows, rules, columns):
        rows = _unwrapped(rows, rules, columns)
    rows = _joined_bands(rows, rules, columns)
    _lengthen_heads(rows)
    _lengthen_labels(rows, columns, rules)
    return rows


def _settled(rows: list[GridRow]) -> list[GridRow]:
    """Without rows between the lines of others: their cells are as high as these, or the others are one label."""
    out: list[GridRow] = []
    index = 0
    while index < len(rows):
        row = rows[index]
        above = out[-1] if out else None
        below = rows[index + 1] if index + 1 < len(rows) else None
        if above is None or above.header != row.header or not (_near(above, row) or _near(row, below)):
            out.append(row)
        elif below is not None and _is_label(above, below, row):
            above.cells[0].lines.extend(below.cells[0].lines)
            row.add(above.cells[0])
            out[-1] = row
            index += 1
        elif not row.columns & above.columns and _spans_down(row, above, rows[index + 1 :]):
            for cell in row.cells:
                above.add(cell)
        else:
            out.append(row)
        index += 1
    return out


def _near(upper: GridRow, lower: GridRow | None) -> bool:
    """Whether a row stands between two printed rows of the same columns rather than being one."""
    return lower is not None and lower.base - upper.base < CLOSE * upper.size


def _is_label(above: GridRow, below: GridRow, row: GridRow) -> bool:
    """Whether the rows above and below are two lines of one label, in whose middle the values stand."""
    if len(above.cells) != 1 or len(below.cells) != 1 or not (_near(above, row) and _near(row, below)):
        return False
    label = above.cells[0].first
    return label == below.cells[0].first == 0 and label not in row.columns and below.header == row.header


def _spans_down(row: GridRow, above: GridRow, after: Sequence[GridRow]) -> bool:
    """Set the cells' row span: about as far down from the row's baseline as it is from the one above.

    False where these are no cells between rows.
    """
    end = 2 * row.base - above.base + CLOSE * row.size
    count = 1
    for other in after:
        if other.base > end or other.header != row.header:
            break
        if other.columns & row.columns:
            return False
        count += len(other.cells) > 1 or 0 in other.columns
    for cell in row.cells:
        cell.rows = count
    return count > 1


def _ruled(
    upper: GridRow, lower: GridRow, rules: Sequence[Rule], columns: Columns, extent: Extent = Extent.ANY
) -> bool:
    """Whether a rule stands between two rows, over the whole table or over a part of it."""
    width = columns[-1][1] - columns[0][0]
    between = [rule for rule in rules if upper.base < rule.y < lower.base - 0.3 * lower.size]
    if extent is Extent.ANY:
        return bool(between)
    return any((rule.width > WHOLE * width) == (extent is Extent.WHOLE) for rule in between)


def _ruled_head(rows: Sequence[GridRow], rules: Sequence[Rule], columns: Columns) -> bool:
    """Whether a rule over the whole width parts the header from the body."""
    count = sum(row.header for row in rows)
    return 0 < count < len(rows) and _ruled(rows[count - 1], rows[count], rules, columns, Extent.WHOLE)


def _widen(upper: GridRow, lower: GridRow, columns: Columns, taken: set[int]) -> None:
    """Let the heads of a row cover the columns over whose middle they stand, but none of those `taken` from above.

    Only where one is as wide as several already, or each covers several or stands over nothing: otherwise they are
    lines of heads of one column.
    """
    extents = list(columns)
    for cell in lower.cells:
        if cell.first == cell.last:
            x0, x1 = extents[cell.first]
            extents[cell.first] = min(x0, *(line.x0 for line in cell.lines)), max(x1, *(line.x1 for line in cell.lines))
    free = lower.columns - taken
    wanted: list[tuple[int, int]] = []
    for place, cell in enumerate(upper.cells):
        least = wanted[-1][1] + 1 if wanted else 0
        most = upper.cells[place + 1].first - 1 if place + 1 < len(upper.cells) else len(columns) - 1
        wanted.append(_middle_of(cell, extents, range(least, most + 1), free))
    grouped = any(cell.first < cell.last for cell in upper.cells)
    if not grouped and any(first == last and first in lower.columns for first, last in wanted):
        return
    for cell, (first, last) in zip(upper.cells, wanted, strict=True):
        cell.first, cell.last = first, last


def _middle_of(cell: CellDraft, extents: Columns, within: range, free: set[int]) -> tuple[int, int]:
    """The widest stretch of free columns around the cell's own in whose middle it stands."""
    middle = (min(line.x0 for line in cell.lines) + max(line.x1 for line in cell.lines)) / 2
    size = cell.lines[0].size
    best = (cell.first, cell.last)
    for first in range(within.start, cell.first + 1):
        for last in range(cell.last, within.stop):
            apart = abs((extents[first][0] + extents[last][1]) / 2 - middle)
            filled = all(column in free for column in range(first, last + 1))
            if filled and apart < CENTRED * size and last - first > best[1] - best[0]:
                best = (first, last)
    return best


def _unwrapped(rows: list[GridRow], rules: Sequence[Rule], columns: Columns) -> list[GridRow]:
    """Without rows of the header that only begin what goes on in the next one, column by column."""
    out: list[GridRow] = []
    for row in rows:
        above = out[-1] if out and out[-1].header and row.header else None
        if above is None or not _goes_on(above, row, rules, columns):
            out.append(row)
            continue
        for cell in above.cells:
            under = next((other for other in row.cells if other.first == cell.first), None)
            if under is None:
                row.add(cell)
            else:
                under.lines[:0] = cell.lines
        out[-1] = row
    return out


def _goes_on(above: GridRow, row: GridRow, rules: Sequence[Rule], columns: Columns) -> bool:
    cells = [*above.cells, *row.cells]
    if any(cell.first != cell.last or cell.rows > 1 for cell in cells):
        return False
    if row.base - above.base > WRAPPED * row.size or _ruled(above, row, rules, columns):
        return False
    return bool(above.columns & row.columns)


def _joined_bands(rows: list[GridRow], rules: Sequence[Rule], columns: Columns) -> list[GridRow]:
    """Lines of text between two whole rules are one row where at most one of them stands in several columns.

    Only in tables whose body such rules part into several bands.
    """
    bands: list[list[GridRow]] = []
    for row in rows:
        parted = not bands or _ruled(bands[-1][-1], row, rules, columns, Extent.WHOLE)
        if parted or row.header != bands[-1][-1].header:
            bands.append([row])
        else:
            bands[-1].append(row)
    body = [band for band in bands if not band[0].header]
    if len(body) < 2 or not all(_is_one_row(band) for band in body):
        return rows
    return [row for band in bands for row in ([_as_one(band)] if not band[0].header else band)]


def _is_one_row(band: Sequence[GridRow]) -> bool:
    """Whether lines are those of one row: a line above that stands in the first column alone may be a group's label."""
    several = [place for place, row in enumerate(band) if len(row.cells) > 1]
    if len(several) > 1 or any(cell.rows > 1 for row in band for cell in row.cells):
        return len(band) == 1
    until = several[0] if several else 0
    return all(0 not in row.columns for row in band[:until])


def _as_one(band: Sequence[GridRow]) -> GridRow:
    """The cells of a band column by column."""
    one = GridRow([], band[0].base, band[0].size, band[0].header)
    for row in band:
        for cell in row.cells:
            host = next((other for other in one.cells if other.first <= cell.last and cell.first <= other.last), None)
            if host is None:
                one.add(cell)
            else:
                host.first, host.last = min(host.first, cell.first), max(host.last, cell.last)
                host.lines.extend(cell.lines)
    return one


def _lengthen_heads(rows: Sequence[GridRow]) -> None:
    """A head with nothing under it in the header reaches down to the body."""
    header = [row for row in rows if row.header]
    for index, row in enumerate(header):
        for cell in row.cells:
            own = set(range(cell.first, cell.last + 1))
            free = [not own & other.columns for other in header[index + 1 :]]
            if cell.rows == 1 and free and all(free) and _stands_alone(own, header, index):
                cell.rows = len(free) + 1


def _stands_alone(own: set[int], header: Sequence[GridRow], index: int) -> bool:
    """Whether no cell of a row above reaches down beside it already."""
    return not any(
        cell.rows > index - above and own & set(range(cell.first, cell.last + 1))
        for above, row in enumerate(header[:index])
        for cell in row.cells
    )


def _lengthen_labels(rows: Sequence[GridRow], columns: Columns, rules: Sequence[Rule]) -> None:
    """A label reaches over the rows under it without one that only a rule beside the first column parts from it."""
    label: CellDraft | None = None
    for upper, lower in pairwise(rows):
        own = next((cell for cell in upper.cells if cell.first == cell.last == 0), None)
        label = own or label
        beside = [
            rule
            for rule in rules
            if upper.base < rule.y < lower.base - 0.3 * lower.size
            and rule.x0 > columns[0][1] - 2
            and rule.x1 > columns[-1][0]
        ]
        if lower.header or 0 in lower.columns or not beside:
            label = None
        elif label is not None:
            label.rows += 1

"""From the words of a table's area to rows and columns of cells."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from reading_model.parsing.pdfium.cell_spans import GridRow, with_spans
from reading_model.parsing.pdfium.draft import CellDraft, TableDraft
from reading_model.parsing.pdfium.graphics import Rule
from reading_model.parsing.pdfium.lines import TextLine, line_of
from reading_model.parsing.pdfium.words import Clearance, Word

CHUNK_GAP = 0.58  # em between words of one cell at most
VALUE_GAP = 0.3  # em between two bare numbers, which are two cells
DECIMAL_GAP = 0.15  # em between two decimals
MIN_COLUMN_GAP = 0.25  # em
NUMERIC = re.compile(r"^[<>≤≥≈~±+\-−–(\[]*\s*[\d.,]*\d")

_VALUE = re.compile(r"^[<>≤≥≈~+\-−–]?\d[\d.,]*(?<![.,])%?[*†‡∗]*$")


@dataclass(slots=True, eq=False)
class Chunk:
    """Words of one row that stand close together."""

    words: list[Word]
    x0: float
    x1: float

    @property
    def text(self) -> str:
        """The words with spaces."""
        return " ".join(word.text for word in self.words)


@dataclass(slots=True, eq=False)
class Row:
    """Chunks on one baseline, and whether the row belongs to the header."""

    chunks: list[Chunk]
    base: float
    size: float
    header: bool = False


def rows_of(words: Sequence[Word]) -> list[Row]:
    """Rows from top to bottom; small raised or lowered words go to the nearest row."""
    if not words:
        return []
    usual = median(word.size for word in words)
    full = sorted((w for w in words if w.size > 0.8 * usual), key=lambda w: w.base)
    scripts = [w for w in words if w.size <= 0.8 * usual]
    groups: list[list[Word]] = []
    for word in full:
        if groups and word.base - groups[-1][0].base < 0.42 * usual:
            groups[-1].append(word)
        else:
            groups.append([word])
    alone: list[Word] = []
    for word in scripts:
        near = min(groups, key=lambda g: abs(g[0].base - word.base), default=None)
        if near is not None and abs(near[0].base - word.base) < 0.75 * usual:
            near.append(word)
        else:
            alone.append(word)
    for word in sorted(alone, key=lambda w: w.base):
        groups.append([word])
    groups.sort(key=lambda g: g[0].base)
    return [Row(_chunks(group, usual), median(w.base for w in group), usual) for group in groups]


def _chunks(words: Sequence[Word], size: float) -> list[Chunk]:
    out: list[Chunk] = []
    for word in sorted(words, key=lambda w: w.x0):
        gap = word.x0 - out[-1].x1 if out else 0.0
        two_values = bool(out) and _are_two_values(out[-1].words[-1].text, word.text, gap / size)
        if out and gap <= CHUNK_GAP * size and not two_values:
            out[-1].words.append(word)
            out[-1].x1 = max(out[-1].x1, word.x1)
        else:
            out.append(Chunk([word], word.x0, word.x1))
    return out


def _are_two_values(one: str, other: str, gap: float) -> bool:
    """Whether two words stand in two cells: values at least `gap` em apart, less where both have decimals."""
    if not _VALUE.match(one) or not _VALUE.match(other):
        return False
    return gap > (DECIMAL_GAP if "." in one and "." in other else VALUE_GAP)


def columns_of(rows: Sequence[Row], heads: int = 0) -> list[tuple[float, float]]:
    """The columns as (x0, x1): of several choices of rows, the one whose union of chunks leaves most columns.

    Where that is more than there are heads, and all rows together leave as many as there are, it is these.
    """
    counts = sorted({len(row.chunks) for row in rows if len(row.chunks) > 1}, reverse=True)
    best: list[tuple[float, float]] = []
    support = 0
    for least in counts:
        chosen = [row for row in rows if len(row.chunks) >= least]
        spans = _union([chunk for row in chosen for chunk in row.chunks], MIN_COLUMN_GAP * rows[0].size)
        if len(spans) > len(best) or (len(spans) == len(best) and len(chosen) > support):
            best, support = spans, len(chosen)
    if 1 < heads < len(best):
        whole = _union([chunk for row in rows for chunk in row.chunks], MIN_COLUMN_GAP * rows[0].size)
        if len(whole) == heads:
            return whole
    return best


def _union(chunks: Sequence[Chunk], gap: float) -> list[tuple[float, float]]:
    spans: list[tuple[float, float]] = []
    for chunk in sorted(chunks, key=lambda c: c.x0):
        if spans and chunk.x0 < spans[-1][1] + gap:
            spans[-1] = (spans[-1][0], max(spans[-1][1], chunk.x1))
        else:
            spans.append((chunk.x0, chunk.x1))
    return spans


_Cells = list[CellDraft]
Placement = tuple[int, int, Chunk]  # first column, last column, chunk


def place(row: Row, columns: Sequence[tuple[float, float]], rules: Sequence[Rule]) -> list[Placement]:
    """Each chunk of the row with the columns it covers; a rule right under a chunk says how far it spans."""
    out: list[Placement] = []
    for chunk in (part for whole in row.chunks for part in _parted(whole, columns, header=row.header)):
        first, last = _covered(chunk.x0, chunk.x1, columns)
        under = [r for r in rules if 0 < r.y - row.base < 0.9 * row.size and r.x0 - 2 <= _middle(chunk) <= r.x1 + 2]
        if under:
            widest = max(under, key=lambda rule: rule.width)
            if row.header and widest.width < 0.95 * (columns[-1][1] - columns[0][0]):
                first, last = _under(widest, columns, (first, last))
        out.append((first, last, chunk))
    return out


def _parted(chunk: Chunk, columns: Sequence[tuple[float, float]], *, header: bool) -> list[Chunk]:
    """A chunk as one a word where its words stand over as many columns: narrow heads set close together.

    In the body a value at the end that stands in a column of its own is parted from a long label too.
    """
    first, last = _covered(chunk.x0, chunk.x1, columns)
    if last == first:
        return [chunk]
    places = [_covered(word.x0, word.x1, columns) for word in chunk.words]
    if len(chunk.words) == last - first + 1 and places == [(column, column) for column in range(first, last + 1)]:
        return [Chunk([word], word.x0, word.x1) for word in chunk.words]
    label, value = chunk.words[:-1], chunk.words[-1]
    if header or not label or not _VALUE.match(value.text):
        return [chunk]
    if places[-1] != (last, last) or label[-1].x1 > columns[last][0] + 1:
        return [chunk]
    return [Chunk(label, label[0].x0, label[-1].x1), Chunk([value], value.x0, value.x1)]


def _middle(chunk: Chunk) -> float:
    return (chunk.x0 + chunk.x1) / 2


def _under(rule: Rule, columns: Sequence[tuple[float, float]], fallback: tuple[int, int]) -> tuple[int, int]:
    covered = [i for i, (x0, x1) in enumerate(columns) if rule.x0 - 3 <= (x0 + x1) / 2 <= rule.x1 + 3]
    return (covered[0], covered[-1]) if covered else fallback


def _covered(x0: float, x1: float, columns: Sequence[tuple[float, float]]) -> tuple[int, int]:
    """The columns that a stretch overlaps by a good part of the column, at least the nearest one."""
    hit = [
        i
        for i, (left, right) in enumerate(columns)
        if min(x1, right) - max(x0, left) > 0.35 * min(right - left, x1 - x0)
    ]
    if hit:
        return hit[0], hit[-1]
    middle = (x0 + x1) / 2
    nearest = min(range(len(columns)), key=lambda i: max(columns[i][0] - middle, middle - columns[i][1]))
    return nearest, nearest


def build(rows: Sequence[Row], columns: Sequence[tuple[float, float]], rules: Sequence[Rule]) -> TableDraft:
    """The table: cells with the columns they cover, and the lines each cell stands in."""
    grid: list[GridRow] = []
    for row in rows:
        placed = place(row, columns, rules)
        merged: list[CellDraft] = []
        for first, last, chunk in _spread_heads(placed, len(columns)) if row.header else placed:
            if merged and first <= merged[-1].last:
                before = merged[-1]
                before.last = max(before.last, last)
                before.lines = [_cell_line([*before.lines[-1].words, *chunk.words])]
            else:
                merged.append(CellDraft(first, last, [_cell_line(chunk.words)]))
        grid.append(GridRow(merged, row.base, row.size, row.header))
    grid = with_spans(grid, columns, rules)
    header = sum(row.header for row in grid)
    return TableDraft(_folded(grid, header), len(columns), header)


def _cell_line(words: Sequence[Word]) -> TextLine:
    """A line of a cell. Scripts that stood in a line of their own no longer have to be kept clear of their base."""
    if len({word.printed for word in words}) > 1:
        for word in words:
            # half the height of a small letter is ink of every word
            middle = word.base - 0.2 * word.size
            word.clearance = Clearance(middle, middle, -math.inf, math.inf, word.x0, word.x1)
            word.gap_clearance = None
            word.letters = ()
    return line_of(words)


def _spread_heads(cells: list[Placement], count: int) -> list[Placement]:
    """Heads as they are placed; where one spans columns it may not reach into those of its neighbours."""
    out: list[Placement] = []
    for index, (first, last, chunk) in enumerate(cells):
        after = cells[index + 1][0] if index + 1 < len(cells) else count
        out.append((first, max(first, min(last, after - 1)) if after > first else last, chunk))
    return out


def _folded(rows: Sequence[GridRow], header: int) -> list[_Cells]:
    """Rows of the body that only go on with cells of the row above become part of it."""
    gaps = [b.base - a.base for a, b in pairwise(rows[header:])]
    tight = min(gaps) * 1.15 if gaps else 0.0
    usual = median(gaps) if gaps else 0.0
    out: list[_Cells] = [row.cells for row in rows[: header + 1]]
    for index in range(header + 1, len(rows)):
        cells = rows[index].cells
        gap = rows[index].base - rows[index - 1].base
        if gap <= max(tight, 1.35 * rows[index].size) and _goes_on(out[-1], cells, gap, usual):
            for cell in cells:
                host = next(other for other in out[-1] if other.first <= cell.first <= other.last)
                host.lines.extend(cell.lines)
        else:
            out.append(cells)
    return out


def _goes_on(above: _Cells, cells: _Cells, gap: float, usual: float) -> bool:
    """Whether a row has no label of its own and stands only under cells that the row above has."""
    if not cells or not above or above[0].first != 0:
        return False
    if any(cell.first == 0 for cell in cells):
        alone = len(cells) == 1 and len(above) > 2 and gap < 0.8 * usual
        return alone and _is_open(above[0].lines[-1].text, cells[0].lines[0].text)
    covered = all(any(a.first <= cell.first and cell.last <= a.last for a in above) for cell in cells)
    return covered and len(cells) < len(above)


def _is_open(above: str, below: str) -> bool:
    return above[-1:] in ",-(/" or below[:1].islower() or below[:1] == "("


def is_numeric(text: str) -> bool:
    """Whether a cell holds a value: a number, maybe signed or in brackets."""
    return NUMERIC.match(text) is not None

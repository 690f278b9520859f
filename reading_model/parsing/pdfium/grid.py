"""From the words of a table's area to rows and columns of cells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from reading_model.documents import Cell, Table
from reading_model.parsing.pdfium.draft import TableDraft
from reading_model.parsing.pdfium.graphics import Rule
from reading_model.parsing.pdfium.lines import TextLine, line_of
from reading_model.parsing.pdfium.words import Word
from reading_model.text import line_separator

CHUNK_GAP = 0.58  # em between words of one cell at most
MIN_COLUMN_GAP = 0.25  # em
NUMERIC = re.compile(r"^[<>≤≥≈~±+\-−–(\[]*\s*[\d.,]*\d")


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
        if out and word.x0 - out[-1].x1 <= CHUNK_GAP * size:
            out[-1].words.append(word)
            out[-1].x1 = max(out[-1].x1, word.x1)
        else:
            out.append(Chunk([word], word.x0, word.x1))
    return out


def columns_of(rows: Sequence[Row]) -> list[tuple[float, float]]:
    """The columns as (x0, x1): of several choices of rows, the one whose union of chunks leaves most columns."""
    counts = sorted({len(row.chunks) for row in rows if len(row.chunks) > 1}, reverse=True)
    best: list[tuple[float, float]] = []
    support = 0
    for least in counts:
        chosen = [row for row in rows if len(row.chunks) >= least]
        spans = _union([chunk for row in chosen for chunk in row.chunks], MIN_COLUMN_GAP * rows[0].size)
        if len(spans) > len(best) or (len(spans) == len(best) and len(chosen) > support):
            best, support = spans, len(chosen)
    return best


def _union(chunks: Sequence[Chunk], gap: float) -> list[tuple[float, float]]:
    spans: list[tuple[float, float]] = []
    for chunk in sorted(chunks, key=lambda c: c.x0):
        if spans and chunk.x0 < spans[-1][1] + gap:
            spans[-1] = (spans[-1][0], max(spans[-1][1], chunk.x1))
        else:
            spans.append((chunk.x0, chunk.x1))
    return spans


Placement = tuple[int, int, Chunk]  # first column, last column, chunk


def place(row: Row, columns: Sequence[tuple[float, float]], rules: Sequence[Rule]) -> list[Placement]:
    """Each chunk of the row with the columns it covers; a rule right under a chunk says how far it spans."""
    out: list[Placement] = []
    for chunk in row.chunks:
        first, last = _covered(chunk.x0, chunk.x1, columns)
        under = [r for r in rules if 0 < r.y - row.base < 0.9 * row.size and r.x0 - 2 <= _middle(chunk) <= r.x1 + 2]
        if under:
            widest = max(under, key=lambda rule: rule.width)
            if row.header and widest.width < 0.95 * (columns[-1][1] - columns[0][0]):
                first, last = _under(widest, columns, (first, last))
        out.append((first, last, chunk))
    return out


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
    """The table: cells with spans, and the lines each cell stands in."""
    placed = [place(row, columns, rules) for row in rows]
    grid: list[list[tuple[int, int, list[TextLine]]]] = []
    header = 0
    for row, cells in zip(rows, placed, strict=True):
        spread = _spread_heads(cells, len(columns)) if row.header else cells
        merged: list[tuple[int, int, list[TextLine]]] = []
        for first, last, chunk in spread:
            line = line_of(chunk.words)
            if merged and first <= merged[-1][1]:
                start, end, lines = merged[-1]
                joined = line_of([*lines[-1].words, *line.words])
                merged[-1] = (start, max(end, last), [joined])
            else:
                merged.append((first, last, [line]))
        grid.append(merged)
        header += row.header
    return _draft(_folded(grid, rows, header), len(columns), header)


def _spread_heads(cells: list[Placement], count: int) -> list[Placement]:
    """Heads as they are placed; where one spans columns it may not reach into those of its neighbours."""
    out: list[Placement] = []
    for index, (first, last, chunk) in enumerate(cells):
        after = cells[index + 1][0] if index + 1 < len(cells) else count
        out.append((first, max(first, min(last, after - 1)) if after > first else last, chunk))
    return out


_GridRow = list[tuple[int, int, list[TextLine]]]


def _folded(grid: list[_GridRow], rows: Sequence[Row], header: int) -> list[tuple[_GridRow, bool]]:
    """Rows of the body that only go on with cells of the row above become part of it."""
    gaps = [b.base - a.base for a, b in zip(rows[header:], rows[header + 1 :], strict=False)]
    tight = min(gaps) * 1.15 if gaps else 0.0
    usual = median(gaps) if gaps else 0.0
    out: list[tuple[_GridRow, bool]] = []
    for index, cells in enumerate(grid):
        is_header = index < header
        if out and not is_header and not out[-1][1] and index > header:
            gap = rows[index].base - rows[index - 1].base
            if gap <= max(tight, 1.35 * rows[index].size) and _goes_on(out[-1][0], cells, gap, usual):
                for first, last, lines in cells:
                    host = next(cell for cell in out[-1][0] if cell[0] <= first <= cell[1])
                    host[2].extend(lines)
                    _ = last
                continue
        out.append((list(cells), is_header))
    return out


def _goes_on(above: _GridRow, cells: _GridRow, gap: float, usual: float) -> bool:
    """Whether a row has no label of its own and stands only under cells that the row above has."""
    if not cells or any(first == 0 for first, _, _ in cells):
        if gap < 0.8 * usual and len(cells) == 1 and cells[0][0] == 0 and len(above) > 2:
            return _is_open(above[0][2][-1].text, cells[0][2][0].text) and above[0][0] == 0
        return False
    covered = [(first, last) for first, last, _ in above]
    if not all(any(a <= first and last <= b for a, b in covered) for first, last, _ in cells):
        return False
    return above[0][0] == 0 and len(cells) < len(above)


def _is_open(above: str, below: str) -> bool:
    return above[-1:] in ",-(/" or below[:1].islower() or below[:1] == "("


def _draft(grid: list[tuple[_GridRow, bool]], count: int, header: int) -> TableDraft:
    cells: list[Cell] = []
    lines: list[list[list[TextLine]]] = []
    for row, (placed, _) in enumerate(grid):
        texts: list[list[TextLine]] = [[] for _ in range(count)]
        for first, last, stand in placed:
            texts[first] = stand
            cells.append(Cell(row, first, _joined(stand), 1, last - first + 1))
        lines.append(texts)
    return TableDraft(Table(tuple(cells), len(grid), count, min(header, len(grid))), lines)


def _joined(lines: Sequence[TextLine]) -> str:
    text = ""
    for line in lines:
        text += (line_separator(text, line.text) if text else "") + line.text
    return text


def is_numeric(text: str) -> bool:
    """Whether a cell holds a value: a number, maybe signed or in brackets."""
    return NUMERIC.match(text) is not None

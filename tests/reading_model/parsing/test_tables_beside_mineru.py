"""Our tables of three papers beside those of MinerU, whose HTML tells spans."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import pytest

from reading_model.documents import BlockType, Cell, ParsedDocument, Table
from reading_model.mentions import Label, caption_label
from tests.reading_model.parsing.mineru.outputs import imported
from tests.reading_model.parsing.shared import PAPERS, SHARED, needs_data, parsed

pytestmark = [pytest.mark.data, needs_data]

NAMES = ("emnlp2024-main-12", "emnlp2024-main-126", "naacl2024-long-47")

CELLS = 0.88
"""The share of cells that agree; MinerU itself misses a column of one table and reads sums as signs of money."""


def test_most_cells_and_the_spans_of_heads_agree() -> None:
    agreeing = count = 0
    heads: set[tuple[str, str]] = set()
    for name in NAMES:
        ours = tables_of(parsed(PAPERS / f"{name}.pdf"))
        for label, theirs in tables_of(imported(SHARED / "data" / "mineru" / name)).items():
            agreeing += agreement(grid_of(ours[label]), grid_of(theirs))
            count += max(area(ours[label]), area(theirs))
            heads |= {
                (name, cell.text)
                for cell in set(wide_heads(theirs)) - set(wide_heads(ours[label]))
                if name.startswith("naacl")
            }
    assert agreeing >= CELLS * count, f"{agreeing} of {count} cells agree"
    assert heads == set()


def tables_of(document: ParsedDocument) -> dict[Label, Table]:
    """The tables of a document by the label of their caption."""
    captions = {block.parent: block.text for block in document.blocks if block.type is BlockType.CAPTION}
    labelled = {
        caption_label(captions[block.ordinal]): block.table
        for block in document.blocks
        if block.table is not None and block.ordinal in captions
    }
    return {label: table for label, table in labelled.items() if label is not None}


def grid_of(table: Table) -> list[list[str]]:
    """The full grid, what typesetting changes left out."""
    return [[compared(text) for text in row] for row in table.rows()]


def compared(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(character for character in folded if character.isalnum() or character in ".%")


def agreement(one: Sequence[Sequence[str]], other: Sequence[Sequence[str]]) -> int:
    """How many cells of two grids are equal when their rows are put beside each other in the best way."""
    best = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i in reversed(range(len(one))):
        for j in reversed(range(len(other))):
            same = sum(a == b for a, b in zip(one[i], other[j], strict=False))
            best[i][j] = max(best[i + 1][j], best[i][j + 1], best[i + 1][j + 1] + same)
    return best[0][0]


def area(table: Table) -> int:
    return table.row_count * table.column_count


def wide_heads(table: Table) -> list[Cell]:
    return [cell for cell in table.cells if cell.column_span > 1 and cell.row < table.header_rows]

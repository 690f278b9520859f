"""A table that goes on over pages is one table: its rows together, the repeated head once, each row on its page.

Parsers give a block for each page; the reading model joins them, whichever parser they come from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from reading_model.documents import Block, BlockType, Table
from reading_model.mentions import caption_label, is_continued

_BESIDE = frozenset(
    {BlockType.HEADER, BlockType.FOOTER, BlockType.PAGE_NUMBER, BlockType.ASIDE, BlockType.CAPTION, BlockType.FOOTNOTE}
)


def with_whole_tables(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """The blocks with each continued table joined to the one that it goes on with; captions and notes go with it.

    A table goes on with the one before it on the previous page where both have as many columns, and its caption says so
    under the same label, or it has no caption, repeats the head, and no text stands between the two.
    """
    captions = {
        block.parent: block.text for block in blocks if block.type is BlockType.CAPTION and block.parent is not None
    }
    out: list[Block] = []
    moved: dict[int, int] = {}
    last: int | None = None
    labelled: str = ""
    apart = False
    for block in blocks:
        if block.table is None:
            apart = apart or block.type not in _BESIDE
            out.append(block)
            continue
        if last is not None and _goes_on(out[last], labelled, block, captions, apart=apart):
            moved[block.ordinal] = out[last].ordinal
            out[last] = _joined(out[last], block)
        else:
            last, labelled = len(out), captions.get(block.ordinal, "")
            out.append(block)
        apart = False
    if not moved:
        return tuple(out)
    return tuple(
        replace(block, parent=moved.get(block.parent, block.parent)) if block.parent is not None else block
        for block in out
    )


def _goes_on(before: Block, label: str, after: Block, captions: Mapping[int, str], *, apart: bool) -> bool:
    if before.table is None or after.table is None or before.table.column_count != after.table.column_count:
        return False
    if after.page != max((box.page for box in before.boxes), default=before.page) + 1:
        return False
    caption = captions.get(after.ordinal)
    if caption is not None:
        return is_continued(caption) and caption_label(caption) == caption_label(label) is not None
    return not apart and _repeated_head(before.table, after.table) > 0


def _repeated_head(before: Table, after: Table) -> int:
    """How many rows at the start of `after` are the head of `before`; 0 where the head is not repeated whole."""
    head = before.header_rows
    same = 0 < head < after.row_count and before.rows()[:head] == after.rows()[:head]
    return head if same else 0


def _joined(before: Block, after: Block) -> Block:
    assert before.table is not None
    assert after.table is not None
    skipped = _repeated_head(before.table, after.table)
    rows = after.text.split("\n")
    cut = sum(len(row) + 1 for row in rows[:skipped])
    shift = len(before.text) + 1 - cut
    lines = tuple(
        replace(line, start=line.start + shift, end=line.end + shift) for line in after.lines if line.start >= cut
    )
    down = before.table.row_count - skipped
    cells = tuple(replace(cell, row=cell.row + down) for cell in after.table.cells if cell.row >= skipped)
    table = replace(
        before.table,
        cells=(*before.table.cells, *cells),
        row_count=before.table.row_count + after.table.row_count - skipped,
        html=None,
    )
    text = before.text + "\n" + "\n".join(rows[skipped:])
    return replace(before, text=text, lines=(*before.lines, *lines), boxes=(*before.boxes, *after.boxes), table=table)

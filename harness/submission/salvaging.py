"""Taking blocks out of a draft so that the rest stays well-formed Markdown."""

from __future__ import annotations

import re
from itertools import takewhile

from harness.submission.blocks import BlockKind
from harness.submission.parsed import DraftBlock, Submission
from harness.submission.roles import Role

_ITEM_PREFIX = re.compile(r"[\s>]*(?:(?:[-+*]|\d{1,9}[.)])\s+)+")


def with_dependants(submission: Submission, removed: frozenset[int]) -> frozenset[int]:
    """The blocks that go when `removed` go: a table without its header row is no table, so its rows go too."""
    tables = {
        block.block.table
        for block in submission.blocks
        if block.block.kind is BlockKind.TABLE_HEADER and block.block.index in removed
    }
    rows = {
        block.block.index
        for block in submission.blocks
        if block.block.table is not None and block.block.table in tables
    }
    return removed | rows


def without_blocks(submission: Submission, removed: frozenset[int]) -> str:
    """The Markdown without these blocks, and without headings, lead-ins and table headers that only led to them.

    An item of a list whose own text goes while items under it stay keeps its place as `…`.
    """
    gone = removed | _left_without_content(submission, removed)
    lines: list[str | None] = list(submission.text.split("\n"))
    for block in submission.blocks:
        if block.block.index not in gone:
            continue
        first, last = block.block.first_line, block.block.last_line
        if block.block.kind is BlockKind.TABLE_HEADER:
            last += 1  # the delimiter row
        replacement = _replacement(submission, block, gone)
        lines[first:last] = [replacement] + [None] * (last - first - 1)
    return "\n".join(line for line in lines if line is not None).strip("\n")


def _replacement(submission: Submission, block: DraftBlock, gone: frozenset[int]) -> str | None:
    kind, item_end = block.block.kind, block.block.item_end
    if kind in {BlockKind.TABLE_ROW, BlockKind.TABLE_HEADER}:
        return None
    if item_end is not None:
        below = takewhile(lambda other: other.block.first_line < item_end, submission.blocks[block.block.index + 1 :])
        kept_below = any(other.block.index not in gone for other in below)
        prefix = _ITEM_PREFIX.match(block.source)
        return f"{prefix.group()}…" if kept_below and prefix else None
    return ""  # a blank line keeps the blocks around apart


def _left_without_content(submission: Submission, removed: frozenset[int]) -> frozenset[int]:
    left: set[int] = set()
    kept: DraftBlock | None = None  # what stands next after the block, going backwards
    for block in reversed(submission.blocks):
        index = block.block.index
        if index in removed:
            continue
        next_is_gone = index + 1 in removed or index + 1 in left
        if next_is_gone and _led_only_to(block, kept):
            left.add(index)
        else:
            kept = block
    return frozenset(left)


def _led_only_to(block: DraftBlock, kept: DraftBlock | None) -> bool:
    """Whether a heading, lead-in or table header has nothing left to lead to; `kept` is what stands next after it."""
    if block.block.kind is BlockKind.HEADING:
        return kept is None or (kept.block.kind is BlockKind.HEADING and _level(kept) <= _level(block))
    if block.block.kind is BlockKind.TABLE_HEADER:
        return kept is None or kept.block.table != block.block.table
    return block.role is Role.LABEL and (
        kept is None or kept.role is Role.LABEL or kept.block.kind is BlockKind.HEADING
    )


def _level(block: DraftBlock) -> int:
    hashes = re.match(r"[\s>]*(#{1,6})", block.source)
    if hashes is not None:
        return len(hashes.group(1))
    return 1 if block.source.rstrip().endswith("=") else 2

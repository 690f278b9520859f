"""The list of references: one block for each entry."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from reading_model.documents import BlockType
from reading_model.parsing.pdfium.draft import Draft, draft
from reading_model.parsing.pdfium.headings import comparable, without_number
from reading_model.parsing.pdfium.lines import TextLine

TITLES = frozenset(
    ["references", "bibliography", "literaturecited", "workscited", "literatur", "literaturverzeichnis", "参考文献"]
)
_MARKER = re.compile(r"^(?:\[\w+-]{1,12}\]|\(?\d{1,3}[.)])(?:\s|$)")
_TEXT = (BlockType.PARAGRAPH, BlockType.LIST, BlockType.FORMULA, BlockType.REFERENCE)
MIN_MARKED = 0.12  # of the lines
INDENT = 0.6  # em


def with_references(drafts: Sequence[Draft]) -> list[Draft]:
    """`drafts` with the text after the heading of the references cut into entries, up to the next heading."""
    out: list[Draft] = []
    pending: list[Draft] = []
    inside = False
    for item in drafts:
        if item.type is BlockType.HEADING:
            out.extend(_entries(pending))
            pending = []
            inside = comparable(without_number(item.text)) in TITLES
        if inside and item.type in _TEXT:
            pending.append(item)
        else:
            if item.type not in (BlockType.HEADING, BlockType.PARAGRAPH):
                out.extend(_entries(pending))
                pending = []
            out.append(item)
    out.extend(_entries(pending))
    return out


def _entries(drafts: Sequence[Draft]) -> list[Draft]:
    """The lines of some drafts as one draft an entry; never over pages."""
    out: list[Draft] = []
    for page, group in groupby(drafts, key=lambda item: item.page):
        items = list(group)
        lines = [line for item in items for line in item.lines]
        starts = _starts(lines)
        if starts is None:
            for item in items:
                item.type = BlockType.REFERENCE
            out.extend(items)
            continue
        for first, last in zip(starts, [*starts[1:], len(lines)], strict=True):
            out.append(draft(BlockType.REFERENCE, page, lines[first:last]))
    return out


def _starts(lines: Sequence[TextLine]) -> list[int] | None:
    """Where entries begin: at their markers, or at the lines that stand out to the left; None where neither shows."""
    marked = _marked(lines)
    if len(marked) >= max(1, MIN_MARKED * len(lines)):
        return marked if marked[0] == 0 else [0, *marked]
    columns = _columns(lines)
    hanging: list[int] = []
    indented = 0
    for first, last in columns:
        left = min(line.x0 for line in lines[first:last])
        for index in range(first, last):
            if lines[index].x0 < left + INDENT * lines[index].size:
                hanging.append(index)
            else:
                indented += 1
    if indented < 0.2 * len(lines) or not hanging:
        return None
    return hanging if hanging[0] == 0 else [0, *hanging]


def _marked(lines: Sequence[TextLine]) -> list[int]:
    """Lines that begin with a label; numbers have to go on from one to the next, so that a page number is none."""
    found: list[int] = []
    number = 0
    for index, line in enumerate(lines):
        match = _MARKER.match(line.text)
        if match is None:
            continue
        label = match.group().strip("[]().\t ")
        if label.isdigit():
            if found and not number < int(label) <= number + 3:
                continue
            number = int(label)
        found.append(index)
    return found


def _columns(lines: Sequence[TextLine]) -> list[tuple[int, int]]:
    """Stretches of lines that run down one column."""
    cuts = [i for i in range(1, len(lines)) if lines[i].base < lines[i - 1].base - lines[i].size]
    return list(zip([0, *cuts], [*cuts, len(lines)], strict=True))

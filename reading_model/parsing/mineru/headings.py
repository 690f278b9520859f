"""Which heading is the paper's title, and how deep the others lie.

MinerU gives the title level 1 and every heading level 2, or all of them one level: the depth has to come from their
numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reading_model.documents import BlockType
from reading_model.mentions import heading_label
from reading_model.parsing.mineru.items import Item
from reading_model.sections import is_top_level


def with_headings(items: Sequence[Item]) -> list[Item]:
    """The items with the title as TITLE and the depth of each heading as its level (1 = top-level section).

    The title is the first heading of the first page that has items, on MinerU's level 1, unless it is numbered or names
    a part of a paper; where there is none of the kind there is no title.
    """
    title = _title(items)
    is_offset = title is not None and not any(
        item.type is BlockType.HEADING and item.level == 1 for index, item in enumerate(items) if index != title
    )
    out: list[Item] = []
    for index, item in enumerate(items):
        if index == title:
            out.append(replace(item, type=BlockType.TITLE, level=None))
        elif item.type is BlockType.HEADING:
            out.append(replace(item, level=_depth(item, is_offset=is_offset)))
        else:
            out.append(item)
    return out


def _title(items: Sequence[Item]) -> int | None:
    headings = [index for index, item in enumerate(items) if item.type is BlockType.HEADING and item.text]
    if not headings:
        return None
    first = items[headings[0]]
    if first.level != 1 or first.page != items[0].page:
        return None
    label = heading_label(first.text)
    is_numbered = label is not None and label.number[0].isdigit()
    return None if is_numbered or is_top_level(first.text) else headings[0]


def _depth(item: Item, *, is_offset: bool) -> int:
    label = heading_label(item.text)
    if label is not None and (label.number[0].isdigit() or "." in label.number):
        return label.number.count(".") + 1
    return max(1, (item.level or 1) - (1 if is_offset else 0))

"""What goes on in another column or on the next page: MinerU gives all of it to the first block; the next are empty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from reading_model.documents import BlockType, Rect
from reading_model.parsing.mineru.items import Item

_BETWEEN = frozenset(
    {BlockType.HEADER, BlockType.FOOTER, BlockType.PAGE_NUMBER, BlockType.ASIDE, BlockType.FOOTNOTE, BlockType.CAPTION}
)


@dataclass(slots=True)
class Joined:
    """An item with the other places where it stands, and the notes found at them, each with its page and place."""

    item: Item
    places: list[tuple[int, Rect]] = field(default_factory=list[tuple[int, Rect]])
    later_footnotes: list[tuple[str, int, Rect | None]] = field(default_factory=list[tuple[str, int, Rect | None]])


def joined(items: Sequence[Item]) -> list[Joined]:
    """Items that hold something, each with the places of the empty items that continue it.

    An empty text block continues the paragraph before it; an empty table without caption continues the table before it,
    on its page or the one before, and its notes are the table's.
    """
    out: list[Joined] = []
    for item in items:
        if item.type is BlockType.TABLE and not (item.text or item.captions or item.image or item.entries):
            target = _table_before(out, item)
        elif item.type is BlockType.PARAGRAPH and item.is_empty:
            target = _paragraph_before(out)
        elif item.is_empty and item.image is None:
            continue
        else:
            out.append(Joined(item))
            continue
        if target is None:
            if item.footnotes:
                out.append(Joined(item))
            continue
        if item.place is not None:
            target.places.append((item.page, item.place))
        target.later_footnotes.extend((note, item.page, item.place) for note in item.footnotes)
    return out


def _paragraph_before(out: Sequence[Joined]) -> Joined | None:
    return next((found for found in reversed(out) if found.item.type is BlockType.PARAGRAPH), None)


def _table_before(out: Sequence[Joined], item: Item) -> Joined | None:
    for found in reversed(out):
        if found.item.type is BlockType.TABLE:
            last = max([found.item.page, *(page for page, _ in found.places)])
            return found if item.page - last <= 1 else None
        if found.item.type not in _BETWEEN:
            return None
    return None

"""From items to blocks: one block for each caption, note and reference entry, places in points, lines where known."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from reading_model.documents import Block, BlockType, Diagnostic, Line, PageBox, Rect, Table
from reading_model.mentions import Labelled, caption_label
from reading_model.parsing.mineru.alignment import aligned
from reading_model.parsing.mineru.continuing import Joined, joined
from reading_model.parsing.mineru.geometry import Pages
from reading_model.parsing.mineru.html_table import table_of, table_text
from reading_model.parsing.mineru.inline import inline_text
from reading_model.parsing.mineru.items import FLOATS, Item
from reading_model.parsing.mineru.layout import Layout, LayoutBlock, PrintedLine

_PANEL = re.compile(r"\(?[a-zA-Z0-9]{1,2}\)")
_FIGURES = frozenset({BlockType.FIGURE, BlockType.CHART})
_PANEL_REACH = 6
_INSIDE = 5.0  # thousandths by which a line may stick out of the block that it stands in


def blocks_of(items: Sequence[Item], pages: Pages, layout: Layout, notes: list[Diagnostic]) -> tuple[Block, ...]:
    """The blocks of a document in reading order. What deserves a remark is added to `notes`."""
    maker = _Maker(pages, layout, notes)
    found = joined(items)
    for index, item in enumerate(found):
        maker.add(item, _panel_of(found, index))
    return tuple(maker.finished())


@dataclass(slots=True)
class _Maker:
    pages: Pages
    layout: Layout
    notes: list[Diagnostic]
    blocks: list[Block] = field(default_factory=list[Block])
    _ordinals: dict[int, int] = field(default_factory=dict[int, int])  # id of an item -> ordinal of its block
    _awaiting: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])  # block, id of its parent's item

    def finished(self) -> list[Block]:
        """The blocks, captions of panels with the figure that they belong to."""
        parents = {ordinal: self._ordinals[key] for ordinal, key in self._awaiting if key in self._ordinals}
        return [_with_parent(block, parents) for block in self.blocks]

    def add(self, found: Joined, panel_of: Joined | None) -> None:
        item = found.item
        layout = self.layout.block_at(item.page, item.place)
        first = len(self.blocks)
        own = first + (len(item.captions) if item.type is BlockType.TABLE else 0)
        self._ordinals[id(found)] = own
        caption_boxes = layout.captions if layout and len(layout.captions) == len(item.captions) else ()
        note_boxes = layout.footnotes if layout and len(layout.footnotes) == len(item.footnotes) else ()
        if item.type is BlockType.TABLE:
            self._add_notes(BlockType.CAPTION, item.captions, caption_boxes, item, own)
        if item.entries:
            self._add_entries(found, layout)
        elif item.type is BlockType.TABLE:
            self._add_table(found)
        else:
            self._add_text(found, layout)
        if item.type is not BlockType.TABLE:
            captions_from = len(self.blocks)
            self._add_notes(BlockType.CAPTION, item.captions, caption_boxes, item, own)
            if panel_of is not None:
                self._awaiting.extend((ordinal, id(panel_of)) for ordinal in range(captions_from, len(self.blocks)))
        self._add_notes(BlockType.FOOTNOTE, item.footnotes, note_boxes, item, own)
        for text, page, place in found.later_footnotes:
            boxes = () if place is None else (self.pages.box(page, place),)
            self._append(BlockType.FOOTNOTE, text, page, boxes=boxes, parent=own)

    def _append(
        self,
        kind: BlockType,
        text: str,
        page: int,
        *,
        lines: Sequence[Line] = (),
        boxes: Sequence[PageBox] = (),
        level: int | None = None,
        table: Table | None = None,
        image: str | None = None,
        parent: int | None = None,
    ) -> None:
        ordinal = len(self.blocks)
        block = Block(ordinal, kind, text, page, tuple(lines), tuple(boxes), level, table, image, parent)
        self.blocks.append(block)

    def _add_text(self, found: Joined, layout: LayoutBlock | None) -> None:
        item = found.item
        text = item.text
        table = table_of(text) if item.type in _FIGURES and "<table" in text else None
        lines = [] if layout is None or item.type in _FIGURES else self._lines(text, layout.lines, found)
        self._append(
            item.type,
            text if table is None else table_text(table),
            item.page,
            lines=lines,
            boxes=self._boxes(found, lines),
            level=item.level,
            table=table,
            image=item.image,
        )

    def _add_table(self, found: Joined) -> None:
        item = found.item
        table = table_of(item.text) if item.text else None
        if table is None:
            message = (
                "A table has no cells; its picture and caption are kept."
                if not item.text
                else ("The text of a table has no rows and cells; it is kept as it is.")
            )
            self.notes.append(Diagnostic("table_without_cells", message, item.page))
        text = table_text(table) if table is not None else inline_text(item.text)
        boxes = self._boxes(found, ())
        self._append(BlockType.TABLE, text, item.page, boxes=boxes, table=table, image=item.image)

    def _add_entries(self, found: Joined, layout: LayoutBlock | None) -> None:
        item = found.item
        text = "\n".join(item.entries)
        lines = [] if layout is None else self._lines(text, layout.lines, found)
        if not item.is_references:
            self._append(BlockType.LIST, text, item.page, lines=lines, boxes=self._boxes(found, lines))
            return
        start = 0
        for entry in item.entries:
            end = start + len(entry)
            own = [
                Line(max(line.start, start) - start, min(line.end, end) - start, line.page, line.rect)
                for line in lines
                if line.start < end and line.end > start
            ]
            boxes = _around(own) if own else self._boxes(found, ())
            page = own[0].page if own else item.page
            self._append(BlockType.REFERENCE, entry, page, lines=own, boxes=boxes)
            start = end + 1

    def _add_notes(
        self, kind: BlockType, texts: Sequence[str], places: Sequence[LayoutBlock], item: Item, parent: int
    ) -> None:
        for index, text in enumerate(texts):
            if places:
                place = places[index]
                found = Joined(Item(kind, item.page, place.place))
                lines = self._lines(text, place.lines, found)
                boxes = self._boxes(found, lines)
            else:
                lines, boxes = [], () if item.place is None else (self.pages.box(item.page, item.place),)
            self._append(kind, text, item.page, lines=lines, boxes=boxes, parent=parent)

    def _lines(self, text: str, printed: Sequence[PrintedLine], found: Joined) -> list[Line]:
        out: list[Line] = []
        page = found.item.page
        for number, start, end in aligned(text, [line.text for line in printed]):
            line = printed[number]
            if line.on_later_page:
                page = _later_page(line, page, found)
            out.append(Line(start, end, page, self.pages.box(page, line.place).rect))
        return out

    def _boxes(self, found: Joined, lines: Sequence[Line]) -> tuple[PageBox, ...]:
        item = found.item
        places = [] if item.place is None else [(item.page, item.place)]
        boxes = tuple(self.pages.box(page, place) for page, place in (*places, *found.places))
        return boxes or _around(lines)


def _later_page(line: PrintedLine, page: int, found: Joined) -> int:
    """The page of a line that a page break parts from its block: that of the empty block around it."""
    for number, place in found.places:
        if number > found.item.page and number >= page and _holds(place, line.place):
            return number
    return max(page, found.item.page + 1)


def _holds(outer: Rect, inner: Rect) -> bool:
    return (
        outer.x0 - _INSIDE <= inner.x0
        and outer.y0 - _INSIDE <= inner.y0
        and inner.x1 <= outer.x1 + _INSIDE
        and inner.y1 <= outer.y1 + _INSIDE
    )


def _around(lines: Sequence[Line]) -> tuple[PageBox, ...]:
    """One rectangle for each run of lines that goes down one column of a page."""
    runs: list[list[Line]] = []
    for line in lines:
        last = runs[-1][-1] if runs else None
        if last is not None and last.page == line.page and line.rect.y1 > last.rect.y0:
            runs[-1].append(line)
        else:
            runs.append([line])
    return tuple(
        PageBox(
            run[0].page,
            Rect(
                min(line.rect.x0 for line in run),
                min(line.rect.y0 for line in run),
                max(line.rect.x1 for line in run),
                max(line.rect.y1 for line in run),
            ),
        )
        for run in runs
    )


def _panel_of(found: Sequence[Joined], index: int) -> Joined | None:
    """The figure whose panel a picture is: its only caption is `(a)` or the like, and the whole caption stands near."""
    item = found[index].item
    if item.type not in _FIGURES or not item.captions or not all(_PANEL.fullmatch(text) for text in item.captions):
        return None
    near = [
        (abs(other - index), other < index, found[other])
        for other in range(max(0, index - _PANEL_REACH), min(len(found), index + _PANEL_REACH + 1))
        if other != index and found[other].item.page == item.page and _is_labelled(found[other].item)
    ]
    return min(near, key=lambda entry: entry[:2])[2] if near else None


def _is_labelled(item: Item) -> bool:
    labels = [caption_label(text) for text in item.captions] if item.type in FLOATS else []
    return any(label is not None and label.kind is Labelled.FIGURE for label in labels)


def _with_parent(block: Block, parents: dict[int, int]) -> Block:
    return replace(block, parent=parents[block.ordinal]) if block.ordinal in parents else block

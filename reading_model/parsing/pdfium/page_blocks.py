"""One page's blocks in reading order: furniture set aside, floats taken out, columns read, floats put back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reading_model.documents import BlockType
from reading_model.parsing.pdfium.captions import Caption, captions_of
from reading_model.parsing.pdfium.columns import in_reading_order
from reading_model.parsing.pdfium.draft import Draft, PageLayout, draft
from reading_model.parsing.pdfium.figures import FoundFigure, figures_of
from reading_model.parsing.pdfium.footnotes import footnote_start, footnotes_in
from reading_model.parsing.pdfium.graphics import drawings_of, horizontal_rules
from reading_model.parsing.pdfium.lines import TextLine
from reading_model.parsing.pdfium.paragraphs import continues, paragraphs
from reading_model.parsing.pdfium.table_notes import TURN, table_notes
from reading_model.parsing.pdfium.tables import FoundTable, tables_of

ASIDE_WIDTH = 0.36  # of the text's width
ASIDE_SIZE = 0.94  # of the body size


def page_drafts(page: PageLayout, furniture: Mapping[int, BlockType], body_size: float) -> list[Draft]:
    """The page's drafts: headers, text in reading order with its floats, footnotes, footers, stamps."""
    lines = [line for index, line in enumerate(page.lines) if index not in furniture]
    captions = captions_of(lines, horizontal_rules(page.shapes), page.gutters, body_size)
    drawings = drawings_of(page.shapes, page.frame.width, page.frame.height)
    tables = tables_of(page, lines, captions, drawings)
    drawings = [item for item in drawings if not any(table.region.covers(item) for table in tables)]
    taken = {id(line) for caption in captions for line in caption.lines}
    taken.update(id(line) for table in tables for line in table.lines)
    free = [line for line in lines if id(line) not in taken]
    rules = horizontal_rules(page.shapes)
    for table in tables:
        region = table.region
        extent = (region.x0, region.x1, region.bottom)
        table.notes = table_notes(table.lines, extent, table.caption, free, rules, body_size)
        noted = {id(line) for note in table.notes for line in note}
        free = [line for line in free if id(line) not in noted]
        taken |= noted
    figures = figures_of(page, free, captions, drawings, body_size) if lines else []
    taken.update(id(line) for figure in figures for line in figure.lines)
    text = [line for line in lines if id(line) not in taken]
    blocks, notes = _text_blocks(page, text, body_size)
    floats = _floats(page.number, tables, figures, captions)
    edges = [draft(kind, page.number, [page.lines[index]]) for index, kind in sorted(furniture.items())]
    heads = [item for item in edges if item.top < page.frame.height / 2]
    feet = [item for item in edges if item.top >= page.frame.height / 2]
    stamps = [draft(BlockType.ASIDE, page.number, lines) for _, lines in page.stamps]
    for stamp, (frame, _) in zip(stamps, page.stamps, strict=True):
        stamp.frame = frame
    return [*heads, *_with_floats(blocks, floats), *notes, *feet, *stamps]


def _text_blocks(page: PageLayout, text: list[TextLine], body_size: float) -> tuple[list[Draft], list[Draft]]:
    """Blocks of the running text in reading order, and the page's footnotes."""
    rules = horizontal_rules(page.shapes)
    width = max((line.x1 for line in text), default=0.0) - min((line.x0 for line in text), default=0.0)
    blocks: list[Draft] = []
    notes: list[Draft] = []
    for column in in_reading_order(text, rtl=_is_rtl(text)):
        start = footnote_start(column, rules, body_size, page.frame.height)
        notes.extend(draft(BlockType.FOOTNOTE, page.number, note) for note in footnotes_in(column[start:]))
        found = paragraphs(column[:start], page.number, body_size)
        for item in found:
            if TURN.match(item.text):
                item.type = BlockType.ASIDE
        if _is_aside(column, width, body_size):
            for item in found:
                item.type = BlockType.ASIDE
        last = next((item for item in reversed(blocks) if item.type is not BlockType.ASIDE), None)
        if last and found and continues(last, found[0]):
            last.lines.extend(found[0].lines)
            last.measure()
            found = found[1:]
        blocks.extend(found)
    return blocks, notes


def _is_aside(column: Sequence[TextLine], width: float, body_size: float) -> bool:
    """A narrow column of small type beside the text."""
    if not column or sum(line.size < ASIDE_SIZE * body_size for line in column) < 0.7 * len(column):
        return False
    return max(line.x1 for line in column) - min(line.x0 for line in column) < ASIDE_WIDTH * width


def _is_rtl(lines: list[TextLine]) -> bool:
    words = [word for line in lines for word in line.words]
    return sum(word.rtl for word in words) > 0.5 * len(words)


def _floats(
    page: int, tables: Sequence[FoundTable], figures: Sequence[FoundFigure], captions: Sequence[Caption]
) -> list[list[Draft]]:
    """Each float with its caption, in the order in which they stand; captions without a float stand alone."""
    out: list[list[Draft]] = []
    used: set[int] = set()
    for table in tables:
        region = table.region
        item = Draft(BlockType.TABLE, page, list(table.lines), region.x0, region.x1, region.top, region.bottom)
        item.table = table.draft
        group = _captioned(item, table.caption, used)
        for lines in table.notes:
            note = draft(BlockType.FOOTNOTE, page, lines)
            note.parent = item
            group.append(note)
        out.append(group)
    for figure in figures:
        item = Draft(BlockType.FIGURE, page, list(figure.lines), figure.x0, figure.x1, figure.top, figure.bottom)
        out.append(_captioned(item, figure.caption, used))
    out.extend([draft(BlockType.CAPTION, page, list(c.lines))] for c in captions if id(c) not in used)
    return sorted(out, key=lambda group: min(item.top for item in group))


def _captioned(item: Draft, caption: Caption | None, used: set[int]) -> list[Draft]:
    if caption is None:
        return [item]
    used.add(id(caption))
    words = draft(BlockType.CAPTION, item.page, list(caption.lines))
    words.parent = item
    return [words, item] if words.top <= item.top else [item, words]


def _with_floats(blocks: list[Draft], floats: Sequence[list[Draft]]) -> list[Draft]:
    """Each float after the block that stands above it in its column, or before the first one below it."""
    after: dict[int, list[Draft]] = {}
    first: list[Draft] = []
    for group in floats:
        top = min(item.top for item in group)
        x0, x1 = min(item.x0 for item in group), max(item.x1 for item in group)
        host = _host(blocks, x0, x1, top)
        if host is None:
            first.extend(group)
        else:
            after.setdefault(host, []).extend(group)
    out = first
    for index, block in enumerate(blocks):
        out.append(block)
        out.extend(after.get(index, []))
    return out


def _host(blocks: Sequence[Draft], x0: float, x1: float, top: float) -> int | None:
    """The block whose line is the nearest above, or else the block before the nearest line below."""
    best: tuple[float, int] | None = None
    for index, block in enumerate(blocks):
        for line in block.lines:
            if min(line.x1, x1) - max(line.x0, x0) <= 0.2 * min(line.width, x1 - x0):
                continue
            if line.base <= top + 1 and (best is None or line.base > best[0]):
                best = (line.base, index)
    if best is not None:
        return best[1]
    for index, block in enumerate(blocks):
        if any(min(line.x1, x1) - max(line.x0, x0) > 0.2 * min(line.width, x1 - x0) for line in block.lines):
            return index - 1 if index else None
    return None

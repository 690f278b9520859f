"""One page's blocks in reading order: furniture set aside, floats taken out, columns read, floats put back."""

from __future__ import annotations

from collections.abc import Mapping

from reading_model.documents import BlockType
from reading_model.parsing.pdfium.columns import in_reading_order
from reading_model.parsing.pdfium.draft import Draft, PageLayout, draft
from reading_model.parsing.pdfium.lines import TextLine, line_of
from reading_model.parsing.pdfium.paragraphs import continues, paragraphs


def page_drafts(page: PageLayout, furniture: Mapping[int, BlockType], body_size: float) -> list[Draft]:
    """The page's drafts: headers, text in reading order with its floats, footers, stamps."""
    text = [line for index, line in enumerate(page.lines) if index not in furniture]
    rtl = _is_rtl(text)
    blocks: list[Draft] = []
    for column in in_reading_order(text, rtl=rtl):
        found = paragraphs(column, page.number, body_size)
        if blocks and found and continues(blocks[-1], found[0]):
            blocks[-1].lines.extend(found[0].lines)
            blocks[-1].measure()
            found = found[1:]
        blocks.extend(found)
    edges = [draft(kind, page.number, [page.lines[index]]) for index, kind in sorted(furniture.items())]
    heads = [item for item in edges if item.top < page.frame.height / 2]
    feet = [item for item in edges if item.top >= page.frame.height / 2]
    stamps = [draft(BlockType.ASIDE, page.number, [line_of([word])]) for word in page.stamps]
    return [*heads, *blocks, *feet, *stamps]


def _is_rtl(lines: list[TextLine]) -> bool:
    words = [word for line in lines for word in line.words]
    return sum(word.rtl for word in words) > 0.5 * len(words)

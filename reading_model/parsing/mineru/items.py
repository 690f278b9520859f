"""Blocks of a MinerU content list, in the terms of the parsed document: type, page, place, text, captions, notes.

The flat content list (`content_list.json`) is the common form; `forms` brings the others to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from reading_model.documents import BlockType, Diagnostic, Rect
from reading_model.errors import FileTooLarge
from reading_model.parsing.mineru.inline import formula_text, inline_text
from reading_model.parsing.mineru.json_values import (
    Json,
    list_of,
    numbers,
    object_of,
    strings_in,
    text_of,
    whole_number,
)
from reading_model.text import clean

_TYPES: Mapping[str, BlockType] = MappingProxyType(
    {
        "text": BlockType.PARAGRAPH,
        "abstract": BlockType.PARAGRAPH,
        "index": BlockType.LIST,
        "phonetic": BlockType.PARAGRAPH,
        "title": BlockType.HEADING,
        "list": BlockType.LIST,
        "ref_text": BlockType.REFERENCE,
        "table": BlockType.TABLE,
        "image": BlockType.FIGURE,
        "figure": BlockType.FIGURE,
        "pic": BlockType.FIGURE,
        "chart": BlockType.CHART,
        "equation": BlockType.FORMULA,
        "formula": BlockType.FORMULA,
        "interline_equation": BlockType.FORMULA,
        "inline_equation": BlockType.FORMULA,
        "code": BlockType.CODE,
        "algorithm": BlockType.CODE,
        "header": BlockType.HEADER,
        "footer": BlockType.FOOTER,
        "page_number": BlockType.PAGE_NUMBER,
        "page_footnote": BlockType.FOOTNOTE,
        "aside_text": BlockType.ASIDE,
    }
)
FLOATS = frozenset({BlockType.TABLE, BlockType.FIGURE, BlockType.CHART})

_CAPTIONS = (
    "image_caption",
    "img_caption",
    "chart_caption",
    "table_caption",
    "code_caption",
    "equation_caption",
    "caption",
)
_FOOTNOTES = ("image_footnote", "img_footnote", "chart_footnote", "table_footnote", "code_footnote", "footnote")
_IMAGES = ("img_path", "image_path")
_NO_TEXT = frozenset({"type", "sub_type", "img_path", "image_path", "text_format", "bbox", "score", "anchor", "angle"})
_FENCES = re.compile(r"\A\s*```[^\n]*\n|\n?```\s*\Z")
_LINE_END = re.compile(r"[ \t]+(?=\n|\Z)")
_LATEX = frozenset({BlockType.FORMULA})


@dataclass(frozen=True, slots=True)
class Item:
    """One block as MinerU lists it. `place` is in thousandths of the page's width and height as it is shown.

    `level` is MinerU's (1 = title or top). `entries` are those of a list; a table's `text` is its HTML.
    """

    type: BlockType
    page: int
    place: Rect | None = None
    text: str = ""
    level: int | None = None
    entries: tuple[str, ...] = ()
    captions: tuple[str, ...] = ()
    footnotes: tuple[str, ...] = ()
    image: str | None = None
    is_references: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to read in it."""
        return not (self.text or self.entries or self.captions or self.footnotes)


@dataclass(slots=True)
class Reader:
    """Reads the blocks of one content list, with notes on what it did not know. `max_pages` bounds page numbers."""

    max_pages: int
    notes: list[Diagnostic] = field(default_factory=list[Diagnostic])
    _page: int = 1

    def items(self, blocks: Iterable[object]) -> Iterator[Item]:
        """The items in the order of the list; what is no block of known type is kept as a paragraph, and noted."""
        for block in blocks:
            values = object_of(block)
            name = text_of(values.get("type")) or "text"
            page = self._page_of(values)
            known = _TYPES.get(name)
            if known is None or not values:
                yield self._unknown(block, name, page)
            else:
                yield _item(known, values, page)

    def _page_of(self, values: Json) -> int:
        index = whole_number(values.get("page_idx"))
        if index is None or index < 0:
            self.notes.append(
                Diagnostic("unknown_page", "A block names no page; it is put on that of the block before.", self._page)
            )
            return self._page
        if index >= self.max_pages:
            message = f"A block stands on page {index + 1:,}; the limit is {self.max_pages:,} pages."
            raise FileTooLarge(message)
        self._page = index + 1
        return self._page

    def _unknown(self, block: object, name: str, page: int) -> Item:
        values = object_of(block)
        text = inline_text("\n".join(strings_in(block, _NO_TEXT)))
        self.notes.append(
            Diagnostic("unknown_block", f"A block of the unknown type `{name[:40]}` is kept as a paragraph.", page)
        )
        return Item(BlockType.PARAGRAPH, page, place_of(values), text)


def _item(kind: BlockType, values: Json, page: int) -> Item:
    level = whole_number(values.get("text_level"))
    if level is None:
        level = whole_number(values.get("heading_level"))
    if kind is BlockType.PARAGRAPH and level:
        kind = BlockType.HEADING
    entries = tuple(entry for entry in map(_entry, list_of(values.get("list_items"))) if entry)
    item = Item(
        type=kind,
        page=page,
        place=place_of(values),
        text=_body(kind, values),
        level=level if kind is BlockType.HEADING else None,
        entries=entries,
        captions=_notes(values, _CAPTIONS),
        footnotes=_notes(values, _FOOTNOTES),
        image=_image(values),
        is_references=text_of(values.get("sub_type")) == "ref_text" or kind is BlockType.REFERENCE,
    )
    return item if kind is not BlockType.LIST or not entries else replace(item, text="")


def place_of(values: Json) -> Rect | None:
    """The block's `bbox`; None where it is no rectangle."""
    found = numbers(values.get("bbox"), 4)
    if found is None:
        return None
    x0, y0, x1, y1 = found
    return Rect(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))


def _body(kind: BlockType, values: Json) -> str:
    names = {
        BlockType.CODE: ("code_body", "code", "text", "content"),
        BlockType.TABLE: ("table_body", "html", "text", "content"),
    }
    raw = next(
        (found for name in names.get(kind, ("text", "content")) if (found := text_of(values.get(name))).strip()), ""
    )
    raw = raw or _nested(values)
    if kind is BlockType.TABLE:
        return raw.strip()
    if kind is BlockType.FORMULA:
        return formula_text(raw)
    if kind is BlockType.CODE:
        return _LINE_END.sub("", clean(_FENCES.sub("", raw))).strip("\n")
    return inline_text(raw)


def _nested(values: Json) -> str:
    """The text of `lines[].spans[]`, for blocks that have no text of their own."""
    lines = [
        "".join(_span(object_of(span)) for span in list_of(object_of(line).get("spans")))
        for line in list_of(values.get("lines"))
    ]
    return "\n".join(line for line in lines if line.strip())


def _span(span: Json) -> str:
    content = text_of(span.get("content"))
    if text_of(span.get("type")) in {"inline_equation", "equation_inline"} and not content.startswith("$"):
        return f" ${content.strip()}$ "
    return content


def _entry(value: object) -> str:
    return inline_text(value if isinstance(value, str) else " ".join(strings_in(value, _NO_TEXT)))


def _notes(values: Json, names: tuple[str, ...]) -> tuple[str, ...]:
    found: list[str] = []
    for name in names:
        value = values.get(name)
        for item in list_of(value) or [value]:
            text = inline_text(item if isinstance(item, str) else " ".join(strings_in(item, _NO_TEXT)))
            if text:
                found.append(text)
    return tuple(found)


def _image(values: Json) -> str | None:
    path = next((found for name in _IMAGES if (found := text_of(values.get(name)))), "")
    return None if not path or path.endswith("/") else path

"""A parsed document as Markdown (CommonMark with GFM tables): what a person wants to read of it.

Title, headings, paragraphs, lists, tables with caption and notes, captions of figures, formulas, code and references,
in reading order. Page furniture and the labels inside figures are left out. A paragraph that a page or a float cuts in
two is whole again, and floats wait for its end; footnotes stand at the end of their section.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from reading_model.documents import Block, BlockType, ParsedDocument, Table
from reading_model.passages import sentence_goes_on
from reading_model.sections import FURNITURE
from reading_model.text import HYPHENS, line_separator

_FLOATS = frozenset({BlockType.TABLE, BlockType.FIGURE, BlockType.CHART})
_DEEPEST = 6
_SPECIAL = re.compile(r"\\(?=[!-/:-@\[-`{-~])|[`*]|<(?=[A-Za-z/!?])|\](?=[(:\[])|&(?=#?\w+;)|(?<!\w)_|_(?!\w)")
_LEADING = re.compile(r"^(?:(#{1,6})(?=\s|$)|([>+-])|(\d{1,9})(?=[.)](?:\s|$))|(~{3,}|={3,}))")
_BULLET = re.compile(r"^[•‣◦▪●○■□–—∗*⋆➢➤►\uf0b7\uf0a7-]\s+")
_ORDERED = re.compile(r"^\(?(\d{1,3})[.)]\s+")
_BACKTICKS = re.compile(r"`{3,}")


def to_markdown(document: ParsedDocument) -> str:
    """The document as Markdown, ending with a line end; empty where there is nothing to read."""
    chunks = list(_Writer(document.blocks).chunks())
    titled = any(block.type is BlockType.TITLE and block.text.strip() for block in document.blocks)
    if chunks and not titled and document.metadata.title is not None:
        chunks.insert(0, f"# {_inline(document.metadata.title.value)}")
    return "\n\n".join(chunks) + "\n" if chunks else ""


class _Writer:
    """Goes through the blocks; holds the paragraph that may go on, what waits for its end, and the section's notes."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._blocks = blocks
        self._attached: dict[int, list[Block]] = {}
        ordinals = {block.ordinal for block in blocks if block.type in _FLOATS}
        for block in blocks:
            if block.parent in ordinals and block.type in (BlockType.CAPTION, BlockType.FOOTNOTE):
                self._attached.setdefault(block.parent or 0, []).append(block)
        self._taken = {block.ordinal for held in self._attached.values() for block in held}
        self._open = ""
        self._waiting: list[str] = []
        self._notes: list[str] = []

    def chunks(self) -> Iterator[str]:
        """The pieces of the text, to be parted by blank lines."""
        items: list[str] = []
        for block in self._blocks:
            text = block.text.strip()
            if block.type in FURNITURE or block.ordinal in self._taken or (not text and block.type not in _FLOATS):
                continue
            if block.type is BlockType.FOOTNOTE:
                self._notes.append(f"> {_start(text)}")
                continue
            if block.type in _FLOATS or block.type is BlockType.CAPTION:
                self._waiting.extend(self._float(block))
                continue
            if items and block.type not in (BlockType.LIST, BlockType.REFERENCE):
                yield "\n".join(items)
                items = []
            if block.type is BlockType.PARAGRAPH and self._open and sentence_goes_on(self._open, text):
                self._open = _joined(self._open, text)
                continue
            yield from self._end_paragraph()
            if block.type is BlockType.PARAGRAPH:
                self._open = text
            elif block.type in (BlockType.LIST, BlockType.REFERENCE):
                items.append(_item(text))
            else:
                yield from self._other(block, text)
        if items:
            yield "\n".join(items)
        yield from self._end_paragraph()
        yield from self._end_section()

    def _end_paragraph(self) -> Iterator[str]:
        if self._open:
            yield _start(self._open)
        self._open = ""
        yield from self._waiting
        self._waiting = []

    def _end_section(self) -> Iterator[str]:
        if self._notes:
            yield "\n>\n".join(self._notes)
        self._notes = []

    def _other(self, block: Block, text: str) -> Iterator[str]:
        if block.type is BlockType.TITLE:
            yield f"# {_inline(text)}"
        elif block.type is BlockType.HEADING:
            yield from self._end_section()
            yield f"{'#' * min((block.level or 1) + 1, _DEEPEST)} {_inline(text)}"
        elif block.type is BlockType.FORMULA and text.startswith("$$"):
            yield text
        else:
            yield _fenced(block.text.strip("\n"))

    def _float(self, block: Block) -> Iterator[str]:
        held = self._attached.get(block.ordinal, [])
        captions = [note for note in held if note.type is BlockType.CAPTION]
        if block.type is BlockType.CAPTION:
            captions = [block]
        for caption in captions:
            yield f"**{_inline(caption.text)}**"
        if block.table is not None:
            yield table_markdown(block.table)
        elif block.type is BlockType.TABLE and block.text.strip():
            yield _fenced(block.text)
        if block.image is not None:
            yield f"![](<{block.image}>)"
        for note in held:
            if note.type is BlockType.FOOTNOTE:
                yield _start(note.text)


def table_markdown(table: Table) -> str:
    """A GFM table. Rows of a header become one, its texts from the top down; a merged cell is repeated."""
    rows = [[_cell(text) for text in row] for row in table.rows()]
    head = [
        " ".join(dict.fromkeys(row[column] for row in rows[: table.header_rows] if row[column]))
        for column in range(table.column_count)
    ]
    lines = [head, ["---"] * table.column_count, *rows[table.header_rows :]]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _cell(text: str) -> str:
    return _inline(text).replace("|", "\\|")


def _inline(text: str) -> str:
    """One line of text whose signs mean nothing to Markdown."""
    return _SPECIAL.sub(lambda match: "\\" + match.group(), " ".join(text.split()))


def _start(text: str) -> str:
    """As `_inline`, at the start of a block, where a few more signs have a meaning."""
    return _LEADING.sub(lambda match: f"{match[3]}\\" if match[3] else "\\" + match.group(), _inline(text))


def _item(text: str) -> str:
    bullet = _BULLET.match(text)
    if bullet is not None:
        return f"- {_start(text[bullet.end() :])}"
    ordered = _ORDERED.match(text)
    if ordered is not None:
        return f"{ordered[1]}. {_start(text[ordered.end() :])}"
    return f"- {_start(text)}"


def _fenced(text: str) -> str:
    longest = max((len(match.group()) for match in _BACKTICKS.finditer(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}\n{text}\n{fence}"


def _joined(before: str, after: str) -> str:
    if before[-1] in HYPHENS and before[-2:-1].isalpha() and after[0].islower():
        return before[:-1] + after
    return before + line_separator(before, after) + after

"""The parsed document: what every parser yields, before any reading model is built.

Lengths are PDF points. The origin is the top-left corner of the page as it is shown at /Rotate 0, y grows downwards,
so a rectangle does not depend on how a viewer turns the page. Offsets are code points into `Block.text`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum


class BlockType(StrEnum):
    """What a block is on the page; the types from HEADER on are not running text."""

    TITLE = "title"
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    CODE = "code"
    REFERENCE = "reference"
    FORMULA = "formula"
    TABLE = "table"
    FIGURE = "figure"
    CHART = "chart"
    CAPTION = "caption"
    FOOTNOTE = "footnote"
    HEADER = "header"
    FOOTER = "footer"
    PAGE_NUMBER = "page_number"
    ASIDE = "aside"


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle on a page, in PDF points from the top-left corner: x0 <= x1, y0 <= y1."""

    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Line:
    """One printed line of a block, or one cell of a table row: text[start:end] of the block stands in `rect`.

    `edges` has end - start + 1 horizontal positions: character i of the line lies between edges[i] and edges[i + 1]
    (right-to-left runs descend). None where a parser gives boxes only: then `rect` is all that is known.
    Parsers give a tuple; the store gives an equal sequence that is unpacked when somebody looks at it.
    """

    start: int
    end: int
    page: int
    rect: Rect
    edges: Sequence[float] | None = None


@dataclass(frozen=True, slots=True)
class PageBox:
    """A rectangle on a physical page (1-based)."""

    page: int
    rect: Rect


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table; `row` and `column` are 0-based, spans are at least 1."""

    row: int
    column: int
    text: str
    row_span: int = 1
    column_span: int = 1


@dataclass(frozen=True, slots=True)
class Table:
    """The structure of a table block. `Block.text` holds the same cells as lines of `a | b | c`, one line a row."""

    cells: tuple[Cell, ...]
    row_count: int
    column_count: int
    header_rows: int = 0
    html: str | None = None

    def rows(self) -> list[list[str]]:
        """The table as a full grid; a merged cell is repeated in every row and column that it spans."""
        grid = [["" for _ in range(self.column_count)] for _ in range(self.row_count)]
        for cell in self.cells:
            for row in range(cell.row, min(cell.row + cell.row_span, self.row_count)):
                for column in range(cell.column, min(cell.column + cell.column_span, self.column_count)):
                    grid[row][column] = cell.text
        return grid


@dataclass(frozen=True, slots=True)
class NoteMark:
    """text[start:end] of a block is the mark of a note: of the block with the ordinal `note`, where the same mark
    stands at text[note_start:note_end]."""

    start: int
    end: int
    note: int
    note_start: int
    note_end: int


@dataclass(frozen=True, slots=True)
class Block:
    """One block of a page in reading order.

    `ordinal` is assigned before any filter and is unique in the document. `page` is the page on which it starts.
    `level` is set for headings (1 = top-level section). `parent` is the ordinal of the table, figure or block that
    a caption or footnote belongs to. `note_marks` are the marks in its text whose notes are known for certain.
    """

    ordinal: int
    type: BlockType
    text: str
    page: int
    lines: tuple[Line, ...] = ()
    boxes: tuple[PageBox, ...] = ()
    level: int | None = None
    table: Table | None = None
    image: str | None = None
    parent: int | None = None
    note_marks: tuple[NoteMark, ...] = ()


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """A physical page: 1-based number, printed label, size in points at /Rotate 0, and its /Rotate in degrees."""

    number: int
    width: float
    height: float
    rotation: int = 0
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Something a person should know about the file or one page of it, for instance `no_text` or `hidden_text`."""

    code: str
    message: str
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Sourced:
    """A metadata value and where it was found: `first_page`, `pdf_info`, `xmp` or `user`."""

    value: str
    source: str


@dataclass(frozen=True, slots=True)
class ParsedMetadata:
    """Bibliographic facts the file itself states. Never guessed: what is not found stays None or empty."""

    title: Sourced | None = None
    authors: tuple[Sourced, ...] = ()
    year: Sourced | None = None
    venue: Sourced | None = None
    doi: Sourced | None = None
    arxiv_id: Sourced | None = None
    abstract: Sourced | None = None


@dataclass(frozen=True, slots=True)
class Provenance:
    """Which parser made a document; the three together go into the model version."""

    parser: str
    version: str
    config: str = ""


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A file as a parser understood it: pages, blocks in reading order, metadata, diagnostics.

    `source_sha256` is 64 hex digits over the file's bytes.
    """

    source_sha256: str
    pages: tuple[ParsedPage, ...]
    blocks: tuple[Block, ...]
    provenance: Provenance
    metadata: ParsedMetadata = field(default_factory=ParsedMetadata)
    diagnostics: tuple[Diagnostic, ...] = ()

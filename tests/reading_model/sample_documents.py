"""Small parsed documents, as a parser would give them: every character has its place on the page."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from reading_model.documents import (
    Block,
    BlockType,
    Cell,
    Diagnostic,
    Line,
    PageBox,
    ParsedDocument,
    ParsedMetadata,
    ParsedPage,
    Provenance,
    Rect,
    Sourced,
    Table,
)
from reading_model.identity import sha256_hex

LINE_WIDTH = 60
PROVENANCE = Provenance("pdfium", "1", "")


def block(
    kind: BlockType,
    text: str,
    *,
    page: int = 1,
    level: int | None = None,
    parent: int | None = None,
    table: Table | None = None,
    turns_at: int | None = None,
) -> Block:
    """A block whose text is printed in lines of 60 characters; from `turns_at` on it stands on the next page."""
    lines: list[Line] = []
    starts = {*range(0, len(text), LINE_WIDTH), *([] if turns_at is None else [turns_at])}
    bounds = [*sorted(starts), len(text)]
    for row, (start, end) in enumerate(pairwise(bounds)):
        top = 100.0 + 12 * row
        edges = tuple(72 + 5.004 * place for place in range(end - start + 1))
        on = page if turns_at is None or start < turns_at else page + 1
        lines.append(Line(start, end, on, Rect(edges[0], top, edges[-1], top + 10), edges))
    return Block(0, kind, text, page, tuple(lines), (), level, table, None, parent)


def heading(text: str, level: int = 1, *, page: int = 1) -> Block:
    return block(BlockType.HEADING, text, level=level, page=page)


def paragraph(text: str, *, page: int = 1, turns_at: int | None = None) -> Block:
    return block(BlockType.PARAGRAPH, text, page=page, turns_at=turns_at)


def table(rows: list[list[str]], *, page: int = 1, header_rows: int = 1) -> Block:
    """A table block; each cell is a line, as parsers give it."""
    text, lines = "", list[Line]()
    for number, row in enumerate(rows):
        for column, value in enumerate(row):
            text += ("\n" if number else "") if column == 0 else " | "
            start = len(text)
            text += value
            top, left = 300.0 + 12 * number, 72.0 + 100 * column
            if value:
                edges = tuple(left + 5.0 * place for place in range(len(value) + 1))
                lines.append(Line(start, len(text), page, Rect(left, top, edges[-1], top + 10), edges))
    cells = tuple(Cell(row, column, value) for row, line in enumerate(rows) for column, value in enumerate(line))
    structure = Table(cells, len(rows), max(map(len, rows)), header_rows)
    return Block(
        0, BlockType.TABLE, text, page, tuple(lines), (PageBox(page, Rect(72, 300, 500, 500)),), table=structure
    )


def document(
    *blocks: Block,
    pages: int | None = None,
    metadata: ParsedMetadata | None = None,
    diagnostics: tuple[Diagnostic, ...] = (),
) -> ParsedDocument:
    """A document of these blocks in this order; ordinals are given here, 10 apart so that none is a position."""
    numbered = tuple(replace(item, ordinal=10 * place) for place, item in enumerate(blocks))
    last = max((line.page for item in blocks for line in item.lines), default=1)
    sizes = tuple(ParsedPage(number, 595.28, 841.89, 0, str(number)) for number in range(1, (pages or last) + 1))
    return ParsedDocument(sha256_hex("file"), sizes, numbered, PROVENANCE, metadata or ParsedMetadata(), diagnostics)


SENTENCE = "The gain was 4.1 points in every one of the five runs that we made with this setting."


def long_text(sentences: int) -> str:
    """Different sentences of about 90 characters each."""
    return " ".join(f"{SENTENCE[:-1]} number {number}." for number in range(sentences))


def paper() -> ParsedDocument:
    """Title, abstract, two sections, a table with caption and note, a figure, references, furniture; two pages."""
    return document(
        block(BlockType.HEADER, "Proceedings of Tests, 2024"),
        block(BlockType.TITLE, "Counting 🧪 in Small Libraries"),
        paragraph("Ada Lovelace and Émile Zola"),
        heading("Abstract"),
        paragraph("We count reading locations and report where they fail."),
        heading("1 Introduction"),
        paragraph(long_text(12) + " Table 1 and Figure 1 show it."),
        heading("1.1 Data", 2),
        paragraph(long_text(8), turns_at=180),
        block(BlockType.CAPTION, "Table 1: Counts per year.", page=2, parent=100),
        table([["year", "count"], ["2019", "0 . 9 8"], ["2020", "7"]], page=2),
        block(BlockType.FOOTNOTE, "* preliminary", page=2, parent=100),
        Block(0, BlockType.FIGURE, "", 2, (), (PageBox(2, Rect(1, 2, 3, 4)),), image="images/1.png"),
        block(BlockType.CAPTION, "Figure 1: Growth.", page=2, parent=120),
        heading("References", page=2),
        block(BlockType.REFERENCE, "[1] A. Writer. On spans. 2019.", page=2),
        block(BlockType.PAGE_NUMBER, "2", page=2),
        pages=3,
        metadata=ParsedMetadata(
            title=Sourced("Counting 🧪 in Small Libraries", "first_page"),
            authors=(Sourced("Ada Lovelace", "first_page"), Sourced("Émile Zola", "first_page")),
            year=Sourced("2024-05-01", "pdf_info"),
        ),
        diagnostics=(Diagnostic("no_text", "page 3 has no text", 3),),
    )

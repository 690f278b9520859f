"""From drafts to blocks: canonical text, the place of every character in it, ordinals and parents."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from reading_model.documents import Block, BlockType, Cell, Line, PageBox, Rect, Table
from reading_model.parsing.pdfium.clearance import stretches
from reading_model.parsing.pdfium.draft import Draft, TableDraft
from reading_model.parsing.pdfium.frame import Frame
from reading_model.parsing.pdfium.lines import TextLine
from reading_model.parsing.pdfium.marks import marks_in, printed_text
from reading_model.parsing.pdfium.note_marks import Range, with_note_marks
from reading_model.text import HYPHENS, joins_address, joins_hyphenated, line_separator

CELL_SEPARATOR = " | "

_TOKEN = re.compile(r"[^\W\d_]+(?:[-\u2010][^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class RunningText:
    """The text of lines that follow each other, each line's place in it, and where marks of notes may be."""

    text: str
    lines: list[Line]
    marks: list[Range]


def vocabulary(lines: Iterable[TextLine]) -> frozenset[str]:
    """The document's words in lower case, without those that a line end breaks."""
    words: set[str] = set()
    broken = False
    for line in lines:
        tokens: list[str] = _TOKEN.findall(line.text.lower())
        if broken:
            tokens = tokens[1:]
        broken = line.text[-1:] in HYPHENS
        words.update(tokens[:-1] if broken else tokens)
    return frozenset(words)


def blocks_of(drafts: list[Draft], frames: Sequence[Frame], words: Collection[str]) -> tuple[Block, ...]:
    """Blocks with ordinals in the order of `drafts`; `frames` are those of the pages, by page number less one.

    The list of drafts is emptied on the way: the words of a long document and its blocks need not be held at once.
    """
    ordinals = {id(item): ordinal for ordinal, item in enumerate(drafts)}
    parents = [ordinals.get(id(item.parent)) for item in drafts]
    drafts.reverse()
    blocks: list[Block] = []
    marks: list[Sequence[Range]] = []
    for ordinal, parent in enumerate(parents):
        item = drafts.pop()
        frame = item.frame or frames[item.page - 1]
        table = None
        if item.table is not None:
            running, table = _table(item.table, item.page, frame, words)
        else:
            running = running_text(item.lines, item.page, frame, words, kind=item.type)
        marks.append(running.marks)
        blocks.append(
            Block(
                ordinal=ordinal,
                type=item.type,
                text=running.text,
                page=item.page,
                lines=tuple(running.lines),
                boxes=_boxes(item, frame),
                level=item.level,
                table=table,
                parent=parent,
            )
        )
    return with_note_marks(blocks, marks)


def running_text(
    lines: Sequence[TextLine],
    page: int,
    frame: Frame,
    words: Collection[str],
    *,
    offset: int = 0,
    kind: BlockType = BlockType.PARAGRAPH,
) -> RunningText:
    """Lines that follow each other as one text; `offset` is added to the positions.

    Of code each line stays one; `kind` also says which asterisks are marks.
    """
    parts: list[str] = []
    placed: list[Line] = []
    marks: list[Range] = []
    length = offset
    for index, line in enumerate(lines):
        text, edges, starts = printed_text(line, kind)
        separator = ""
        if index + 1 < len(lines):
            after = lines[index + 1].text
            if kind is BlockType.CODE:
                separator = "\n"
            elif joins_address(text, after):
                separator = ""
            elif text[-1] in HYPHENS:
                if joins_hyphenated(text, after, words):
                    text, edges = text[:-1], edges[:-1]
            else:
                separator = line_separator(text, after)
        marks.extend((length + start, length + end) for start, end in marks_in(line, text, starts))
        if text:
            placed.extend(_placed(line, text, edges, starts, length, page, frame))
        parts.extend((text, separator))
        length += len(text) + len(separator)
    return RunningText("".join(parts), placed, marks)


def _placed(
    line: TextLine, text: str, edges: list[float], starts: list[int], offset: int, page: int, frame: Frame
) -> Iterator[Line]:
    """The printed line as rectangles that hold its own ink alone: one, or several side by side."""
    for piece in stretches(line, starts, len(text)):
        rect = frame.rect_on_page(piece.x0, piece.upper, piece.x1, piece.lower)
        inside = edges[piece.start : piece.end + 1]
        if min(inside) < piece.x0 or max(inside) > piece.x1:
            inside = [min(max(edge, piece.x0), piece.x1) for edge in inside]
        place = frame.edges_on_page(inside, line.base)
        yield Line(offset + piece.start, offset + piece.end, page, rect, place)


def _table(draft: TableDraft, page: int, frame: Frame, words: Collection[str]) -> tuple[RunningText, Table]:
    """Rows as lines of `a | b | c`, the place of each cell's lines, and the cells; a spanning cell stands once."""
    rows: list[str] = []
    placed: list[Line] = []
    marks: list[Range] = []
    cells: list[Cell] = []
    length = 0
    for number, row in enumerate(draft.rows):
        texts: list[str] = []
        for cell in row:
            gap = (cell.first - len(texts)) * len(CELL_SEPARATOR)
            texts.extend([""] * (cell.first - len(texts)))
            length += gap
            running = running_text(cell.lines, page, frame, words, offset=length, kind=BlockType.TABLE)
            placed.extend(running.lines)
            marks.extend(running.marks)
            cells.append(Cell(number, cell.first, running.text, cell.rows, cell.last - cell.first + 1))
            texts.append(running.text)
            length += len(running.text) + len(CELL_SEPARATOR)
        texts.extend([""] * (draft.column_count - len(texts)))
        rows.append(CELL_SEPARATOR.join(texts))
        length = sum(map(len, rows)) + len(rows)
    table = Table(tuple(cells), len(rows), draft.column_count, draft.header_rows)
    return RunningText("\n".join(rows), placed, marks), table


def _boxes(item: Draft, frame: Frame) -> tuple[PageBox, ...]:
    """One rectangle for each column that the block stands in."""
    if not item.lines or item.table is not None or item.type in (BlockType.FIGURE, BlockType.CHART):
        return (PageBox(item.page, frame.rect_on_page(item.x0, item.top, item.x1, item.bottom)),)
    runs: list[list[TextLine]] = []
    for line in item.lines:
        if runs and line.base > runs[-1][-1].base - line.size:
            runs[-1].append(line)
        else:
            runs.append([line])
    return tuple(PageBox(item.page, _around(run, frame)) for run in runs)


def _around(lines: Sequence[TextLine], frame: Frame) -> Rect:
    return frame.rect_on_page(
        min(line.x0 for line in lines),
        min(line.base - 0.8 * line.size for line in lines),
        max(line.x1 for line in lines),
        max(line.base + 0.25 * line.size for line in lines),
    )

"""Markdown into blocks: the leaves that a reader sees as one piece, each with its place in the draft's text.

Blocks follow CommonMark with tables (markdown-it-py). Two things differ on purpose: display formulas are blocks of
their own, so that no line of theirs is taken for a heading or a list; link definitions and raw HTML stay visible as
paragraphs, so that nothing of a draft escapes the rules.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from harness.submission.protected import FORMULA_SIGNS


class BlockKind(StrEnum):
    """What a block is in the Markdown; what it says is judged elsewhere (see `roles`)."""

    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    QUOTE = "quote"
    TABLE_HEADER = "table_header"
    TABLE_ROW = "table_row"
    HEADING = "heading"
    RULE = "rule"
    CODE = "code"
    MATHS = "maths"


@dataclass(frozen=True, slots=True)
class Block:
    """One leaf of the Markdown: whole lines `first_line` to `last_line` (exclusive), text[start:end] of the draft.

    `text` is its content without list markers and quote signs. `table` numbers the tables from 0, `columns` is the
    column count of the block's table. `item_end` is the line at which the list item ends that this block opens,
    None where it opens none.
    """

    index: int
    kind: BlockKind
    start: int
    end: int
    first_line: int
    last_line: int
    text: str
    table: int | None = None
    columns: int = 0
    item_end: int | None = None


def normalised_newlines(markdown: str) -> str:
    """The text as Markdown reads it: line feeds only, U+0000 replaced. All offsets count in this text."""
    return markdown.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "\ufffd")


def line_starts(text: str) -> list[int]:
    """Offsets at which lines begin, and one past the end of the text as the last entry."""
    return [0, *(match.end() for match in re.finditer("\n", text)), len(text) + 1]


def parse_blocks(text: str) -> tuple[Block, ...]:
    """The blocks of a text with normalised newlines, in reading order."""
    return _Collector(text).collect(_parser().parse(text))


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable("table")
    parser.disable(["inline", "text_join", "reference", "html_block"])
    parser.block.ruler.before("code", "display_maths", _display_maths, {"alt": ["blockquote", "list"]})
    return parser


_OPENING = re.compile(r"\$\$|\\\[(?!\\?\[)")


def _display_maths(state: StateBlock, first: int, end: int, silent: bool) -> bool:
    if state.is_code_block(first):
        return False
    opening = _OPENING.match(state.src, state.bMarks[first] + state.tShift[first], state.eMarks[first])
    if opening is None:
        return False
    closing = "$$" if opening.group() == "$$" else "\\]"
    at = opening.end()
    for line in range(first, end):
        if line > first:
            if state.sCount[line] < state.blkIndent:
                return False
            at = state.bMarks[line]
        end_of_formula = state.src.find(closing, at, state.eMarks[line])
        if end_of_formula < 0:
            continue
        if closing == "\\]" and line == first and not FORMULA_SIGNS.search(state.src, opening.end(), end_of_formula):
            return False  # escaped brackets around words
        if not silent:
            state.line = line + 1
            token = state.push("math_block", "math", 0)
            token.map = [first, line + 1]
            token.content = state.getLines(first, line + 1, state.blkIndent, False).strip()  # noqa: FBT003 - positional in the library
        return True
    return False


_LEAVES = {
    "hr": BlockKind.RULE,
    "fence": BlockKind.CODE,
    "code_block": BlockKind.CODE,
    "math_block": BlockKind.MATHS,
}


class _Collector:
    """Walks the token stream once and knows in which list item, quote and table it stands."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = line_starts(text)
        self._blocks: list[Block] = []
        self._containers: list[BlockKind] = []
        self._item_end: int | None = None
        self._table = -1
        self._columns = 0
        self._row_kind = BlockKind.TABLE_ROW

    def collect(self, tokens: list[Token]) -> tuple[Block, ...]:
        for position, token in enumerate(tokens):
            if token.type == "tr_open":
                self._add_row(tokens, position)
            elif token.type == "paragraph_open":
                kind = self._containers[-1] if self._containers else BlockKind.PARAGRAPH
                self._add(kind, token, tokens[position + 1].content)
            elif token.type == "heading_open":
                self._add(BlockKind.HEADING, token, tokens[position + 1].content)
            elif token.type in _LEAVES:
                self._add(_LEAVES[token.type], token, token.content.strip())
            else:
                self._move(token)
        return tuple(self._blocks)

    def _move(self, token: Token) -> None:
        match token.type:
            case "list_item_open":
                assert token.map is not None
                self._item_end = token.map[1]
                self._containers.append(BlockKind.LIST_ITEM)
            case "blockquote_open":
                self._containers.append(BlockKind.QUOTE)
            case "list_item_close" | "blockquote_close":
                self._containers.pop()
                self._item_end = None
            case "thead_open":
                self._table += 1
                self._row_kind = BlockKind.TABLE_HEADER
            case "tbody_open":
                self._row_kind = BlockKind.TABLE_ROW
            case _:
                pass

    def _add_row(self, tokens: list[Token], position: int) -> None:
        cells: list[str] = []
        for token in tokens[position:]:
            if token.type == "tr_close":
                break
            if token.type == "inline":
                cells.append(token.content)
        if self._row_kind is BlockKind.TABLE_HEADER:
            self._columns = len(cells)
        self._add(self._row_kind, tokens[position], " | ".join(cells), table=self._table, columns=self._columns)

    def _add(self, kind: BlockKind, token: Token, text: str, *, table: int | None = None, columns: int = 0) -> None:
        assert token.map is not None
        first, last = token.map
        start, end = self._starts[first], self._starts[last] - 1
        block = Block(len(self._blocks), kind, start, end, first, last, text, table, columns, self._item_end)
        self._blocks.append(block)
        self._item_end = None

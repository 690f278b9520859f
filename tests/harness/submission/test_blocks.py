from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.submission.blocks import BlockKind, normalised_newlines, parse_blocks


def kinds(markdown: str) -> list[tuple[str, str]]:
    return [(block.kind.value, block.text) for block in parse_blocks(markdown)]


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("# Head\n\ntext\n\n---", [("heading", "Head"), ("paragraph", "text"), ("rule", "")]),
        ("- a\n- b", [("list_item", "a"), ("list_item", "b")]),
        ("- a\n\n- b\n\n  more", [("list_item", "a"), ("list_item", "b"), ("list_item", "more")]),
        ("1. a\n   - b\n     - c", [("list_item", "a"), ("list_item", "b"), ("list_item", "c")]),
        ("> a\n> b", [("quote", "a\nb")]),
        ("> - a", [("list_item", "a")]),
        ("- > a", [("quote", "a")]),
        ("| a | b |\n|---|---|\n| 1 | 2 |", [("table_header", "a | b"), ("table_row", "1 | 2")]),
        ("~~~\n# no\n~~~", [("code", "# no")]),
        ("    indented", [("code", "indented")]),
        ("```\nnever closed", [("code", "never closed")]),
        ("Head\n====", [("heading", "Head")]),
        ("[a]: http://example.org", [("paragraph", "[a]: http://example.org")]),
        ("<!-- seen -->", [("paragraph", "<!-- seen -->")]),
    ],
)
def test_markdown_falls_into_these_blocks(markdown: str, expected: list[tuple[str, str]]) -> None:
    assert kinds(markdown) == expected


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("$$\nx\n\n=\n\n- 1\n$$", [("maths", "$$\nx\n\n=\n\n- 1\n$$")]),
        ("$$ x $$", [("maths", "$$ x $$")]),
        ("\\[\nx\n\\]", [("maths", "\\[\nx\n\\]")]),
        ("\\[Re\\] A Title", [("paragraph", "\\[Re\\] A Title")]),
        ("- $$\n  x\n  $$", [("maths", "$$\nx\n$$")]),
        ("$$ never closed", [("paragraph", "$$ never closed")]),
        ("- $$\n  x\n\ny $$", [("list_item", "$$\nx"), ("paragraph", "y $$")]),
        ("    $$ code $$", [("code", "$$ code $$")]),
        ("\\[\\[ev_a1\\]\\]", [("paragraph", "\\[\\[ev_a1\\]\\]")]),
    ],
)
def test_a_display_formula_is_one_block(markdown: str, expected: list[tuple[str, str]]) -> None:
    assert kinds(markdown) == expected


def test_table_blocks_know_their_table_and_its_columns() -> None:
    markdown = "| a | b |\n|--|--|\n| 1 | 2 |\n\ntext\n\n| c |\n|--|\n| 3 |"
    rows = [block for block in parse_blocks(markdown) if block.table is not None]
    assert [(row.kind, row.table, row.columns) for row in rows] == [
        (BlockKind.TABLE_HEADER, 0, 2),
        (BlockKind.TABLE_ROW, 0, 2),
        (BlockKind.TABLE_HEADER, 1, 1),
        (BlockKind.TABLE_ROW, 1, 1),
    ]


def test_the_first_block_of_an_item_knows_where_the_item_ends() -> None:
    blocks = parse_blocks("- a\n  - b\n\n  more\n- c")
    assert [(block.text, block.item_end) for block in blocks] == [("a", 4), ("b", 3), ("more", None), ("c", 5)]


def test_newlines_are_unified_before_offsets_count() -> None:
    assert normalised_newlines("a\r\nb\rc\x00") == "a\nb\nc\ufffd"


@given(st.text(alphabet="ab $`#>-|*\n[]\\=_~1.", max_size=120))
def test_blocks_are_whole_lines_in_order(text: str) -> None:
    blocks = parse_blocks(normalised_newlines(text))
    lines = normalised_newlines(text).split("\n")
    assert [block.index for block in blocks] == list(range(len(blocks)))
    for block in blocks:
        assert (
            "\n".join(lines[block.first_line : block.last_line]) == normalised_newlines(text)[block.start : block.end]
        )
    assert all(one.last_line <= other.first_line for one, other in pairwise(blocks))

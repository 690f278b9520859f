"""A parsed document as a person reads it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from reading_model.documents import (
    Block,
    BlockType,
    Cell,
    ParsedDocument,
    ParsedMetadata,
    Provenance,
    Sourced,
    Table,
)
from reading_model.markdown import table_markdown, to_markdown


def document(*blocks: tuple[BlockType, str], **given: object) -> ParsedDocument:
    made = tuple(Block(ordinal, kind, text, 1) for ordinal, (kind, text) in enumerate(blocks))
    return of_blocks(*made, **given)


def of_blocks(*blocks: Block, title: str | None = None) -> ParsedDocument:
    metadata = ParsedMetadata(title=Sourced(title, "pdf_info") if title else None)
    return ParsedDocument("0" * 64, (), blocks, Provenance("test", "1"), metadata)


def html(markdown: str) -> str:
    return MarkdownIt("commonmark").enable("table").render(markdown)


def test_headings_paragraphs_and_lists_keep_their_order_and_furniture_is_left_out() -> None:
    text = to_markdown(
        document(
            (BlockType.TITLE, "A Paper"),
            (BlockType.HEADER, "Journal 7"),
            (BlockType.HEADING, "1 Introduction"),
            (BlockType.PARAGRAPH, "It begins."),
            (BlockType.LIST, "• one"),
            (BlockType.LIST, "2. two"),
            (BlockType.PAGE_NUMBER, "3"),
            (BlockType.CODE, "x = `1`\ny"),
            (BlockType.REFERENCE, "[1] A. Author. 2020."),
        )
    )
    assert text == (
        "# A Paper\n\n## 1 Introduction\n\nIt begins.\n\n- one\n2. two\n\n"
        "```\nx = `1`\ny\n```\n\n- [1] A. Author. 2020.\n"
    )


def test_a_paragraph_that_a_float_cuts_is_whole_and_notes_end_the_section() -> None:
    table = Table((Cell(0, 0, "a"), Cell(0, 1, "b|c")), 1, 2, 1)
    text = to_markdown(
        of_blocks(
            Block(0, BlockType.PARAGRAPH, "The values of Table 1 are aver-", 1),
            Block(1, BlockType.FOOTNOTE, "1 A note.", 1),
            Block(2, BlockType.CAPTION, "Table 1: Values", 1, parent=3),
            Block(3, BlockType.TABLE, "a | b|c", 1, table=table),
            Block(4, BlockType.FOOTNOTE, "a in metres", 1, parent=3),
            Block(5, BlockType.PARAGRAPH, "ages of three runs.", 2),
            Block(6, BlockType.HEADING, "2 Next", 2, level=1),
        )
    )
    assert text.split("\n\n") == [
        "The values of Table 1 are averages of three runs.",
        "**Table 1: Values**",
        "| a | b\\|c |\n| --- | --- |",
        "a in metres",
        "> 1 A note.",
        "## 2 Next\n",
    ]


def test_figures_give_their_captions_and_pictures_formulas_stand_alone() -> None:
    text = to_markdown(
        of_blocks(
            Block(0, BlockType.FIGURE, "axis label", 1, image="images/1.png"),
            Block(1, BlockType.CAPTION, "Figure 1. A curve", 1, parent=0),
            Block(2, BlockType.FORMULA, "$$ x = y $$", 1),
            Block(3, BlockType.FORMULA, "x = y", 1),
            Block(4, BlockType.CAPTION, "Figure 2. Alone", 1),
            Block(5, BlockType.TABLE, "p | q", 1),
        )
    )
    assert text == (
        "**Figure 1. A curve**\n\n![](<images/1.png>)\n\n$$ x = y $$\n\n```\nx = y\n```\n\n**Figure 2. Alone**\n\n"
        "```\np | q\n```\n"
    )


def test_rows_of_a_header_become_one_and_merged_cells_are_repeated() -> None:
    cells = (Cell(0, 0, "Model", row_span=2), Cell(0, 1, "Ubuntu", column_span=2))
    cells += (Cell(1, 1, "R@1"), Cell(1, 2, "R@2"), Cell(2, 0, "X"), Cell(2, 1, "0.9"))
    assert table_markdown(Table(cells, 3, 3, 2)) == (
        "| Model | Ubuntu R@1 | Ubuntu R@2 |\n| --- | --- | --- |\n| X | 0.9 |  |"
    )


def test_the_title_of_the_metadata_heads_a_document_without_a_title_block() -> None:
    assert to_markdown(document((BlockType.PARAGRAPH, "Text."), title="A *Paper*")) == "# A \\*Paper\\*\n\nText.\n"
    assert to_markdown(document(title="Nothing to read")) == ""


@given(
    st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp", "Cf"]), min_size=1, max_size=60)
)
def test_whatever_a_paragraph_says_a_reader_sees_the_same_words(said: str) -> None:
    from html import unescape

    shown = html(
        to_markdown(document((BlockType.PARAGRAPH, "x")) if not said.split() else document((BlockType.PARAGRAPH, said)))
    )
    expected = " ".join(said.split()) or "x"
    assert shown.startswith("<p>")
    assert unescape(shown.removeprefix("<p>").removesuffix("</p>\n")) == expected

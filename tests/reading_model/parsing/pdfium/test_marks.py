from __future__ import annotations

from reading_model.documents import Block, BlockType
from reading_model.parsing.pdfium.parser import parse
from tests.reading_model.parsing.pdf_writer import Page, write

SYMBOL = "F6"  # its asterisk is the operator U+2217
PROSE = ["Some words of running text that fill the whole width of the page under it all"] * 3


def blocks_of(page: Page, kind: BlockType) -> list[Block]:
    return [block for block in parse(write([page])).blocks if block.type is kind]


def test_a_raised_asterisk_operator_is_an_asterisk_and_keeps_its_place() -> None:
    page = Page().text(72, 100, "The first authors wrote it together").text(235, 96, "*", size=7, font=SYMBOL)
    page.text(241, 100, "in one year.").lines(72, 112, PROSE)
    block = blocks_of(page, BlockType.PARAGRAPH)[0]
    assert "together * in" in block.text
    at = block.text.index("*")
    line = next(line for line in block.lines if line.start <= at < line.end)
    assert line.edges is not None
    assert 234 < line.edges[at - line.start] < 241


def test_an_operator_between_operands_stays() -> None:
    page = (
        Page().text(72, 100, "Paths are joined as a").text(172, 100, "*", font=SYMBOL).text(180, 100, "b in the text.")
    )
    page.lines(72, 112, PROSE)
    block = blocks_of(page, BlockType.PARAGRAPH)[0]
    assert "a ∗ b" in block.text


def test_in_a_cell_an_asterisk_behind_the_value_is_a_mark_at_any_height() -> None:
    page = Page().text(72, 150, "Table 1: Two scores.")
    for y in (160, 178, 222):
        page.rule(70, 400, y)
    for y, cells in ((173, ("Method", "F1", "Product")), (190, ("First", "0.91", "a")), (207, ("Second", "0.93", "c"))):
        for x, cell in zip((72, 200, 300), cells, strict=True):
            page.text(x, y, cell)
    page.text(219.5, 190, "*", font=SYMBOL).text(308, 190, "*", font=SYMBOL).text(316, 190, "b")
    (block,) = blocks_of(page, BlockType.TABLE)
    assert block.text.split("\n")[1] == "First | 0.91* | a ∗ b"

from __future__ import annotations

from reading_model.documents import Block, BlockType
from reading_model.parsing.pdfium.parser import parse
from tests.reading_model.parsing.pdf_writer import Page, write

PROSE = ["Some words of running text that fill the whole width of the page above the table"] * 3


def table_of(page: Page) -> Block:
    (table,) = (block for block in parse(write([page])).blocks if block.type is BlockType.TABLE)
    return table


def rows_at(page: Page, top: float, rows: list[list[str]], xs: list[float], *, pitch: float = 14) -> Page:
    for number, row in enumerate(rows):
        for x, cell in zip(xs, row, strict=True):
            if cell:
                page.text(x, top + pitch * number, cell)
    return page


def ruled(page: Page, *ys: float) -> Page:
    for y in ys:
        page.rule(70, 400, y)
    return page


def test_rules_of_equal_ends_make_a_table_with_its_header() -> None:
    page = Page().lines(72, 80, PROSE).text(72, 150, "Table 1: Scores of two methods.")
    ruled(page, 160, 178, 222)
    rows_at(
        page, 173, [["Method", "F1", "Recall"], ["First", "0.91", "0.80"], ["Second", "0.93", "0.85"]], [72, 200, 300]
    )
    block = table_of(page)
    assert block.table is not None
    assert block.table.rows() == [["Method", "F1", "Recall"], ["First", "0.91", "0.80"], ["Second", "0.93", "0.85"]]
    assert block.table.header_rows == 1
    assert block.text == "Method | F1 | Recall\nFirst | 0.91 | 0.80\nSecond | 0.93 | 0.85"
    cells = [block.text[line.start : line.end] for line in block.lines]
    assert cells == ["Method", "F1", "Recall", "First", "0.91", "0.80", "Second", "0.93", "0.85"]


def test_an_empty_cell_keeps_its_place_and_the_places_of_the_others() -> None:
    page = ruled(Page().text(72, 150, "Table 1: With a gap."), 160, 178, 222)
    rows_at(page, 173, [["Name", "A", "B"], ["First", "", "2.0"], ["Second", "3.0", "4.0"]], [72, 200, 300])
    block = table_of(page)
    assert block.text.split("\n")[1] == "First |  | 2.0"
    assert [block.text[line.start : line.end] for line in block.lines][3:5] == ["First", "2.0"]


def test_a_head_over_a_rule_spans_the_columns_under_it() -> None:
    page = ruled(Page().text(72, 150, "Table 2: Two groups."), 160, 196, 240)
    rows_at(page, 172, [["", "Adults", "", "Elderly", ""]], [72, 190, 220, 310, 340])
    page.rule(180, 260, 176).rule(290, 380, 176)
    rows_at(
        page,
        190,
        [["Sex", "n", "%", "n", "%"], ["Male", "26", "77.1", "96", "53.6"], ["Female", "79", "22.9", "83", "46.4"]],
        [72, 185, 230, 300, 350],
    )
    table = table_of(page).table
    assert table is not None
    assert table.rows()[0] == ["", "Adults", "Adults", "Elderly", "Elderly"]
    assert table.rows()[2] == ["Male", "26", "77.1", "96", "53.6"]


def test_cells_that_go_on_below_belong_to_their_row() -> None:
    page = ruled(Page().text(72, 150, "Table 3: Long cells."), 160, 178, 240)
    rows_at(
        page,
        173,
        [
            ["Model", "Result", "Note"],
            ["First", "0.91", "found in"],
            ["", "", "all runs"],
            ["Second", "0.93", "stable"],
        ],
        [72, 200, 300],
        pitch=12,
    )
    assert table_of(page).text.split("\n")[1:] == ["First | 0.91 | found in all runs", "Second | 0.93 | stable"]


def test_aligned_rows_under_a_caption_need_no_rules() -> None:
    page = Page().lines(72, 80, PROSE).text(72, 150, "Table 4. Output of a run.")
    rows_at(
        page, 166, [["T/K", "B0", "Btot"], ["77.30", "-97.2", "-80.0"], ["143.15", "-21.1", "2.69"]], [72, 200, 300]
    )
    page.lines(72, 240, PROSE)
    assert table_of(page).text.split("\n")[1] == "77.30 | -97.2 | -80.0"


def test_prose_between_rules_is_no_table() -> None:
    page = ruled(Page(), 90, 140).lines(72, 104, PROSE)
    assert all(block.type is not BlockType.TABLE for block in parse(write([page])).blocks)


def test_code_between_rules_is_no_table() -> None:
    page = ruled(Page(), 90, 150)
    for number, line in enumerate(["if x:   y = 1", "else:   y = 2", "for i:  y = 3"]):
        page.text(72, 104 + 14 * number, line[:7], font="F3").text(160, 104 + 14 * number, line[7:], font="F3")
    assert all(block.type is not BlockType.TABLE for block in parse(write([page])).blocks)


def test_numbers_in_columns_between_rules_are_a_table_without_a_caption() -> None:
    page = ruled(Page(), 160, 178, 236)
    rows = [["Name", "A", "B"], ["First", "1.0", "2.0"], ["Second", "3.0", "4.0"], ["Third", "5.0", "6.0"]]
    rows_at(page, 173, rows, [72, 200, 300])
    table = table_of(page).table
    assert table is not None
    assert table.rows() == rows


def test_a_chart_with_grid_lines_is_no_table() -> None:
    page = Page().text(72, 320, "Figure 1: A chart.")
    ruled(page, 160, 190, 220, 250, 280)
    for step in range(4):
        page.curve(80, 170 + 20 * step, 390, 270)
    rows_at(page, 163, [["1.0", "a"], ["0.8", "b"], ["0.6", "c"]], [75, 300], pitch=30)
    kinds = {block.type for block in parse(write([page])).blocks}
    assert BlockType.TABLE not in kinds
    assert BlockType.FIGURE in kinds

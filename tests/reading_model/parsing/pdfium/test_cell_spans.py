from __future__ import annotations

from reading_model.documents import Block, BlockType, Cell, Table
from reading_model.parsing.pdfium.parser import parse
from tests.reading_model.parsing.pdf_writer import Page, write

XS = [72, 180, 240, 300, 360]


def page_of(rows: list[tuple[float, list[str]]], rules: list[float], xs: list[float] | None = None) -> Page:
    """A captioned table: each row with its baseline and cells, whole rules at some heights."""
    page = Page().text(72, 150, "Table 1: Scores of some methods.")
    for y in rules:
        page.rule(70, 400, y)
    for y, cells in rows:
        for x, cell in zip(xs or XS, cells, strict=True):
            if cell:
                page.text(x, y, cell)
    return page


def block_of(page: Page) -> Block:
    (block,) = (block for block in parse(write([page])).blocks if block.type is BlockType.TABLE)
    return block


def table_of(page: Page) -> Table:
    table = block_of(page).table
    assert table is not None
    return table


def spans(table: Table) -> dict[str, tuple[int, int, int, int]]:
    """Row, column, row span and column span of each cell that covers several."""
    return {
        cell.text: (cell.row, cell.column, cell.row_span, cell.column_span)
        for cell in table.cells
        if cell.row_span > 1 or cell.column_span > 1
    }


VALUES = [
    (206.0, ["First", "0.91", "0.80", "0.71", "0.60"]),
    (220.0, ["Second", "0.93", "0.85", "0.73", "0.65"]),
]


def test_a_head_in_the_middle_over_columns_covers_them_and_a_lone_one_reaches_down() -> None:
    page = page_of([(188, ["", "F1", "Acc", "F1", "Acc"]), *VALUES], [160, 194, 228])
    page.text(72, 173, "Method").text(203, 173, "Seen").text(317, 173, "Unseen")
    table = table_of(page)
    assert spans(table) == {"Method": (0, 0, 2, 1), "Seen": (0, 1, 1, 2), "Unseen": (0, 3, 1, 2)}
    assert table.header_rows == 2
    assert table.rows()[1] == ["Method", "F1", "Acc", "F1", "Acc"]


def test_lines_of_heads_of_one_column_are_one_row() -> None:
    page = page_of(
        [(173, ["", "Mean", "Share", "", "All"]), (184, ["Method", "score", "right", "Time", "runs"]), *VALUES],
        [160, 190, 228],
    )
    table = table_of(page)
    assert table.rows()[0] == ["Method", "Mean score", "Share right", "Time", "All runs"]
    assert (table.header_rows, table.row_count, spans(table)) == (1, 3, {})


def test_without_a_rule_under_the_head_rows_of_words_stay_apart() -> None:
    rows = [["Name", "Place"], ["Ada", "London"], ["Emile", "Paris"], ["Blaise", "Rouen"]]
    page = page_of([(173 + 12 * place, row) for place, row in enumerate(rows)], [160, 216], [72, 200])
    assert table_of(page).row_count == 4


def test_a_head_between_the_lines_of_others_is_as_high_as_they() -> None:
    page = page_of([(173, ["", "", "", "", ""]), (188, ["Method", "F1", "Acc", "F1", ""]), *VALUES], [160, 194, 228])
    page.text(200, 173, "Seen").text(300, 173, "Unseen").rule(178, 265, 176).rule(298, 320, 176).text(360, 180, "Avg")
    assert spans(table_of(page))["Avg"] == (0, 4, 2, 1)


def test_a_label_of_two_lines_with_its_values_in_the_middle_is_one_cell() -> None:
    page = page_of([(173, ["Method", "F1", "Acc", "F1", "Acc"]), *VALUES], [160, 178, 260])
    page.text(72, 234, "A method with").text(72, 246, "a long name")
    for x, value in zip(XS[1:], ["0.1", "0.2", "0.3", "0.4"], strict=True):
        page.text(x, 240, value)
    block = block_of(page)
    assert block.text.split("\n")[3] == "A method with a long name | 0.1 | 0.2 | 0.3 | 0.4"
    assert [block.text[line.start : line.end] for line in block.lines][-6:-4] == ["A method with", "a long name"]


def test_a_label_reaches_over_rows_that_a_rule_beside_it_parts() -> None:
    page = page_of(
        [
            (173, ["Method", "Set", "F1"]),
            (191, ["First", "seen", "0.91"]),
            (207, ["", "unseen", "0.80"]),
            (223, ["Second", "seen", "0.93"]),
        ],
        [160, 178, 230],
        [72, 180, 260],
    )
    page.rule(175, 400, 196)
    assert spans(table_of(page)) == {"First": (1, 0, 2, 1)}


def test_lines_of_text_between_whole_rules_are_one_row() -> None:
    page = page_of(
        [
            (173, ["Kind", "What was said"]),
            (190, ["Short", "a first line that goes"]),
            (202, ["", "on in a second one"]),
            (222, ["Long", "another line that goes"]),
            (234, ["", "on twice and ends"]),
            (246, ["", "here"]),
        ],
        [160, 178, 208, 252],
        [72, 200],
    )
    assert table_of(page).rows()[1:] == [
        ["Short", "a first line that goes on in a second one"],
        ["Long", "another line that goes on twice and ends here"],
    ]


def test_a_label_of_a_group_above_its_only_row_stays_a_row() -> None:
    page = page_of(
        [
            (173, ["Method", "F1", "Acc"]),
            (190, ["Group one", "", ""]),
            (202, ["First", "0.91", "0.80"]),
            (222, ["Group two", "", ""]),
            (234, ["Second", "0.93", "0.85"]),
        ],
        [160, 178, 208, 240],
        [72, 180, 260],
    )
    assert [row[0] for row in table_of(page).rows()] == ["Method", "Group one", "First", "Group two", "Second"]


def test_decimals_set_close_together_and_a_value_close_to_its_label_are_cells() -> None:
    rows = [["Training signal", "A", "B"], ["none", "83.0", "76.0"], ["a long one here", "82.3", "77.1"]]
    page = page_of([(173 + 17 * place, row) for place, row in enumerate(rows)], [160, 178, 214], [72, 144, 166])
    assert table_of(page).rows() == rows


def test_a_spanning_cell_stands_once_in_the_text() -> None:
    page = page_of([(188, ["", "F1", "Acc", "F1", "Acc"]), *VALUES], [160, 194, 228])
    page.text(72, 173, "Method").text(203, 173, "Seen").text(317, 173, "Unseen")
    block = block_of(page)
    assert block.text.split("\n")[:2] == ["Method | Seen |  | Unseen | ", " | F1 | Acc | F1 | Acc"]
    assert block.table is not None
    assert Cell(0, 1, "Seen", 1, 2) in block.table.cells

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reading_model.documents import Cell
from reading_model.parsing.mineru.html_table import MAX_SPAN, table_of, table_text

GROUPED = "<tr><td>M</td><td colspan=2>U</td></tr>"
NUMBERS = "<tr><td>k</td><td>1</td><td>2</td></tr>"


def rows(html: str) -> list[list[str]]:
    table = table_of(html)
    assert table is not None
    return table.rows()


def test_spans_push_cells_aside_as_in_a_browser() -> None:
    html = (
        "<table><tr><td rowspan=2>Set</td><td colspan='2'>Ubuntu</td></tr><tr><td>train</td><td>val</td></tr>"
        "<tr><td>A</td><td>1</td><td>2</td></tr></table>"
    )
    table = table_of(html)
    assert table is not None
    assert rows(html) == [["Set", "Ubuntu", "Ubuntu"], ["Set", "train", "val"], ["A", "1", "2"]]
    assert table.cells[0] == Cell(0, 0, "Set", 2, 1)
    assert table.header_rows == 2
    assert table_text(table) == "Set | Ubuntu | \n | train | val\nA | 1 | 2"
    assert table.html == html


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<table><tr><td>p &lt; 0.05</td><td>a &amp; b</td></tr></table>", [["p < 0.05", "a & b"]]),
        ("<table><tr><td>a<td>b<tr><td>c<td>d</table>", [["a", "b"], ["c", "d"]]),
        ("<table><tr><td>x<sup>2</sup></td><td>one<br>two</td></tr></table>", [["x2", "one two"]]),
        ("<table><tr><td> $R _ { 1 0 } @ 1$ </td><td>$2 5 . 6 \\%$</td></tr></table>", [["$R_{10}@1$", "25.6%"]]),
        (
            "<table><tr><td>a<table><tr><td>in</td><td>ner</td></tr></table></td><td>b</td></tr></table>",
            [["a in ner", "b"]],
        ),
        ("<td>lone</td>", [["lone"]]),
        ("<table><tr><td colspan='x' rowspan='-1'>a</td></tr></table>", [["a"]]),
        ("<table><tr><td rowspan=99>a</td><td>b</td></tr></table>", [["a", "b"]]),
    ],
)
def test_html_of_any_care_becomes_rows(html: str, expected: list[list[str]]) -> None:
    assert rows(html) == expected


@pytest.mark.parametrize("html", ["", "words", "<table></table>", "<table><tr></tr></table>"])
def test_without_cells_there_is_no_table(html: str) -> None:
    assert table_of(html) is None


@pytest.mark.parametrize(
    ("html", "count"),
    [
        ("<table><thead><tr><td>a</td></tr><tr><td>b</td></tr></thead><tr><td>c</td></tr></table>", 2),
        ("<table><tr><th>a</th></tr><tr><td>1</td></tr></table>", 1),
        ("<table><tr><td>1</td><td>2.5%</td></tr><tr><td>3</td><td>4</td></tr></table>", 0),
        ("<table><tr><td>a</td></tr></table>", 0),
        (
            GROUPED + "<tr><td></td><td>x</td><td>y</td></tr>" + NUMBERS,
            2,
        ),
        (
            GROUPED + NUMBERS + NUMBERS,
            1,
        ),
    ],
)
def test_header_rows_are_marked_or_rows_of_words_at_the_top(html: str, count: int) -> None:
    table = table_of(html)
    assert table is not None
    assert table.header_rows == count


def test_a_hostile_span_costs_no_memory() -> None:
    table = table_of("<table><tr><td colspan=999999999 rowspan=999999999>a</td></tr></table>")
    assert table is not None
    assert (table.column_count, table.row_count) == (1, 1)
    assert table_of("<table><tr>" + f"<td colspan={MAX_SPAN}>a</td>" * 10 + "</tr></table>") is None
    many = "<tr>" + "<td>a" * 1500 + "</tr>" + "<tr><td>b</td></tr>" * 1000
    assert table_of(f"<table>{many}</table>") is None


@given(
    st.lists(
        st.sampled_from(["<table>", "</table>", "<tr>", "</tr>", "<td rowspan=3>", "<th colspan=2>", "</td>", "a", "1"])
    )
)
def test_any_soup_of_tags_gives_cells_inside_the_grid_that_do_not_overlap(parts: list[str]) -> None:
    table = table_of("".join(parts))
    if table is None:
        return
    taken: set[tuple[int, int]] = set()
    for cell in table.cells:
        spots = {
            (row, column)
            for row in range(cell.row, cell.row + cell.row_span)
            for column in range(cell.column, cell.column + cell.column_span)
        }
        assert cell.row + cell.row_span <= table.row_count
        assert cell.column + cell.column_span <= table.column_count
        taken |= spots
    assert table_text(table).count("\n") == table.row_count - 1
    assert 0 <= table.header_rows <= table.row_count

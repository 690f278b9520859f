from __future__ import annotations

from reading_model.documents import Cell, Table
from reading_model.parsing.mineru.html_table import table_of
from reading_model.table_html import table_html

TABLE = Table(
    (
        Cell(0, 0, "Method", 2, 1),
        Cell(0, 1, "F1 < 1", 1, 2),
        Cell(1, 1, "seen"),
        Cell(1, 2, "unseen"),
        Cell(2, 0, "A & B"),
        Cell(2, 2, "0.9"),
    ),
    3,
    3,
    2,
)


def test_spans_and_header_cells_are_told_and_signs_escaped() -> None:
    assert table_html(TABLE) == (
        '<table><tr><th rowspan="2">Method</th><th colspan="2">F1 &lt; 1</th></tr><tr><th>seen</th><th>unseen</th></tr>'
        "<tr><td>A &amp; B</td><td></td><td>0.9</td></tr></table>"
    )


def test_what_is_written_is_read_again() -> None:
    read = table_of(table_html(TABLE))
    assert read is not None
    assert read.rows() == TABLE.rows()
    assert read.header_rows == TABLE.header_rows

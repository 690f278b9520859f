"""A table as HTML: merged cells with `rowspan` and `colspan`, the rows of the header as `th`."""

from __future__ import annotations

from html import escape

from reading_model.documents import Cell, Table


def table_html(table: Table) -> str:
    """One `table` element without white space between its rows; a place that no cell covers is an empty cell."""
    covered = {
        (row, column)
        for cell in table.cells
        for row in range(cell.row, cell.row + cell.row_span)
        for column in range(cell.column, cell.column + cell.column_span)
    }
    cells = {(cell.row, cell.column): cell for cell in table.cells}
    rows: list[str] = []
    for row in range(table.row_count):
        tag = "th" if row < table.header_rows else "td"
        places = (
            _cell(cells.get((row, column)), tag)
            for column in range(table.column_count)
            if (row, column) in cells or (row, column) not in covered
        )
        rows.append(f"<tr>{''.join(places)}</tr>")
    return f"<table>{''.join(rows)}</table>"


def _cell(cell: Cell | None, tag: str) -> str:
    if cell is None:
        return f"<{tag}></{tag}>"
    spans = "".join(
        f' {name}="{count}"' for name, count in (("rowspan", cell.row_span), ("colspan", cell.column_span)) if count > 1
    )
    return f"<{tag}{spans}>{escape(cell.text, quote=False)}</{tag}>"

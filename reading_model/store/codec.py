"""JSON forms of the structured columns: compact UTF-8 text, exact in both directions.

Positions of characters are the bulk of a model. Where all edges of a line are whole hundredths of a point (the builder
rounds them so), they are written in short: in an artifact as integers, the first position and then the steps; in the
store as one text, which is unpacked only when somebody looks at it (`reading_model.edges`). Other edges are written as
they are. Artifacts keep their form, because ids depend on its bytes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from reading_model.documents import BlockType, Cell, Diagnostic, Line, PageBox, Rect, Table
from reading_model.edges import PackedEdges, packed_text, positions, steps_of, whole_hundredths
from reading_model.errors import ValueNotStorable
from reading_model.models import PaperMetadata, Part


def dump(value: object) -> str:
    """Compact JSON with characters as they are; NaN and infinity raise ValueNotStorable."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except ValueError as error:
        message = "a position is not a finite number"
        raise ValueNotStorable(message) from error


def line_values(lines: Iterable[Line]) -> list[Any]:
    """Lines as arrays: start, end, page, x0, y0, x1, y1, edges (an array of integers)."""
    return [[*_line(line), _edges(line.edges, steps_of)] for line in lines]


def dump_lines(lines: Iterable[Line]) -> str:
    """The JSON text of `line_values`; edges that are packed already are taken over as they are."""
    return f"[{','.join(map(_line_text, lines))}]"


def _line_text(line: Line) -> str:
    if not isinstance(line.edges, PackedEdges):
        return dump(line_values([line]))[1:-1]
    return f"{dump(_line(line))[:-1]},[{line.edges.steps()}]]"


def packed_line_values(lines: Iterable[Line]) -> list[Any]:
    """Lines as arrays: start, end, page, x0, y0, x1, y1, edges (a text)."""
    return [[*_line(line), _edges(line.edges, packed_text)] for line in lines]


def lines_of(values: Iterable[Any]) -> tuple[Line, ...]:
    """Inverse of `line_values` and `packed_line_values`."""
    return tuple(
        [
            Line(start, end, page, Rect(x0, y0, x1, y1), _load_edges(edges))
            for start, end, page, x0, y0, x1, y1, edges in values
        ]
    )


def box_values(boxes: Iterable[PageBox]) -> list[Any]:
    """Boxes as arrays: page, x0, y0, x1, y1."""
    return [[box.page, *_rect(box.rect)] for box in boxes]


def boxes_of(values: Iterable[Any]) -> tuple[PageBox, ...]:
    """Inverse of `box_values`."""
    return tuple(PageBox(page, Rect(x0, y0, x1, y1)) for page, x0, y0, x1, y1 in values)


def table_values(table: Table) -> list[Any]:
    """A table as an array: row count, column count, header rows, HTML, cells (row, column, text, spans)."""
    cells = [[cell.row, cell.column, cell.text, cell.row_span, cell.column_span] for cell in table.cells]
    return [table.row_count, table.column_count, table.header_rows, table.html, cells]


def table_of(values: Sequence[Any]) -> Table:
    """Inverse of `table_values`."""
    row_count, column_count, header_rows, html, cells = values
    return Table(tuple(Cell(*cell) for cell in cells), row_count, column_count, header_rows, html)


def load(text: str) -> Any:
    """The value of a JSON text."""
    return json.loads(text)


def dump_parts(parts: Iterable[Part]) -> str:
    """Parts as arrays: element, element start, element end, start."""
    return dump([[part.element, part.element_start, part.element_end, part.start] for part in parts])


def load_parts(text: str) -> tuple[Part, ...]:
    """Inverse of `dump_parts`."""
    return tuple(Part(*part) for part in json.loads(text))


def dump_types(types: Iterable[BlockType]) -> str:
    """Block types as an array of their names."""
    return dump([kind.value for kind in types])


def load_types(text: str) -> tuple[BlockType, ...]:
    """Inverse of `dump_types`."""
    return tuple(BlockType(name) for name in json.loads(text))


def dump_diagnostics(diagnostics: Iterable[Diagnostic]) -> str:
    """Diagnostics as arrays: code, message, page."""
    return dump([[item.code, item.message, item.page] for item in diagnostics])


def load_diagnostics(text: str) -> tuple[Diagnostic, ...]:
    """Inverse of `dump_diagnostics`."""
    return tuple(Diagnostic(*item) for item in json.loads(text))


def dump_metadata(metadata: PaperMetadata) -> str:
    """Metadata as an object with the names of its fields."""
    return dump({name: getattr(metadata, name) for name in PaperMetadata.__slots__})


def load_metadata(text: str) -> PaperMetadata:
    """Inverse of `dump_metadata`."""
    fields: dict[str, Any] = json.loads(text)
    fields["authors"] = tuple(fields["authors"])
    return PaperMetadata(**fields)


def _rect(rect: Rect) -> tuple[float, float, float, float]:
    return rect.x0, rect.y0, rect.x1, rect.y1


def _line(line: Line) -> tuple[float, ...]:
    return line.start, line.end, line.page, *_rect(line.rect)


def _edges(edges: Sequence[float] | None, form: Callable[[Sequence[int]], object]) -> object:
    if form is packed_text and isinstance(edges, PackedEdges):
        return edges.text
    if not edges:
        return None if edges is None else []
    whole = whole_hundredths(edges)
    return {"at": list(edges)} if whole is None else form(whole)


def _load_edges(value: str | list[int] | dict[str, list[float]] | None) -> Sequence[float] | None:
    if value is None:
        return None
    if isinstance(value, str):
        return PackedEdges(value)
    return tuple(value["at"]) if isinstance(value, dict) else positions(value)


def load_texts(text: str) -> tuple[str, ...]:
    """An array of texts."""
    return tuple(json.loads(text))


def load_names(text: str) -> dict[str, str]:
    """An object whose values are texts."""
    return json.loads(text)

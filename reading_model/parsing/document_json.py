"""A parsed document as plain JSON values: what `parse` prints and what the facts are scored on."""

from __future__ import annotations

from typing import Any

from reading_model.documents import Block, PageBox, ParsedDocument, ParsedMetadata, Sourced, Table
from reading_model.page_quality import page_verdicts
from reading_model.table_html import table_html


def document_to_json(doc: ParsedDocument) -> dict[str, Any]:
    """`doc` as JSON values: page_count, title, authors, blocks in reading order, pages, metadata, diagnostics.

    Boxes are `[page, x0, y0, x1, y1]` in PDF points from the top-left corner. The `rows` of a table repeat merged
    cells in every row and column that they span; its `cells` and its `html` hold each once with its spans.
    """
    meta = doc.metadata
    return {
        "source_sha256": doc.source_sha256,
        "page_count": len(doc.pages),
        "title": meta.title.value if meta.title else None,
        "authors": [author.value for author in meta.authors],
        "metadata": _metadata(meta),
        "pages": [
            {
                "number": p.number,
                "label": p.label,
                "width": p.width,
                "height": p.height,
                "rotation": p.rotation,
                "status": verdict.status.value,
                "doubts": [doubt.value for doubt in verdict.doubts],
                "letters": verdict.letters,
                "broken_share": verdict.broken_share,
            }
            for p, verdict in zip(doc.pages, page_verdicts(doc), strict=True)
        ],
        "blocks": [_block(block) for block in doc.blocks],
        "diagnostics": [{"code": d.code, "message": d.message, "page": d.page} for d in doc.diagnostics],
        "provenance": {
            "parser": doc.provenance.parser,
            "version": doc.provenance.version,
            "config": doc.provenance.config,
        },
    }


def _block(block: Block) -> dict[str, Any]:
    return {
        "ordinal": block.ordinal,
        "page": block.page,
        "type": block.type.value,
        "text": block.text,
        "level": block.level,
        "parent": block.parent,
        "note_marks": [{"start": mark.start, "end": mark.end, "note": mark.note} for mark in block.note_marks],
        "boxes": [_box(box) for box in block.boxes],
        "table": _table(block.table) if block.table else None,
    }


def _box(box: PageBox) -> list[float]:
    rect = box.rect
    return [box.page, *(round(value, 2) for value in (rect.x0, rect.y0, rect.x1, rect.y1))]


def _table(table: Table) -> dict[str, Any]:
    return {
        "rows": table.rows(),
        "header_rows": table.header_rows,
        "cells": [
            {
                "row": cell.row,
                "column": cell.column,
                "row_span": cell.row_span,
                "column_span": cell.column_span,
                "text": cell.text,
            }
            for cell in table.cells
        ],
        "html": table_html(table),
    }


def _sourced(value: Sourced | None) -> dict[str, str] | None:
    return {"value": value.value, "source": value.source} if value else None


def _metadata(meta: ParsedMetadata) -> dict[str, Any]:
    return {
        "title": _sourced(meta.title),
        "authors": [_sourced(author) for author in meta.authors],
        "year": _sourced(meta.year),
        "venue": _sourced(meta.venue),
        "doi": _sourced(meta.doi),
        "arxiv_id": _sourced(meta.arxiv_id),
        "abstract": _sourced(meta.abstract),
    }

"""Rows of a reading model's children: from values to columns and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from reading_model.documents import BlockType, Provenance
from reading_model.models import (
    SEARCHABLE_KINDS,
    Element,
    Location,
    LocationKind,
    LocationRecord,
    Page,
    PageStatus,
    PaperMetadata,
    ReadingModel,
    RelationKind,
    Relationship,
    Section,
)
from reading_model.store import codec

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ModelRows:
    """A reading model as the store keeps it: its own row, and the rows of its children by table, parents first."""

    paper_id: str
    model_version: str
    page_count: int
    metadata: PaperMetadata
    head: Row
    children: tuple[tuple[str, list[Row]], ...]


def rows_of(model: ReadingModel) -> ModelRows:
    """A model with all its children. Raises ValueNotStorable for positions that are no finite numbers."""
    return ModelRows(
        paper_id=model.paper_id,
        model_version=model.model_version,
        page_count=len(model.pages),
        metadata=model.metadata,
        head=model_row(model),
        # parents before children, so that foreign keys hold at every row
        children=(
            ("paper_sections", section_rows(model)),
            ("paper_pages", page_rows(model)),
            ("paper_elements", element_rows(model)),
            ("paper_locations", location_rows(model)),
            ("paper_relationships", relationship_rows(model)),
        ),
    )


def model_row(model: ReadingModel) -> Row:
    """The model's own row, without what the index adds to it."""
    return {
        "model_version": model.model_version,
        "paper_id": model.paper_id,
        "source_sha256": model.source_sha256,
        "parser": model.provenance.parser,
        "parser_version": model.provenance.version,
        "parser_config": model.provenance.config,
        "page_count": len(model.pages),
        "searchable_count": sum(location.kind in SEARCHABLE_KINDS for location in model.locations),
        "metadata": codec.dump_metadata(model.metadata),
        "diagnostics": codec.dump_diagnostics(model.diagnostics),
    }


def provenance_of(row: Any) -> Provenance:
    """Which parser made the model of this row."""
    return Provenance(row.parser, row.parser_version, row.parser_config)


def page_rows(model: ReadingModel) -> list[Row]:
    """Pages; the text of a page is left to its location where that holds the same."""
    kept = {item.page: item.text for item in model.locations if item.kind is LocationKind.PAGE}
    return [
        {
            "model_version": model.model_version,
            "number": page.number,
            "label": page.label,
            "text": None if kept.get(page.number) == page.text else page.text,
            "text_sha256": page.text_sha256,
            "status": page.status.value,
            "width": page.width,
            "height": page.height,
            "rotation": page.rotation,
        }
        for page in model.pages
    ]


def page_of(row: Any, location_text: str | None) -> Page:
    """A page from its row and the text of its location."""
    text = location_text if row.text is None else row.text
    assert text is not None, "a page without a location keeps its own text"
    status = PageStatus(row.status)
    return Page(row.number, row.label, text, row.text_sha256, status, row.width, row.height, row.rotation)


def section_rows(model: ReadingModel) -> list[Row]:
    """Sections, one row each."""
    names = Section.__slots__
    return [
        {"model_version": model.model_version, **{name: getattr(section, name) for name in names}}
        for section in model.sections
    ]


def section_of(row: Any) -> Section:
    """A section from its row."""
    return Section(**{name: getattr(row, name) for name in Section.__slots__})


def element_rows(model: ReadingModel) -> list[Row]:
    """Elements, one row each."""
    return [
        {
            "model_version": model.model_version,
            "ordinal": element.ordinal,
            "type": element.type.value,
            "page": element.page,
            "page_end": element.page_end,
            "section": element.section,
            "text": element.text,
            "searchable_text": element.searchable_text,
            "level": element.level,
            "lines": codec.dump(codec.packed_line_values(element.lines)),
            "boxes": codec.dump(codec.box_values(element.boxes)),
            "table_cells": None if element.table is None else codec.dump(codec.table_values(element.table)),
            "image": element.image,
            "parent": element.parent,
        }
        for element in model.elements
    ]


def element_of(row: Any) -> Element:
    """An element from its row."""
    return Element(
        ordinal=row.ordinal,
        type=BlockType(row.type),
        page=row.page,
        page_end=row.page_end,
        section=row.section,
        text=row.text,
        searchable_text=row.searchable_text,
        level=row.level,
        lines=codec.lines_of(codec.load(row.lines)),
        boxes=codec.boxes_of(codec.load(row.boxes)),
        table=None if row.table_cells is None else codec.table_of(codec.load(row.table_cells)),
        image=row.image,
        parent=row.parent,
    )


def location_rows(model: ReadingModel) -> list[Row]:
    """Locations in their order; the row's ordinal is the place in the model."""
    return [
        {
            "model_version": model.model_version,
            "ordinal": location.ordinal,
            "location_ref": location.ref,
            "kind": location.kind.value,
            "page": location.page,
            "page_end": location.page_end,
            "section": location.section,
            "section_title": location.section_title,
            "section_path": location.section_path,
            "text": location.text,
            "text_sha256": location.text_sha256,
            "parts": codec.dump_parts(location.parts),
            "searchable_text": location.searchable_text,
            "element_types": codec.dump_types(location.element_types),
        }
        for location in model.locations
    ]


def location_of(row: Any) -> Location:
    """A location from its row."""
    return Location(
        ref=row.location_ref,
        kind=LocationKind(row.kind),
        ordinal=row.ordinal,
        page=row.page,
        page_end=row.page_end,
        section=row.section,
        section_title=row.section_title,
        section_path=row.section_path,
        text=row.text,
        text_sha256=row.text_sha256,
        parts=codec.load_parts(row.parts),
        searchable_text=row.searchable_text,
        element_types=codec.load_types(row.element_types),
    )


def location_record_of(row: Any) -> LocationRecord:
    """A location with its paper, from a row joined with its model's."""
    return LocationRecord(row.paper_id, row.model_version, row.parser, location_of(row))


def relationship_rows(model: ReadingModel) -> list[Row]:
    """Relationships in their order."""
    return [
        {
            "model_version": model.model_version,
            "ordinal": ordinal,
            "kind": relation.kind.value,
            "source": relation.source,
            "target": relation.target,
            "proof_start": relation.proof_start,
            "proof_end": relation.proof_end,
        }
        for ordinal, relation in enumerate(model.relationships)
    ]


def relationship_of(row: Any) -> Relationship:
    """A relationship from its row."""
    return Relationship(RelationKind(row.kind), row.source, row.target, row.proof_start, row.proof_end)

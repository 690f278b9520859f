"""Exact reading from the store: texts, spans, rectangles, and outlines that name what can be read."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence

from corpus_gateway.scope import CallScope
from corpus_gateway.wire import LocationReadResult, ReadItem, StructureNode
from reading_model.documents import PageBox, Rect
from reading_model.models import Element, LocationKind, LocationRecord
from reading_model.spans import split_spans
from reading_model.store import CurrentModel, ReadingStore
from reading_model.store.tables import LOCATION_REF_BYTES


def stored(store: ReadingStore, refs: Sequence[str]) -> dict[str, LocationRecord]:
    """Locations by reference, of anybody's papers and of any model version: `read` says which of them may be read."""
    # a longer reference cannot exist, and the store would refuse to look for it
    return store.locations.by_refs([ref for ref in refs if len(ref.encode()) <= LOCATION_REF_BYTES])


def read(
    store: ReadingStore, scope: CallScope, refs: Sequence[str], found: Mapping[str, LocationRecord]
) -> LocationReadResult:
    """Locations of the scope's current models in the order asked for; every other reference is named as missing.

    `found` is what `stored` gives for the references.
    """
    wanted = list(dict.fromkeys(refs))
    readable = {
        ref: record
        for ref, record in found.items()
        if scope.is_current(record.paper_id, record.model_version) and record.location.text.strip()
    }
    elements = _elements(store, readable.values())
    return LocationReadResult(
        items=[_item(record, elements[record.model_version], scope) for ref in wanted if (record := readable.get(ref))],
        missing_location_refs=[ref for ref in wanted if ref not in readable],
    )


def outline(
    store: ReadingStore, model: CurrentModel, title: str, structure_types: Collection[str]
) -> list[StructureNode]:
    """Sections, then pages, of a model, as far as they are asked for and have text to open."""
    kinds = [kind for kind in (LocationKind.SECTION, LocationKind.PAGE) if kind.name in structure_types]
    levels = {section.ordinal: section.level for section in store.models.sections(model.model_version)}
    records = [record for kind in kinds for record in store.locations.of_models([model.model_version], [kind])]
    return [_node(record, title, order, levels) for order, record in enumerate(records)]


def _node(record: LocationRecord, title: str, order: int, levels: Mapping[int, int]) -> StructureNode:
    location = record.location
    level = None if location.section is None else levels.get(location.section)
    return StructureNode(
        paper_id=record.paper_id,
        title=title,
        location_ref=location.ref,
        structure_type="SECTION" if location.kind is LocationKind.SECTION else "PAGE",
        section_title=location.section_title,
        section_level=level,
        section_path=location.section_path,
        display_order=order,
        page_from=location.page,
        page_to=location.page_end,
    )


def _elements(store: ReadingStore, records: Iterable[LocationRecord]) -> dict[str, dict[int, Element]]:
    ordinals: dict[str, set[int]] = {}
    for record in records:
        ordinals.setdefault(record.model_version, set()).update(part.element for part in record.location.parts)
    return store.models.elements_of(ordinals)


def _item(record: LocationRecord, elements: Mapping[int, Element], scope: CallScope) -> ReadItem:
    location = record.location
    spans = split_spans(record, elements)
    # validated as a whole: an object made for each of the hundreds of boxes costs more than reading them
    return ReadItem.model_validate(
        {
            "paper_id": record.paper_id,
            "title": scope.titles[record.paper_id],
            "paper_version": record.model_version,
            "location_ref": location.ref,
            "element_type": location.kind.value,
            "page": location.page,
            "page_end": location.page_end,
            "section": location.section_title,
            "span_text": location.text,
            "bbox_json": _bbox_json(box for span in spans for box in span.boxes),
            "parser_name": record.parser,
            "parser_version": scope.searchable[record.paper_id].parser_version,
            "spans": [
                {
                    "number": span.number,
                    "start": span.start,
                    "end": span.end,
                    "text": span.text,
                    "page": span.page,
                    "boxes": [_box(box.page, box.rect) for box in span.boxes],
                    "evidence_id": span.evidence_id,
                }
                for span in spans
            ],
        }
    )


def _box(page: int, rect: Rect) -> dict[str, float]:
    """The fields of a `SpanBox`."""
    return {"page": page, "x0": rect.x0, "y0": rect.y0, "x1": rect.x1, "y1": rect.y1}


def _bbox_json(boxes: Iterable[PageBox]) -> str | None:
    """The rectangle around a location on each of its pages, as a JSON list of span boxes; None where none is known."""
    on_page: dict[int, list[Rect]] = {}
    for box in boxes:
        on_page.setdefault(box.page, []).append(box.rect)
    around = [
        _box(
            page,
            Rect(
                x0=min([rect.x0 for rect in rects]),
                y0=min([rect.y0 for rect in rects]),
                x1=max([rect.x1 for rect in rects]),
                y1=max([rect.y1 for rect in rects]),
            ),
        )
        for page, rects in sorted(on_page.items())
    ]
    return json.dumps(around) if around else None

"""Exact reading from the store: texts, spans, rectangles, and outlines that name what can be read."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence

from corpus_gateway.cards import cards_of
from corpus_gateway.scope import CallScope
from corpus_gateway.wire import LocationReadResult, PaperCard, ReadItem, ReadSpan, SpanBox, StructureNode
from reading_model.documents import PageBox, Rect
from reading_model.models import Element, Location, LocationKind, LocationRecord
from reading_model.spans import split_spans
from reading_model.store import ReadingStore
from reading_model.store.tables import LOCATION_REF_BYTES


def read(store: ReadingStore, scope: CallScope, user_id: str, refs: Sequence[str]) -> LocationReadResult:
    """Locations of the scope's current models in the order asked for; every other reference is named as missing."""
    wanted = list(dict.fromkeys(refs))
    # a longer reference cannot exist, and the store would refuse to look for it
    found = store.locations.by_refs([ref for ref in wanted if len(ref.encode()) <= LOCATION_REF_BYTES])
    readable = {
        ref: record
        for ref, record in found.items()
        if scope.is_current(record.paper_id, record.model_version) and record.location.text.strip()
    }
    elements = _elements(store, readable.values())
    cards = cards_of(store, user_id, {record.paper_id for record in readable.values()})
    return LocationReadResult(
        items=[
            _item(record, elements[record.model_version], scope, cards[record.paper_id].title)
            for ref in wanted
            if (record := readable.get(ref))
        ],
        missing_location_refs=[ref for ref in wanted if ref not in readable],
    )


def outline(
    store: ReadingStore, card: PaperCard, model_version: str, structure_types: Collection[str]
) -> list[StructureNode]:
    """Sections, then pages, of a model, as far as they are asked for and have text to open."""
    kinds = [kind for kind in (LocationKind.SECTION, LocationKind.PAGE) if kind.name in structure_types]
    levels = {section.ordinal: section.level for section in store.models.sections(model_version)}
    records = [record for kind in kinds for record in store.locations.of_models([model_version], [kind])]
    return [_node(card, record.location, order, levels) for order, record in enumerate(records)]


def _node(card: PaperCard, location: Location, order: int, levels: Mapping[int, int]) -> StructureNode:
    level = None if location.section is None else levels.get(location.section)
    return StructureNode(
        paper_id=card.paper_id,
        title=card.title,
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


def _item(record: LocationRecord, elements: Mapping[int, Element], scope: CallScope, title: str) -> ReadItem:
    location = record.location
    spans = split_spans(record, elements)
    return ReadItem(
        paper_id=record.paper_id,
        title=title,
        paper_version=record.model_version,
        location_ref=location.ref,
        element_type=location.kind.value,
        page=location.page,
        page_end=location.page_end,
        section=location.section_title,
        span_text=location.text,
        bbox_json=_bbox_json(box for span in spans for box in span.boxes),
        parser_name=record.parser,
        parser_version=scope.searchable[record.paper_id].parser_version,
        spans=[
            ReadSpan(
                number=span.number,
                start=span.start,
                end=span.end,
                text=span.text,
                page=span.page,
                boxes=[_span_box(box) for box in span.boxes],
                evidence_id=span.evidence_id,
            )
            for span in spans
        ],
    )


def _span_box(box: PageBox) -> SpanBox:
    return SpanBox(page=box.page, x0=box.rect.x0, y0=box.rect.y0, x1=box.rect.x1, y1=box.rect.y1)


def _bbox_json(boxes: Iterable[PageBox]) -> str | None:
    """The rectangle around a location on each of its pages, as a JSON list of span boxes; None where none is known."""
    around: dict[int, Rect] = {}
    for box in boxes:
        new, old = box.rect, around.get(box.page, box.rect)
        around[box.page] = Rect(min(old.x0, new.x0), min(old.y0, new.y0), max(old.x1, new.x1), max(old.y1, new.y1))
    pages = [_span_box(PageBox(page, around[page])).model_dump() for page in sorted(around)]
    return json.dumps(pages) if pages else None

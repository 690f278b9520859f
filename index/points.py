"""What of a location, or of a paper's metadata, becomes a point: its indexed text and its routing fields."""

from __future__ import annotations

import uuid

from index.contract import IndexContract
from index.encoder import FieldText, encode_document
from index.engine import IndexPoint, PointPayload
from reading_model.identity import sha256_hex
from reading_model.models import LocationKind, LocationRecord, PaperMetadata

CARD_KIND = "paper"

_SEPARATOR = "\x1f"


def point_id(paper_id: str, model_version: str, location_ref: str) -> str:
    """The UUIDv5 (RFC 9562) of the three, joined by U+001F, in the OID name space."""
    return str(uuid.uuid5(uuid.NAMESPACE_OID, _SEPARATOR.join((paper_id, model_version, location_ref))))


def location_point(record: LocationRecord, title: str | None, contract: IndexContract) -> IndexPoint:
    """The point of a searchable location; the titles of its paper and section stand in front of its text."""
    return measured_point(record, title, contract)[0]


def measured_point(record: LocationRecord, title: str | None, contract: IndexContract) -> tuple[IndexPoint, float]:
    """The same with the length of the indexed text, in weighted words."""
    location = record.location
    texts = {
        "title": title or "",
        "section": location.section_title or "",
        "text": location.searchable_text or location.text,
    }
    payload = location_payload(record, contract)
    document = encode_document(_weighted(texts, contract), contract)
    number = point_id(record.paper_id, record.model_version, location.ref)
    return IndexPoint(number, document.vector, payload), document.length


def location_payload(record: LocationRecord, contract: IndexContract) -> PointPayload:
    """The routing fields of a location.

    `element_types` holds the kind itself and, for a passage, the types of the elements in it: so one list of values
    filters for "tables, or passages that contain a formula".
    """
    location = record.location
    inside = location.element_types if location.kind is LocationKind.PASSAGE else ()
    return PointPayload(
        paper_id=record.paper_id,
        model_version=record.model_version,
        location_ref=location.ref,
        kind=location.kind.value,
        element_types=(location.kind.value, *sorted(kind.value for kind in set(inside))),
        section=location.section_path,
        page=location.page,
        page_end=location.page_end,
        text_sha256=location.text_sha256,
        contract=contract.text(),
    )


def card_point(paper_id: str, filename: str, metadata: PaperMetadata, contract: IndexContract) -> IndexPoint:
    """The point of a paper's card. It belongs to the paper, not to a model: its model version is the paper id.

    `contract` is that of the cards; without a known title the filename stands for it.
    """
    texts = _card_texts(filename, metadata)
    vector = encode_document(_weighted(texts, contract), contract).vector
    payload = card_payload(paper_id, filename, metadata, contract)
    return IndexPoint(point_id(paper_id, paper_id, paper_id), vector, payload)


def card_payload(paper_id: str, filename: str, metadata: PaperMetadata, contract: IndexContract) -> PointPayload:
    """The routing fields of a card; its text hash changes with every field that is searched."""
    return PointPayload(
        paper_id=paper_id,
        model_version=paper_id,
        location_ref=paper_id,
        kind=CARD_KIND,
        element_types=(),
        section=None,
        page=1,
        page_end=1,
        text_sha256=sha256_hex(_SEPARATOR.join(_card_texts(filename, metadata).values())),
        contract=contract.text(),
    )


def _card_texts(filename: str, metadata: PaperMetadata) -> dict[str, str]:
    return {
        "title": metadata.title or filename.removesuffix(".pdf"),
        "abstract": metadata.abstract or "",
        "authors": " ; ".join(metadata.authors),
        "venue": metadata.venue or "",
    }


def _weighted(texts: dict[str, str], contract: IndexContract) -> list[FieldText]:
    return [FieldText(texts[name], weight) for name, weight in contract.field_weights().items()]

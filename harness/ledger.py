"""The evidence ledger: every span that this run has really read, in the order in which it was read."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from corpus_gateway.wire import SpanBox


@dataclass(frozen=True, slots=True)
class EvidenceEntry:
    """One span read: `text` is the location's text[start:end] (code points) on `page`.

    `origin` tells whether it was read in this turn or taken over from an accepted earlier answer; `query` is the
    search that led to its location, None where structure or memory did. `order` counts entries from 1.
    """

    evidence_id: str
    paper_id: str
    title: str
    model_version: str
    location_ref: str
    kind: str
    section: str | None
    page: int
    page_end: int
    start: int
    end: int
    boxes: tuple[SpanBox, ...]
    text: str
    parser: str | None
    parser_version: str | None
    origin: Literal["this_turn", "previous_turn"]
    query: str | None
    order: int

    @property
    def text_sha256(self) -> str:
        """64 hex digits over the span's UTF-8 text."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def ledger_item(entry: EvidenceEntry) -> dict[str, Any]:
    """A ledger entry under the contract's names."""
    return {
        "evidence_id": entry.evidence_id,
        "paper_id": entry.paper_id,
        "title": entry.title,
        "paper_version": entry.model_version,
        "section": entry.section or "unsectioned",
        "page": entry.page,
        "page_end": entry.page_end,
        "location_ref": entry.location_ref,
        "element_type": entry.kind,
        "start": entry.start,
        "end": entry.end,
        "span_text": entry.text,
        "text_sha256": entry.text_sha256,
        "parser_name": entry.parser,
        "parser_version": entry.parser_version,
        "source_kind": "canonical_location_read",
        "origin": entry.origin,
        "query": entry.query,
        "order": entry.order,
    }


class EvidenceLedger:
    """Entries by evidence id, in reading order. Entries are never changed or removed; reading again adds nothing."""

    def __init__(self) -> None:
        self._entries: dict[str, EvidenceEntry] = {}

    def add(self, entry: EvidenceEntry) -> bool:
        """Add a span; False when the ledger holds it already."""
        if entry.evidence_id in self._entries:
            return False
        self._entries[entry.evidence_id] = entry
        return True

    def get(self, evidence_id: str) -> EvidenceEntry | None:
        """The entry of an id, None when this run has not read it."""
        return self._entries.get(evidence_id)

    def __contains__(self, evidence_id: object) -> bool:
        return evidence_id in self._entries

    def __iter__(self) -> Iterator[EvidenceEntry]:
        return iter(self._entries.values())

    def __len__(self) -> int:
        return len(self._entries)

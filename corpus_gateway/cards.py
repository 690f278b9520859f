"""Paper cards as one user sees them."""

from __future__ import annotations

from collections.abc import Iterable

from corpus_gateway.wire import PaperCard
from reading_model.models import PaperRecord
from reading_model.store import ReadingStore

PREVIEW_LENGTH = 500
"""Code points of the abstract that a card shows."""


def cards_of(store: ReadingStore, user_id: str, paper_ids: Iterable[str]) -> dict[str, PaperCard]:
    """Cards by paper id. A user's own copy goes by the name that this user gave it, never by another user's."""
    named = list(paper_ids)
    own = store.access.filenames(user_id, named)
    return {record.paper_id: card_of(record, own.get(record.paper_id)) for record in store.papers.get(named)}


def card_of(record: PaperRecord, own_filename: str | None) -> PaperCard:
    """The card of a paper; its title falls back to the filename, then to the id."""
    metadata = record.metadata
    filename = own_filename or record.filename
    return PaperCard(
        paper_id=record.paper_id,
        title=metadata.title or filename or record.paper_id,
        authors=list(metadata.authors),
        year=metadata.year,
        venue=metadata.venue,
        doi=metadata.doi,
        arxiv_id=metadata.arxiv_id,
        filename=filename or None,
        preview=metadata.abstract[:PREVIEW_LENGTH] if metadata.abstract else None,
    )

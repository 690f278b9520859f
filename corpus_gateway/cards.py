"""Paper cards as one user sees them."""

from __future__ import annotations

from corpus_gateway.wire import PaperCard
from reading_model.models import PaperRecord

PREVIEW_LENGTH = 500
"""Code points of the abstract that a card shows."""


def card_of(record: PaperRecord, own_filename: str | None) -> PaperCard:
    """The card of a paper as a user knows it."""
    metadata = record.metadata
    filename = own_filename or record.filename
    return PaperCard(
        paper_id=record.paper_id,
        title=title_of(record.paper_id, metadata.title, filename),
        authors=list(metadata.authors),
        year=metadata.year,
        venue=metadata.venue,
        doi=metadata.doi,
        arxiv_id=metadata.arxiv_id,
        filename=filename or None,
        preview=metadata.abstract[:PREVIEW_LENGTH] if metadata.abstract else None,
    )


def title_of(paper_id: str, title: str | None, filename: str | None) -> str:
    """What a paper is called; without a title it goes by its filename, else by its id."""
    return title or filename or paper_id

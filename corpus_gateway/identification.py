"""Which paper some clues name, as one user knows it."""

from __future__ import annotations

from collections.abc import Sequence

from corpus_gateway.cards import card_of
from corpus_gateway.wire import IdentityResult, PaperIdentity
from index.papers import PaperClues, PaperRetrieval
from reading_model.store import ReadingStore


def identify(
    store: ReadingStore, papers: PaperRetrieval, user_id: str, clues: PaperIdentity, paper_ids: Sequence[str]
) -> IdentityResult:
    """The papers among `paper_ids` for which every clue holds; a blank clue is none.

    A filename means the name under which this user added the paper: the index knows only the first user's name.
    """
    own = store.access.filenames(user_id, paper_ids)
    found = papers.resolve(_clues_of(clues), paper_ids, own)
    return IdentityResult(
        status=found.status,
        matches=[card_of(record, own.get(record.paper_id)) for record in found.matches],
        reason=found.reason,
    )


def _clues_of(clues: PaperIdentity) -> PaperClues:
    def text(value: str | None) -> str | None:
        return value if value and value.strip() else None

    return PaperClues(
        paper_id=text(clues.paper_id),
        title=text(clues.title),
        filename=text(clues.filename),
        doi=text(clues.doi),
        arxiv_id=text(clues.arxiv_id),
        authors=tuple(name for name in clues.authors if name.strip()),
        year=clues.year,
    )

"""The papers as one user sees them. It asks the store alone, so it works beside the process that owns the index."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from corpus_gateway.failures import as_gateway_errors
from corpus_gateway.scope import is_searchable
from reading_model.errors import PaperNotFound
from reading_model.models import PaperRecord
from reading_model.store import CurrentModel, ReadingStore


@dataclass(frozen=True, slots=True)
class LibraryPaper:
    """A paper as one user's library shows it; `filename` is the name this user knows it by.

    `own` is False for a paper that the user sees only because it is published.
    """

    record: PaperRecord
    filename: str
    own: bool
    published: bool
    searchable: bool


class PaperListing:
    """Which papers a user may see, and how each stands; `contract` tells the text of the index contract in force."""

    def __init__(self, store: ReadingStore, *, contract: Callable[[], str]) -> None:
        self._store = store
        self._contract = contract

    def papers(self, user_id: str) -> list[LibraryPaper]:
        """Every paper the user may see, failed ones included, in the order of their ids."""
        with as_gateway_errors():
            return self.shown(user_id, self._store.access.accessible(user_id))

    def paper(self, user_id: str, paper_id: str) -> LibraryPaper:
        """One paper the user may see. Raises PaperNotFound."""
        with as_gateway_errors():
            if paper_id not in self._store.access.accessible(user_id):
                raise not_found(paper_id)
            return self.shown(user_id, [paper_id])[0]

    def searchable(self, paper_ids: Sequence[str]) -> dict[str, bool]:
        """Whether a search under the contract in force would look into each paper."""
        current: Mapping[str, CurrentModel] = self._store.models.current(paper_ids)
        contract = self._contract()
        return {name: name in current and is_searchable(current[name], contract) for name in paper_ids}

    def shown(self, user_id: str, paper_ids: Sequence[str]) -> list[LibraryPaper]:
        """These papers under the names that the user knows; rights are the caller's to check."""
        own = self._store.access.filenames(user_id, paper_ids)
        published = self._store.access.published(paper_ids)
        searchable = self.searchable(paper_ids)
        return [
            LibraryPaper(
                record=record,
                filename=own.get(record.paper_id, record.filename),
                own=record.paper_id in own,
                published=record.paper_id in published,
                searchable=searchable[record.paper_id],
            )
            for record in self._store.papers.get(paper_ids)
        ]


def not_found(paper_id: str) -> PaperNotFound:
    """The same for a paper that does not exist and for one that this user may not see."""
    return PaperNotFound(f"there is no paper {paper_id} in your library")

"""Paper search over the cards of a scope, and finding the one paper that some clues name.

Who may see which paper is decided by the caller, who passes the ids.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from index.analyzer import query_terms
from index.broad import specific_terms
from index.contract import IndexContract
from index.encoder import encode_terms
from index.engine import SparseIndex, SparseQuery
from index.identities import (
    ArxivNumber,
    comparable_arxiv,
    comparable_doi,
    comparable_filename,
    comparable_title,
    names_author,
    within_name,
)
from index.retrieval import ONLY_STOP_WORDS
from reading_model.models import PaperRecord
from reading_model.store import ReadingStore

CLUES_REQUIRED = "identity_hints_required"
NOT_A_DOI = "not_a_doi"
NOT_AN_ARXIV_NUMBER = "not_an_arxiv_number"
OTHER_VERSION_HELD = "other_version_held"

_ARXIV_DOI = "10.48550/arxiv."


@dataclass(frozen=True, slots=True)
class PaperQuery:
    """A search over the metadata of some papers.

    `paper_ids` are the papers to search, `corpus` all papers of the caller's scope (IDF is counted over them; None:
    over the whole library). An author filter holds when one of the names fits, a venue filter when one of the venues
    does; years are inclusive.
    """

    paper_ids: tuple[str, ...]
    corpus: tuple[str, ...] | None
    text: str = ""
    authors: tuple[str, ...] = ()
    venues: tuple[str, ...] = ()
    year_from: int | None = None
    year_to: int | None = None
    offset: int = 0
    limit: int = 20


@dataclass(frozen=True, slots=True)
class PaperHit:
    """A paper found; `score` is BM25 over the scope's cards, 0 in a list without a query."""

    record: PaperRecord
    score: float


@dataclass(frozen=True, slots=True)
class PaperHits:
    """One page of hits. `matched_count` counts all matches, `next_offset` is None on the last page."""

    hits: tuple[PaperHit, ...] = ()
    matched_count: int = 0
    next_offset: int | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class PaperClues:
    """What a caller knows of a paper; every clue given must hold. Of the authors named, one must be an author."""

    paper_id: str | None = None
    title: str | None = None
    filename: str | None = None
    doi: str | None = None
    arxiv_id: str | None = None
    authors: tuple[str, ...] = ()
    year: int | None = None


@dataclass(frozen=True, slots=True)
class Resolution:
    """`resolved` has one match, `ambiguous` several, `not_found` none; `reason` says more where there is more to say.

    With `other_version_held` in the reason the library has the arXiv paper in the version named there.
    """

    status: Literal["resolved", "ambiguous", "not_found"]
    matches: tuple[PaperRecord, ...] = ()
    reason: str | None = None


class PaperRetrieval:
    """Searches the paper cards; `contract` is that of the locations, the cards' contract follows from it."""

    def __init__(self, store: ReadingStore, cards: SparseIndex, contract: IndexContract) -> None:
        self._store = store
        self._cards = cards
        self._contract = contract.for_cards()

    def search(self, query: PaperQuery) -> PaperHits:
        """Papers by score, then id; a blank query lists those that pass the filters, newest first.

        Raises ContractMismatch, IndexUnavailable, StoreError.
        """
        passing = [record for record in self._store.papers.get(query.paper_ids) if _passes(record, query)]
        if not query.text.strip():
            listed = sorted(passing, key=lambda record: (-(record.metadata.year or 0), record.paper_id))
            return _page([PaperHit(record, 0.0) for record in listed], query)
        weights = specific_terms(query.text) or query_terms(query.text)
        if not weights:
            return PaperHits(reason=ONLY_STOP_WORDS)
        points = self._cards.search(
            SparseQuery(
                vector=encode_terms(weights),
                model_versions=tuple(record.paper_id for record in passing),
                limit=len(passing),
                corpus=query.corpus,
            )
        )
        known = {record.paper_id: record for record in passing}
        for point in points:
            self._contract.require(point.payload.contract, where=f"the card of paper {point.payload.paper_id}")
        return _page([PaperHit(known[point.payload.paper_id], point.score) for point in points], query)

    def resolve(
        self, clues: PaperClues, paper_ids: Sequence[str], filenames: Mapping[str, str] = MappingProxyType({})
    ) -> Resolution:
        """The papers among `paper_ids` for which every clue holds.

        `filenames` gives the names under which the caller knows papers, where they are other than the library's.
        """
        if clues == PaperClues():
            return Resolution("not_found", reason=CLUES_REQUIRED)
        if clues.doi is not None and comparable_doi(clues.doi) is None:
            return Resolution("not_found", reason=NOT_A_DOI)
        arxiv = None if clues.arxiv_id is None else comparable_arxiv(clues.arxiv_id)
        if clues.arxiv_id is not None and arxiv is None:
            return Resolution("not_found", reason=NOT_AN_ARXIV_NUMBER)
        records = (
            replace(record, filename=filenames.get(record.paper_id, record.filename))
            for record in self._store.papers.get(paper_ids)
        )
        named = [record for record in records if _holds(record, clues, arxiv)]
        matches = tuple(record for record in named if arxiv is None or _version_holds(record, arxiv))
        if not matches and named:
            return Resolution("not_found", reason=f"{OTHER_VERSION_HELD}: {_versions(named)}")
        if not matches:
            return Resolution("not_found")
        return Resolution("resolved" if len(matches) == 1 else "ambiguous", matches)


def _page(hits: Sequence[PaperHit], query: PaperQuery) -> PaperHits:
    end = query.offset + query.limit
    shown = tuple(hits[query.offset : end])
    return PaperHits(shown, len(hits), end if shown and end < len(hits) else None)


def _passes(record: PaperRecord, query: PaperQuery) -> bool:
    metadata = record.metadata
    if query.authors and not any(names_author(name, held) for name in query.authors for held in metadata.authors):
        return False
    if query.venues and not any(within_name(name, metadata.venue or "") for name in query.venues):
        return False
    year = metadata.year
    if query.year_from is not None and (year is None or year < query.year_from):
        return False
    return query.year_to is None or (year is not None and year <= query.year_to)


def _holds(record: PaperRecord, clues: PaperClues, arxiv: ArxivNumber | None) -> bool:
    """Whether every clue but the arXiv version holds."""
    metadata = record.metadata
    if clues.paper_id is not None and clues.paper_id != record.paper_id:
        return False
    if clues.title is not None and not _same_title(clues.title, metadata.title):
        return False
    if clues.filename is not None and comparable_filename(clues.filename) != comparable_filename(record.filename):
        return False
    if clues.doi is not None and not _has_doi(record, clues.doi):
        return False
    if arxiv is not None and not _has_arxiv_number(record, arxiv):
        return False
    if clues.authors and not any(names_author(name, held) for name in clues.authors for held in metadata.authors):
        return False
    return clues.year is None or clues.year == metadata.year


def _same_title(wanted: str, held: str | None) -> bool:
    title = comparable_title(wanted)
    return bool(title) and held is not None and title == comparable_title(held)


def _has_doi(record: PaperRecord, wanted: str) -> bool:
    doi = comparable_doi(wanted)
    if record.metadata.doi is not None and comparable_doi(record.metadata.doi) == doi:
        return True
    arxiv = comparable_arxiv(doi) if doi and doi.startswith(_ARXIV_DOI) else None
    return arxiv is not None and _has_arxiv_number(record, arxiv) and _version_holds(record, arxiv)


def _has_arxiv_number(record: PaperRecord, arxiv: ArxivNumber) -> bool:
    held = _held_arxiv(record)
    return held is not None and held.number == arxiv.number


def _held_arxiv(record: PaperRecord) -> ArxivNumber | None:
    metadata = record.metadata
    if metadata.arxiv_id is not None:
        return comparable_arxiv(metadata.arxiv_id)
    doi = comparable_doi(metadata.doi) if metadata.doi else None
    return comparable_arxiv(doi) if doi and doi.startswith(_ARXIV_DOI) else None


def _version_holds(record: PaperRecord, arxiv: ArxivNumber) -> bool:
    held = _held_arxiv(record)
    return held is not None and (arxiv.version is None or arxiv.version == held.version)


def _versions(records: Sequence[PaperRecord]) -> str:
    held = (_held_arxiv(record) for record in records)
    return ", ".join(f"v{number.version}" if number and number.version else "version unknown" for number in held)

"""Location search: candidates from the engine, checked against SQL, selected, each with a preview.

Who may see which paper is decided by the caller: it names the models to search and those over which IDF is counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from index.analyzer import query_terms
from index.broad import is_broad
from index.contract import IndexContract
from index.encoder import encode_terms
from index.engine import ScoredPoint, SparseIndex, SparseQuery
from index.preview import Preview, preview
from index.selection import Candidate, gives_each_paper_a_place, select
from reading_model.models import LocationKind, LocationRecord
from reading_model.store import ReadingStore

WINDOW = 40
"""Candidates that are fetched and checked for one search."""

_SPARE = 4

QUERY_REQUIRED = "query_required"
ONLY_STOP_WORDS = "only_stop_words"


@dataclass(frozen=True, slots=True)
class LocationQuery:
    """A search over the current models of some papers.

    `models` maps the papers to search to their current model versions; `corpus` names the model versions of the
    caller's whole scope, over which IDF is counted (None: every point of the library, right only when the scope is
    every current paper). `kinds` and `blocks` are a union: locations of these kinds, and passages that contain an
    element of these types; both empty mean no restriction. Pages are an overlap with [page_from, page_to].
    """

    models: Mapping[str, str]
    corpus: tuple[str, ...] | None
    text: str
    section: str = ""
    kinds: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()
    page_from: int | None = None
    page_to: int | None = None
    top_k: int = 8


@dataclass(frozen=True, slots=True)
class LocationHit:
    """A place found. `score` is BM25 over the caller's corpus; 0: the opening of a paper, for a broad question."""

    record: LocationRecord
    score: float
    preview: Preview


@dataclass(frozen=True, slots=True)
class LocationHits:
    """Hits, best first.

    `matched_count` counts the candidates inside the fetched window (without those that SQL contradicted), `complete`
    says whether all of them are shown and the window held every match. `reason` says why there was nothing to search
    for.
    """

    hits: tuple[LocationHit, ...] = ()
    matched_count: int = 0
    complete: bool = True
    reason: str | None = None


class LocationRetrieval:
    """Searches one collection of locations under one contract."""

    def __init__(self, store: ReadingStore, locations: SparseIndex, contract: IndexContract) -> None:
        self._store = store
        self._locations = locations
        self._contract = contract

    def search(self, query: LocationQuery) -> LocationHits:
        """The best places for a query. Raises ContractMismatch, IndexUnavailable, StoreError.

        A blank query, or one of stop words alone, finds nothing and says so; no place without any of the query's
        words fills the list, except that a broad question about one or a few papers ("what is this paper about") is
        given the opening of each.
        """
        weights = query_terms(f"{query.text} {query.section}")
        if not weights:
            blank = not (query.text.strip() or query.section.strip())
            return LocationHits(reason=QUERY_REQUIRED if blank else ONLY_STOP_WORDS)
        if not query.models:
            return LocationHits()
        points = self._candidates(query, weights)
        leads = self._leads(query) if is_broad(query.text) and not query.section.strip() else []
        head = _shown_first(points, query)
        chosen, valid = self._choose(query, leads, head)
        if len(chosen) < query.top_k and len(head) < len(points):
            head = points
            chosen, valid = self._choose(query, leads, head)
        matched = len(points) - len(head) + valid
        hits = tuple(LocationHit(record, score, preview(record.location.text, weights)) for record, score in chosen)
        complete = len(points) < _window(query) and len(hits) == matched
        return LocationHits(hits=hits, matched_count=matched, complete=complete)

    def _choose(
        self, query: LocationQuery, leads: Sequence[LocationRecord], points: Sequence[ScoredPoint]
    ) -> tuple[list[tuple[LocationRecord, float]], int]:
        """What is shown of the leads and the points, with scores, and how many of both there are."""
        scores = {point.payload.location_ref: point.score for point in points}
        known = {lead.location.ref: lead for lead in leads} | self._records(query, points)
        order = list(dict.fromkeys([*(lead.location.ref for lead in leads), *(ref for ref in scores if ref in known)]))
        chosen = select(
            [_candidate(known[ref], scores.get(ref, 0.0)) for ref in order],
            papers=len(query.models),
            top_k=query.top_k,
        )
        return [(known[candidate.location_ref], candidate.score) for candidate in chosen], len(order)

    def _candidates(self, query: LocationQuery, weights: Mapping[str, float]) -> list[ScoredPoint]:
        points = self._locations.search(
            SparseQuery(
                vector=encode_terms(weights),
                model_versions=tuple(sorted(query.models.values())),
                limit=_window(query),
                corpus=query.corpus,
                element_types=(*query.kinds, *query.blocks),
                page_from=query.page_from,
                page_to=query.page_to,
            )
        )
        for point in points:
            self._contract.require(point.payload.contract, where=f"paper {point.payload.paper_id}")
        return points

    def _records(self, query: LocationQuery, points: Sequence[ScoredPoint]) -> dict[str, LocationRecord]:
        """What SQL says of the candidates; a point that SQL contradicts is left out."""
        stored = self._store.locations.by_refs([point.payload.location_ref for point in points])
        valid: dict[str, LocationRecord] = {}
        for point in points:
            payload = point.payload
            record = stored.get(payload.location_ref)
            if (
                record is not None
                and record.paper_id == payload.paper_id
                and record.model_version == query.models.get(payload.paper_id)
                and record.location.text_sha256 == payload.text_sha256
            ):
                valid[payload.location_ref] = record
        return valid

    def _leads(self, query: LocationQuery) -> list[LocationRecord]:
        """The opening of each paper, when they are few: its abstract, else its first passage."""
        restricted = query.kinds or query.blocks or query.page_from is not None or query.page_to is not None
        if restricted or 2 * len(query.models) > query.top_k:
            return []
        openings: dict[str, LocationRecord] = {}
        for record in self._store.locations.of_models(sorted(query.models.values()), [LocationKind.PASSAGE]):
            known = openings.get(record.paper_id)
            if known is None or (_is_abstract(record) and not _is_abstract(known)):
                openings[record.paper_id] = record
        return [openings[paper_id] for paper_id in sorted(openings)]


def _window(query: LocationQuery) -> int:
    return max(WINDOW, 2 * query.top_k)


def _shown_first(points: Sequence[ScoredPoint], query: LocationQuery) -> list[ScoredPoint]:
    """The points that selection will most likely do with, so that SQL need not be asked about the others.

    Some more than are shown, since some will be folded; and the best of each paper while selection gives each a place.
    """
    few = gives_each_paper_a_place(len(query.models), query.top_k)
    seen: set[str] = set()
    head: list[ScoredPoint] = []
    for place, point in enumerate(points):
        if place < query.top_k + _SPARE or (few and point.payload.paper_id not in seen):
            head.append(point)
        seen.add(point.payload.paper_id)
    return head


def _is_abstract(record: LocationRecord) -> bool:
    return (record.location.section_title or "").casefold().strip(" .:0123456789").endswith("abstract")


def _candidate(record: LocationRecord, score: float) -> Candidate:
    location = record.location
    return Candidate(
        paper_id=record.paper_id,
        location_ref=location.ref,
        score=score,
        text=location.text,
        text_sha256=location.text_sha256,
    )

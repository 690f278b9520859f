"""The corpus of this machine: the canonical store and the index behind the gateway protocol.

Store and index are synchronous; every call runs in a thread, so that an event loop goes on meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Literal, TypeVar

from corpus_gateway.access import check_range, named_papers
from corpus_gateway.cards import card_of
from corpus_gateway.element_types import element_filter
from corpus_gateway.errors import GatewayError
from corpus_gateway.failures import as_gateway_errors
from corpus_gateway.identification import identify
from corpus_gateway.reading import outline, read, stored
from corpus_gateway.scope import CallScope, call_scope
from corpus_gateway.wire import (
    CorpusRequest,
    HealthReport,
    IdentityRequest,
    IdentityResult,
    LocationCandidate,
    LocationReadRequest,
    LocationReadResult,
    LocationSearchRequest,
    LocationSearchResult,
    PaperSearchRequest,
    PaperSearchResult,
    StructureRequest,
    StructureResult,
)
from index.papers import PaperQuery, PaperRetrieval
from index.retrieval import LocationHit, LocationQuery, LocationRetrieval
from index.serving import OpenIndex, ServingIndex
from reading_model.store import ReadingStore

Result = TypeVar("Result")


class LocalCorpus:
    """What the gateway does, synchronously; its methods raise `GatewayError`, and errors of store and index."""

    def __init__(
        self, store: ReadingStore, locations: LocationRetrieval, papers: PaperRetrieval, *, contract: str
    ) -> None:
        self._store = store
        self._locations = locations
        self._papers = papers
        self._contract = contract

    def _scope(self, request: CorpusRequest) -> CallScope:
        return call_scope(self._store, request, self._contract)

    def search_papers(self, request: PaperSearchRequest) -> PaperSearchResult:
        """Search the scope's papers by metadata."""
        check_range("years", request.year_from, request.year_to)
        scope = self._scope(request)
        part = scope.only(request.paper_ids) if request.paper_ids else scope
        found = self._papers.search(
            PaperQuery(
                paper_ids=tuple(part.searchable),
                corpus=tuple(scope.searchable),
                text=request.query_text,
                authors=tuple(request.authors),
                venues=tuple(request.venues),
                year_from=request.year_from,
                year_to=request.year_to,
                offset=request.offset,
                limit=request.limit,
            )
        )
        own = self._store.access.filenames(request.user_id, [hit.record.paper_id for hit in found.hits])
        return PaperSearchResult(
            query_text=request.query_text,
            candidates=[card_of(hit.record, own.get(hit.record.paper_id)) for hit in found.hits],
            matched_count=found.matched_count,
            returned_count=len(found.hits),
            coverage=_coverage(complete=found.next_offset is None),
            next_offset=found.next_offset,
            unsearchable_papers=list(part.unsearchable),
            reason=found.reason,
        )

    def resolve_identity(self, request: IdentityRequest) -> IdentityResult:
        """Resolve clues to one paper of the scope."""
        papers = tuple(self._scope(request).searchable)
        return identify(self._store, self._papers, request.user_id, request.identity, papers)

    def search_locations(self, request: LocationSearchRequest) -> LocationSearchResult:
        """Search places in papers of the scope."""
        check_range("pages", request.page_from, request.page_to)
        named_papers("paper_ids", request.paper_ids)
        scope = self._scope(request)
        part = scope.only(request.paper_ids)
        wanted = element_filter(request.element_types)
        found = self._locations.search(
            LocationQuery(
                models={paper_id: model.model_version for paper_id, model in part.searchable.items()},
                corpus=tuple(sorted(model.model_version for model in scope.searchable.values())),
                text=request.query_text,
                section=request.section_query,
                kinds=tuple(sorted(wanted.kinds)),
                blocks=tuple(sorted(wanted.blocks)),
                page_from=request.page_from,
                page_to=request.page_to,
                top_k=request.top_k,
            )
        )
        # what the index gave is checked once more, here where rights are known
        hits = [hit for hit in found.hits if part.is_current(hit.record.paper_id, hit.record.model_version)]
        return LocationSearchResult(
            query_text=request.query_text,
            locations=[_candidate(hit, part.titles[hit.record.paper_id]) for hit in hits],
            matched_count=found.matched_count,
            returned_count=len(hits),
            coverage=_coverage(complete=found.complete),
            index_version=self._contract,
            unsearchable_papers=list(part.unsearchable),
            reason=found.reason,
        )

    def read_locations(self, request: LocationReadRequest) -> LocationReadResult:
        """Read the exact text of locations."""
        found = stored(self._store, request.location_refs)
        papers = {record.paper_id for record in found.values()}
        scope = call_scope(self._store, request, self._contract, touched=papers)
        return read(self._store, scope, request.location_refs, found)

    def paper_structure(self, request: StructureRequest) -> StructureResult:
        """The outlines of papers of the scope."""
        part = self._scope(request).only(request.paper_ids)
        return StructureResult(
            nodes=[
                node
                for paper_id, model in part.searchable.items()
                for node in outline(self._store, model, part.titles[paper_id], request.structure_types)
            ],
            unsearchable_papers=list(part.unsearchable),
        )

    def health(self) -> HealthReport:
        """Whether the store answers and the index does."""
        # a search for a word over nothing that exists goes the whole way through the engine
        nowhere = LocationQuery(models={"": ""}, corpus=("",), text="health", top_k=1)
        checks: dict[str, Callable[[], object]] = {
            "store": lambda: self._store.access.published([""]),
            "index": lambda: self._locations.search(nowhere),
        }
        parts = {name: _state(check) for name, check in checks.items()}
        return HealthReport(ok=all(state == "ok" for state in parts.values()), parts=parts)


class LocalCorpusGateway:
    """`CorpusGateway` over an open store and its index; `contract` is the text of the index contract in force."""

    def __init__(
        self, store: ReadingStore, locations: LocationRetrieval, papers: PaperRetrieval, *, contract: str
    ) -> None:
        self._corpus = LocalCorpus(store, locations, papers, contract=contract)

    async def search_papers(self, request: PaperSearchRequest) -> PaperSearchResult:
        """Search the scope's papers by metadata; an empty query lists the scope, newest papers first."""
        return await self._in_thread(lambda corpus: corpus.search_papers(request))

    async def resolve_identity(self, request: IdentityRequest) -> IdentityResult:
        """Resolve clues to exactly one paper of the scope, or say that it is ambiguous or not found."""
        return await self._in_thread(lambda corpus: corpus.resolve_identity(request))

    async def search_locations(self, request: LocationSearchRequest) -> LocationSearchResult:
        """Search passages, tables and figures of papers of the scope; IDF is counted over the whole scope."""
        return await self._in_thread(lambda corpus: corpus.search_locations(request))

    async def read_locations(self, request: LocationReadRequest) -> LocationReadResult:
        """Read the exact text of locations, with their citable spans and rectangles."""
        return await self._in_thread(lambda corpus: corpus.read_locations(request))

    async def paper_structure(self, request: StructureRequest) -> StructureResult:
        """The outlines of papers of the scope, in the order in which they were named."""
        return await self._in_thread(lambda corpus: corpus.paper_structure(request))

    async def health(self) -> HealthReport:
        """Whether the store answers and the index does."""
        return await self._in_thread(lambda corpus: corpus.health())

    def _answered(self, ask: Callable[[LocalCorpus], Result]) -> Result:
        return ask(self._corpus)

    async def _in_thread(self, ask: Callable[[LocalCorpus], Result]) -> Result:
        def translated() -> Result:
            with as_gateway_errors():
                return self._answered(ask)

        return await asyncio.to_thread(translated)


class ServingCorpusGateway(LocalCorpusGateway):
    """The same over the index in force; a call during whose work another one was put into force is done again there."""

    def __init__(self, store: ReadingStore, serving: ServingIndex) -> None:
        self._store = store
        self._serving = serving

    def _answered(self, ask: Callable[[LocalCorpus], Result]) -> Result:
        return self._serving.run(lambda index: ask(self._corpus_over(index)))

    def _corpus_over(self, index: OpenIndex) -> LocalCorpus:
        return LocalCorpus(
            self._store,
            LocationRetrieval(self._store, index.locations, index.contract),
            PaperRetrieval(self._store, index.cards, index.contract),
            contract=index.contract.text(),
        )


def _candidate(hit: LocationHit, title: str) -> LocationCandidate:
    location = hit.record.location
    return LocationCandidate(
        paper_id=hit.record.paper_id,
        title=title,
        paper_version=hit.record.model_version,
        location_ref=location.ref,
        section=location.section_title,
        page=location.page,
        page_end=location.page_end,
        element_type=location.kind.value,
        preview=hit.preview.text,
        sparse_score=hit.score,
        fused_score=hit.score,
    )


def _coverage(*, complete: bool) -> Literal["complete", "truncated"]:
    return "complete" if complete else "truncated"


def _state(check: Callable[[], object]) -> str:
    try:
        with as_gateway_errors():
            check()
    except GatewayError as error:
        return str(error)
    return "ok"

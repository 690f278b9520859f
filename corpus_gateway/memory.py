"""A corpus in memory: papers as simple values behind the whole protocol, for tests and for trying things out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from corpus_gateway.access import allowed, check_range, named_papers
from corpus_gateway.clues import matches, names_any, names_nothing
from corpus_gateway.element_types import element_filter
from corpus_gateway.errors import GatewayError
from corpus_gateway.lexical import preview, scores, words
from corpus_gateway.memory_paper import (
    PARSER,
    SECTION_SEPARATOR,
    MemoryLocation,
    MemoryPaper,
    PlacedLocation,
    PlacedPaper,
    place,
)
from corpus_gateway.splitting import split_text
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
    PaperCard,
    PaperSearchRequest,
    PaperSearchResult,
    ReadItem,
    StructureNode,
    StructureRequest,
    StructureResult,
)
from index.identities import within_name

__all__ = ["MemoryCorpusGateway", "MemoryLocation", "MemoryPaper"]

INDEX_VERSION = "memory-bm25"

_SEARCHABLE = frozenset({"passage", "table", "figure"})


class MemoryCorpusGateway:
    """Papers in memory under the same rules as a library: access, scope, current versions, exact spans.

    Papers can be shared, withdrawn, published and replaced between calls, and every call sees the change. While
    `failure` is set every call raises it.
    """

    def __init__(self, papers: Iterable[MemoryPaper] = ()) -> None:
        self.failure: GatewayError | None = None
        self._papers: dict[str, PlacedPaper] = {}
        self._holders: dict[str, set[str]] = {}
        self._published: set[str] = set()
        for paper in papers:
            self.put(paper)

    def put(self, paper: MemoryPaper) -> None:
        """Add a paper for its owner; one of the same id is replaced, and the refs of its old version go stale."""
        self._papers[paper.paper_id] = place(paper)
        self.share(paper.paper_id, paper.owner)
        if paper.published:
            self._published.add(paper.paper_id)

    def share(self, paper_id: str, user_id: str) -> None:
        """Put a paper into a user's library."""
        self._holders.setdefault(user_id, set()).add(paper_id)

    def withdraw(self, paper_id: str, user_id: str) -> None:
        """Take a paper out of a user's library; a published one stays visible."""
        self._holders.get(user_id, set()).discard(paper_id)

    def publish(self, paper_id: str) -> None:
        """Show a paper to everyone."""
        self._published.add(paper_id)

    def unpublish(self, paper_id: str) -> None:
        """Show a paper to those alone who hold it."""
        self._published.discard(paper_id)

    def paper_version(self, paper_id: str) -> str:
        """The current version of a paper; `KeyError` for an unknown one."""
        return self._papers[paper_id].version

    def location_refs(self, paper_id: str, kind: str = "passage") -> list[str]:
        """The refs of a paper's current locations of one kind, in reading order; `KeyError` for an unknown paper."""
        return [item.ref for item in self._papers[paper_id].locations if item.source.kind == kind]

    async def search_papers(self, request: PaperSearchRequest) -> PaperSearchResult:
        """Search the scope's papers by metadata; an empty query lists the scope."""
        check_range("years", request.year_from, request.year_to)
        papers, unsearchable = self._split(request, request.paper_ids)
        papers = [paper for paper in papers if _passes(request, paper.card)]
        if words(request.query_text):
            ranked = zip(scores(request.query_text, [_metadata_text(paper) for paper in papers]), papers, strict=True)
            papers = [paper for score, paper in sorted(ranked, key=lambda pair: -pair[0]) if score > 0]
        page = papers[request.offset : request.offset + request.limit]
        end = request.offset + len(page)
        truncated = bool(page) and end < len(papers)
        return PaperSearchResult(
            query_text=request.query_text,
            candidates=[paper.card for paper in page],
            matched_count=len(papers),
            returned_count=len(page),
            coverage="truncated" if truncated else "complete",
            next_offset=end if truncated else None,
            unsearchable_papers=unsearchable,
        )

    async def resolve_identity(self, request: IdentityRequest) -> IdentityResult:
        """Resolve clues to exactly one paper of the scope, or say that it is ambiguous or not found."""
        papers, _ = self._split(request, [])
        if names_nothing(request.identity):
            return IdentityResult(status="not_found", reason="identity_hints_required")
        found = [paper.card for paper in papers if matches(request.identity, paper.card)]
        if not found:
            return IdentityResult(status="not_found")
        return IdentityResult(status="resolved" if len(found) == 1 else "ambiguous", matches=found)

    async def search_locations(self, request: LocationSearchRequest) -> LocationSearchResult:
        """Search passages, tables and figures of papers of the scope; IDF is counted over the whole scope."""
        check_range("pages", request.page_from, request.page_to)
        named_papers("paper_ids", request.paper_ids)
        scope, _ = self._split(request, [])
        papers, unsearchable = self._split(request, request.paper_ids)
        requested = {paper.source.paper_id for paper in papers}
        corpus = [item for paper in scope for item in paper.locations if item.source.kind in _SEARCHABLE]
        ranked = sorted(zip(_location_scores(request, corpus), corpus, strict=True), key=lambda pair: -pair[0])
        hits = [(score, item) for score, item in ranked if score > 0 and _admits(request, requested, item)]
        shown = hits[: request.top_k]
        asked = bool(words(request.query_text) or words(request.section_query))
        return LocationSearchResult(
            query_text=request.query_text,
            locations=[self._candidate(request, score, item) for score, item in shown],
            matched_count=len(hits),
            returned_count=len(shown),
            coverage="truncated" if len(shown) < len(hits) else "complete",
            index_version=INDEX_VERSION,
            unsearchable_papers=unsearchable,
            reason=None if asked else "query_required",
        )

    async def read_locations(self, request: LocationReadRequest) -> LocationReadResult:
        """Read the exact text of locations, with their citable spans."""
        papers, _ = self._split(request, [])
        readable = {item.ref: (paper, item) for paper in papers for item in paper.locations if item.source.text.strip()}
        refs = list(dict.fromkeys(request.location_refs))
        return LocationReadResult(
            items=[_read_item(*readable[ref]) for ref in refs if ref in readable],
            missing_location_refs=[ref for ref in refs if ref not in readable],
        )

    async def paper_structure(self, request: StructureRequest) -> StructureResult:
        """The outline of papers of the scope."""
        papers, unsearchable = self._split(request, request.paper_ids)
        wanted = {name.lower() for name in request.structure_types}
        nodes = [
            _node(paper, item, order)
            for paper in papers
            for order, item in enumerate(item for item in paper.locations if item.source.kind in wanted)
        ]
        return StructureResult(nodes=nodes, unsearchable_papers=unsearchable)

    async def health(self) -> HealthReport:
        """Ok, unless `failure` is set."""
        if self.failure is not None:
            return HealthReport(ok=False, parts={"memory": str(self.failure)})
        return HealthReport(ok=True, parts={"memory": "ok"})

    def _split(self, request: CorpusRequest, paper_ids: Sequence[str]) -> tuple[list[PlacedPaper], list[str]]:
        """The papers the call may touch (of `paper_ids` where any is named), and those of them without an index."""
        if self.failure is not None:
            raise self.failure
        scope = named_papers("scope_paper_ids", request.scope_paper_ids)
        permitted = allowed(scope, (self._holders.get(request.user_id, set()) | self._published) & self._papers.keys())
        papers = [self._papers[paper_id] for paper_id in (allowed(paper_ids, permitted) if paper_ids else permitted)]
        searchable = [paper for paper in papers if paper.source.searchable]
        return searchable, [paper.source.paper_id for paper in papers if not paper.source.searchable]

    def _candidate(self, request: LocationSearchRequest, score: float, item: PlacedLocation) -> LocationCandidate:
        return LocationCandidate(
            paper_id=item.paper_id,
            title=self._papers[item.paper_id].card.title,
            paper_version=item.paper_version,
            location_ref=item.ref,
            section=item.source.section_title,
            page=item.source.page,
            page_end=item.page_end,
            element_type=item.source.kind,
            preview=preview(request.query_text, item.source.text),
            sparse_score=score,
            fused_score=score,
        )


def _passes(request: PaperSearchRequest, card: PaperCard) -> bool:
    return (
        (not request.authors or any(names_any(name, card.authors) for name in request.authors))
        and (not request.venues or any(within_name(name, card.venue or "") for name in request.venues))
        and (request.year_from is None or (card.year is not None and card.year >= request.year_from))
        and (request.year_to is None or (card.year is not None and card.year <= request.year_to))
    )


def _metadata_text(paper: PlacedPaper) -> str:
    source = paper.source
    return " ".join(
        [paper.card.title, source.abstract or "", *source.authors, source.venue or "", source.filename or ""]
    )


def _location_scores(request: LocationSearchRequest, corpus: Sequence[PlacedLocation]) -> list[float]:
    by_text = scores(request.query_text, [f"{item.source.section or ''} {item.source.text}" for item in corpus])
    by_section = scores(request.section_query, [item.source.section or "" for item in corpus])
    return [text + section for text, section in zip(by_text, by_section, strict=True)]


def _admits(request: LocationSearchRequest, requested: set[str], item: PlacedLocation) -> bool:
    return (
        item.paper_id in requested
        and element_filter(request.element_types).admits(item.source.kind, item.source.element_types)
        and (request.page_from is None or item.page_end >= request.page_from)
        and (request.page_to is None or item.source.page <= request.page_to)
    )


def _read_item(paper: PlacedPaper, item: PlacedLocation) -> ReadItem:
    source = item.source
    return ReadItem(
        paper_id=item.paper_id,
        title=paper.card.title,
        paper_version=item.paper_version,
        location_ref=item.ref,
        element_type=source.kind,
        page=source.page,
        page_end=item.page_end,
        section=source.section_title,
        span_text=source.text,
        parser_name=PARSER.parser,
        parser_version=PARSER.version,
        spans=split_text(
            source.text,
            paper_id=item.paper_id,
            paper_version=item.paper_version,
            location_ref=item.ref,
            page=source.page,
            by_rows=source.kind == "table",
        ),
    )


def _node(paper: PlacedPaper, item: PlacedLocation, order: int) -> StructureNode:
    source = item.source
    return StructureNode(
        paper_id=item.paper_id,
        title=paper.card.title,
        location_ref=item.ref,
        structure_type="SECTION" if source.kind == "section" else "PAGE",
        section_title=source.section_title,
        section_level=len(source.section.split(SECTION_SEPARATOR)) if source.section else None,
        section_path=source.section,
        display_order=order,
        page_from=source.page,
        page_to=item.page_end,
    )

"""Finding papers: `search_paper_candidates` and `find_papers_by_identity`, the first rung of the ladder."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from corpus_gateway.wire import PaperCard, PaperIdentity, PaperSearchResult
from harness.context import ResearchRunContext
from harness.tools.arguments import Arguments
from harness.tools.corpus import TurnCorpus
from harness.tools.fitting import fitting
from harness.tools.replies import Fault, IdentityReply, PaperLine, PaperSearchReply, wrap_paper_text
from harness.tools.tool import Outcome, Tool

_SHOWN = 10

Clue = Annotated[str, Field(max_length=2000)]
Year = Annotated[int, Field(ge=0, le=9999)]


class PaperSearchArguments(Arguments):
    """Arguments of `search_paper_candidates`."""

    query_text: Annotated[
        Clue, Field(description="Words of title, abstract or metadata; empty lists the papers in scope.")
    ] = ""
    paper_ids: Annotated[tuple[str, ...], Field(max_length=100, description="Only these papers.")] = ()
    authors: Annotated[tuple[str, ...], Field(max_length=50, description="Only papers by one of these authors.")] = ()
    venues: Annotated[tuple[str, ...], Field(max_length=50, description="Only papers of one of these venues.")] = ()
    year_from: Annotated[Year | None, Field(description="Earliest year.")] = None
    year_to: Annotated[Year | None, Field(description="Latest year.")] = None
    offset: Annotated[int, Field(ge=0, le=1_000_000, description="How many matches to pass over.")] = 0
    limit: Annotated[int, Field(ge=1, le=100, description="How many papers to return.")] = 20


class IdentityArguments(Arguments):
    """Arguments of `find_papers_by_identity`."""

    paper_id: Annotated[Clue | None, Field(description="The paper's id.")] = None
    title: Annotated[Clue | None, Field(description="The full title.")] = None
    filename: Annotated[Clue | None, Field(description="The file's name.")] = None
    doi: Annotated[Clue | None, Field(description="The DOI.")] = None
    arxiv_id: Annotated[Clue | None, Field(description="The arXiv id.")] = None
    authors: Annotated[tuple[str, ...], Field(max_length=50, description="Authors; one that matches is enough.")] = ()
    year: Annotated[Year | None, Field(description="The year of publication.")] = None


class PaperTools:
    """The two ways to a paper."""

    def __init__(self, corpus: TurnCorpus, context: ResearchRunContext) -> None:
        self._corpus = corpus
        self._context = context

    def tools(self) -> list[Tool[Any]]:
        """The tools, for the agent."""
        return [
            Tool(
                name="search_paper_candidates",
                description=(
                    "Search or list the papers in scope by metadata and abstract. Papers it returns may then be "
                    "searched for locations. Counts and lists of papers come from here."
                ),
                arguments=PaperSearchArguments,
                call=self.search,
                shown_input=lambda given: {"query": given.query_text, "limit": given.limit},
                empty_output={"resultCount": 0, "papers": []},
            ),
            Tool(
                name="find_papers_by_identity",
                description=(
                    "Find one paper by clues that all must hold. Only a single match opens the paper; an ambiguous "
                    "identity opens none."
                ),
                arguments=IdentityArguments,
                call=self.identify,
                shown_input=_identity_shown,
                empty_output={"resultCount": 0},
            ),
        ]

    async def search(self, given: PaperSearchArguments) -> Outcome | Fault:
        """Search papers; those shown are disclosed."""
        result = await self._corpus.search_papers(**given.model_dump(exclude_none=True))
        cards = {card.paper_id: card for card in result.candidates}
        lines = fitting([paper_line(card) for card in cards.values()], self._budget)
        shown = [cards[line.paper_id] for line in lines]
        self._context.disclose_papers(shown)
        self._context.note_result(shown, result.matched_count, len(lines))
        reply = _search_reply(result, lines, given.offset)
        papers = [{"paperId": card.paper_id, "title": card.title} for card in shown[:_SHOWN]]
        return Outcome(reply, {"resultCount": len(shown), "papers": papers})

    async def identify(self, given: IdentityArguments) -> Outcome | Fault:
        """Resolve clues; only a unique match is disclosed."""
        if not given.model_dump(exclude_defaults=True):
            return Fault(
                code="identity_clues_required",
                message="No clue to a paper was given.",
                next_action="Give a title, DOI, arXiv id, filename, id, author or year, or search for candidates.",
            )
        result = await self._corpus.resolve_identity(PaperIdentity(**given.model_dump()))
        cards = {card.paper_id: card for card in result.matches}
        lines = fitting([paper_line(card) for card in cards.values()], self._budget)
        if result.status == "resolved":
            self._context.disclose_papers(cards.values())
        self._context.note_result([cards[line.paper_id] for line in lines], len(lines))
        hints = {
            "resolved": None,
            "not_found": "No paper in scope carries all these clues. Use fewer clues or search for candidates.",
            "ambiguous": "Several papers match and none is opened. Add a clue, or ask the user which one is meant.",
        }
        reply = IdentityReply(status=result.status, matches=lines, reason=result.reason, hint=hints[result.status])
        return Outcome(reply, {"resultCount": len(lines)})

    @property
    def _budget(self) -> int:
        return self._context.turn.limits.max_model_visible_tool_chars


def paper_line(card: PaperCard) -> PaperLine:
    """A card as the model sees it."""
    return PaperLine(
        **card.model_dump(exclude={"preview", "authors"}),
        authors=card.authors or None,
        preview=wrap_paper_text(card.preview) if card.preview else None,
    )


def _search_reply(result: PaperSearchResult, lines: list[PaperLine], offset: int) -> PaperSearchReply:
    cut = len(lines) < len(result.candidates)
    return PaperSearchReply(
        query_text=result.query_text,
        candidates=lines,
        matched_count=result.matched_count,
        returned_count=len(lines),
        coverage="truncated" if cut else result.coverage,
        next_offset=offset + len(lines) if cut else result.next_offset,
        unsearchable_papers=result.unsearchable_papers or None,
        hint=None if lines else "No paper in scope matches. Use other or fewer words, or an empty query to list all.",
    )


def _identity_shown(given: IdentityArguments) -> dict[str, Any]:
    names = {"paper_id": "paperId", "arxiv_id": "arxivId"}
    return {names.get(key, key): value for key, value in given.model_dump(exclude_defaults=True).items()}

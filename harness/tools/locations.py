"""Finding places to read in disclosed papers: `find_reading_locations` and `get_paper_structure`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from corpus_gateway.wire import ElementType, LocationCandidate, StructureNode
from harness.context import DisclosedLocation, ResearchRunContext
from harness.tools.arguments import Arguments
from harness.tools.corpus import TurnCorpus
from harness.tools.fitting import fitting
from harness.tools.papers import Clue
from harness.tools.replies import (
    Fault,
    LocationLine,
    LocationSearchReply,
    OutlineLine,
    StructureReply,
    wrap_paper_text,
)
from harness.tools.tool import Outcome, Tool

_SHOWN = 10

PaperIds = Annotated[
    tuple[str, ...],
    Field(max_length=100, description="Papers that a search or a unique identity of this run returned."),
]
Page = Annotated[int, Field(ge=1, le=1_000_000)]


class LocationSearchArguments(Arguments):
    """Arguments of `find_reading_locations`."""

    paper_ids: PaperIds
    query_text: Annotated[Clue, Field(description="What to look for, in the words that the paper would use.")] = ""
    section_query: Annotated[Clue, Field(description="Words of the section's title.")] = ""
    element_types: Annotated[
        tuple[ElementType, ...], Field(max_length=11, description="Kinds of content to look for; empty means all.")
    ] = ()
    page_from: Annotated[Page | None, Field(description="First page.")] = None
    page_to: Annotated[Page | None, Field(description="Last page.")] = None
    top_k: Annotated[int, Field(ge=1, le=20, description="How many locations to return.")] = 8


class StructureArguments(Arguments):
    """Arguments of `get_paper_structure`."""

    paper_ids: PaperIds
    structure_types: Annotated[
        tuple[Literal["SECTION", "PAGE"], ...],
        Field(min_length=1, max_length=2, description="Outline by section or page."),
    ] = ("SECTION",)
    offset: Annotated[int, Field(ge=0, le=1_000_000, description="How many entries to pass over.")] = 0


class LocationTools:
    """The two ways to a location."""

    def __init__(self, corpus: TurnCorpus, context: ResearchRunContext) -> None:
        self._corpus = corpus
        self._context = context

    def tools(self) -> list[Tool[Any]]:
        """The tools, for the agent."""
        return [
            Tool(
                name="find_reading_locations",
                description=(
                    "Find passages, tables and figures of disclosed papers that speak to a query. Locations it returns "
                    "may then be read. Previews help to choose and cannot be cited."
                ),
                arguments=LocationSearchArguments,
                call=self.search,
                shown_input=lambda given: {
                    "paperIds": list(given.paper_ids),
                    "query": given.query_text,
                    "limit": given.top_k,
                },
                empty_output={"resultCount": 0, "locations": []},
            ),
            Tool(
                name="get_paper_structure",
                description=(
                    "List sections or pages of disclosed papers in reading order, each with a readable reference."
                ),
                arguments=StructureArguments,
                call=self.outline,
                shown_input=lambda given: {"paperIds": list(given.paper_ids)},
                empty_output={"resultCount": 0},
            ),
        ]

    async def search(self, given: LocationSearchArguments) -> Outcome | Fault:
        """Search locations; those shown are disclosed."""
        if fault := self._undisclosed(given.paper_ids):
            return fault
        if given.page_from and given.page_to and given.page_from > given.page_to:
            return Fault(
                code="invalid_page_range",
                message="page_from is larger than page_to.",
                next_action="Give the smaller page as page_from.",
            )
        result = await self._corpus.search_locations(
            **given.model_dump(exclude_none=True, exclude={"paper_ids"}), paper_ids=_distinct(given.paper_ids)
        )
        by_ref = {item.location_ref: item for item in result.locations}
        lines = fitting([_location_line(item) for item in by_ref.values()], self._budget)
        query = given.query_text or given.section_query or None
        self._context.disclose_locations([DisclosedLocation(line.location_ref, line.paper_id, query) for line in lines])
        reply = LocationSearchReply(
            query_text=result.query_text,
            locations=lines,
            matched_count=result.matched_count,
            returned_count=len(lines),
            coverage="truncated" if len(lines) < len(result.locations) else result.coverage,
            unsearchable_papers=result.unsearchable_papers or None,
            reason=result.reason,
            hint=None
            if lines
            else "No location matches. Use other words of the paper, drop filters, or look at the structure.",
        )
        return Outcome(reply, {"resultCount": len(lines), "locations": _locations_shown(lines)})

    async def outline(self, given: StructureArguments) -> Outcome | Fault:
        """Outlines; entries shown are disclosed."""
        if fault := self._undisclosed(given.paper_ids):
            return fault
        result = await self._corpus.structure(_distinct(given.paper_ids), given.structure_types)
        rest = result.nodes[given.offset :]
        lines = fitting([_outline_line(node) for node in rest], self._budget)
        self._context.disclose_locations([DisclosedLocation(line.location_ref, line.paper_id, None) for line in lines])
        reply = StructureReply(
            nodes=lines,
            returned_count=len(lines),
            next_offset=given.offset + len(lines) if len(lines) < len(rest) else None,
            unsearchable_papers=result.unsearchable_papers or None,
            hint=None if lines else "Nothing is left to list. Search for locations, or list pages instead.",
        )
        return Outcome(reply, {"resultCount": len(lines)})

    def _undisclosed(self, paper_ids: Sequence[str]) -> Fault | None:
        """A fault unless every paper was disclosed; not yours and not there are the same here."""
        if not paper_ids:
            return Fault(
                code="paper_ids_required",
                message="At least one paper is needed.",
                next_action="Search for candidates first, then name papers that were returned.",
            )
        unknown = [paper_id for paper_id in _distinct(paper_ids) if paper_id not in self._context.papers]
        if not unknown:
            return None
        return Fault(
            code="paper_not_authorized_for_reading",
            message="These papers were not returned by a search or a unique identity of this run.",
            next_action="Search for the paper, and use an id that the search returns.",
            details={"unauthorized_paper_ids": unknown},
        )

    @property
    def _budget(self) -> int:
        return self._context.turn.limits.max_model_visible_tool_chars


def _distinct(values: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(values))


def _location_line(item: LocationCandidate) -> LocationLine:
    return LocationLine(
        paper_id=item.paper_id,
        title=item.title,
        location_ref=item.location_ref,
        element_type=item.element_type,
        section=item.section,
        page=item.page,
        page_end=item.page_end,
        preview=wrap_paper_text(item.preview),
    )


def _outline_line(node: StructureNode) -> OutlineLine:
    return OutlineLine(
        paper_id=node.paper_id,
        location_ref=node.location_ref,
        structure_type=node.structure_type,
        section_title=node.section_title,
        section_level=node.section_level,
        page_from=node.page_from,
        page_to=node.page_to,
    )


def _locations_shown(lines: Sequence[LocationLine]) -> list[dict[str, Any]]:
    return [
        {
            "paperId": line.paper_id,
            "title": line.title,
            "section": line.section,
            "page": line.page,
            "locationRef": line.location_ref,
        }
        for line in lines[:_SHOWN]
    ]

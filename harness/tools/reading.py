"""`read_locations`: exact text of disclosed locations, span by span; the only tool that creates evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from corpus_gateway.wire import ReadItem, ReadSpan
from harness.context import ResearchRunContext
from harness.ledger import EvidenceEntry
from harness.tools.arguments import Arguments
from harness.tools.corpus import MAX_READ_REFERENCES, TurnCorpus
from harness.tools.fitting import ENVELOPE, listed_ranges
from harness.tools.replies import Fault, ReadLine, ReadReply, SpanLine, SpanRange, wrap_paper_text
from harness.tools.tool import Outcome, Tool

_SHOWN = 10
_QUOTE = 300


class SpanRangeArguments(Arguments):
    """Some spans of a location."""

    location_ref: str
    first: Annotated[int, Field(ge=0, description="Number of the first span.")]
    last: Annotated[int, Field(ge=0, description="Number of the last span.")]


class ReadArguments(Arguments):
    """Arguments of `read_locations`."""

    location_refs: Annotated[
        tuple[str, ...],
        Field(max_length=MAX_READ_REFERENCES, description="Locations that this run has found; read whole."),
    ] = ()
    span_ranges: Annotated[
        tuple[SpanRangeArguments, ...],
        Field(
            max_length=MAX_READ_REFERENCES, description="Parts of locations, as listed in `unread_spans` of a reply."
        ),
    ] = ()


@dataclass(frozen=True, slots=True)
class _Wish:
    """What to deliver of one location."""

    location_ref: str
    first: int = 0
    last: int | None = None

    def admits(self, span: ReadSpan) -> bool:
        return span.number >= self.first and (self.last is None or span.number <= self.last)


@dataclass(frozen=True, slots=True)
class Piece:
    """The wished spans of one location that could be read."""

    item: ReadItem
    spans: tuple[ReadSpan, ...]


@dataclass(frozen=True, slots=True)
class Delivery:
    """Spans for the model (`lines`, each with its item and spans) and ranges that did not fit."""

    delivered: tuple[tuple[ReadItem, tuple[ReadSpan, ...]], ...]
    unread: tuple[SpanRange, ...]


class ReadingTools:
    """The way from a location to evidence."""

    def __init__(self, corpus: TurnCorpus, context: ResearchRunContext) -> None:
        self._corpus = corpus
        self._context = context

    def tools(self) -> list[Tool[Any]]:
        """The tools, for the agent."""
        return [
            Tool(
                name="read_locations",
                description=(
                    "Read the exact text of found locations. Each span in the reply carries an evidence_id and may be "
                    "cited as [[evidence_id]]. Spans that did not fit are listed in unread_spans; read them next by "
                    "passing those entries as span_ranges."
                ),
                arguments=ReadArguments,
                call=self.read,
                shown_input=lambda given: {
                    "locationRefs": _references(given),
                    "locationCount": len(_references(given)),
                },
                empty_output={"readCount": 0, "evidenceCount": 0, "pages": [], "evidence": []},
            )
        ]

    async def read(self, given: ReadArguments) -> Outcome | Fault:
        """Read; the spans delivered enter the ledger."""
        references = _references(given)
        if fault := self._refused(references, given.span_ranges):
            return fault
        result = await self._corpus.read(references)
        items = {item.location_ref: item for item in result.items}
        pieces = [_piece(items[wish.location_ref], wish) for wish in _wishes(given, items)]
        budget = self._context.turn.limits.max_model_visible_tool_chars
        delivery = deliver(pieces, budget)
        entries = [entry for item, spans in delivery.delivered for entry in self._entries(item, spans)]
        reply = _reply(delivery, [ref for ref in references if ref not in items], budget)
        return Outcome(reply, _shown(entries), tuple(entry.evidence_id for entry in entries))

    def _refused(self, references: Sequence[str], ranges: Sequence[SpanRangeArguments]) -> Fault | None:
        if not references:
            return Fault(
                code="location_refs_required",
                message="At least one location is needed.",
                next_action="Find locations first, then name references that were returned.",
            )
        if len(references) > MAX_READ_REFERENCES:
            return Fault(
                code="too_many_locations",
                message=f"At most {MAX_READ_REFERENCES} locations can be read in one call.",
                next_action="Read the most promising ones first, the others in a further call.",
            )
        unknown = [reference for reference in references if reference not in self._context.locations]
        if unknown:
            return Fault(
                code="location_not_disclosed_for_reading",
                message="These locations were not returned by a search or an outline of this run.",
                next_action="Find locations in the paper, and use a reference that is returned.",
                details={"unauthorized_location_refs": unknown},
            )
        if any(item.first > item.last for item in ranges):
            return Fault(
                code="invalid_span_range",
                message="The first span of a range stands after its last.",
                next_action="Pass the entries of unread_spans as they are.",
            )
        return None

    def _entries(self, item: ReadItem, spans: Sequence[ReadSpan]) -> list[EvidenceEntry]:
        """The ledger's entries of some spans; those read before stay as they are."""
        ledger, query = self._context.ledger, self._context.locations[item.location_ref].query
        entries: list[EvidenceEntry] = []
        for span in spans:
            entry = evidence_entry(item, span, origin="this_turn", query=query, order=len(ledger) + 1)
            self._context.record_evidence(entry)
            entries.append(ledger.get(span.evidence_id) or entry)
        return entries


def evidence_entry(
    item: ReadItem,
    span: ReadSpan,
    *,
    origin: Literal["this_turn", "previous_turn"],
    query: str | None,
    order: int,
) -> EvidenceEntry:
    """A span that was read, as a ledger entry."""
    return EvidenceEntry(
        evidence_id=span.evidence_id,
        paper_id=item.paper_id,
        title=item.title,
        model_version=item.paper_version,
        location_ref=item.location_ref,
        kind=item.element_type,
        section=item.section,
        page=span.page,
        page_end=max([span.page, *(box.page for box in span.boxes)]),
        start=span.start,
        end=span.end,
        boxes=tuple(span.boxes),
        text=span.text,
        parser=item.parser_name,
        parser_version=item.parser_version,
        origin=origin,
        query=query,
        order=order,
    )


def deliver(pieces: Sequence[Piece], budget: int) -> Delivery:
    """Whole spans in order until the budget is full; a span that no reply could hold is passed over.

    What stays unread is given as one range for each run of spans.
    """
    used = ENVELOPE
    full = False
    delivered: list[tuple[ReadItem, tuple[ReadSpan, ...]]] = []
    unread: list[SpanRange] = []
    for piece in pieces:
        head = len(read_line(piece.item, ()).to_json()) + 1
        taken: list[ReadSpan] = []
        for span in piece.spans:
            size = len(span_line(span).to_json()) + 1
            hopeless = ENVELOPE + head + size > budget
            full = full or (not hopeless and used + head + size > budget)
            if full or hopeless:
                _leave(unread, piece.item.location_ref, span.number)
                continue
            taken.append(span)
            used += size
        if taken:
            used += head
            delivered.append((piece.item, tuple(taken)))
    return Delivery(tuple(delivered), tuple(unread))


def span_line(span: ReadSpan) -> SpanLine:
    """A span as the model sees it."""
    return SpanLine(evidence_id=span.evidence_id, number=span.number, page=span.page, text=wrap_paper_text(span.text))


def read_line(item: ReadItem, spans: Sequence[ReadSpan]) -> ReadLine:
    """A location with some of its spans as the model sees it."""
    return ReadLine(
        paper_id=item.paper_id,
        title=item.title,
        location_ref=item.location_ref,
        element_type=item.element_type,
        section=item.section,
        page=item.page,
        page_end=item.page_end,
        spans=[span_line(span) for span in spans],
    )


def _leave(unread: list[SpanRange], location_ref: str, number: int) -> None:
    if unread and unread[-1].location_ref == location_ref and unread[-1].last == number - 1:
        unread[-1] = SpanRange(location_ref=location_ref, first=unread[-1].first, last=number)
    else:
        unread.append(SpanRange(location_ref=location_ref, first=number, last=number))


def _references(given: ReadArguments) -> list[str]:
    return list(dict.fromkeys([*given.location_refs, *(item.location_ref for item in given.span_ranges)]))


def _wishes(given: ReadArguments, readable: Mapping[str, ReadItem]) -> Iterator[_Wish]:
    """What is asked for, in order; a location asked for whole is not given in parts as well."""
    whole = list(dict.fromkeys(given.location_refs))
    yield from (_Wish(reference) for reference in whole if reference in readable)
    for item in given.span_ranges:
        if item.location_ref in readable and item.location_ref not in whole:
            yield _Wish(item.location_ref, item.first, item.last)


def _piece(item: ReadItem, wish: _Wish) -> Piece:
    return Piece(item, tuple(span for span in item.spans if wish.admits(span)))


def _reply(delivery: Delivery, missing: Sequence[str], budget: int) -> ReadReply:
    lines = [read_line(item, spans) for item, spans in delivery.delivered]
    room = budget - ENVELOPE - sum(len(line.to_json()) + 1 for line in lines)
    listed = listed_ranges(delivery.unread, room)
    left_off = len(delivery.unread) - len(listed)
    hint = None
    if delivery.unread and not lines:
        hint = "No span fits into one reply. Read later spans by span_ranges, or another location."
    elif delivery.unread:
        hint = "Not everything fitted. Pass entries of unread_spans as span_ranges to read on where it matters."
    elif missing and not lines:
        hint = "None of these locations can be read now. Search for locations again."
    elif not lines:
        hint = "There is no text in what was asked for. Read another location."
    return ReadReply(
        items=lines,
        missing_location_refs=list(missing),
        unread_spans=listed or None,
        unread_not_listed=left_off or None,
        hint=hint,
    )


def _shown(entries: Sequence[EvidenceEntry]) -> dict[str, Any]:
    return {
        "readCount": len({entry.location_ref for entry in entries}),
        "evidenceCount": len(entries),
        "pages": [str(page) for page in sorted({entry.page for entry in entries})],
        "evidence": [
            {
                "evidenceId": entry.evidence_id,
                "paperId": entry.paper_id,
                "title": entry.title,
                "section": entry.section,
                "page": entry.page,
                "quote": entry.text[:_QUOTE],
            }
            for entry in entries[:_SHOWN]
        ],
    }

"""What one run knows: what it disclosed, what it read, what it used. Everything here only grows."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from corpus_gateway.errors import CorpusContractViolation
from corpus_gateway.wire import PaperCard
from harness.budgets import RepairBudget, RunUsage
from harness.errors import RunEnded
from harness.ledger import EvidenceEntry, EvidenceLedger
from harness.loops import RepeatedCalls
from harness.recorder import RunRecording
from harness.submission.draft import AcceptedAnswer
from harness.turn import TurnExecutionInput

SUBMIT_TOOL = "submit_research_answer"


@dataclass(frozen=True, slots=True)
class DisclosedLocation:
    """A place that may be read; `query` is the search that found it, None where outline, focus or memory did."""

    location_ref: str
    paper_id: str
    query: str | None


@dataclass(frozen=True, slots=True)
class CallGroup:
    """The tool calls of one model reply, in order."""

    model_call: int
    names: tuple[str, ...]

    @property
    def has_submission(self) -> bool:
        """Whether a submission is among the calls."""
        return SUBMIT_TOOL in self.names

    @property
    def mixes_submission(self) -> bool:
        """Whether a submission came with any other call, be it a second submission."""
        return self.has_submission and len(self.names) > 1


@dataclass(frozen=True, slots=True)
class ToolCallRecord:
    """One call and its reply, as the trace shows it."""

    tool_call_id: str
    tool_name: str
    arguments: Mapping[str, Any]
    result: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ContextSnapshot:
    """The ladder at one moment, each part sorted."""

    authorized_paper_ids: tuple[str, ...]
    disclosed_location_refs: tuple[str, ...]
    evidence_ids: tuple[str, ...]


class ResearchRunContext:
    """One run's state.

    The ladder is enforced where things are written down: a paper must be in the turn's scope, a location must belong
    to a disclosed paper, and evidence to a disclosed location. A corpus that answers otherwise breaks its contract.
    """

    def __init__(self, turn: TurnExecutionInput, recording: RunRecording) -> None:
        self.turn = turn
        self.recording = recording
        self.ledger = EvidenceLedger()
        self.usage = RunUsage()
        self.repairs = RepairBudget(in_a_row=turn.limits.max_repairs, in_total=turn.limits.max_repairs_total)
        self.repeated = RepeatedCalls()
        self.last_call_announced = False
        self.trace: list[ToolCallRecord] = []
        self.skills_used: list[str] = []
        self.submission_attempts = 0
        self.current_call_id = ""
        self.accepted: AcceptedAnswer | None = None
        self.ended: RunEnded | None = None
        self._scope = frozenset(turn.scope_paper_ids)
        self._papers: dict[str, PaperCard] = {}
        self._shown_cards: dict[str, PaperCard] = {}
        self._result_counts: set[int] = set()
        self._locations: dict[str, DisclosedLocation] = {}
        self._groups: dict[str, CallGroup] = {}
        self._refused_groups: set[int] = set()
        self._started = time.monotonic()

    @property
    def papers(self) -> Mapping[str, PaperCard]:
        """Disclosed papers by id, in the order of disclosure."""
        return self._papers

    @property
    def shown_cards(self) -> Sequence[PaperCard]:
        """Every card that a reply showed, also those of an ambiguous identity, which disclose nothing."""
        return list({**self._shown_cards, **self._papers}.values())

    @property
    def result_counts(self) -> frozenset[int]:
        """The numbers of papers that replies told."""
        return frozenset(self._result_counts)

    @property
    def locations(self) -> Mapping[str, DisclosedLocation]:
        """Disclosed locations by reference, in the order of disclosure."""
        return self._locations

    @property
    def elapsed_ms(self) -> int:
        """Milliseconds since the run began."""
        return int((time.monotonic() - self._started) * 1000)

    @property
    def on_last_call(self) -> bool:
        """Whether the model call under way is the last one that the limits allow, of which the model was told."""
        return self.last_call_announced

    def disclose_papers(self, cards: Iterable[PaperCard]) -> None:
        """Papers that the model was shown; a later card of the same paper replaces the earlier one.

        Raises `CorpusContractViolation` for a paper outside the turn's scope; nothing is disclosed then.
        """
        shown = list(cards)
        for card in shown:
            if card.paper_id not in self._scope:
                message = "the corpus returned a paper outside the scope"
                raise CorpusContractViolation(message)
        self._papers.update((card.paper_id, card) for card in shown)

    def note_result(self, cards: Iterable[PaperCard], *counts: int) -> None:
        """Cards and numbers of papers that a reply shows; answers may state them. Discloses nothing."""
        self._shown_cards.update((card.paper_id, card) for card in cards)
        self._result_counts.update(counts)

    def disclose_locations(self, locations: Sequence[DisclosedLocation]) -> None:
        """Locations that the model was shown; the first search that found a location stays its query.

        Raises `CorpusContractViolation` for a location of a paper that was not disclosed; nothing is disclosed then.
        """
        for location in locations:
            known = self._locations.get(location.location_ref)
            if location.paper_id not in self._papers or (known and known.paper_id != location.paper_id):
                message = "the corpus returned a location of a paper that was not asked for"
                raise CorpusContractViolation(message)
        for location in locations:
            self._locations.setdefault(location.location_ref, location)

    def record_evidence(self, entry: EvidenceEntry) -> bool:
        """Enter a span that the model was shown; False when it was read before.

        Raises `CorpusContractViolation` for a span outside a disclosed location, or an id that stands for other words.
        """
        location = self._locations.get(entry.location_ref)
        known = self.ledger.get(entry.evidence_id)
        if location is None or location.paper_id != entry.paper_id:
            message = "the corpus returned a span of a location that was not asked for"
            raise CorpusContractViolation(message)
        if known is not None and (known.location_ref, known.text) != (entry.location_ref, entry.text):
            message = "the corpus gave one evidence id to two different spans"
            raise CorpusContractViolation(message)
        return self.ledger.add(entry)

    def register_group(self, calls: Sequence[tuple[str, str]]) -> CallGroup:
        """Note which calls (id, name) came together in one model reply."""
        group = CallGroup(self.usage.model_calls, tuple(name for _, name in calls))
        for call_id, _ in calls:
            self._groups[call_id] = group
        return group

    def group_of(self, call_id: str) -> CallGroup | None:
        """The group that a call came in."""
        return self._groups.get(call_id)

    def refuse_group(self, group: CallGroup) -> bool:
        """Note that a batch is refused as a whole; False when that was noted before."""
        if group.model_call in self._refused_groups:
            return False
        self._refused_groups.add(group.model_call)
        return True

    def knows_call(self, call_id: str) -> bool:
        """Whether the id was used by an earlier call of this run."""
        return call_id in self._groups

    def end(self, error: RunEnded) -> RunEnded:
        """Note why the run ends, and give the error back to be raised; the first reason stays."""
        if self.ended is None:
            self.ended = error
        return self.ended

    def snapshot(self) -> ContextSnapshot:
        """What is disclosed and read now."""
        return ContextSnapshot(
            tuple(sorted(self._papers)),
            tuple(sorted(self._locations)),
            tuple(sorted(entry.evidence_id for entry in self.ledger)),
        )

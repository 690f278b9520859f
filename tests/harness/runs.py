"""Runs for tests: a small corpus in memory, scripted replies of a model, and a turn over both."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agents.items import TResponseOutputItem
from agents.testing import ModelCall, ModelStep, ScriptedModel, function_call
from agents.usage import Usage

from corpus_gateway.memory import MemoryCorpusGateway, MemoryLocation, MemoryPaper
from harness.recorder import Recorder
from harness.runtime import ResearchRuntime
from harness.turn import RunLimits, TurnExecutionInput
from harness.wire import HistoryMessage, ReferenceFocus, ResearchMemory, ResearchTurnResponse

SUBMIT = "submit_research_answer"

GULLS = "a" * 32
TERNS = "b" * 32
FOREIGN = "c" * 32

RECALL = "Recall rose from 0.61 to 0.74 when passages were cut at sentence ends."
COST = "The cost of a query fell to 12 ms on one core."
TERN_SPEED = "Arctic terns were tracked over 71 000 km in one year."
PRIVATE = "Private gulls nest on the third cliff."


def corpus() -> MemoryCorpusGateway:
    """Two papers of user 1, one of user 2."""
    return MemoryCorpusGateway(
        [
            MemoryPaper(
                GULLS,
                title="Finding Gulls in Text",
                authors=("Ada Moeve",),
                year=2021,
                doi="10.5555/gulls",
                abstract="Retrieval of gulls by passage.",
                locations=[
                    MemoryLocation(RECALL, ref="loc_recall", section="Results", page=3),
                    MemoryLocation(COST, ref="loc_cost", section="Cost", page=4),
                ],
            ),
            MemoryPaper(
                TERNS,
                title="Terns on the Move",
                year=2019,
                locations=[MemoryLocation(TERN_SPEED, ref="loc_terns", section="Tracking", page=2)],
            ),
            MemoryPaper(
                FOREIGN,
                title="A Private Survey of Gulls",
                doi="10.5555/theirs",
                owner="2",
                locations=[MemoryLocation(PRIVATE, ref="loc_private", section="Nests", page=1)],
            ),
        ]
    )


@dataclass
class Events:
    """A progress sink that keeps what it is told."""

    seen: list[dict[str, Any]] = field(default_factory=list)

    def emit(self, type: str, /, **fields: Any) -> None:  # noqa: A002 - the contract's name
        json.dumps(fields, allow_nan=False)
        self.seen.append({"type": type, **fields})

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [event for event in self.seen if event["type"] == kind]


_ids = itertools.count(1)


def call(name: str, call_id: str | None = None, /, **arguments: Any) -> TResponseOutputItem:
    """A call of a tool."""
    return function_call(name, arguments, call_id=call_id or f"call_{next(_ids)}")


def search(call_id: str | None = None, /, **arguments: Any) -> TResponseOutputItem:
    return call("search_paper_candidates", call_id, **arguments)


def find(
    paper_ids: Sequence[str] = (GULLS,), query: str = "recall cost query", call_id: str | None = None
) -> TResponseOutputItem:
    return call("find_reading_locations", call_id, paper_ids=list(paper_ids), query_text=query)


def read(*references: str, call_id: str | None = None) -> TResponseOutputItem:
    return call("read_locations", call_id, location_refs=list(references))


def submit(markdown: str, outcome: str = "answered", call_id: str | None = None) -> TResponseOutputItem:
    return call(SUBMIT, call_id, outcome=outcome, markdown=markdown)


def step(*calls: TResponseOutputItem, tokens: tuple[int, int] = (100, 10)) -> ModelStep:
    """One reply of the model, with its usage."""
    return ModelStep(
        output=list(calls),
        usage=Usage(requests=1, input_tokens=tokens[0], output_tokens=tokens[1], total_tokens=sum(tokens)),
    )


def replies(model_call: ModelCall) -> dict[str, Any]:
    """The tool results that a model call was shown, by call id."""
    return {
        item["call_id"]: json.loads(item["output"])
        for item in model_call.input
        if item.get("type") == "function_call_output"
    }


def evidence_in(model_call: ModelCall) -> dict[str, str]:
    """Evidence ids that a model call was shown, by location."""
    return {
        item["location_ref"]: item["spans"][0]["evidence_id"]
        for reply in replies(model_call).values()
        for item in reply.get("items", [])
    }


def submit_read(template: str, outcome: str = "answered", call_id: str | None = None) -> ModelStep:
    """A submission in which {loc_x} stands for the marker of the span read there."""

    def respond(model_call: ModelCall) -> ModelStep:
        markers = {ref: f"[[{evidence}]]" for ref, evidence in evidence_in(model_call).items()}
        return step(submit(template.format(**markers), outcome, call_id))

    return ModelStep.respond(respond)


def turn(question: str = "How did recall change?", **given: Any) -> TurnExecutionInput:
    """A turn of user 1 over both own papers."""
    values: dict[str, Any] = {
        "run_id": "run_1",
        "request_id": "req_1",
        "conversation_id": "conv_1",
        "user_id": "1",
        "question": question,
        "scope_paper_ids": (GULLS, TERNS),
        "limits": RunLimits(),
        "cancel": asyncio.Event(),
        "progress": Events(),
    }
    return TurnExecutionInput(**{**values, **given})


@dataclass
class Played:
    """A finished run with everything that was seen of it."""

    response: ResearchTurnResponse
    model: ScriptedModel
    events: Events

    def reply(self, call_id: str) -> dict[str, Any]:
        """The reply to a call, from the trace."""
        assert self.response.trace is not None
        [found] = [item["result"] for item in self.response.trace["tool_calls"] if item["tool_call_id"] == call_id]
        return found

    @property
    def reason(self) -> str | None:
        return self.response.control.reason_code if self.response.control else None


async def play(
    steps: Iterable[Any],
    *,
    gateway: MemoryCorpusGateway | None = None,
    recorder: Recorder | None = None,
    **given: Any,
) -> Played:
    """Run a turn with a scripted model; a script that is not played to its end is a fault of the test."""
    model = ScriptedModel(list(steps))
    events = Events()
    played = turn(**{"progress": events, **given})
    response = await ResearchRuntime(gateway or corpus(), lambda: model, recorder=recorder).run(played)
    return Played(response, model, events)


def limits(**numbers: Any) -> RunLimits:
    """Limits that the caller asked for."""
    return RunLimits(**{"requested": True, **numbers})


__all__ = [
    "COST",
    "FOREIGN",
    "GULLS",
    "PRIVATE",
    "RECALL",
    "SUBMIT",
    "TERNS",
    "TERN_SPEED",
    "HistoryMessage",
    "Mapping",
    "ReferenceFocus",
    "ResearchMemory",
]

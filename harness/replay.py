"""Play the model side of a recorded run again: the same tools over the corpus of today, compared call by call."""

from __future__ import annotations

import asyncio
import difflib
import json
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, cast

from agents import ModelResponse, ModelSettings, Tool, Usage
from agents.agent_output import AgentOutputSchemaBase
from agents.handoffs import Handoff
from agents.items import TResponseInputItem, TResponseOutputItem, TResponseStreamEvent
from agents.models.interface import Model, ModelTracing
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseReasoningItem
from pydantic import ValidationError

from corpus_gateway.protocol import CorpusGateway
from harness.errors import ProviderError, ReasonCode, RecordUnreadable
from harness.recorder import RunRecording
from harness.runtime import ResearchRuntime
from harness.turn import NoProgress, RunLimits, TurnExecutionInput
from harness.wire import HistoryMessage, ReferenceFocus, ResearchMemory

_MOST_LINES = 40
"""Lines of one difference that are shown."""

_OUTSIDE = frozenset(
    {
        *("RUN_DEADLINE_EXCEEDED", "RUN_CANCELLED", "RUN_CONTEXT_BUDGET_EXHAUSTED", "INTERNAL_UNEXPECTED"),
        *("PROVIDER_TIMEOUT", "PROVIDER_UNAVAILABLE", "PROVIDER_RATE_LIMITED", "PROVIDER_PROTOCOL_INVALID"),
        *("CORPUS_UNAVAILABLE", "CORPUS_AUTHENTICATION_FAILED", "CORPUS_CONTRACT_VIOLATION"),
    }
)
"""Endings that came from outside the run and need not come again."""


@dataclass(frozen=True, slots=True)
class RecordedReply:
    """One reply of the model, and what it cost: the reply itself and those that were of no use."""

    output: tuple[TResponseOutputItem, ...]
    usage: tuple[int, int]
    wasted: tuple[int, int]


@dataclass(frozen=True, slots=True)
class CompletedCall:
    """One call that was carried out, and the reply that the model was shown."""

    tool: str
    arguments: Mapping[str, Any]
    result: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RunEvents:
    """What a run came to, as far as it depends on model and corpus alone."""

    calls: tuple[CompletedCall, ...]
    evidence_ids: tuple[str, ...]
    verdicts: tuple[Mapping[str, Any], ...]
    ending: str


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """A record, read: what the run began with, the model's replies, what came of them."""

    started: Mapping[str, Any]
    replies: tuple[RecordedReply, ...]
    events: RunEvents


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that came out otherwise; `lines` is a unified diff, recorded against replayed."""

    kind: Literal["tool_result", "tool_call", "evidence", "verdict", "ending"]
    where: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """How a replay compares with its record."""

    calls: int
    evidence: int
    differences: tuple[Difference, ...]

    @property
    def same(self) -> bool:
        """Whether everything came out as recorded."""
        return not self.differences


async def replay(recorded: RecordedRun, gateway: CorpusGateway, *, user_id: str) -> ReplayReport:
    """Play a recorded run against a corpus, in the name of a user."""
    memory = _MemoryRecorder()
    runtime = ResearchRuntime(gateway, lambda: ReplayedModel(recorded.replies), recorder=memory)
    response = await runtime.run(_turn(recorded.started, user_id))
    replayed = _events(memory.events, response.model_dump(mode="json"))
    return ReplayReport(
        calls=len(recorded.events.calls),
        evidence=len(recorded.events.evidence_ids),
        differences=tuple(differences(recorded.events, replayed)),
    )


def read_run(folder: Path) -> RecordedRun:
    """The record in a folder, which holds `events.jsonl` and `result.json`. Raises `RecordUnreadable`."""
    try:
        # only LF ends a line: texts of papers may hold other line ends as they are
        lines = (folder / "events.jsonl").read_text(encoding="utf-8").split("\n")
        events = [cast("dict[str, Any]", json.loads(line)) for line in lines if line]
        result = json.loads((folder / "result.json").read_text(encoding="utf-8"))["result"]
        [started] = [event["payload"] for event in events if event["kind"] == "run.started"]
        replies = tuple(_reply(event["payload"]) for event in events if event["kind"] == "model.replied")
        return RecordedRun(started, replies, _events([(event["kind"], event["payload"]) for event in events], result))
    except (OSError, ValueError, KeyError, TypeError, ValidationError) as error:
        message = f"{folder} holds no record of a run that can be replayed ({type(error).__name__})."
        raise RecordUnreadable(message) from error


def differences(recorded: RunEvents, replayed: RunEvents) -> Iterator[Difference]:
    """What came out otherwise, in the order of the run."""
    for number in range(max(len(recorded.calls), len(replayed.calls))):
        first = recorded.calls[number] if number < len(recorded.calls) else None
        second = replayed.calls[number] if number < len(replayed.calls) else None
        shown = first or second
        assert shown is not None, "one of both has this call"
        where = f"call {number + 1}, {shown.tool}"
        if first is None or second is None or (first.tool, first.arguments) != (second.tool, second.arguments):
            yield _difference("tool_call", where, _asked(first), _asked(second))
        elif first.result != second.result:
            yield _difference("tool_result", where, first.result, second.result)
    if recorded.evidence_ids != replayed.evidence_ids:
        yield _difference("evidence", "evidence ids at the end", recorded.evidence_ids, replayed.evidence_ids)
    if recorded.verdicts != replayed.verdicts:
        yield _difference("verdict", "what the rules said", recorded.verdicts, replayed.verdicts)
    if recorded.ending not in _OUTSIDE and recorded.ending != replayed.ending:
        yield _difference("ending", "how the run ended", recorded.ending, replayed.ending)


class ReplayedModel(Model):
    """Gives recorded replies one after another, whatever it is asked."""

    def __init__(self, replies: Sequence[RecordedReply]) -> None:
        self._replies = iter(replies)
        self._wasted = (0, 0)

    async def get_response(
        self,
        system_instructions: str | None,  # noqa: ARG002 - the SDK's signature
        input: str | list[TResponseInputItem],  # noqa: A002, ARG002 - the SDK calls by these names
        model_settings: ModelSettings,  # noqa: ARG002 - the SDK's signature
        tools: list[Tool],  # noqa: ARG002 - the SDK's signature
        output_schema: AgentOutputSchemaBase | None,  # noqa: ARG002 - the SDK's signature
        handoffs: list[Handoff],  # noqa: ARG002 - the SDK's signature
        tracing: ModelTracing,  # noqa: ARG002 - the SDK's signature
        *,
        previous_response_id: str | None,  # noqa: ARG002 - the SDK's signature
        conversation_id: str | None,  # noqa: ARG002 - the SDK's signature
        prompt: Any | None,  # noqa: ARG002 - the SDK's signature
    ) -> ModelResponse:
        """The next recorded reply. Raises `ProviderError` after the last one."""
        reply = next(self._replies, None)
        if reply is None:
            message = "The record holds no further reply of the model."
            raise ProviderError(message, reason_code=ReasonCode.PROVIDER_UNAVAILABLE)
        self._wasted = reply.wasted
        sent, made = reply.usage
        usage = Usage(requests=1, input_tokens=sent, output_tokens=made, total_tokens=sent + made)
        return ModelResponse(output=list(reply.output), usage=usage, response_id=None)

    def take_wasted(self) -> tuple[int, int]:
        """What replies of no use had cost."""
        wasted, self._wasted = self._wasted, (0, 0)
        return wasted

    def stream_response(self, *args: Any, **kwargs: Any) -> AsyncIterator[TResponseStreamEvent]:
        """Not offered: a record holds whole replies."""
        message = "a record holds whole replies"
        raise NotImplementedError(message)


class _MemoryRecorder:
    """Keeps a run's events in memory, as they would be written."""

    def __init__(self) -> None:
        self.events: list[tuple[str, Mapping[str, Any]]] = []

    def open(self, run_id: str) -> RunRecording:  # noqa: ARG002 - one run is replayed
        return _Kept(self.events)


class _Kept(RunRecording):
    active = True

    def __init__(self, events: list[tuple[str, Mapping[str, Any]]]) -> None:
        self._events = events

    def record(self, kind: str, operation_id: str, payload: Mapping[str, Any], *, attempt: int = 1) -> None:  # noqa: ARG002 - all are kept
        if kind in {"tool.completed", "answer.validation"}:
            # through JSON, as the record of the first run has gone
            self._events.append((kind, json.loads(json.dumps(payload, default=_plain))))


def _plain(value: Any) -> object:
    return value.model_dump(mode="json")


def _turn(started: Mapping[str, Any], user_id: str) -> TurnExecutionInput:
    recorded = cast("dict[str, Any]", started.get("limits") or {})
    asked = {field.name: recorded[field.name] for field in fields(RunLimits) if field.name in recorded}
    focus = started.get("reference_focus")
    return TurnExecutionInput(
        run_id="replay",
        request_id="replay",
        conversation_id=str(started["conversation_id"]),
        user_id=user_id,
        question=started["question"],
        scope_paper_ids=tuple(started["corpus_paper_ids"]),
        limits=RunLimits(**asked),
        cancel=asyncio.Event(),
        progress=NoProgress(),
        history=tuple(HistoryMessage.model_validate(item) for item in started["conversation_messages"]),
        memory=ResearchMemory.model_validate(started["research_memory"]),
        focus=ReferenceFocus.model_validate(focus) if focus else None,
    )


def _reply(payload: Mapping[str, Any]) -> RecordedReply:
    return RecordedReply(
        output=tuple(_item(item) for item in payload["output"]),
        usage=(payload["usage"][0], payload["usage"][1]),
        wasted=(payload["wasted"][0], payload["wasted"][1]),
    )


def _item(item: Mapping[str, Any]) -> TResponseOutputItem:
    match item["type"]:
        case "function_call":
            return ResponseFunctionToolCall.model_validate(item)
        case "message":
            return ResponseOutputMessage.model_validate(item)
        case _:
            return ResponseReasoningItem.model_validate(item)


def _events(events: Sequence[tuple[str, Mapping[str, Any]]], result: Mapping[str, Any]) -> RunEvents:
    completed = [payload for kind, payload in events if kind == "tool.completed"]
    control = cast("dict[str, Any]", result.get("control") or {})
    return RunEvents(
        calls=tuple(
            CompletedCall(item["tool_name"], item["arguments"], item["model_visible_result"]) for item in completed
        ),
        evidence_ids=tuple(completed[-1]["state_after"]["evidence_ids"]) if completed else (),
        verdicts=tuple(
            {"accepted": payload["accepted"], "validation_error": payload["validation_error"]}
            for kind, payload in events
            if kind == "answer.validation"
        ),
        ending=control.get("reason_code") or result["status"],
    )


def _asked(call: CompletedCall | None) -> object:
    return None if call is None else {"tool": call.tool, "arguments": call.arguments}


def _difference(
    kind: Literal["tool_result", "tool_call", "evidence", "verdict", "ending"],
    where: str,
    recorded: object,
    replayed: object,
) -> Difference:
    before, after = (json.dumps(side, ensure_ascii=False, indent=1).splitlines() for side in (recorded, replayed))
    lines = list(difflib.unified_diff(before, after, "recorded", "replayed", n=2, lineterm=""))
    if len(lines) > _MOST_LINES:
        lines = [*lines[:_MOST_LINES], f"... {len(lines) - _MOST_LINES} more lines"]
    return Difference(kind, where, tuple(lines))

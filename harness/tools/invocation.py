"""From a raw call of the model to its one reply: order of checks, progress, record, trace, and what ends a run."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

from corpus_gateway.errors import (
    CorpusContractViolation,
    CorpusUnauthorized,
    GatewayError,
    InvalidCorpusRequest,
)
from harness.context import SUBMIT_TOOL, ContextSnapshot, ResearchRunContext, ToolCallRecord
from harness.errors import ReasonCode, RunEnded, RunFailed
from harness.models.repair import BROKEN_ARGUMENTS
from harness.tools.arguments import Arguments, ArgumentsRefused, parse_object, validate
from harness.tools.replies import Fault
from harness.tools.submission import SubmissionTools
from harness.tools.tool import Outcome, Tool, fault_reply


class Invoker:
    """Carries out the calls of one run."""

    def __init__(self, context: ResearchRunContext, submissions: SubmissionTools) -> None:
        self._context = context
        self._submissions = submissions

    async def invoke(self, tool: Tool[Any], call_id: str, raw: str) -> str:
        """The reply to one call, as JSON text. Raises `RunEnded` when the run cannot go on."""
        try:
            refusal = self._refusal(call_id)
            if refusal is not None:
                return self._reply(tool.name, call_id, raw, fault_reply(refusal))
            return await self._invoke(tool, call_id, raw)
        except RunEnded as error:
            raise self._context.end(error) from error
        except GatewayError as error:
            raise self._context.end(corpus_lost(error)) from error

    def answer_repair(self, call_id: str, name: str, fault: Fault) -> str:
        """The reply to a call that broke the protocol. Raises `RunEnded` like `invoke`."""
        try:
            refusal = self._refusal(call_id)
        except RunEnded as error:
            raise self._context.end(error) from error
        return self._reply(name, call_id, "", fault_reply(refusal or fault))

    def _refusal(self, call_id: str) -> Fault | None:
        group = self._context.group_of(call_id)
        if group is None or not group.mixes_submission:
            return None
        return self._submissions.refuse_group(group, call_id)

    async def _invoke(self, tool: Tool[Any], call_id: str, raw: str) -> str:
        try:
            values = parse_object(raw)
            given = validate(tool.arguments, values)
        except ArgumentsRefused as error:
            self._context.repairs.note(BROKEN_ARGUMENTS)
            return self._reply(tool.name, call_id, raw, fault_reply(arguments_fault(error)))
        return await self._carry_out(tool, call_id, given, raw)

    async def _carry_out(self, tool: Tool[Any], call_id: str, given: Arguments, raw: str) -> str:
        context = self._context
        context.current_call_id = call_id
        arguments = given.model_dump(exclude_unset=True, mode="json")
        shown = dict(tool.shown_input(given))
        noted = {
            "tool_name": tool.name,
            "model_call_id": f"model_{context.usage.model_calls}",
            "raw_arguments": raw,
            "arguments": arguments,
        }
        before = context.snapshot() if context.recording.active else None
        started = time.monotonic()
        context.recording.record("tool.started", call_id, noted)
        if not tool.quiet:
            context.turn.progress.emit("tool_started", tool=tool.name, input=shown)
        try:
            result = await self._result(tool, given)
        except (GatewayError, RunEnded) as error:
            context.recording.record("tool.error", call_id, {**noted, "error": error.code, "message": str(error)})
            self._report(tool, shown, started, {**tool.empty_output, "error": error.code}, failed=True)
            raise
        reply = self._completed(tool, shown, started, self._unless_repeated(tool, call_id, arguments, result))
        if before is not None:
            context.recording.record(
                "tool.completed",
                call_id,
                {
                    **noted,
                    "internal_result": reply,
                    "model_visible_result": reply,
                    "state_before": _state(before),
                    "state_after": _state(context.snapshot()),
                },
            )
        return self._reply(tool.name, call_id, raw, reply, arguments)

    def _unless_repeated(
        self, tool: Tool[Any], call_id: str, arguments: Mapping[str, Any], result: Outcome | Fault
    ) -> Outcome | Fault:
        """The result, or guidance in its place when the model has it before its eyes already."""
        context = self._context
        if tool.name == SUBMIT_TOOL or context.on_last_call:
            return result
        text = result.reply.to_json() if isinstance(result, Outcome) else json.dumps(fault_reply(result))
        if not context.repeated.repeats(call_id, tool.name, arguments, text):
            return result
        return Fault(
            code="repeated_call",
            message="The same call was made before and gave the same result, which stands above.",
            next_action="Use that result: read a location, search for something else, or submit what is covered.",
        )

    def _completed(
        self, tool: Tool[Any], shown: Mapping[str, Any], started: float, result: Outcome | Fault
    ) -> dict[str, Any]:
        """Report a result; the reply that it makes."""
        if isinstance(result, Outcome):
            self._report(tool, shown, started, result.output, evidence_ids=result.evidence_ids)
            return json.loads(result.reply.to_json())
        self._report(tool, shown, started, {**tool.empty_output, "error": result.code}, failed=True)
        return fault_reply(result)

    def _report(
        self,
        tool: Tool[Any],
        shown: Mapping[str, Any],
        started: float,
        output: Mapping[str, Any],
        *,
        evidence_ids: Sequence[str] = (),
        failed: bool = False,
    ) -> None:
        if tool.quiet:
            return
        self._context.turn.progress.emit(
            "tool_completed",
            tool=tool.name,
            status="failed" if failed else "success",
            durationMs=int((time.monotonic() - started) * 1000),
            input=dict(shown),
            output=dict(output),
            evidenceIds=list(evidence_ids),
        )

    async def _result(self, tool: Tool[Any], given: Arguments) -> Outcome | Fault:
        if self._context.on_last_call and tool.name != SUBMIT_TOOL:
            return Fault(
                code="last_call",
                message="This was the last step of the turn; the call was not carried out.",
                next_action=f"Only {SUBMIT_TOOL} was possible.",
            )
        try:
            return await tool.call(given)
        except InvalidCorpusRequest as error:
            return Fault(
                code="invalid_corpus_request", message=str(error), next_action=error.hint or "Change the arguments."
            )

    def _reply(
        self,
        name: str,
        call_id: str,
        raw: str,
        reply: Mapping[str, Any],
        arguments: Mapping[str, Any] | None = None,
    ) -> str:
        shown = {"raw": raw[:200]} if arguments is None else arguments
        self._context.trace.append(ToolCallRecord(call_id, name, shown, reply))
        return json.dumps(reply, ensure_ascii=False, separators=(",", ":"))


def _state(snapshot: ContextSnapshot) -> dict[str, Any]:
    # `asdict` would copy every id of it, twice a call
    return {name: getattr(snapshot, name) for name in ContextSnapshot.__slots__}


def arguments_fault(error: ArgumentsRefused) -> Fault:
    """The reply to arguments that cannot be used."""
    return Fault(
        code="invalid_tool_arguments",
        message=str(error),
        next_action="Call the tool again with one JSON object that fits its schema.",
        details={"problems": error.problems} if error.problems else {},
    )


def corpus_lost(error: GatewayError) -> RunFailed:
    """The end of a run whose corpus cannot be asked any more."""
    if isinstance(error, CorpusUnauthorized):
        reason = ReasonCode.CORPUS_AUTHENTICATION_FAILED
    elif isinstance(error, CorpusContractViolation):
        reason = ReasonCode.CORPUS_CONTRACT_VIOLATION
    else:
        reason = ReasonCode.CORPUS_UNAVAILABLE
    return RunFailed(str(error), reason_code=reason, hint=error.hint)

"""How a run's end is told: the line before the last one, and a response where the runner left none."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from harness.errors import ReasonCode
from harness.outcome import no_answer
from harness.service.events import CallUsage
from harness.turn import TurnExecutionInput
from harness.wire import Control, ControlUsage, ResearchTurnResponse, TurnStatus, Usage


@dataclass(slots=True)
class UsageSoFar:
    """Calls and tokens that the run's progress has told of; what is known when a run ends without a response."""

    model_calls: int = 0
    tokens: Usage = field(default_factory=Usage)

    def count(self, kind: str, fields: dict[str, Any]) -> None:
        """Add what one progress event tells."""
        if kind == "model_call_started":
            self.model_calls += 1
        elif kind == "model_call_completed":
            used = CallUsage.model_validate(fields["usage"])
            self.tokens = Usage(
                prompt_tokens=self.tokens.prompt_tokens + used.prompt_tokens,
                completion_tokens=self.tokens.completion_tokens + used.completion_tokens,
                total_tokens=self.tokens.total_tokens + used.total_tokens,
            )


def closing_line(response: ResearchTurnResponse) -> tuple[str, dict[str, Any]]:
    """Type and fields of the line that stands before the `result` line."""
    match response.status:
        case "COMPLETED" | "NEEDS_CLARIFICATION" | "INCOMPLETE_PRECISE":
            return "answer_completed", {}
        case "LIMITED":
            return "run_limited", _reason(response)
        case "CANCELLED":
            return "job_cancelled", _reason(response)
        case "FAILED_TECHNICAL":
            reason = _reason(response)
            fields = {"status": "failed", "error_type": reason["reason_code"], "message": reason["message"]}
            return "job_failed", fields


def _reason(response: ResearchTurnResponse) -> dict[str, str]:
    if response.control is None:
        return {"reason_code": ReasonCode.INTERNAL_UNEXPECTED.value, "message": "The run ended without a reason."}
    return {"reason_code": response.control.reason_code, "message": response.control.message}


def response_without_answer(
    turn: TurnExecutionInput,
    *,
    status: TurnStatus,
    reason_code: ReasonCode,
    message: str,
    used: UsageSoFar,
    elapsed_ms: int,
) -> ResearchTurnResponse:
    """The response of a run whose runner left none: no draft text, the memory as it came, the usage so far."""
    return ResearchTurnResponse(
        request_id=turn.request_id,
        conversation_id=turn.conversation_id,
        run_id=turn.run_id,
        status=status,
        answer=no_answer(turn, status),
        research_memory=turn.memory,
        usage=used.tokens,
        control=Control(
            reason_code=reason_code.value,
            message=message,
            limits=turn.limits.as_dict(),
            usage=ControlUsage(model_calls=used.model_calls, tokens=used.tokens.total_tokens, elapsed_ms=elapsed_ms),
        ),
    )

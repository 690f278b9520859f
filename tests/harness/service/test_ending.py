"""How ends are told, and the response of a run that left none."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pydantic import ValidationError

from harness.errors import ReasonCode
from harness.outcome import no_answer
from harness.service.ending import UsageSoFar, closing_line, response_without_answer
from harness.service.requests import turn_of, validate_request
from harness.turn import NoProgress, RunLimits, TurnExecutionInput
from harness.wire import Usage
from tests.harness.service.scripted import body, control, response_to


@pytest.fixture
def turn() -> TurnExecutionInput:
    request = validate_request(body(research_memory={"selected_paper_ids": ["p1"]}))
    return turn_of(request, run_id="run_1", ceilings=RunLimits(), cancel=asyncio.Event(), progress=NoProgress())


@pytest.mark.parametrize("status", ["COMPLETED", "NEEDS_CLARIFICATION", "INCOMPLETE_PRECISE"])
def test_an_accepted_answer_is_told_as_completed(turn: TurnExecutionInput, status: str) -> None:
    assert closing_line(response_to(turn, status=status)) == ("answer_completed", {})


@pytest.mark.parametrize(
    ("status", "reason", "kind", "fields"),
    [
        (
            "LIMITED",
            "RUN_DEADLINE_EXCEEDED",
            "run_limited",
            {"reason_code": "RUN_DEADLINE_EXCEEDED", "message": "It ended early."},
        ),
        (
            "CANCELLED",
            "RUN_CANCELLED",
            "job_cancelled",
            {"reason_code": "RUN_CANCELLED", "message": "It ended early."},
        ),
        (
            "FAILED_TECHNICAL",
            "PROVIDER_TIMEOUT",
            "job_failed",
            {"status": "failed", "error_type": "PROVIDER_TIMEOUT", "message": "It ended early."},
        ),
    ],
)
def test_an_end_without_answer_is_told_with_its_reason(
    turn: TurnExecutionInput, status: str, reason: str, kind: str, fields: dict[str, Any]
) -> None:
    assert closing_line(response_to(turn, status=status, control=control(reason))) == (kind, fields)


def test_a_failure_without_reason_is_an_unexpected_one(turn: TurnExecutionInput) -> None:
    kind, fields = closing_line(response_to(turn, status="FAILED_TECHNICAL"))
    assert (kind, fields["error_type"]) == ("job_failed", "INTERNAL_UNEXPECTED")


def test_usage_is_summed_from_what_the_run_told() -> None:
    used = UsageSoFar()
    for attempt in (1, 2):
        used.count("model_call_started", {"attempt": attempt})
        usage = {"promptTokens": 70, "completionTokens": 7, "totalTokens": 77, "cumulativeTotalTokens": 77 * attempt}
        used.count("model_call_completed", {"attempt": attempt, "usage": usage})
    used.count("model_call_started", {"attempt": 3})
    used.count("tool_started", {"tool": "read_locations"})
    assert used.model_calls == 3
    assert used.tokens == Usage(prompt_tokens=140, completion_tokens=14, total_tokens=154)


def test_usage_that_is_none_is_refused() -> None:
    with pytest.raises(ValidationError):
        UsageSoFar().count("model_call_completed", {"usage": {}})


def test_a_response_without_answer_promotes_nothing_and_tells_what_was_used(turn: TurnExecutionInput) -> None:
    used = UsageSoFar(model_calls=2, tokens=Usage(prompt_tokens=140, completion_tokens=14, total_tokens=154))
    response = response_without_answer(
        turn,
        status="CANCELLED",
        reason_code=ReasonCode.RUN_CANCELLED,
        message="The run was cancelled.",
        used=used,
        elapsed_ms=12,
    )
    assert response.answer == no_answer(turn, "CANCELLED")
    assert response.answer.outcome is None
    assert response.answer.markdown == ""
    assert response.citations == []
    assert response.research_memory == turn.memory
    assert response.usage.total_tokens == 154
    assert response.control is not None
    assert response.control.reason_code == "RUN_CANCELLED"
    assert response.control.limits["max_model_turns"] == 16
    assert response.control.usage.model_dump() == {"model_calls": 2, "tokens": 154, "elapsed_ms": 12}

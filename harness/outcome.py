"""From the state in which a run ended to the response on the wire."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from typing import Any

from harness.context import ResearchRunContext
from harness.errors import RunCancelled, RunEnded, RunLimited
from harness.ledger import ledger_item
from harness.memory import OpeningState, next_memory
from harness.submission import summary_of, to_wire
from harness.submission.draft import AcceptedAnswer
from harness.turn import TurnExecutionInput
from harness.wire import (
    Answer,
    Control,
    ControlUsage,
    ResearchTurnResponse,
    TurnStatus,
    UnsupportedBlockWire,
    Usage,
)

_CORPUS_TOOLS = frozenset(
    {
        "search_paper_candidates",
        "find_papers_by_identity",
        "find_reading_locations",
        "get_paper_structure",
        "read_locations",
    }
)

_STATUS: dict[str, TurnStatus] = {
    "answered": "COMPLETED",
    "needs_clarification": "NEEDS_CLARIFICATION",
    "partial": "INCOMPLETE_PRECISE",
    "abstained": "INCOMPLETE_PRECISE",
}


def response_of(context: ResearchRunContext, opening: OpeningState, *, notice: str | None) -> ResearchTurnResponse:
    """The response of a run that has an accepted answer or a reason why it has none."""
    turn = context.turn
    accepted = context.accepted if context.ended is None else None
    if accepted is not None:
        status, answer, control = _STATUS[accepted.outcome], _answer(context, accepted, notice), None
    else:
        assert context.ended is not None, "a run ends with an answer or with a reason"
        status = _status_of(context.ended, requested=turn.limits.requested)
        answer, control = no_answer(turn, status), _control(context, context.ended)
    return ResearchTurnResponse(
        request_id=turn.request_id,
        conversation_id=turn.conversation_id,
        run_id=turn.run_id,
        status=status,
        answer=answer,
        citations=[to_wire(citation) for citation in accepted.citations] if accepted else [],
        research_memory=next_memory(turn.memory, opening, accepted),
        usage=Usage(
            prompt_tokens=context.usage.prompt_tokens,
            completion_tokens=context.usage.completion_tokens,
            total_tokens=context.usage.total_tokens,
        ),
        corpus={
            "scope_papers": len(set(turn.scope_paper_ids)),
            "disclosed_papers": len(context.papers),
            "disclosed_locations": len(context.locations),
            "evidence": len(context.ledger),
        },
        trace=_trace(context, opening, accepted) if turn.include_trace else None,
        control=control,
    )


def _status_of(ended: RunEnded, *, requested: bool) -> TurnStatus:
    """LIMITED goes to callers that asked for limits and so know the word; others know a failure."""
    if isinstance(ended, RunCancelled):
        return "CANCELLED"
    return "LIMITED" if isinstance(ended, RunLimited) and requested else "FAILED_TECHNICAL"


def _answer(context: ResearchRunContext, accepted: AcceptedAnswer, notice: str | None) -> Answer:
    return Answer(
        answer_id="answer_" + _digest(context.turn.question, accepted.outcome, accepted.marker_markdown),
        question_id="question_" + _digest(context.turn.question),
        status=_STATUS[accepted.outcome],
        outcome=accepted.outcome,
        answer_type=context.skills_used[-1] if context.skills_used else "conversation",
        summary=summary_of(accepted),
        markdown=accepted.markdown,
        fields=accepted.fields,
        cited_evidence_ids=[citation.evidence.evidence_id for citation in accepted.citations],
        marker_markdown=accepted.marker_markdown,
        unsupported_blocks=[
            UnsupportedBlockWire(text=block.text, codes=[str(code) for code in block.codes])
            for block in accepted.unsupported_blocks
        ],
        derived_values=[value.model_dump(mode="json") for value in accepted.derived_values],
        notice=notice,
    )


def no_answer(turn: TurnExecutionInput, status: TurnStatus) -> Answer:
    """An answer without words: no draft of a run that failed reaches anyone."""
    return Answer(
        answer_id=f"answer_{turn.run_id}",
        question_id="question_" + _digest(turn.question),
        status=status,
        outcome=None,
        answer_type="technical_failure",
        summary="",
        markdown="",
    )


def _control(context: ResearchRunContext, ended: RunEnded) -> Control:
    return Control(
        reason_code=ended.reason_code.value,
        message=f"{ended} {ended.hint}".strip(),
        limits=context.turn.limits.as_dict(),
        usage=ControlUsage(
            model_calls=context.usage.model_calls, tokens=context.usage.total_tokens, elapsed_ms=context.elapsed_ms
        ),
    )


def _trace(context: ResearchRunContext, opening: OpeningState, accepted: AcceptedAnswer | None) -> dict[str, Any]:
    used = dict.fromkeys(call.tool_name for call in context.trace if call.tool_name in _CORPUS_TOOLS)
    cited = [citation.evidence.evidence_id for citation in accepted.citations] if accepted else []
    return {
        "skills_used": list(context.skills_used),
        "tool_calls": [asdict(call) for call in context.trace],
        "paper_candidates": [
            {**card.model_dump(exclude_none=True), "citeable": False} for card in context.papers.values()
        ],
        "evidence_ledger": [ledger_item(entry) for entry in context.ledger],
        "citation_validation": {
            "passed": accepted is not None,
            "cited_evidence_ids": cited,
            "corpus_tools_used": list(used),
            "submission_attempts": context.submission_attempts,
        },
        "stale_evidence_ids": list(opening.stale_evidence_ids),
        "unmet_reference_focus": list(opening.unmet_focus),
        "finish_reason": "model_submitted_answer" if context.ended is None else context.ended.reason_code.value,
    }


def _digest(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "replace")).hexdigest()[:20]

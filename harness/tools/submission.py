"""`submit_research_answer`: hold a draft against the rules; accept it, send it back, or save what holds of it."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from pydantic import ConfigDict, Field

from corpus_gateway.wire import PaperCard
from harness.context import SUBMIT_TOOL, CallGroup, ResearchRunContext
from harness.errors import ReasonCode, RunLimited
from harness.submission import judge, rejection_message, salvage
from harness.submission.draft import (
    MAX_MARKDOWN_CHARACTERS,
    OUTCOMES,
    AcceptedAnswer,
    DerivedValue,
    Draft,
    Rejection,
    ViolationCode,
)
from harness.tools.arguments import Arguments
from harness.tools.replies import Fault, Reply
from harness.tools.tool import Outcome, Tool


class _Surroundings(TypedDict):
    """What the rules look at besides draft and ledger."""

    tool_names: frozenset[str]
    question: str
    papers: list[PaperCard]
    result_counts: frozenset[int]
    located_papers: frozenset[str]


class SubmissionReply(Reply):
    """Reply of `submit_research_answer`: accepted, or why not, and how many attempts are left."""

    model_config = ConfigDict(frozen=True, extra="allow")

    accepted: bool
    attempts_left: int


class SubmitArguments(Arguments):
    """Arguments of `submit_research_answer`: the shape alone; the rules judge outcome, length and content."""

    outcome: Annotated[
        str,
        Field(
            description="How far the question is answered.",
            json_schema_extra=lambda schema: schema.update(enum=[*OUTCOMES]),
        ),
    ]
    markdown: Annotated[
        str,
        Field(
            description="The answer, with [[evidence_id]] in every block that states something about a paper.",
            json_schema_extra=lambda schema: schema.update(maxLength=MAX_MARKDOWN_CHARACTERS),
        ),
    ]
    fields: Annotated[dict[str, str] | None, Field(description="Named short values, when the user asked for them.")] = (
        None
    )
    derived_values: Annotated[
        tuple[DerivedValue, ...],
        Field(max_length=50, description="Each number of the answer that no span states, with its formula and inputs."),
    ] = ()

    def draft(self) -> Draft:
        """The draft that the rules judge."""
        return Draft(
            outcome=self.outcome, markdown=self.markdown, fields=self.fields, derived_values=list(self.derived_values)
        )


class SubmissionTools:
    """The tool that ends a run."""

    def __init__(self, context: ResearchRunContext, tool_names: frozenset[str]) -> None:
        self._context = context
        self._tool_names = tool_names

    def tools(self) -> list[Tool[Any]]:
        """The tool, for the agent."""
        return [
            Tool(
                name=SUBMIT_TOOL,
                description=(
                    "Submit the finished answer, alone in its step. It is checked against the spans read in this run; "
                    "a rejection names each fault, and the run goes on."
                ),
                arguments=SubmitArguments,
                call=self.submit,
                shown_input=lambda given: {"outcome": given.outcome},
                quiet=True,
            )
        ]

    async def submit(self, given: SubmitArguments) -> Outcome | Fault:
        """Judge a draft. Raises `RunLimited` after the last attempt when nothing of it holds."""
        context, draft = self._context, given.draft()
        context.submission_attempts += 1
        given_to_rules: _Surroundings = {
            "tool_names": self._tool_names,
            "question": context.turn.question,
            "papers": list(context.shown_cards),
            "result_counts": context.result_counts,
            "located_papers": frozenset(location.paper_id for location in context.locations.values()),
        }
        verdict = judge(draft, context.ledger, **given_to_rules)
        self._record(draft, verdict)
        if isinstance(verdict, AcceptedAnswer):
            context.accepted = verdict
            return Outcome(SubmissionReply(accepted=True, attempts_left=self._attempts_left), {})
        self._report([violation.code for violation in verdict.violations])
        if self._attempts_left == 0:
            context.accepted = salvage(draft, context.ledger, **given_to_rules)
            if context.accepted is None:
                raise submissions_spent(context)
        reply = {**rejection_message(verdict), "accepted": context.accepted is not None}
        return Outcome(SubmissionReply(attempts_left=self._attempts_left, **reply), {})

    def refuse_group(self, group: CallGroup, call_id: str) -> Fault:
        """The reply to each call of a batch in which a submission was not alone; the batch counts as one attempt."""
        context = self._context
        if context.refuse_group(group):
            context.submission_attempts += 1
            context.recording.record(
                "answer.validation",
                call_id,
                {
                    "accepted": False,
                    "draft": None,
                    "validation_error": ["SUBMISSION_NOT_ALONE"],
                    "tool_call_id": call_id,
                },
            )
            self._report([ViolationCode.SUBMISSION_NOT_ALONE])
            if self._attempts_left == 0:
                raise submissions_spent(context)
        return Fault(
            code="SUBMISSION_NOT_ALONE",
            message="A submission came together with other calls; none of the calls of that step was carried out.",
            next_action=f"Make the other calls first, then call {SUBMIT_TOOL} once and alone.",
        )

    @property
    def _attempts_left(self) -> int:
        return max(0, self._context.turn.limits.max_submissions - self._context.submission_attempts)

    def _report(self, codes: list[ViolationCode]) -> None:
        self._context.turn.progress.emit(
            "submission_rejected",
            codes=[str(code) for code in dict.fromkeys(codes)],
            attempt=self._context.submission_attempts,
        )

    def _record(self, draft: Draft, verdict: AcceptedAnswer | Rejection) -> None:
        accepted = isinstance(verdict, AcceptedAnswer)
        self._context.recording.record(
            "answer.validation",
            self._context.current_call_id,
            {
                "accepted": accepted,
                "draft": draft if accepted else None,
                "validation_error": None if isinstance(verdict, AcceptedAnswer) else rejection_message(verdict),
                "tool_call_id": self._context.current_call_id,
                "model_call_id": f"model_{self._context.usage.model_calls}",
                "submitted_draft": draft,
            },
        )


def submissions_spent(context: ResearchRunContext) -> RunLimited:
    """The end of a run whose last attempt to submit was rejected."""
    message = f"No submission was accepted in {context.submission_attempts} attempts."
    return RunLimited(message, reason_code=ReasonCode.RUN_SUBMISSION_LIMIT_EXCEEDED)

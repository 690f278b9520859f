"""One research turn from its frozen input to the response on the wire."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from agents import (
    Agent,
    FunctionToolResult,
    ModelSettings,
    RunConfig,
    RunContextWrapper,
    Runner,
    ToolExecutionConfig,
    ToolsToFinalOutputResult,
)
from agents.exceptions import AgentsException, UserError
from agents.models.interface import Model
from agents.run_config import CallModelData, ModelInputData

from corpus_gateway.errors import GatewayError
from corpus_gateway.protocol import CorpusGateway
from harness.budgets import next_call_is_last
from harness.context import ResearchRunContext
from harness.errors import InvalidTurnRequest, ProviderError, ReasonCode, RunCancelled, RunEnded, RunFailed, RunLimited
from harness.hooks import ResearchRunHooks
from harness.ledger import EvidenceLedger
from harness.memory import OpeningState, opening_note, restore
from harness.models.guard import GuardedModel
from harness.models.repair import ProtocolRepairs
from harness.models.traits import ReadsWholeTranscript
from harness.outcome import response_of
from harness.prompts import last_call_notice, system_prompt
from harness.recorder import OpensRecords, RunRecording
from harness.session import opening_items, trimmed_history
from harness.skills import research_skills
from harness.tools.corpus import TurnCorpus
from harness.tools.invocation import corpus_lost
from harness.tools.toolbox import TOOL_NAMES, sdk_tools
from harness.transcript import TranscriptView
from harness.turn import TurnExecutionInput
from harness.unicode_text import turn_in_unicode
from harness.wire import ResearchTurnResponse

_GRACE_SECONDS = 1.0
"""How long a stopped run may take to let go before it is left behind."""


class ResearchRuntime:
    """Runs turns over one corpus; keeps nothing between them.

    `model_factory` gives a fresh model for each run, which is closed after it. `notice` stands in each accepted
    answer's `notice`; `on_ledger` is given the run id and the ledger of each run that has ended.
    Progress goes to `turn.progress`: model_call_started, model_call_completed, tool_started, tool_completed (status
    `success` or `failed`) and submission_rejected; the lines that open and close a stream are the service's.
    """

    def __init__(
        self,
        gateway: CorpusGateway,
        model_factory: Callable[[], Model],
        *,
        recorder: OpensRecords | None = None,
        notice: str | None = None,
        on_ledger: Callable[[str, EvidenceLedger], None] | None = None,
    ) -> None:
        self._gateway = gateway
        self._model_factory = model_factory
        self._recorder = recorder
        self._notice = notice
        self._on_ledger = on_ledger

    async def run(self, turn: TurnExecutionInput) -> ResearchTurnResponse:
        """Run one turn.

        Whatever a run can meet ends in a response: accepted answers, limits, cancellation through `turn.cancel`,
        failures of provider and corpus (with `control.reason_code` and the usage so far). Raises `InvalidTurnRequest`
        for an empty scope, before anything is started; otherwise only programming errors and asyncio cancellation
        leave as exceptions.
        """
        if not any(paper_id.strip() for paper_id in turn.scope_paper_ids):
            message = "the scope names no paper"
            raise InvalidTurnRequest(message, field="scope.paper_ids", hint="Name the papers that may be used.")
        turn = turn_in_unicode(turn)
        recording = self._recorder.open(turn.run_id) if self._recorder else RunRecording()
        run = _Run(self._gateway, ResearchRunContext(turn, recording))
        recording.record("run.started", "run", _started(turn))
        try:
            await run.within_limits(self._model_factory)
        except RunEnded as error:
            run.context.end(error)
            recording.record("run.error", "run", {"reason_code": error.reason_code, "message": str(error)})
        response = response_of(run.context, run.opening, notice=self._notice)
        recording.finish(response.model_dump(mode="json"))
        if self._on_ledger is not None:
            self._on_ledger(turn.run_id, run.context.ledger)
        return response


class _Run:
    """One run under way."""

    def __init__(self, gateway: CorpusGateway, context: ResearchRunContext) -> None:
        self.context = context
        self.opening = OpeningState()
        self._corpus = TurnCorpus(gateway, context.turn)

    async def within_limits(self, model_factory: Callable[[], Model]) -> None:
        """Work until the answer is accepted, the time is over or the caller cancels. Raises `RunEnded`."""
        turn = self.context.turn
        work = asyncio.create_task(self._work(model_factory))
        cancelled = asyncio.create_task(turn.cancel.wait())
        try:
            await asyncio.wait(
                {work, cancelled},
                timeout=turn.limits.max_wall_clock_ms / 1000,
                return_when=asyncio.FIRST_COMPLETED,
            )
            if work.done():
                await work
            elif cancelled.done():
                message = "The run was cancelled."
                raise RunCancelled(message, reason_code=ReasonCode.RUN_CANCELLED)
            else:
                message = f"The run took longer than {turn.limits.max_wall_clock_ms} ms."
                raise RunLimited(message, reason_code=ReasonCode.RUN_DEADLINE_EXCEEDED)
        finally:
            await _stop(work, cancelled)

    async def _work(self, model_factory: Callable[[], Model]) -> None:
        try:
            self.opening = await restore(self._corpus, self.context)
        except GatewayError as error:
            raise corpus_lost(error) from error
        model = model_factory()
        try:
            await self._converse(model)
        finally:
            await model.close()

    async def _converse(self, model: Model) -> None:
        """Let the model work. Whatever the SDK makes of an error of ours, the reason noted in the context counts."""
        context, turn = self.context, self.context.turn
        repairs = ProtocolRepairs()
        history = trimmed_history(turn.history, turn.limits.max_history_chars)
        items = opening_items(history, turn.question, opening_note(self.opening, context))
        view = TranscriptView(
            repairs,
            opening=len(items),
            longest_result=turn.limits.max_model_visible_tool_chars,
            folding=not isinstance(model, ReadsWholeTranscript),
        )
        agent = Agent[Any](
            name="Paperledger research",
            instructions=system_prompt(research_skills().values()),
            model=GuardedModel(model, context, repairs, TOOL_NAMES),
            model_settings=ModelSettings(
                temperature=0.0,
                tool_choice="required",
                parallel_tool_calls=True,
                max_tokens=turn.limits.max_completion_tokens,
            ),
            tools=sdk_tools(self._corpus, context, repairs),
            tool_use_behavior=self._after_tools,
            reset_tool_choice=False,
        )
        config = RunConfig(
            tracing_disabled=True,
            tool_execution=ToolExecutionConfig(max_function_tool_concurrency=1),
            call_model_input_filter=lambda data: self._model_input(data, view),
        )
        try:
            await Runner.run(
                agent,
                items,
                context=context,
                max_turns=None,
                hooks=ResearchRunHooks(context, repairs),
                run_config=config,
            )
        except ProviderError as error:
            # a context that is full is a limit of the run, everything else is the provider's failure
            ending = RunLimited if error.reason_code is ReasonCode.RUN_CONTEXT_BUDGET_EXHAUSTED else RunFailed
            raise ending(str(error), reason_code=error.reason_code, hint=error.hint) from error
        except AgentsException as error:
            if context.ended is not None:
                raise context.ended from error
            if isinstance(error, UserError) and error.__cause__ is not None:
                # the SDK's wrapping of an exception in our own code, which is no failure of the provider
                raise error.__cause__ from None
            message = f"The model's reply could not be used ({type(error).__name__})."
            raise RunFailed(message, reason_code=ReasonCode.PROVIDER_PROTOCOL_INVALID) from error

    def _after_tools(self, sdk: RunContextWrapper[Any], results: list[FunctionToolResult]) -> ToolsToFinalOutputResult:  # noqa: ARG002 - the SDK's shape
        """The run ends when a submission was accepted, and only then; the answer itself is taken from the context."""
        accepted = self.context.accepted is not None
        return ToolsToFinalOutputResult(is_final_output=accepted, final_output="accepted" if accepted else None)

    def _model_input(self, data: CallModelData[Any], view: TranscriptView) -> ModelInputData:
        """What the next call is given; it is told when it is the last one."""
        context = self.context
        instructions = data.model_data.instructions or ""
        context.last_call_announced = next_call_is_last(context.usage, context.turn.limits)
        if context.last_call_announced:
            instructions = f"{instructions}\n{last_call_notice()}"
        items = view.of(data.model_data.input)
        context.repeated.shown_calls = view.shown_calls
        return ModelInputData(input=items, instructions=instructions)


async def _stop(*tasks: asyncio.Task[Any]) -> None:
    """Cancel what still runs, wait a moment for it to let go, and fetch errors that nobody waits for any more."""
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks, timeout=_GRACE_SECONDS)
    for task in tasks:
        if task.done() and not task.cancelled():
            task.exception()


def _started(turn: TurnExecutionInput) -> dict[str, Any]:
    return {
        "case_id": None,
        "conversation_id": turn.conversation_id,
        "turn_index": sum(1 for message in turn.history if message.role == "user"),
        "question": turn.question,
        "conversation_messages": list(turn.history),
        "research_memory": turn.memory,
        "corpus_paper_ids": list(turn.scope_paper_ids),
        "reference_focus": turn.focus,
        "limits": {**turn.limits.as_dict(), "requested": turn.limits.requested},
    }

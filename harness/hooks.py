"""Around each model call: the limits before it, its usage and the calls that came together after it."""

from __future__ import annotations

import time
from typing import Any

from agents import Agent, ModelResponse, RunContextWrapper, RunHooks
from agents.items import TResponseInputItem
from openai.types.responses import ResponseFunctionToolCall

from harness.context import ResearchRunContext
from harness.errors import ReasonCode, RunEnded, RunFailed, RunLimited
from harness.models.repair import ProtocolRepairs


class ResearchRunHooks(RunHooks[Any]):
    """Counts, checks and reports the model calls of one run."""

    def __init__(self, context: ResearchRunContext, repairs: ProtocolRepairs) -> None:
        self._context = context
        self._repairs = repairs
        self._began = 0.0

    async def on_llm_start(
        self,
        context: RunContextWrapper[Any],  # noqa: ARG002 - the SDK calls by these names
        agent: Agent[Any],  # noqa: ARG002
        system_prompt: str | None,  # noqa: ARG002
        input_items: list[TResponseInputItem],  # noqa: ARG002
    ) -> None:
        """Count a call. Raises `RunEnded` when the limits allow no further one."""
        run = self._context
        run.repairs.settle()
        error = no_further_call(run)
        if error is not None:
            raise run.end(error)
        run.usage.model_calls += 1
        self._began = time.monotonic()
        run.turn.progress.emit("model_call_started", attempt=run.usage.model_calls)

    async def on_llm_end(
        self,
        context: RunContextWrapper[Any],  # noqa: ARG002 - the SDK calls by these names
        agent: Agent[Any],  # noqa: ARG002
        response: ModelResponse,
    ) -> None:
        """Count usage and note which calls came together, before any of them is carried out."""
        run = self._context
        run.usage.add(response.usage.input_tokens, response.usage.output_tokens)
        run.register_group(
            [
                (item.call_id, self._repairs.own_name(item.call_id, item.name))
                for item in response.output
                if isinstance(item, ResponseFunctionToolCall)
            ]
        )
        run.turn.progress.emit(
            "model_call_completed",
            attempt=run.usage.model_calls,
            durationMs=int((time.monotonic() - self._began) * 1000),
            usage={
                "promptTokens": response.usage.input_tokens,
                "completionTokens": response.usage.output_tokens,
                "totalTokens": response.usage.input_tokens + response.usage.output_tokens,
                "cumulativeTotalTokens": run.usage.total_tokens,
            },
        )


def no_further_call(run: ResearchRunContext) -> RunEnded | None:
    """Why the model may not be called once more, None when it may."""
    limits = run.turn.limits
    if run.repairs.exhausted:
        message = (
            f"The model broke the tool protocol {run.repairs.in_a_row} times in a row, {run.repairs.in_total} times "
            f"in this run. At last it {run.repairs.problem}."
        )
        return RunFailed(message, reason_code=ReasonCode.PROVIDER_TOOL_PROTOCOL_VIOLATION)
    if run.repeated.stuck_on is not None:
        message = f"The model went on calling {run.repeated.stuck_on} with the same arguments and the same result."
        return RunFailed(message, reason_code=ReasonCode.PROVIDER_TOOL_PROTOCOL_VIOLATION)
    if run.usage.model_calls >= limits.max_model_turns:
        message = f"The limit of {limits.max_model_turns} model calls was reached without an accepted answer."
        return RunLimited(message, reason_code=ReasonCode.RUN_MODEL_CALL_LIMIT_EXCEEDED)
    if run.usage.total_tokens >= limits.max_total_tokens:
        message = f"The budget of {limits.max_total_tokens} tokens was used up without an accepted answer."
        return RunLimited(message, reason_code=ReasonCode.RUN_TOKEN_BUDGET_EXHAUSTED)
    return None

"""The offline model as the Agents SDK's `Model`."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator
from typing import Any

from agents import ModelResponse, ModelSettings, Tool, Usage
from agents.agent_output import AgentOutputSchemaBase
from agents.handoffs import Handoff
from agents.items import TResponseInputItem, TResponseStreamEvent
from agents.models.interface import Model, ModelTracing
from openai.types.responses import ResponseFunctionToolCall

from harness.models.extractive.plan import PlannedCall, next_calls
from harness.models.extractive.transcript import read_transcript


class ExtractiveModel(Model):
    """Plans each step from the conversation alone; the same conversation always gives the same calls.

    Reports no usage: no token is bought. The caller may put an estimate in its place.
    """

    reads_whole_transcript = True

    async def get_response(
        self,
        system_instructions: str | None,  # noqa: ARG002 - the rules it follows are built in
        input: str | list[TResponseInputItem],  # noqa: A002 - the SDK calls by these names
        model_settings: ModelSettings,  # noqa: ARG002
        tools: list[Tool],
        output_schema: AgentOutputSchemaBase | None,  # noqa: ARG002
        handoffs: list[Handoff],  # noqa: ARG002
        tracing: ModelTracing,  # noqa: ARG002
        *,
        previous_response_id: str | None,  # noqa: ARG002
        conversation_id: str | None,  # noqa: ARG002
        prompt: Any | None,  # noqa: ARG002
    ) -> ModelResponse:
        """The calls of the next step."""
        # choosing sentences is work of many milliseconds, during which other runs of the service go on
        calls = await asyncio.to_thread(_next_step, input, frozenset(tool.name for tool in tools))
        return ModelResponse(output=list(calls), usage=Usage(), response_id=None)

    def stream_response(self, *args: Any, **kwargs: Any) -> AsyncIterator[TResponseStreamEvent]:
        """Not offered: its replies are calls that are whole at once."""
        message = "the offline model does not stream"
        raise NotImplementedError(message)


def _next_step(items: str | list[TResponseInputItem], tools: frozenset[str]) -> list[ResponseFunctionToolCall]:
    transcript = read_transcript(items)
    step = len(transcript.calls)
    return [_function_call(call, step, at) for at, call in enumerate(next_calls(transcript, tools))]


def _function_call(call: PlannedCall, step: int, position: int) -> ResponseFunctionToolCall:
    arguments = json.dumps(call.arguments, ensure_ascii=False)
    digest = hashlib.sha256(f"{step}\x1f{position}\x1f{call.name}\x1f{arguments}".encode()).hexdigest()
    return ResponseFunctionToolCall(
        call_id=f"call_{digest[:16]}", type="function_call", name=call.name, arguments=arguments
    )

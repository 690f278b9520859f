"""A guard around any model: whatever it replies, the run sees well-formed calls with ids of their own."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from typing import Any, cast

from agents import ModelResponse, ModelSettings, Tool, Usage
from agents.agent_output import AgentOutputSchemaBase
from agents.handoffs import Handoff
from agents.items import TResponseInputItem, TResponseOutputItem, TResponseStreamEvent
from agents.models.interface import Model, ModelTracing
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputRefusal,
    ResponseOutputText,
    ResponseReasoningItem,
)

from harness.context import SUBMIT_TOOL, ResearchRunContext
from harness.models.argument_forms import plain_arguments
from harness.models.estimate import estimated_tokens
from harness.models.repair import (
    REPAIR_TOOL,
    ProtocolRepairs,
    Repair,
    broken_arguments_repair,
    cut_arguments_fault,
    cut_off_repair,
    plain_text_repair,
    refusal_repair,
    unknown_tool_repair,
)
from harness.models.traits import CapturesTransport, ReportsWaste
from harness.tools.arguments import ArgumentsRefused
from harness.tools.invocation import arguments_fault
from harness.unicode_text import without_surrogates

_THINKING = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL | re.IGNORECASE)
_END_OF_THINKING = re.compile(r"\A.*?</think>", re.DOTALL | re.IGNORECASE)


class GuardedModel(Model):
    """Wraps a model for one run.

    * Text without a call, unknown tools and arguments that are no JSON object become calls of the private repair tool.
    * Arguments in a form that has one reading only (wrapped, encoded twice, a Python dict) become plain JSON.
    * Empty and reused call ids are replaced; `<think>` text and lone surrogates are taken out.
    * The private tool is hidden from the provider; on the last call only the submission is offered.
    * What a reply does not report of its usage is counted by an own estimate.
    """

    def __init__(
        self, inner: Model, context: ResearchRunContext, repairs: ProtocolRepairs, tool_names: tuple[str, ...]
    ) -> None:
        self._inner = inner
        self._context = context
        self._repairs = repairs
        self._tool_names = tool_names
        self._ids = 0
        self._captures = isinstance(inner, CapturesTransport)
        if isinstance(inner, CapturesTransport):
            inner.capture_into(
                lambda kind, attempt, payload: context.recording.record(kind, self._operation, payload, attempt=attempt)
            )

    async def close(self) -> None:
        """Release what the model holds."""
        await self._inner.close()

    async def get_response(
        self,
        system_instructions: str | None,
        input: str | list[TResponseInputItem],  # noqa: A002 - the SDK calls by these names
        model_settings: ModelSettings,
        tools: list[Tool],
        output_schema: AgentOutputSchemaBase | None,
        handoffs: list[Handoff],
        tracing: ModelTracing,
        *,
        previous_response_id: str | None,
        conversation_id: str | None,
        prompt: Any | None,
    ) -> ModelResponse:
        """One reply of the model, made safe."""
        offered = [tool for tool in tools if self._offers(tool.name)]
        self._record_request(system_instructions, input, offered)
        try:
            response = await self._inner.get_response(
                system_instructions=system_instructions,
                input=input,
                model_settings=model_settings,
                tools=offered,
                output_schema=output_schema,
                handoffs=handoffs,
                tracing=tracing,
                previous_response_id=previous_response_id,
                conversation_id=conversation_id,
                prompt=prompt,
            )
        finally:
            wasted = self._inner.take_wasted() if isinstance(self._inner, ReportsWaste) else (0, 0)
            self._context.usage.add(*wasted)
        usage = _at_least_estimated(response, system_instructions, input)
        self._record_response(response)
        self._record_reply(response, usage, wasted)
        return ModelResponse(output=self._made_safe(response.output), usage=usage, response_id=response.response_id)

    def stream_response(self, *args: Any, **kwargs: Any) -> AsyncIterator[TResponseStreamEvent]:
        """Not offered: a run never streams a model's words, because an unchecked word must not reach the user."""
        message = "runs do not stream model replies"
        raise NotImplementedError(message)

    def _offers(self, name: str) -> bool:
        return name == SUBMIT_TOOL if self._context.on_last_call else name != REPAIR_TOOL

    def _made_safe(self, output: list[TResponseOutputItem]) -> list[TResponseOutputItem]:
        safe: list[TResponseOutputItem] = []
        called = cut = withheld = False
        seen: set[str] = set()
        for item in output:
            if isinstance(item, ResponseFunctionToolCall):
                call = self._safe_call(item, seen)
                seen.add(call.call_id)
                safe.append(call)
                called = True
            elif isinstance(item, ResponseOutputMessage):
                cut = cut or item.status == "incomplete"
                withheld = withheld or any(isinstance(part, ResponseOutputRefusal) for part in item.content)
                message = _safe_message(item)
                if message is not None:
                    safe.append(message)
            elif isinstance(item, ResponseReasoningItem):
                safe.append(item)
        if not called:
            repair = refusal_repair() if withheld else cut_off_repair() if cut else plain_text_repair()
            safe.append(self._repaired(self._new_id(seen), repair))
        return safe

    def _safe_call(self, call: ResponseFunctionToolCall, seen: set[str]) -> ResponseFunctionToolCall:
        call_id = without_surrogates(call.call_id or "")
        if not call_id.strip() or call_id in seen or self._context.knows_call(call_id):
            call_id = self._new_id(seen)
        if call.name not in self._tool_names:
            return self._repaired(call_id, unknown_tool_repair(call.name, self._tool_names))
        try:
            arguments = plain_arguments(call.arguments)
        except ArgumentsRefused as error:
            cut = call.status == "incomplete"
            fault = cut_arguments_fault(error) if cut else arguments_fault(error)
            return self._repaired(call_id, broken_arguments_repair(call.name, fault))
        return ResponseFunctionToolCall(
            id=call.id, call_id=call_id, type="function_call", name=call.name, arguments=arguments
        )

    def _repaired(self, call_id: str, repair: Repair) -> ResponseFunctionToolCall:
        self._context.repairs.note(repair.problem)
        self._repairs.add(call_id, repair)
        self._context.recording.record("protocol.repaired", call_id, {"kind": repair.kind, "tool_name": repair.name})
        return ResponseFunctionToolCall(call_id=call_id, type="function_call", name=REPAIR_TOOL, arguments="{}")

    def _new_id(self, seen: set[str]) -> str:
        while True:
            self._ids += 1
            call_id = f"call_h{self._ids}"
            if call_id not in seen and not self._context.knows_call(call_id):
                return call_id

    @property
    def _operation(self) -> str:
        return f"model_{self._context.usage.model_calls}"

    def _record_request(
        self, instructions: str | None, items: str | list[TResponseInputItem], tools: list[Tool]
    ) -> None:
        if self._captures:
            return
        body = {"instructions": instructions, "input": items, "tools": [tool.name for tool in tools]}
        self._record("model.request", {"method": "CALL", "url": f"model:{type(self._inner).__name__}", "body": body})

    def _record_response(self, response: ModelResponse) -> None:
        if self._captures:
            return
        body = [
            item.model_dump(mode="json", exclude_none=True) for item in response.output if not isinstance(item, dict)
        ]
        self._record("model.response", {"status_code": None, "body": body})

    def _record_reply(self, response: ModelResponse, usage: Usage, wasted: tuple[int, int]) -> None:
        """What a replay needs: the reply as items, whatever form it had on the wire, and what it cost."""
        if self._context.recording.active:
            payload = {
                "output": _plain_items(response),
                "usage": [usage.input_tokens, usage.output_tokens],
                "wasted": list(wasted),
            }
            self._context.recording.record("model.replied", self._operation, payload)

    def _record(self, kind: str, payload: Mapping[str, Any]) -> None:
        self._context.recording.record(kind, self._operation, {"headers": {}, **payload})


def without_thinking(text: str) -> str:
    """The text without `<think>` parts, closed or not, and without the rest of one whose beginning was cut off."""
    return _END_OF_THINKING.sub("", _THINKING.sub("", text)).strip()


def _safe_message(message: ResponseOutputMessage) -> ResponseOutputMessage | None:
    texts = [part.text if isinstance(part, ResponseOutputText) else part.refusal for part in message.content]
    text = without_thinking(without_surrogates("\n".join(texts)))
    if not text:
        return None
    content = ResponseOutputText(text=text, type="output_text", annotations=[])
    return message.model_copy(update={"content": [content]})


def _at_least_estimated(
    response: ModelResponse, instructions: str | None, items: str | list[TResponseInputItem]
) -> Usage:
    """The usage that the provider reports; where it is silent about prompt or completion, an own estimate."""
    sent, made = response.usage.input_tokens, response.usage.output_tokens
    if not sent:
        sent = estimated_tokens(
            instructions, items if isinstance(items, str) else cast("list[Mapping[str, Any]]", items)
        )
    if not made:
        made = estimated_tokens(_plain_items(response))
    return Usage(requests=1, input_tokens=sent, output_tokens=made, total_tokens=sent + made)


def _plain_items(response: ModelResponse) -> list[dict[str, Any]]:
    return [item.model_dump(mode="json", exclude_none=True) for item in response.output if not isinstance(item, dict)]

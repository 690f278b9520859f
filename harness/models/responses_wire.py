"""The Responses API on the wire: items go out and come back as they are; nothing is kept by the provider.

Format: OpenAI API reference, "Create a model response" and "Streaming events".
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from agents import FunctionTool, ModelSettings, Tool, Usage
from agents.items import TResponseInputItem, TResponseOutputItem
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputRefusal,
    ResponseOutputText,
    ResponseReasoningItem,
)
from openai.types.responses.response_reasoning_item import Summary

from harness.models.chat_wire import WITHHELD
from harness.models.providers import ProviderProfile
from harness.models.wire import ReplyInvalid, StreamBroken, as_dict, as_dicts, usage_from

_ENDINGS = frozenset({"response.completed", "response.incomplete", "response.failed"})


@dataclass(frozen=True, slots=True)
class ResponsesWire:
    """The Responses API as one provider speaks it."""

    profile: ProviderProfile

    def request_body(
        self,
        model: str,
        instructions: str | None,
        items: str | Sequence[TResponseInputItem],
        tools: Sequence[Tool],
        settings: ModelSettings,
    ) -> dict[str, Any]:
        """The JSON body of a request; `store` is off, so reasoning comes back encrypted or not at all."""
        profile = self.profile
        required = settings.tool_choice == "required"
        body: dict[str, Any] = {
            "model": model,
            "instructions": instructions,
            "input": input_of(items),
            "tools": [_function(tool) for tool in tools if isinstance(tool, FunctionTool)],
            "tool_choice": profile.tool_choice if required else settings.tool_choice,
            "parallel_tool_calls": settings.parallel_tool_calls if profile.parallel_tool_calls else None,
            "temperature": settings.temperature if profile.temperature else None,
            "max_output_tokens": settings.max_tokens,
            "store": False,
            "include": ["reasoning.encrypted_content"],
            "stream": profile.stream or None,
        }
        return {key: value for key, value in body.items() if value is not None and value != []}

    def assembled(self, events: Sequence[Mapping[str, Any]], *, ended: bool) -> dict[str, Any]:  # noqa: ARG002 - a response says itself that it is over
        """The response that the closing event carries. Without one the stream is broken off."""
        for event in reversed(events):
            if event.get("type") in _ENDINGS and as_dict(event.get("response")):
                return as_dict(event["response"])
        message = "the stream broke off"
        raise StreamBroken(message)

    def output_of(self, payload: object) -> list[TResponseOutputItem]:
        """Reasoning, messages and calls in their order. Raises `ReplyInvalid`.

        What the output limit cut off is `incomplete`; a response cut before it said anything is an empty message.
        """
        response = as_dict(payload)
        if not isinstance(response.get("output"), list):
            reason = "the reply holds no output"
            raise ReplyInvalid(reason)
        reason = as_dict(response.get("incomplete_details")).get("reason")
        cut = response.get("status") == "incomplete" and reason != "content_filter"
        items = [item for entry in as_dicts(response["output"]) if (item := _item(entry)) is not None]
        said = [item for item in items if not isinstance(item, ResponseReasoningItem)]
        if reason == "content_filter" and not any(isinstance(item, ResponseFunctionToolCall) for item in said):
            items.append(_message([ResponseOutputRefusal(refusal=WITHHELD, type="refusal")]))
        elif cut and said:
            said[-1].status = "incomplete"
        elif cut:
            items.append(_message([], cut=True))
        return [*items]

    def usage_of(self, payload: object) -> Usage:
        """The usage of a reply; zeros where it reports none or nonsense."""
        return usage_from(payload, sent="input_tokens", made="output_tokens", cached="input_tokens_details")


def input_of(items: str | Sequence[TResponseInputItem]) -> str | list[dict[str, Any]]:
    """The transcript; items without ids of the provider's store, reasoning only where it can be understood again."""
    if isinstance(items, str):
        return items
    shown: list[dict[str, Any]] = []
    for item in cast("Sequence[Mapping[str, Any]]", items):
        match item.get("type"):
            case "function_call":
                shown.append({key: item[key] for key in ("type", "call_id", "name", "arguments")})
            case "function_call_output":
                shown.append({key: item[key] for key in ("type", "call_id", "output")})
            case "reasoning":
                if item.get("encrypted_content"):
                    shown.append({**item, "summary": list(item.get("summary") or [])})
            case _:
                shown.append({"role": item["role"], "content": _text(item["content"])})
    return shown


def _item(entry: Mapping[str, Any]) -> ResponseFunctionToolCall | ResponseOutputMessage | ResponseReasoningItem | None:
    match entry.get("type"):
        case "function_call":
            arguments = entry.get("arguments")
            return ResponseFunctionToolCall(
                call_id=str(entry.get("call_id") or ""),
                name=str(entry.get("name") or ""),
                arguments=arguments if isinstance(arguments, str) else _json(arguments),
                type="function_call",
                status="incomplete" if entry.get("status") == "incomplete" else "completed",
            )
        case "message":
            return _message([_part(part) for part in as_dicts(entry.get("content"))])
        case "reasoning":
            encrypted = entry.get("encrypted_content")
            return ResponseReasoningItem(
                id=str(entry.get("id") or "reasoning"),
                summary=[
                    Summary(text=str(part.get("text") or ""), type="summary_text")
                    for part in as_dicts(entry.get("summary"))
                ],
                encrypted_content=encrypted if isinstance(encrypted, str) else None,
                type="reasoning",
            )
        case _:
            return None


def _part(part: Mapping[str, Any]) -> ResponseOutputText | ResponseOutputRefusal:
    if part.get("type") == "refusal":
        return ResponseOutputRefusal(refusal=str(part.get("refusal") or ""), type="refusal")
    return ResponseOutputText(text=str(part.get("text") or ""), type="output_text", annotations=[])


def _message(
    content: Sequence[ResponseOutputText | ResponseOutputRefusal], *, cut: bool = False
) -> ResponseOutputMessage:
    return ResponseOutputMessage(
        id="message",
        content=list(content),
        role="assistant",
        status="incomplete" if cut else "completed",
        type="message",
    )


def _function(tool: FunctionTool) -> dict[str, Any]:
    return {
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.params_json_schema,
        "strict": False,
    }


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(str(part.get("text") or part.get("refusal") or "") for part in as_dicts(content))


def _json(value: object) -> str:
    return "" if value is None else json.dumps(value, ensure_ascii=False)

"""Chat Completions on the wire: the transcript as messages, tools as functions, a reply as output items.

Format: OpenAI API reference, "Create chat completion", as compatible servers speak it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from agents import FunctionTool, ModelSettings, Tool, Usage
from agents.items import TResponseInputItem, TResponseOutputItem
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText


class ReplyInvalid(Exception):
    """A reply that is no chat completion."""


def request_body(
    model: str,
    instructions: str | None,
    items: str | Sequence[TResponseInputItem],
    tools: Sequence[Tool],
    settings: ModelSettings,
) -> dict[str, Any]:
    """The JSON body of a request."""
    body = {
        "model": model,
        "messages": messages_of(instructions, items),
        "tools": [_function(tool) for tool in tools if isinstance(tool, FunctionTool)],
        "tool_choice": settings.tool_choice,
        "parallel_tool_calls": settings.parallel_tool_calls,
        "temperature": settings.temperature,
        "max_tokens": settings.max_tokens,
    }
    return {key: value for key, value in body.items() if value is not None and value != []}


def messages_of(instructions: str | None, items: str | Sequence[TResponseInputItem]) -> list[dict[str, Any]]:
    """The transcript; an assistant's text and the calls that came with it are one message."""
    messages: list[dict[str, Any]] = [{"role": "system", "content": instructions}] if instructions else []
    if isinstance(items, str):
        return [*messages, {"role": "user", "content": items}]
    for item in cast("Sequence[Mapping[str, Any]]", items):
        match item.get("type"):
            case "function_call":
                _calls_of_last(messages).append(_call(item))
            case "function_call_output":
                messages.append({"role": "tool", "tool_call_id": item["call_id"], "content": item["output"]})
            case "reasoning":
                continue
            case _:
                messages.append({"role": item["role"], "content": _text(item["content"])})
    return messages


def output_of(payload: object) -> list[TResponseOutputItem]:
    """The output items of a reply: at most one message, then the calls. Raises `ReplyInvalid`."""
    message = _message(payload)
    items: list[TResponseOutputItem] = []
    text = _text(message.get("content") or "") or str(message.get("refusal") or "")
    if text:
        content = ResponseOutputText(text=text, type="output_text", annotations=[])
        items.append(
            ResponseOutputMessage(id="message", content=[content], role="assistant", status="completed", type="message")
        )
    for entry in _list(message.get("tool_calls")):
        function = _dict(entry.get("function"))
        items.append(
            ResponseFunctionToolCall(
                call_id=str(entry.get("id") or ""),
                name=str(function.get("name") or ""),
                arguments=_arguments(function.get("arguments")),
                type="function_call",
            )
        )
    return items


def usage_of(payload: Mapping[str, Any]) -> Usage:
    """The usage of a reply; zeros where it reports none or nonsense."""
    reported = _dict(payload.get("usage"))
    sent, made = _count(reported.get("prompt_tokens")), _count(reported.get("completion_tokens"))
    return Usage(requests=1, input_tokens=sent, output_tokens=made, total_tokens=sent + made)


def _message(payload: object) -> dict[str, Any]:
    choices = _list(_dict(payload).get("choices"))
    message = _dict(choices[0].get("message")) if choices else {}
    if not message:
        reason = "the reply holds no message"
        raise ReplyInvalid(reason)
    return message


def _calls_of_last(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    if not messages or messages[-1]["role"] != "assistant":
        messages.append({"role": "assistant", "content": None})
    return messages[-1].setdefault("tool_calls", [])


def _call(item: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": item["call_id"],
        "type": "function",
        "function": {"name": item["name"], "arguments": item["arguments"]},
    }


def _function(tool: FunctionTool) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.params_json_schema,
        },
    }


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(str(part["text"]) for part in _list(content) if part.get("text"))


def _arguments(value: object) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def _dict(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _list(value: object) -> list[dict[str, Any]]:
    entries = cast("list[object]", value) if isinstance(value, list) else []
    return [entry for item in entries if (entry := _dict(item))]


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0

"""Chat Completions on the wire: the transcript as messages, tools as functions, a reply as output items.

Format: OpenAI API reference, "Create chat completion" and "Streaming", as compatible servers speak it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from agents import FunctionTool, ModelSettings, Tool, Usage
from agents.items import TResponseInputItem, TResponseOutputItem
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputRefusal,
    ResponseOutputText,
    ResponseReasoningItem,
)
from openai.types.responses.response_reasoning_item import Content as ReasoningContent

from harness.models.providers import ProviderProfile
from harness.models.wire import ReplyInvalid, StreamBroken, as_dict, as_dicts, usage_from

WITHHELD = "The provider's content filter withheld this reply."


@dataclass(frozen=True, slots=True)
class ChatWire:
    """Chat Completions as one provider speaks it."""

    profile: ProviderProfile

    def request_body(
        self,
        model: str,
        instructions: str | None,
        items: str | Sequence[TResponseInputItem],
        tools: Sequence[Tool],
        settings: ModelSettings,
    ) -> dict[str, Any]:
        """The JSON body of a request; what is not set is not sent."""
        profile = self.profile
        required = settings.tool_choice == "required"
        body: dict[str, Any] = {
            "model": model,
            "messages": messages_of(instructions, items, reasoning_field=profile.reasoning_field),
            "tools": [_function(tool, strict=profile.strict_tools) for tool in tools if isinstance(tool, FunctionTool)],
            "tool_choice": profile.tool_choice if required else settings.tool_choice,
            "parallel_tool_calls": settings.parallel_tool_calls if profile.parallel_tool_calls else None,
            "temperature": settings.temperature if profile.temperature else None,
            profile.output_limit: settings.max_tokens,
            "stream": profile.stream or None,
            "stream_options": {"include_usage": True} if profile.stream and profile.stream_usage else None,
        }
        return {key: value for key, value in body.items() if value is not None and value != []}

    def assembled(self, events: Sequence[Mapping[str, Any]], *, ended: bool) -> dict[str, Any]:
        """The completion that chunks make. A stream without finish reason and without end is broken off."""
        draft = _Draft()
        for event in events:
            draft.add(event)
        if not ended and draft.finish_reason is None:
            message = "the stream broke off"
            raise StreamBroken(message)
        return draft.payload()

    def output_of(self, payload: object) -> list[TResponseOutputItem]:
        """At most one reasoning item and one message, then the calls. Raises `ReplyInvalid`.

        What the output limit cut off is `incomplete`, an empty message included.
        """
        choice, message = _choice(payload)
        cut = choice.get("finish_reason") == "length"
        items: list[TResponseOutputItem] = []
        reasoning = message.get(self.profile.reasoning_field) if self.profile.reasoning_field else None
        if isinstance(reasoning, str) and reasoning:
            content = [ReasoningContent(text=reasoning, type="reasoning_text")]
            items.append(ResponseReasoningItem(id="reasoning", summary=[], content=content, type="reasoning"))
        calls = _tool_calls(message)
        text = _text(message.get("content") or "")
        refusal = str(message.get("refusal") or "")
        if choice.get("finish_reason") == "content_filter" and not calls:
            refusal = WITHHELD
        if text or refusal or (cut and not calls):
            items.append(_message(text, refusal, cut=cut))
        for number, entry in enumerate(calls, start=1):
            items.append(_called(entry, cut=cut and number == len(calls)))
        return items

    def usage_of(self, payload: object) -> Usage:
        """The usage of a reply; zeros where it reports none or nonsense."""
        return usage_from(payload, sent="prompt_tokens", made="completion_tokens", cached="prompt_tokens_details")


def messages_of(
    instructions: str | None, items: str | Sequence[TResponseInputItem], *, reasoning_field: str = ""
) -> list[dict[str, Any]]:
    """The transcript; an assistant's reasoning, its text and the calls that came with it are one message."""
    messages: list[dict[str, Any]] = [{"role": "system", "content": instructions}] if instructions else []
    if isinstance(items, str):
        return [*messages, {"role": "user", "content": items}]
    reasoning = ""
    for item in cast("Sequence[Mapping[str, Any]]", items):
        match item.get("type"):
            case "reasoning":
                reasoning = "\n".join(str(part["text"]) for part in as_dicts(item.get("content")))
                continue
            case "function_call":
                message = _open_assistant_message(messages)
                message.setdefault("tool_calls", []).append(_call(item))
            case "function_call_output":
                messages.append({"role": "tool", "tool_call_id": item["call_id"], "content": item["output"]})
                continue
            case _:
                messages.append({"role": item["role"], "content": _text(item["content"])})
        if reasoning and reasoning_field and messages[-1]["role"] == "assistant":
            messages[-1][reasoning_field] = reasoning
        reasoning = ""
    return messages


@dataclass(slots=True)
class _DraftCall:
    call_id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass(slots=True)
class _Draft:
    """A completion while its chunks come in."""

    texts: dict[str, list[str]] = field(default_factory=dict)
    calls: dict[int, _DraftCall] = field(default_factory=dict)
    finish_reason: str | None = None
    usage: object = None
    seen: bool = False

    def add(self, event: Mapping[str, Any]) -> None:
        self.usage = event.get("usage") or self.usage
        for choice in as_dicts(event.get("choices"))[:1]:
            self.seen = True
            self.finish_reason = choice.get("finish_reason") or self.finish_reason
            delta = as_dict(choice.get("delta")) or as_dict(choice.get("message"))
            for key, value in delta.items():
                if key != "role" and isinstance(value, str):
                    self.texts.setdefault(key, []).append(value)
            for entry in as_dicts(delta.get("tool_calls")):
                self._add_call(entry)

    def _add_call(self, entry: Mapping[str, Any]) -> None:
        index, call_id = entry.get("index"), str(entry.get("id") or "")
        if not isinstance(index, int):
            # some servers send whole calls without numbers: an id that is new begins one
            known = [number for number, call in self.calls.items() if call.call_id == call_id]
            last = max(self.calls, default=-1)
            index = known[0] if known else last if not call_id and last >= 0 else last + 1
        call = self.calls.setdefault(index, _DraftCall())
        function = as_dict(entry.get("function"))
        call.call_id = call.call_id or call_id
        call.name += str(function.get("name") or "")
        call.arguments += _arguments(function.get("arguments"))

    def payload(self) -> dict[str, Any]:
        if not self.seen:
            reason = "the stream held no choice"
            raise ReplyInvalid(reason)
        message: dict[str, Any] = {"role": "assistant", **{key: "".join(parts) for key, parts in self.texts.items()}}
        message["tool_calls"] = [
            {"id": call.call_id, "function": {"name": call.name, "arguments": call.arguments}}
            for _, call in sorted(self.calls.items())
        ]
        return {"choices": [{"finish_reason": self.finish_reason, "message": message}], "usage": self.usage}


def _choice(payload: object) -> tuple[dict[str, Any], dict[str, Any]]:
    choices = as_dicts(as_dict(payload).get("choices"))
    message = as_dict(choices[0].get("message")) if choices else {}
    if not message:
        reason = "the reply holds no message"
        raise ReplyInvalid(reason)
    return choices[0], message


def _tool_calls(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    calls = message.get("tool_calls")
    entries = as_dicts(calls) or as_dicts([calls])
    older = as_dict(message.get("function_call"))
    return entries or ([{"function": older}] if older else [])


def _message(text: str, refusal: str, *, cut: bool) -> ResponseOutputMessage:
    content: list[ResponseOutputText | ResponseOutputRefusal] = []
    if text:
        content.append(ResponseOutputText(text=text, type="output_text", annotations=[]))
    if refusal:
        content.append(ResponseOutputRefusal(refusal=refusal, type="refusal"))
    return ResponseOutputMessage(
        id="message", content=content, role="assistant", status=_status(cut=cut), type="message"
    )


def _called(entry: Mapping[str, Any], *, cut: bool) -> ResponseFunctionToolCall:
    function = as_dict(entry.get("function"))
    return ResponseFunctionToolCall(
        call_id=str(entry.get("id") or ""),
        name=str(function.get("name") or ""),
        arguments=_arguments(function.get("arguments")),
        type="function_call",
        status=_status(cut=cut),
    )


def _status(*, cut: bool) -> Literal["completed", "incomplete"]:
    return "incomplete" if cut else "completed"


def _open_assistant_message(messages: list[dict[str, Any]]) -> dict[str, Any]:
    if not messages or messages[-1]["role"] != "assistant":
        messages.append({"role": "assistant", "content": None})
    return messages[-1]


def _call(item: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": item["call_id"],
        "type": "function",
        "function": {"name": item["name"], "arguments": item["arguments"]},
    }


def _function(tool: FunctionTool, *, strict: Literal["off", "unset"]) -> dict[str, Any]:
    function: dict[str, Any] = {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.params_json_schema,
    }
    if strict == "off":
        function["strict"] = False
    return {"type": "function", "function": function}


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(str(part.get("text") or part.get("refusal")) for part in as_dicts(content) if _is_said(part))


def _is_said(part: Mapping[str, Any]) -> bool:
    """Reasoning that a provider puts among the parts of the content is not said to anyone."""
    return bool(part.get("text") or part.get("refusal")) and part.get("type") not in {"thinking", "reasoning"}


def _arguments(value: object) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)

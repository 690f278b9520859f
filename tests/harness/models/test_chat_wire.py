from __future__ import annotations

from typing import Any, cast

import pytest
from agents import ModelSettings
from agents.items import TResponseInputItem
from hypothesis import given
from hypothesis import strategies as st

from harness.models.chat_wire import ChatWire, messages_of
from harness.models.endpoint import Timing
from harness.models.openai import provider_model
from harness.models.providers import profile_for, profiles
from harness.models.wire import ReplyInvalid

WIRE = ChatWire(profiles()["compatible"])

KEYS = ["choices", "message", "tool_calls", "function", "name", "arguments", "content", "id", "text"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["choices", "message", "tool_calls", "function", "name", "arguments", "content", "id", "text"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


def items(*entries: dict[str, Any]) -> list[TResponseInputItem]:
    return cast("list[TResponseInputItem]", list(entries))


def test_text_and_the_calls_that_came_with_it_are_one_message() -> None:
    messages = messages_of(
        "Be brief.",
        items(
            {"role": "user", "content": "Why?"},
            {"type": "reasoning", "id": "r", "summary": []},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Let me see."}]},
            {"type": "function_call", "call_id": "a", "name": "one", "arguments": "{}"},
            {"type": "function_call", "call_id": "b", "name": "two", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "a", "output": "1"},
            {"type": "function_call_output", "call_id": "b", "output": "2"},
            {"type": "function_call", "call_id": "c", "name": "three", "arguments": "{}"},
        ),
    )
    assert [message["role"] for message in messages] == ["system", "user", "assistant", "tool", "tool", "assistant"]
    assert messages[2]["content"] == "Let me see."
    assert [call["id"] for call in messages[2]["tool_calls"]] == ["a", "b"]
    assert messages[4] == {"role": "tool", "tool_call_id": "b", "content": "2"}
    assert messages[5]["content"] is None


def test_a_plain_question_is_a_user_message() -> None:
    assert messages_of(None, "Why?") == [{"role": "user", "content": "Why?"}]


def test_what_is_not_set_is_not_sent() -> None:
    assert WIRE.request_body("m", None, "Why?", [], ModelSettings()).keys() == {"model", "messages"}


@given(JSON)
def test_any_json_is_a_reply_or_a_reason(payload: object) -> None:
    try:
        made = WIRE.output_of(payload)
    except ReplyInvalid:
        return
    assert isinstance(made, list)


@pytest.mark.parametrize(
    ("usage", "total"),
    [
        ({"prompt_tokens": 3, "completion_tokens": 2}, 5),
        ({"prompt_tokens": "3", "completion_tokens": True}, 0),
        ({"prompt_tokens": -3, "completion_tokens": 2}, 2),
        ({"prompt_tokens": 3.0, "completion_tokens": 2.5}, 3),
        ({"prompt_tokens": 10**12, "completion_tokens": 2}, 2),
        (None, 0),
        ([], 0),
    ],
)
def test_usage_is_what_is_reported_or_nothing(usage: object, total: int) -> None:
    assert WIRE.usage_of({"usage": usage}).total_tokens == total


async def test_an_encrypted_endpoint_is_checked_by_certificate() -> None:
    model = provider_model("m", base_url="https://127.0.0.1:9/v1", api_key=None, timing=Timing(1))
    with pytest.raises(NotImplementedError):
        model.stream_response()
    await model.close()


def test_reasoning_goes_back_with_the_calls_that_it_led_to_where_a_provider_wants_it() -> None:
    wire = ChatWire(profile_for("https://api.deepseek.com"))
    message = {
        "content": "",
        "reasoning_content": "The title is enough.",
        "tool_calls": [{"id": "a", "function": {"name": "one", "arguments": "{}"}}],
    }
    thought, call = wire.output_of({"choices": [{"message": message}]})
    said = [item.model_dump(exclude_none=True) for item in (thought, call)]  # type: ignore[union-attr]
    reply = {"type": "function_call_output", "call_id": "a", "output": "{}"}
    body = wire.request_body("m", None, items(*said, reply), [], ModelSettings(tool_choice="required"))
    assistant, tool = body["messages"]
    assert assistant["reasoning_content"] == "The title is enough."
    assert assistant["tool_calls"][0]["id"] == "a"
    assert tool["role"] == "tool"
    assert body["tool_choice"] == "auto"
    assert "reasoning_content" not in messages_of(None, items(*said, reply))[0]
    assert [item.type for item in WIRE.output_of({"choices": [{"message": message}]})] == ["function_call"]  # type: ignore[union-attr]


def test_reasoning_that_led_to_no_call_is_not_given_to_the_next_one() -> None:
    thought = {"type": "reasoning", "id": "r", "summary": [], "content": [{"type": "reasoning_text", "text": "Hm."}]}
    call = {"type": "function_call", "call_id": "a", "name": "one", "arguments": "{}"}
    told = {"role": "user", "content": "Call a tool."}
    messages = messages_of(None, items(thought, told, call), reasoning_field="reasoning_content")
    assert [message.get("reasoning_content") for message in messages] == [None, None]


def test_reasoning_among_the_parts_of_the_content_is_not_said() -> None:
    content = [{"type": "thinking", "text": "Secret plan."}, {"type": "text", "text": "Hello."}]
    [said] = WIRE.output_of({"choices": [{"message": {"content": content}}]})
    assert "Secret plan" not in said.model_dump_json()  # type: ignore[union-attr]
    assert "Hello." in said.model_dump_json()  # type: ignore[union-attr]


def test_calls_in_older_forms_are_understood() -> None:
    alone = {"tool_calls": {"id": "a", "function": {"name": "one", "arguments": "{}"}}}
    older = {"content": None, "function_call": {"name": "one", "arguments": "{}"}}
    for message in (alone, older):
        [call] = WIRE.output_of({"choices": [{"message": message}]})
        assert (call.name, call.arguments) == ("one", "{}")  # type: ignore[union-attr]


def test_what_a_filter_withheld_is_a_refusal_and_what_the_limit_cut_is_incomplete() -> None:
    [withheld] = WIRE.output_of({"choices": [{"finish_reason": "content_filter", "message": {"content": "I"}}]})
    assert withheld.content[-1].type == "refusal"  # type: ignore[union-attr]
    [cut] = WIRE.output_of({"choices": [{"finish_reason": "length", "message": {"content": "", "role": "assistant"}}]})
    assert (cut.status, cut.content) == ("incomplete", [])  # type: ignore[union-attr]

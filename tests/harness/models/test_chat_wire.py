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
from harness.models.providers import profiles
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

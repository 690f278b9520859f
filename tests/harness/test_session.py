from __future__ import annotations

import json
from typing import Any, cast

from agents.items import TResponseInputItem
from hypothesis import given
from hypothesis import strategies as st

from harness.models.repair import ProtocolRepairs, plain_text_repair, unknown_tool_repair
from harness.session import in_marker_form, opening_items, trimmed_history
from harness.transcript import TranscriptView
from harness.wire import HistoryMessage
from tests.harness.runs import play, step, submit

MESSAGES = st.lists(
    st.builds(HistoryMessage, role=st.sampled_from(["user", "assistant"]), content=st.text(min_size=1, max_size=40)),
    max_size=12,
)


def said(role: str, content: str) -> HistoryMessage:
    return HistoryMessage(role=role, content=content)


@given(MESSAGES, st.integers(0, 300))
def test_history_is_cut_to_whole_pairs_within_its_budget(messages: list[HistoryMessage], budget: int) -> None:
    kept = trimmed_history(messages, budget)
    assert [message.role for message in kept] == ["user", "assistant"] * (len(kept) // 2)
    assert sum(len(message.content) for message in kept) <= budget


def test_the_newest_pairs_stay() -> None:
    messages = [said("user", "one"), said("assistant", "1"), said("user", "two"), said("assistant", "2")]
    assert trimmed_history(messages, 4) == messages[2:]
    assert trimmed_history(messages, 100) == messages
    assert trimmed_history(messages, 0) == []


def test_a_question_that_was_never_answered_is_left_out() -> None:
    messages = [
        said("user", "one"),
        said("user", "two"),
        said("assistant", "2"),
        said("assistant", "3"),
        said("user", "x"),
    ]
    assert trimmed_history(messages, 100) == messages[1:3]


def test_rendered_numbers_and_their_sources_are_not_replayed() -> None:
    rendered = "Recall rose [1], cost fell [2].\n\nSources\n\n[1] Gulls, Results, p. 3\n[2] Gulls, Cost, p. 4"
    assert in_marker_form(rendered) == "Recall rose, cost fell."
    assert in_marker_form(rendered.replace("Sources", "来源")) == "Recall rose, cost fell."


def test_numbers_in_brackets_stay_where_no_sources_follow() -> None:
    text = "The interval [1] stays, [[ev_1]] too.\n\nSources\n\nare good."
    assert in_marker_form(text) == text


async def test_a_run_replays_history_before_the_question() -> None:
    history = (said("user", "Hi"), said("assistant", "It rose [1].\n\nSources\n\n[1] Gulls, p. 3"))
    run = await play([step(submit("Hello!"))], history=history)
    shown = [(item["role"], item["content"]) for item in run.model.calls[0].input]
    assert shown == [("user", "Hi"), ("assistant", "It rose."), ("user", "How did recall change?")]


def items(*entries: dict[str, Any]) -> list[TResponseInputItem]:
    return cast("list[TResponseInputItem]", list(entries))


def a_call(call_id: str, name: str, arguments: str = "{}") -> dict[str, Any]:
    return {"type": "function_call", "call_id": call_id, "name": name, "arguments": arguments}


def a_reply(call_id: str) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": call_id, "output": "{}"}


def test_private_calls_are_shown_as_what_the_model_did() -> None:
    repairs = ProtocolRepairs()
    repairs.add("t", plain_text_repair())
    repairs.add("u", unknown_tool_repair("open sesame!", ("read_locations",)))
    view = TranscriptView(repairs, opening=0, longest_result=16_000).of(
        items(
            {"role": "assistant", "content": "It is 4."},
            a_call("t", "_protocol_repair"),
            a_reply("t"),
            a_call("u", "_protocol_repair"),
            a_reply("u"),
        )
    )
    assert "_protocol_repair" not in json.dumps(view)
    assert [item.get("role", item.get("name", "reply")) for item in view] == [
        "assistant",
        "user",
        "open_sesame_",
        "reply",
    ]


def test_opening_items_end_with_the_question() -> None:
    assert [item["content"] for item in cast("list[dict[str, Any]]", opening_items([], "Why?", "note"))] == [
        "note",
        "Why?",
    ]

"""What the guard makes of odd replies of a model."""

from __future__ import annotations

import json
from typing import Any

import pytest
from agents.testing import assistant_message, function_call
from hypothesis import given
from hypothesis import strategies as st
from openai.types.responses import ResponseFileSearchToolCall, ResponseFunctionToolCall
from openai.types.responses.response_reasoning_item import ResponseReasoningItem

from harness.models.guard import GuardedModel, without_thinking
from harness.models.repair import REPAIR_TOOL, ProtocolRepairs
from harness.tools.toolbox import TOOL_NAMES
from harness.unicode_text import without_surrogates
from tests.harness.runs import call, find, play, replies, search, step, submit

HELLO = step(submit("Hello!"))


def raw(name: str, arguments: str, call_id: str = "") -> ResponseFunctionToolCall:
    return ResponseFunctionToolCall(name=name, arguments=arguments, call_id=call_id, type="function_call")


async def test_text_alone_is_answered_with_the_way_to_submit() -> None:
    run = await play([step(assistant_message("The answer is 4.")), HELLO])
    assert run.response.status == "COMPLETED"
    *_, said, answered = run.model.calls[1].input
    assert said["role"] == "assistant"
    assert "4" in json.dumps(said)
    assert answered["role"] == "user"
    assert "submit_research_answer" in answered["content"]


async def test_an_empty_reply_is_answered_too() -> None:
    run = await play([step(), HELLO])
    assert run.response.status == "COMPLETED"
    assert [item["role"] for item in run.model.calls[1].input] == ["user", "user"]


async def test_the_private_tool_is_never_offered_and_cannot_be_called() -> None:
    run = await play([step(call(REPAIR_TOOL, "p")), HELLO])
    assert all(REPAIR_TOOL not in [tool.name for tool in made.tools] for made in run.model.calls)
    assert run.reply("p")["error"]["code"] == "unknown_tool"
    assert REPAIR_TOOL not in run.reply("p")["error"]["known_tools"]


@pytest.mark.parametrize("call_id", ["", "  ", "same"])
async def test_empty_and_reused_ids_are_replaced(call_id: str) -> None:
    twice = [raw("search_paper_candidates", "{}", call_id), raw("search_paper_candidates", '{"limit": 1}', call_id)]
    run = await play([step(*twice), step(*twice), HELLO])
    assert run.response.status == "COMPLETED"
    assert len(replies(run.model.calls[2])) == 4
    assert all(item.strip() for item in replies(run.model.calls[2]))


async def test_ids_that_are_in_order_stay() -> None:
    run = await play([step(search("call_h1"), raw("search_paper_candidates", "{}")), HELLO])
    assert list(replies(run.model.calls[1])) == ["call_h1", "call_h2"]


async def test_lone_surrogates_in_arguments_do_not_crash_the_run() -> None:
    odd = raw("search_paper_candidates", '{"query_text": "gull \\ud800 shore"}', "a")
    run = await play([step(odd), step(raw("search_papers\ud800", "{}", "b\ud800")), HELLO])
    assert run.response.status == "COMPLETED"
    assert run.reply("a")["query_text"] == "gull \ufffd shore"


async def test_pairs_of_surrogate_escapes_stay_one_character() -> None:
    run = await play([step(raw("search_paper_candidates", '{"query_text": "\\ud83d\\udc26"}', "a")), HELLO])
    assert run.reply("a")["query_text"] == "\U0001f426"


async def test_thinking_is_taken_out_and_reasoning_items_pass() -> None:
    reasoning = ResponseReasoningItem(id="r", summary=[], type="reasoning")
    run = await play([step(assistant_message("<think>secret plan</think>Let me see."), reasoning, search()), HELLO])
    assert "secret plan" not in json.dumps(run.model.calls[1].input)
    assert "Let me see." in json.dumps(run.model.calls[1].input)


async def test_items_that_a_run_cannot_use_are_dropped() -> None:
    hosted = ResponseFileSearchToolCall(id="f", queries=[], status="completed", type="file_search_call")
    run = await play([step(hosted, search("s")), HELLO])
    assert run.response.status == "COMPLETED"
    assert list(replies(run.model.calls[1])) == ["s"]


async def test_broken_arguments_are_answered_under_the_same_id_and_replayed_as_valid_json() -> None:
    run = await play([step(raw("find_reading_locations", '{"paper_ids": [', "b")), HELLO])
    assert run.reply("b")["error"]["code"] == "invalid_tool_arguments"
    [shown] = [item for item in run.model.calls[1].input if item.get("type") == "function_call"]
    assert (shown["name"], shown["call_id"], shown["arguments"]) == ("find_reading_locations", "b", "{}")


async def test_arguments_that_do_not_fit_count_as_repairs_and_cause_no_events() -> None:
    run = await play([step(call("find_reading_locations", top_k="8")) for _ in range(9)])
    assert run.reason == "PROVIDER_TOOL_PROTOCOL_VIOLATION"
    assert len(run.model.calls) == 4
    assert run.events.of("tool_started") == []


async def test_a_reply_in_order_ends_the_row_of_repairs() -> None:
    pattern = [step(call("nope")), step(call("nope")), step(call("nope")), step(search())]
    run = await play([*pattern, *pattern, HELLO])
    assert run.response.status == "COMPLETED"


async def test_refusals_of_the_ladder_are_no_breach_of_the_protocol() -> None:
    run = await play([*(step(find(query=f"q{number}")) for number in range(8)), HELLO])
    assert run.response.status == "COMPLETED"


async def test_a_submission_with_broken_arguments_beside_another_call_still_refuses_the_batch() -> None:
    run = await play([step(search("s"), function_call("submit_research_answer", "{", call_id="b")), HELLO])
    assert run.reply("s")["error"]["code"] == "SUBMISSION_NOT_ALONE"
    assert run.reply("b")["error"]["code"] == "SUBMISSION_NOT_ALONE"
    assert run.events.of("tool_started") == []


@given(st.text(st.characters(exclude_categories=[]), max_size=40))
def test_cleaned_text_can_always_be_sent(text: str) -> None:
    cleaned = without_surrogates(text)
    cleaned.encode()
    if not any("\ud800" <= character <= "\udfff" for character in text):
        assert cleaned == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<think>a</think>b", "b"),
        ("<think>\na\n</think>\n\nb", "b"),
        ("b <think>cut off", "b"),
        ("end of it</think>b", "b"),
        ("<THINK>a</THINK>b<think>c</think>d", "bd"),
        ("no thinking", "no thinking"),
        ("<think>only</think>", ""),
    ],
)
def test_thinking_never_leaks(text: str, left: str) -> None:
    assert without_thinking(text) == left


async def test_streaming_is_not_offered() -> None:
    from agents.testing import ScriptedModel

    from harness.context import ResearchRunContext
    from harness.recorder import RunRecording
    from tests.harness.runs import turn

    guarded: Any = GuardedModel(
        ScriptedModel([]), ResearchRunContext(turn(), RunRecording()), ProtocolRepairs(), TOOL_NAMES
    )
    with pytest.raises(NotImplementedError):
        guarded.stream_response()

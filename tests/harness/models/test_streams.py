"""Streamed replies, whole and broken, over a real connection."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.models.chat_wire import ChatWire
from harness.models.providers import profile_for, profiles
from harness.models.wire import ReplyInvalid, StreamBroken
from tests.harness.models.provider import Answer, completion, serving
from tests.harness.models.test_openai import HELLO, ask, reason
from tests.harness.runs import limits, turn
from tests.places import CASES

EVENT_STREAM = (("content-type", "text/event-stream"),)
WIRE = ChatWire(profiles()["compatible"])

needs_cases = pytest.mark.skipif(not CASES.is_dir(), reason="the shared cases are not beside this checkout")


def recorded(name: str) -> Answer:
    return Answer(body=(CASES / "inputs" / name).read_bytes(), headers=EVENT_STREAM)


def streamed(*events: dict[str, Any] | str, done: bool = True) -> Answer:
    lines = [event if isinstance(event, str) else json.dumps(event) for event in [*events, *(["[DONE]"] * done)]]
    return Answer(body="".join(f"data: {line}\n\n" for line in lines).encode(), headers=EVENT_STREAM)


def chunk(finish: str | None = None, **delta: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def part(arguments: str, index: int | None = 0, **more: Any) -> dict[str, Any]:
    name = more.pop("name", None)
    numbered = {} if index is None else {"index": index}
    return {**numbered, **more, "function": {"arguments": arguments, **({"name": name} if name else {})}}


@needs_cases
async def test_f28_a_whole_stream_gives_its_call_and_its_usage() -> None:
    async with serving([recorded("f28-good.sse"), HELLO]) as provider:
        response = await ask(provider, stream=True)
    assert provider.requests[0]["stream"] is True
    [called] = provider.requests[1]["messages"][2]["tool_calls"]
    assert called["function"]["name"] == "read_locations"
    assert json.loads(called["function"]["arguments"]) == {"location_refs": ["loc_1"]}
    assert response.usage.total_tokens == 52 + 110


@needs_cases
async def test_f28_a_stream_that_breaks_off_is_no_turn_and_is_asked_for_again_a_few_times() -> None:
    async with serving([recorded("f28-no-end.sse"), HELLO]) as provider:
        response = await ask(provider, stream=True)
    assert response.status == "COMPLETED"
    assert provider.requests[0] == provider.requests[1]
    async with serving([recorded("f28-no-end.sse")]) as provider:
        response = await ask(provider, stream=True)
    assert reason(response) == "PROVIDER_UNAVAILABLE"
    assert response.control is not None
    assert "broke off" in response.control.message
    assert len(provider.requests) == 3


@needs_cases
async def test_f28_arguments_that_were_cut_are_not_carried_out_and_the_model_is_told() -> None:
    async with serving([recorded("f28-cut-arguments.sse"), HELLO]) as provider:
        response = await ask(provider, stream=True)
    assert response.status == "COMPLETED"
    reply = json.loads(provider.requests[1]["messages"][3]["content"])
    assert reply["error"]["code"] == "invalid_tool_arguments"
    assert "break off" in reply["error"]["message"]


@needs_cases
async def test_f28_an_output_limit_before_anything_was_said_is_no_empty_answer() -> None:
    async with serving([recorded("f28-length-empty.sse"), HELLO]) as provider:
        response = await ask(provider, stream=True)
    assert "output limit was reached" in provider.requests[1]["messages"][-1]["content"]
    assert (response.usage.prompt_tokens, response.usage.completion_tokens) == (40 + 100, 12 + 10)


async def test_calls_in_pieces_with_and_without_numbers_are_put_together() -> None:
    numbered = WIRE.assembled(
        [
            chunk(content="Let me "),
            chunk(content="see."),
            chunk(tool_calls=[part("", 0, id="a", name="one"), part('{"x"', 1, id="b", name="two")]),
            chunk(tool_calls=[part("{}", 0), part(": 1}", 1)]),
            chunk("tool_calls"),
            {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 4}},
        ],
        ended=False,
    )
    text, first, second = WIRE.output_of(numbered)
    assert "Let me see." in text.model_dump_json()  # type: ignore[union-attr]
    assert [(item.call_id, item.name, item.arguments) for item in (first, second)] == [  # type: ignore[union-attr]
        ("a", "one", "{}"),
        ("b", "two", '{"x": 1}'),
    ]
    assert WIRE.usage_of(numbered).total_tokens == 7
    unnumbered = WIRE.assembled(
        [
            chunk(tool_calls=[part("{", None, id="a", name="one")]),
            chunk(tool_calls=[part("}", None)]),
            chunk("stop", tool_calls=[part("{}", None, id="b", name="two")]),
        ],
        ended=False,
    )
    assert [item.arguments for item in WIRE.output_of(unnumbered)] == ["{}", "{}"]  # type: ignore[union-attr]


def test_a_stream_says_that_it_is_over_or_is_broken() -> None:
    with pytest.raises(StreamBroken):
        WIRE.assembled([chunk(content="He")], ended=False)
    assert WIRE.output_of(WIRE.assembled([chunk(content="He")], ended=True))
    with pytest.raises(ReplyInvalid):
        WIRE.assembled([], ended=True)


async def test_an_error_in_the_middle_of_a_stream_is_a_failure_of_its_kind() -> None:
    broken = streamed(chunk(content="I"), {"error": {"message": "overloaded", "code": 529}}, done=False)
    async with serving([broken, HELLO]) as provider:
        assert (await ask(provider, stream=True)).status == "COMPLETED"
    async with serving([streamed({"error": {"code": "model_gone"}})]) as provider:
        assert reason(await ask(provider, stream=True)) == "PROVIDER_PROTOCOL_INVALID"


async def test_a_stream_that_falls_silent_is_noticed_before_the_time_is_over() -> None:
    silent = Answer(body=b"data: {}\n\n", headers=EVENT_STREAM, stall=True)
    async with serving([silent, HELLO]) as provider:
        response = await ask(provider, stream=True, seconds=30, stall=0.1)
    assert response.status == "COMPLETED"
    async with serving([silent]) as provider:
        response = await ask(provider, stream=True, seconds=30, stall=0.05)
    assert reason(response) == "PROVIDER_TIMEOUT"
    assert len(provider.requests) == 3


async def test_a_connection_that_stays_open_after_the_end_does_not_hold_the_run() -> None:
    whole = streamed(chunk("stop", tool_calls=[part(json.dumps({"outcome": "answered", "markdown": "Hi!"}), 0, id="a",
                                                    name="submit_research_answer")]))  # fmt: skip
    async with serving([Answer(body=whole.body, headers=EVENT_STREAM, stall=True)]) as provider:
        assert (await ask(provider, stream=True, seconds=30)).status == "COMPLETED"


async def test_a_server_that_streams_unasked_or_answers_whole_is_understood() -> None:
    whole = streamed(": ping", chunk("stop", tool_calls=[part("{}", 0, id="a", name="search_paper_candidates")]))
    async with serving([whole, HELLO]) as provider:
        assert (await ask(provider, given=turn(limits=limits()))).status == "COMPLETED"
    async with serving([completion(text="Hm."), HELLO]) as provider:
        assert (await ask(provider, stream=True)).status == "COMPLETED"


def test_usage_is_asked_for_where_the_provider_wants_to_be_asked() -> None:
    from agents import ModelSettings

    asked = ChatWire(profile_for("http://h/v1", stream=True)).request_body("m", None, "?", [], ModelSettings())
    unasked = ChatWire(profile_for("https://api.mistral.ai/v1", stream=True)).request_body(
        "m", None, "?", [], ModelSettings(tool_choice="required")
    )
    assert asked["stream_options"] == {"include_usage": True}
    assert "stream_options" not in unasked
    assert unasked["tool_choice"] == "any"

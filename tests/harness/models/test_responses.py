"""The Responses API: on the wire, and in whole runs over a real connection."""

from __future__ import annotations

import json
from typing import Any

import pytest
from agents import ModelSettings
from hypothesis import given
from hypothesis import strategies as st

from harness.models.endpoint import Timing
from harness.models.openai import provider_model
from harness.models.providers import profile_for
from harness.models.responses_wire import ResponsesWire, input_of
from harness.models.wire import ReplyInvalid, StreamBroken
from harness.runtime import ResearchRuntime
from harness.wire import ResearchTurnResponse
from tests.harness.models.provider import Answer, Provider, Script, failure, serving
from tests.harness.models.test_chat_wire import items
from tests.harness.models.test_openai import SOON, reason
from tests.harness.models.test_streams import EVENT_STREAM
from tests.harness.runs import corpus, limits, turn

WIRE = ResponsesWire(profile_for("http://h/v1", api="responses"))


def called(name: str, arguments: Any, call_id: str | None = "c", **more: Any) -> dict[str, Any]:
    return {"type": "function_call", "call_id": call_id, "name": name, "arguments": arguments, **more}


def payload(*output: dict[str, Any], usage: tuple[int, int] | None = (100, 10), **more: Any) -> dict[str, Any]:
    counted = {"input_tokens": usage[0], "output_tokens": usage[1]} if usage else None
    return {"id": "r", "object": "response", "status": "completed", "output": list(output), "usage": counted, **more}


def answer(*output: dict[str, Any], **more: Any) -> Answer:
    return Answer(body=json.dumps(payload(*output, **more)).encode())


def said(text: str, kind: str = "output_text") -> dict[str, Any]:
    return {"type": "message", "role": "assistant", "content": [{"type": kind, kind.replace("output_", ""): text}]}


HELLO = answer(called("submit_research_answer", json.dumps({"outcome": "answered", "markdown": "Hello!"}), "h"))


async def ask(provider: Provider, *, stream: bool = False) -> ResearchTurnResponse:
    profile = profile_for(provider.base_url, api="responses", stream=stream)
    runtime = ResearchRuntime(
        corpus(),
        lambda: provider_model(
            "m", base_url=provider.base_url, api_key="sk-secret", profile=profile, timing=Timing(5, 5), retry=SOON
        ),
    )
    return await runtime.run(turn(limits=limits()))


async def outcome(script: Script, *, stream: bool = False) -> tuple[ResearchTurnResponse, Provider]:
    async with serving(script) as provider:
        return await ask(provider, stream=stream), provider


async def test_a_run_sends_its_items_and_stores_nothing_at_the_provider() -> None:
    thought = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA"}
    script = [answer(thought, said("I will look."), called("search_paper_candidates", "{}", "s")), HELLO]
    response, provider = await outcome(script)
    assert response.status == "COMPLETED"
    assert response.usage.total_tokens == 220
    first, second = provider.requests
    assert first["store"] is False
    assert first["tool_choice"] == "required"
    assert first["max_output_tokens"] == 3000
    assert {tool["strict"] for tool in first["tools"]} == {False}
    assert "stream" not in first
    kinds = [item.get("type", item.get("role")) for item in second["input"]]
    assert kinds == ["user", "reasoning", "assistant", "function_call", "function_call_output"]
    assert second["input"][1]["encrypted_content"] == "gAAA"
    assert "id" not in second["input"][3]


def test_reasoning_that_the_provider_alone_could_find_is_not_sent_back() -> None:
    assert input_of(items({"type": "reasoning", "id": "rs_1", "summary": []}, {"role": "user", "content": "?"})) == [
        {"role": "user", "content": "?"}
    ]
    assert input_of("?") == "?"


@pytest.mark.parametrize(
    ("first", "told"),
    [
        (answer(said("It is 4.")), "submit_research_answer"),
        (answer(said("I cannot.", "refusal")), "refusal"),
        (answer(status="incomplete", incomplete_details={"reason": "max_output_tokens"}), "output limit"),
        (answer(status="incomplete", incomplete_details={"reason": "content_filter"}), "content filter"),
        (answer(), "tool call"),
        (answer({"type": "web_search_call", "id": "w"}), "tool call"),
    ],
)
async def test_a_reply_without_a_call_is_answered(first: Answer, told: str) -> None:
    response, provider = await outcome([first, HELLO])
    assert response.status == "COMPLETED"
    assert told in provider.requests[1]["input"][-1]["content"]


@pytest.mark.parametrize(
    ("item", "code"),
    [
        (called("read_locations", '{"location_refs": ["l'), "invalid_tool_arguments"),
        (called("read_locations", None), "invalid_tool_arguments"),
        (called("open_sesame", "{}"), "unknown_tool"),
        (called("read_locations", '{"location_refs": []}', None), "location_refs_required"),
        (called("read_locations", {"location_refs": []}, ""), "location_refs_required"),
    ],
)
async def test_odd_calls_are_answered_under_an_id(item: dict[str, Any], code: str) -> None:
    response, provider = await outcome([answer(item), HELLO])
    assert response.status == "COMPLETED"
    call, reply = provider.requests[1]["input"][-2:]
    assert json.loads(reply["output"])["error"]["code"] == code
    assert call["call_id"] == reply["call_id"] != ""
    assert isinstance(json.loads(call["arguments"]), dict)


async def test_arguments_that_the_output_limit_cut_are_called_so() -> None:
    cut = answer(
        called("read_locations", '{"location_refs": ["l'),
        status="incomplete",
        incomplete_details={"reason": "max_output_tokens"},
    )
    _, provider = await outcome([cut, HELLO])
    assert "output limit" in provider.requests[1]["input"][-1]["output"]


@pytest.mark.parametrize(
    ("first", "code", "requests"),
    [
        (failure(429), "PROVIDER_RATE_LIMITED", 3),
        (failure(400, code="context_length_exceeded"), "RUN_CONTEXT_BUDGET_EXHAUSTED", 1),
        (answer(status="failed", error={"code": "server_error", "message": "no"}), "PROVIDER_UNAVAILABLE", 3),
        (answer(status="failed", error={"code": "rate_limit_exceeded"}), "PROVIDER_RATE_LIMITED", 3),
        (Answer(body=b'{"output": null}'), "PROVIDER_PROTOCOL_INVALID", 3),
        (Answer(body=b"<html>"), "PROVIDER_PROTOCOL_INVALID", 1),
    ],
)
async def test_each_failure_has_its_reason(first: Answer, code: str, requests: int) -> None:
    response, provider = await outcome([first])
    assert reason(response) == code
    assert len(provider.requests) == requests


async def test_what_failed_replies_cost_is_counted() -> None:
    failed = answer(status="failed", error={"code": "server_error"}, usage=(7, 0))
    response, _ = await outcome([failed, HELLO])
    assert (response.usage.prompt_tokens, response.usage.completion_tokens) == (107, 10)


async def test_a_model_without_reasoning_is_not_asked_for_it_again() -> None:
    refused = failure(400, param="include", message="Encrypted content is not supported with this model.")
    response, provider = await outcome([refused, HELLO])
    assert response.status == "COMPLETED"
    assert "include" not in provider.requests[1]


def streamed(*events: dict[str, Any]) -> Answer:
    text = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
    return Answer(body=text.encode(), headers=EVENT_STREAM)


async def test_a_streamed_response_is_taken_from_its_closing_event() -> None:
    whole = streamed(
        {"type": "response.created", "response": payload(usage=None)},
        {"type": "response.completed", "response": json.loads(HELLO.body)},
    )
    response, provider = await outcome([whole], stream=True)
    assert response.status == "COMPLETED"
    assert response.usage.total_tokens == 110
    assert provider.requests[0]["stream"] is True


async def test_a_stream_without_its_closing_event_is_asked_for_again() -> None:
    broken = streamed({"type": "response.created", "response": payload()})
    assert (await outcome([broken, HELLO], stream=True))[0].status == "COMPLETED"
    assert reason((await outcome([broken], stream=True))[0]) == "PROVIDER_UNAVAILABLE"
    failed = streamed({"type": "response.failed", "response": payload(status="failed", error={"code": "overloaded"})})
    assert (await outcome([failed, HELLO], stream=True))[0].status == "COMPLETED"
    told = streamed({"type": "error", "code": "rate_limit_exceeded", "message": "slow down"})
    assert reason((await outcome([told], stream=True))[0]) == "PROVIDER_RATE_LIMITED"
    with pytest.raises(StreamBroken):
        WIRE.assembled([{"type": "response.created"}], ended=True)


KEYS = ["output", "type", "function_call", "message", "reasoning", "content", "summary", "arguments", "status", "text"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(KEYS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=20,
)


@given(st.lists(st.dictionaries(st.sampled_from(KEYS), JSON, max_size=6), max_size=3) | JSON)
def test_any_json_is_a_reply_or_a_reason(output: object) -> None:
    try:
        assert isinstance(WIRE.output_of({"output": output}), list)
    except ReplyInvalid:
        return


def test_what_is_not_set_is_not_sent() -> None:
    body = WIRE.request_body("m", None, "Why?", [], ModelSettings())
    assert body.keys() == {"model", "input", "store", "include"}

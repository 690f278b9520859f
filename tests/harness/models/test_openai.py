"""The Chat Completions model against a real HTTP server on loopback."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from typing import Any

import pytest

from harness.models.endpoint import MAX_REPLY_BYTES, Timing
from harness.models.openai import provider_model
from harness.models.providers import profile_for
from harness.models.retry import RetryPolicy
from harness.recorder import Recorder
from harness.runtime import ResearchRuntime
from harness.tools.toolbox import TOOL_NAMES
from harness.turn import TurnExecutionInput
from harness.wire import ResearchTurnResponse
from tests.harness.models.provider import Answer, Provider, Script, completion, failure, serving
from tests.harness.runs import GULLS, corpus, limits, turn

SOON = RetryPolicy(attempts=3, first_wait=0.001, longest_wait=0.2)
HELLO = completion(("submit_research_answer", {"outcome": "answered", "markdown": "Hello!"}))


async def ask(
    provider: Provider,
    *,
    seconds: float = 5.0,
    stall: float = 5.0,
    stream: bool | None = None,
    given: TurnExecutionInput | None = None,
    recorder: Recorder | None = None,
) -> ResearchTurnResponse:
    runtime = ResearchRuntime(
        corpus(),
        lambda: provider_model(
            "some-model",
            base_url=provider.base_url,
            api_key="sk-secret",
            profile=profile_for(provider.base_url, stream=stream),
            timing=Timing(seconds, stall),
            retry=SOON,
        ),
        recorder=recorder,
    )
    return await runtime.run(given or turn(limits=limits()))


async def outcome(script: Script, **options: Any) -> tuple[ResearchTurnResponse, Provider]:
    async with serving(script) as provider:
        return await ask(provider, **options), provider


def reason(response: ResearchTurnResponse) -> str | None:
    return response.control.reason_code if response.control else None


def _submit_what_was_read(body: dict[str, Any]) -> Answer:
    replies = [json.loads(item["content"]) for item in body["messages"] if item["role"] == "tool"]
    [evidence] = [span["evidence_id"] for reply in replies for item in reply.get("items", []) for span in item["spans"]]
    markdown = f"Recall rose from 0.61 to 0.74 [[{evidence}]]."
    return completion(("submit_research_answer", {"outcome": "answered", "markdown": markdown}))


async def test_a_whole_run_over_chat_completions() -> None:
    response, provider = await outcome(
        [
            completion(("search_paper_candidates", {"query_text": "gulls"})),
            completion(("find_reading_locations", {"paper_ids": [GULLS], "query_text": "recall"})),
            completion(("read_locations", {"location_refs": ["loc_recall"]})),
            _submit_what_was_read,
        ]
    )
    assert response.status == "COMPLETED"
    assert [citation.location_ref for citation in response.citations] == ["loc_recall"]
    assert response.usage.model_dump() == {"prompt_tokens": 400, "completion_tokens": 40, "total_tokens": 440}
    first, last = provider.requests[0], provider.requests[-1]
    assert first["model"] == "some-model"
    assert first["tool_choice"] == last["tool_choice"] == "required"
    assert first["temperature"] == 0.0
    assert first["max_tokens"] == 3000
    assert [item["function"]["name"] for item in first["tools"]] == list(TOOL_NAMES)
    assert [message["role"] for message in first["messages"]] == ["system", "user"]
    assert [message["role"] for message in last["messages"][2:]] == ["assistant", "tool"] * 3
    assert {item["authorization"] for item in provider.headers} == {"bearer sk-secret"}


async def test_the_environment_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    stray = {
        "OPENAI_API_KEY": "sk-stray",
        "OPENAI_BASE_URL": "http://127.0.0.1:9/stray",
        "OPENAI_ORG_ID": "org-stray",
        "OPENAI_CUSTOM_HEADERS": "X-Stray: stray",
        "HTTP_PROXY": "http://127.0.0.1:9",
        "ALL_PROXY": "http://127.0.0.1:9",
    }
    for name, value in stray.items():
        monkeypatch.setenv(name, value)
    async with serving([HELLO]) as provider:
        runtime = ResearchRuntime(corpus(), lambda: provider_model("m", base_url=provider.base_url, api_key=None))
        response = await runtime.run(turn())
    assert response.status == "COMPLETED"
    assert "authorization" not in provider.headers[0]
    assert "stray" not in json.dumps(provider.headers)


@pytest.mark.parametrize("ending", ["", "/", "/chat/completions"])
async def test_the_base_url_may_name_the_endpoint_or_its_root(ending: str) -> None:
    async with serving([HELLO]) as provider:
        provider.base_url += ending
        assert (await ask(provider)).status == "COMPLETED"


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 529])
async def test_a_passing_failure_is_asked_again(status: int) -> None:
    response, provider = await outcome([failure(status), failure(status), HELLO])
    assert response.status == "COMPLETED"
    assert len(provider.requests) == 3
    assert response.usage.total_tokens == 110


@pytest.mark.parametrize(
    ("answer", "code", "requests"),
    [
        (failure(429), "PROVIDER_RATE_LIMITED", 3),
        (failure(429, retry_after="3600"), "PROVIDER_RATE_LIMITED", 1),
        (failure(500), "PROVIDER_UNAVAILABLE", 3),
        (failure(401, code="invalid_api_key"), "PROVIDER_UNAVAILABLE", 1),
        (failure(404, code="model_not_found"), "PROVIDER_UNAVAILABLE", 1),
        (failure(429, code="insufficient_quota"), "PROVIDER_RATE_LIMITED", 1),
        (failure(400, code="content_filter"), "PROVIDER_PROTOCOL_INVALID", 1),
        (failure(400, code="unsupported"), "PROVIDER_PROTOCOL_INVALID", 1),
        (failure(200, code=429), "PROVIDER_RATE_LIMITED", 3),
        (failure(200, code="odd"), "PROVIDER_PROTOCOL_INVALID", 1),
        (failure(302), "PROVIDER_PROTOCOL_INVALID", 1),
        (
            Answer(body=b"<html>Sign in</html>", headers=(("content-type", "text/html"),)),
            "PROVIDER_PROTOCOL_INVALID",
            1,
        ),
        (Answer(body=b"[1, 2]"), "PROVIDER_PROTOCOL_INVALID", 1),
        (Answer(body=b'{"choices": []}'), "PROVIDER_PROTOCOL_INVALID", 3),
        (Answer(body=b'{"choices": [{"message": null}]}'), "PROVIDER_PROTOCOL_INVALID", 3),
        (Answer(body=b"[" * 200_000), "PROVIDER_PROTOCOL_INVALID", 1),
        (Answer(body=b" " * (MAX_REPLY_BYTES + 1)), "PROVIDER_PROTOCOL_INVALID", 1),
        (Answer(drop=True), "PROVIDER_UNAVAILABLE", 3),
    ],
)
async def test_each_failure_has_its_reason_and_is_asked_again_only_where_that_helps(
    answer: Answer, code: str, requests: int
) -> None:
    response, provider = await outcome([answer])
    assert response.status == "FAILED_TECHNICAL"
    assert reason(response) == code
    assert len(provider.requests) == requests
    assert response.control is not None
    assert response.control.usage.model_calls == 1
    assert "sk-secret" not in response.model_dump_json()


@pytest.mark.parametrize(
    "error",
    [
        {"code": "context_length_exceeded"},
        {"message": "This model's maximum context length is 8192 tokens."},
    ],
)
async def test_a_full_context_is_a_limit_of_the_run(error: dict[str, Any]) -> None:
    response, _ = await outcome([failure(400, **error)])
    assert response.status == "LIMITED"
    assert reason(response) == "RUN_CONTEXT_BUDGET_EXHAUSTED"


async def test_retry_after_is_honoured() -> None:
    started = time.monotonic()
    response, _ = await outcome([failure(429, retry_after="0.15"), HELLO])
    assert response.status == "COMPLETED"
    assert time.monotonic() - started >= 0.15


@pytest.mark.parametrize("answer", [Answer(hang=True), Answer(body=b'{"choices', stall=True)])
async def test_a_call_that_takes_too_long_ends_the_run(answer: Answer) -> None:
    response, provider = await outcome([answer], seconds=0.2)
    assert reason(response) == "PROVIDER_TIMEOUT"
    assert len(provider.requests) == 1


async def test_an_endpoint_that_refuses_the_connection() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    response = await ask(Provider(f"http://127.0.0.1:{port}/v1"))
    assert reason(response) == "PROVIDER_UNAVAILABLE"


async def test_cancelling_closes_the_connection_within_a_second() -> None:
    async with serving([Answer(hang=True)]) as provider:
        cancel = asyncio.Event()
        running = asyncio.create_task(ask(provider, seconds=60, given=turn(cancel=cancel)))
        await provider.arrived.wait()
        started = time.monotonic()
        cancel.set()
        response = await running
        await asyncio.wait_for(provider.closed_early.wait(), 1)
    assert time.monotonic() - started < 1
    assert response.status == "CANCELLED"


async def test_parameters_that_a_model_refuses_are_left_out_or_renamed() -> None:
    response, provider = await outcome(
        [failure(400, param="max_tokens"), failure(400, param="temperature"), HELLO],
    )
    assert response.status == "COMPLETED"
    last = provider.requests[-1]
    assert last["max_completion_tokens"] == 3000
    assert "max_tokens" not in last
    assert "temperature" not in last


async def test_a_parameter_refused_twice_is_a_failure() -> None:
    response, provider = await outcome([failure(400, param="temperature")])
    assert reason(response) == "PROVIDER_PROTOCOL_INVALID"
    assert len(provider.requests) == 2


async def test_missing_ids_and_missing_usage_do_no_harm() -> None:
    searched = completion(("search_paper_candidates", {}), ("search_paper_candidates", {}), ids=[None, ""], usage=None)
    response, provider = await outcome([searched, HELLO])
    assert response.status == "COMPLETED"
    assert response.usage.total_tokens > 1000
    sent = [item["tool_call_id"] for item in provider.requests[1]["messages"] if item["role"] == "tool"]
    assert len(set(sent)) == 2
    assert all(sent)


async def test_arguments_sent_as_an_object_and_text_sent_in_parts_are_understood() -> None:
    payload = json.loads(HELLO.body)
    message = payload["choices"][0]["message"]
    message["content"] = [{"type": "text", "text": "I will greet."}]
    message["tool_calls"][0]["function"]["arguments"] = {"outcome": "answered", "markdown": "Hello!"}
    response, _ = await outcome([Answer(body=json.dumps(payload).encode())])
    assert response.status == "COMPLETED"


async def test_text_without_a_call_is_answered_in_the_same_run() -> None:
    response, provider = await outcome([completion(text="<think>Hm.</think>The answer is 4."), HELLO])
    assert response.status == "COMPLETED"
    shown = provider.requests[1]["messages"]
    assert [message["role"] for message in shown[1:]] == ["user", "assistant", "user"]
    assert shown[2]["content"] == "The answer is 4."
    assert "submit_research_answer" in shown[3]["content"]
    assert "_protocol_repair" not in json.dumps(provider.requests)


async def test_a_refusal_counts_as_text() -> None:
    refusal = {"choices": [{"message": {"role": "assistant", "content": None, "refusal": "I cannot."}}]}
    response, _ = await outcome([Answer(body=json.dumps(refusal).encode()), HELLO])
    assert response.status == "COMPLETED"


async def test_broken_arguments_are_replayed_as_valid_json() -> None:
    broken = completion(("read_locations", '{"location_refs": ["loc_1"'))
    response, provider = await outcome([broken, HELLO])
    assert response.status == "COMPLETED"
    [called] = provider.requests[1]["messages"][2]["tool_calls"]
    assert called["function"] == {"name": "read_locations", "arguments": "{}"}
    reply = json.loads(provider.requests[1]["messages"][3]["content"])
    assert reply["error"]["code"] == "invalid_tool_arguments"


async def test_the_record_holds_what_went_over_the_wire_without_the_key(tmp_path: Any) -> None:
    async with serving([failure(500), HELLO]) as provider:
        await ask(provider, recorder=Recorder(tmp_path))
    text = (tmp_path / "run_1" / "events.jsonl").read_text()
    events = [json.loads(line) for line in text.splitlines()]
    sent = [event for event in events if event["kind"] in {"model.request", "model.response"}]
    assert [(event["kind"], event["operation_id"], event["attempt"]) for event in sent] == [
        ("model.request", "model_1", 1),
        ("model.response", "model_1", 1),
        ("model.request", "model_1", 2),
        ("model.response", "model_1", 2),
    ]
    assert sent[0]["payload"]["body"]["model"] == "some-model"
    assert sent[3]["payload"]["status_code"] == 200
    assert "sk-secret" not in text


async def test_a_key_that_the_provider_echoes_is_kept_out_of_message_and_record(tmp_path: Any) -> None:
    echo = failure(400, code="sk-secret", message="Incorrect key sk-secret")
    async with serving([echo]) as provider:
        response = await ask(provider, recorder=Recorder(tmp_path))
    assert "sk-secret" not in response.model_dump_json()
    text = (tmp_path / "run_1" / "events.jsonl").read_text(encoding="utf-8")
    assert "sk-secret" not in text
    assert "[key]" in text


async def test_a_parameter_that_one_run_found_refused_is_not_tried_by_the_next() -> None:
    refused: set[str] = set()
    async with serving([failure(400, param="tool_choice"), HELLO]) as provider:
        for _ in range(2):
            runtime = ResearchRuntime(
                corpus(),
                lambda: provider_model("m", base_url=provider.base_url, api_key=None, retry=SOON, refused=refused),
            )
            assert (await runtime.run(turn(limits=limits()))).status == "COMPLETED"
    assert [request["tool_choice"] for request in provider.requests] == ["required", "auto", "auto"]

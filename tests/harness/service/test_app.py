"""Routes and refusals over a real server on loopback."""

from __future__ import annotations

import asyncio
import logging

import pytest

from corpus_gateway.wire import HealthReport
from harness.service.settings import ProviderDescription
from harness.turn import RunLimits, TurnExecutionInput
from harness.wire import ResearchTurnResponse
from tests.harness.service.scripted import (
    TOKEN,
    ScriptedRunner,
    Service,
    StubCorpus,
    body,
    control,
    in_process,
    response_to,
    serving,
    settings,
)

AUTHORIZED = {"Authorization": f"Bearer {TOKEN}"}
TURN_ROUTES = ["/v1/research/stream", "/v1/research/turn"]


class Gate:
    """A script that waits until it is let go."""

    def __init__(self) -> None:
        self.began = asyncio.Event()
        self.open = asyncio.Event()

    async def __call__(self, turn: TurnExecutionInput) -> ResearchTurnResponse:
        self.began.set()
        await self.open.wait()
        return response_to(turn)


@pytest.mark.parametrize("route", TURN_ROUTES)
@pytest.mark.parametrize(
    ("content", "status", "expected"),
    [
        (b"not json", 400, {"error": "invalid_request"}),
        (b"[]", 400, {"error": "invalid_request", "message": "the body is JSON, but not an object"}),
        (b"{}", 422, {"error": "invalid_request", "message": "Field required", "field": "conversation_id"}),
        (b" " * 3000, 413, {"error": "body_too_large", "message": "the body is larger than 2000 bytes"}),
    ],
)
async def test_a_bad_body_is_refused_before_anything_starts(
    route: str, content: bytes, status: int, expected: dict[str, str]
) -> None:
    client, runner = in_process(settings(max_body_bytes=2000))
    response = await client.post(route, content=content, headers=AUTHORIZED)
    assert response.status_code == status
    assert response.json() == {**response.json(), **expected}
    assert response.headers["paperledger-contract"] == "1.1"
    assert runner.turns == []


@pytest.mark.parametrize("route", TURN_ROUTES)
@pytest.mark.parametrize("scope", [{"paper_ids": []}, None, {}, {"paper_ids": [""]}])
async def test_f32_an_empty_scope_reaches_no_run(route: str, scope: object) -> None:
    client, runner = in_process(settings())
    response = await client.post(route, json=body(scope=scope), headers=AUTHORIZED)
    assert response.status_code == 422
    assert response.json()["field"].startswith("scope")
    assert runner.turns == []


async def send_raw(service: Service, head: bytes, content: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A request as bytes, for bodies that no client would send."""
    reader, writer = await asyncio.open_connection("127.0.0.1", service.port)
    token = b"Authorization: Bearer " + TOKEN.encode()
    writer.write(b"POST /v1/research/turn HTTP/1.1\r\nHost: x\r\n" + token + b"\r\n" + head + b"\r\n\r\n" + content)
    await writer.drain()
    return reader, writer


async def test_a_body_that_grows_too_large_is_refused_while_it_arrives() -> None:
    async with serving(ScriptedRunner(), settings(max_body_bytes=2000)) as service:
        chunk = b"3e8\r\n" + b" " * 1000 + b"\r\n"
        reader, writer = await send_raw(service, b"Transfer-Encoding: chunked", chunk * 3)
        async with asyncio.timeout(5):
            answer = await reader.read()
        writer.close()
    assert b" 413 " in answer
    assert b"body_too_large" in answer


async def test_a_body_that_never_ends_is_given_up() -> None:
    async with serving(ScriptedRunner(), settings(body_timeout_seconds=0.05)) as service:
        reader, writer = await send_raw(service, b"Content-Length: 9", b"{")
        async with asyncio.timeout(5):
            answer = await reader.read()
        writer.close()
    assert b" 408 " in answer
    assert b"body_too_slow" in answer


async def test_a_caller_that_leaves_before_its_body_starts_nothing() -> None:
    runner = ScriptedRunner()
    async with serving(runner) as service:
        _, writer = await send_raw(service, b"Content-Length: 9", b"{")
        writer.close()
        await writer.wait_closed()
        assert (await service.client.get("/health")).status_code == 200
    assert runner.turns == []


async def test_the_same_request_twice_at_once_is_a_conflict() -> None:
    gate = Gate()
    async with serving(ScriptedRunner(gate)) as service:
        first = asyncio.create_task(service.client.post("/v1/research/turn", json=body()))
        await gate.began.wait()
        second = await service.client.post("/v1/research/stream", json=body())
        gate.open.set()
        other_user = await service.client.post("/v1/research/turn", json=body(user_id=8))
        assert (await first).status_code == 200
        again = await service.client.post("/v1/research/turn", json=body())
    assert second.status_code == 409
    assert second.json()["error"] == "already_running"
    assert other_user.status_code == 200
    assert again.status_code == 200


async def test_more_runs_than_places_are_asked_to_come_back() -> None:
    gate = Gate()
    async with serving(ScriptedRunner(gate), settings(max_runs=1)) as service:
        first = asyncio.create_task(service.client.post("/v1/research/turn", json=body()))
        await gate.began.wait()
        second = await service.client.post("/v1/research/stream", json=body(request_id="gen-2"))
        gate.open.set()
        await first
        third = await service.client.post("/v1/research/stream", json=body(request_id="gen-2"))
    assert second.status_code == 429
    assert second.json()["error"] == "too_many_runs"
    assert int(second.headers["retry-after"]) > 0
    assert third.status_code == 200


async def test_one_object_is_the_payload_of_the_stream() -> None:
    async with serving(ScriptedRunner()) as service:
        response = await service.client.post("/v1/research/turn", json=body())
        lines = await service.stream(body())
    assert response.headers["content-type"] == "application/json"
    assert {**response.json(), "run_id": ""} == {**lines[-1]["payload"], "run_id": ""}


async def test_a_failed_run_is_a_result_not_an_error_status() -> None:
    async def fail(turn: TurnExecutionInput) -> ResearchTurnResponse:
        return response_to(turn, status="FAILED_TECHNICAL", control=control("PROVIDER_TIMEOUT"))

    async with serving(ScriptedRunner(fail)) as service:
        response = await service.client.post("/v1/research/turn", json=body())
    assert response.status_code == 200
    assert response.json()["status"] == "FAILED_TECHNICAL"
    assert response.json()["control"]["reason_code"] == "PROVIDER_TIMEOUT"


async def test_limits_are_capped_by_the_service() -> None:
    runner = ScriptedRunner()
    async with serving(runner, settings(ceilings=RunLimits(max_model_turns=4))) as service:
        options = {"run_limits": {"max_model_turns": 100, "max_wall_clock_ms": 5000}}
        await service.client.post("/v1/research/turn", json=body(options=options))
    assert runner.turns[0].limits.max_model_turns == 4
    assert runner.turns[0].limits.max_wall_clock_ms == 5000
    assert runner.turns[0].limits.requested


async def test_health_tells_the_provider_without_secrets() -> None:
    provider = ProviderDescription(
        provider="openai",
        model="some-model",
        api_style="chat",
        api_base_url="https://user:sk-secret@api.example.org/v1",
        has_api_key=True,
    )
    async with serving(ScriptedRunner(), settings(provider=provider)) as service:
        response = await service.client.get("/health")
    assert response.json() == {
        "status": "ok",
        "harness": "agents_sdk",
        "provider": {
            "scope": "default",
            "provider": "openai",
            "api_style": "chat",
            "api_base_url": "https://api.example.org/v1",
            "model": "some-model",
            "has_api_key": True,
        },
        "transport": "ndjson-stream",
        "max_completion_tokens": 3000,
        "contract_version": "1.1",
    }
    assert response.headers["paperledger-contract"] == "1.1"


async def test_ready_asks_the_corpus() -> None:
    corpus = StubCorpus()
    async with serving(ScriptedRunner(), corpus=corpus) as service:
        ready = await service.client.get("/ready")
        corpus.report = HealthReport(ok=False, parts={"store": "ok", "index": "qdrant.internal:6333 refused"})
        not_ready = await service.client.get("/ready")
    assert (ready.status_code, ready.json()) == (200, {"status": "ready", "parts": {"store": "ok", "index": "ok"}})
    assert not_ready.status_code == 503
    assert not_ready.json() == {"status": "not_ready", "parts": {"store": "ok", "index": "unavailable"}}


async def test_an_unexpected_failure_says_nothing_of_its_cause(caplog: pytest.LogCaptureFixture) -> None:
    class BrokenCorpus(StubCorpus):
        async def health(self) -> HealthReport:
            raise RuntimeError("password=hunter2")

    with caplog.at_level(logging.ERROR):
        async with serving(ScriptedRunner(), corpus=BrokenCorpus()) as service:
            response = await service.client.get("/ready")
    assert response.status_code == 500
    assert response.json()["error"] == "harness_failed"
    assert "hunter2" not in response.text
    assert "hunter2" in caplog.text


@pytest.mark.parametrize(
    ("method", "path", "status", "error"),
    [("GET", "/v1/unknown", 404, "not_found"), ("GET", "/v1/research/turn", 405, "method_not_allowed")],
)
async def test_unknown_routes_are_refused_in_the_same_form(method: str, path: str, status: int, error: str) -> None:
    client, _ = in_process(settings())
    response = await client.request(method, path, headers=AUTHORIZED)
    assert response.status_code == status
    assert response.json()["error"] == error


async def test_a_start_without_token_says_that_everything_is_refused(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        async with serving(ScriptedRunner(), settings(tokens=())) as service:
            response = await service.client.post("/v1/research/turn", json=body())
    assert response.status_code == 401
    assert "every request is refused" in caplog.text


async def test_the_openapi_document_is_served_to_token_holders() -> None:
    client, _ = in_process(settings())
    document = (await client.get("/openapi.json", headers=AUTHORIZED)).json()
    assert {"/v1/research/stream", "/v1/research/turn", "/health", "/ready"} <= document["paths"].keys()

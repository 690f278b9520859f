"""Where the service listens, and how it ends."""

from __future__ import annotations

import asyncio
import signal
import socket
import sys

import httpx
import pytest

from harness.service.app import create_app
from harness.service.errors import InvalidServiceSettings
from harness.service.requests import validate_request
from harness.service.runs import ResearchRuns
from harness.service.server import create_server
from harness.service.settings import ServiceSettings
from harness.turn import TurnExecutionInput
from harness.wire import ResearchTurnResponse
from tests.harness.service.scripted import (
    PROVIDER,
    ScriptedRunner,
    StubCorpus,
    body,
    control,
    lines_of,
    response_to,
    serving,
    settings,
)

LOCAL = ServiceSettings(provider=PROVIDER, no_auth=True)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "papers.example.org"])
def test_without_tokens_it_listens_on_loopback_only(host: str) -> None:
    app = create_app(LOCAL, runner=ScriptedRunner(), corpus=StubCorpus())
    with pytest.raises(InvalidServiceSettings) as caught:
        create_server(app, LOCAL, host=host, port=0)
    assert "127.0.0.1" in caught.value.hint


def test_with_a_token_it_may_listen_anywhere() -> None:
    chosen = settings()
    app = create_app(chosen, runner=ScriptedRunner(), corpus=StubCorpus())
    assert create_server(app, chosen, host="0.0.0.0", port=0).config.host == "0.0.0.0"


async def test_a_service_that_is_told_to_stop_lets_runs_end_and_starts_no_more() -> None:
    let_go = asyncio.Event()
    began = asyncio.Event()

    async def wait(turn: TurnExecutionInput) -> ResearchTurnResponse:
        began.set()
        await let_go.wait()
        return response_to(turn)

    async with serving(ScriptedRunner(wait), settings(drain_seconds=5)) as service:
        running = asyncio.create_task(service.stream(body()))
        await began.wait()
        draining = asyncio.create_task(service.runs.drain(5))
        await asyncio.sleep(0)
        late = await service.client.post("/v1/research/stream", json=body(request_id="late"))
        let_go.set()
        await draining
        assert (await running)[-1]["payload"]["status"] == "COMPLETED"
    assert late.status_code == 503
    assert late.json()["error"] == "shutting_down"
    assert int(late.headers["retry-after"]) > 0


async def test_a_run_that_outlasts_the_drain_ends_with_its_reason() -> None:
    began = asyncio.Event()

    async def wait_for_cancel(turn: TurnExecutionInput) -> ResearchTurnResponse:
        began.set()
        await turn.cancel.wait()
        return response_to(turn, status="CANCELLED", control=control("RUN_CANCELLED"))

    async with serving(ScriptedRunner(wait_for_cancel), settings(drain_seconds=0.05)) as service:
        running = asyncio.create_task(service.stream(body()))
        await began.wait()
        service.stop()
        lines = await running
    assert [line["type"] for line in lines] == ["job_started", "job_cancelled", "result"]


async def test_a_second_interrupt_waits_for_nobody() -> None:
    began = asyncio.Event()

    async def never_end(_: TurnExecutionInput) -> ResearchTurnResponse:
        began.set()
        await asyncio.Event().wait()
        raise AssertionError

    chosen = settings(drain_seconds=60, stop_grace_seconds=0.01)
    async with serving(ScriptedRunner(never_end), chosen) as service:
        running = asyncio.create_task(service.stream(body()))
        await began.wait()
        service.stop()
        service.server.force_exit = True
        async with asyncio.timeout(5):
            lines = await running
    assert [line["type"] for line in lines] == ["job_started", "job_cancelled", "result"]


async def test_a_run_that_cannot_be_cancelled_does_not_hold_the_process(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.service.runs._LAST_WAIT_SECONDS", 0.01)
    let_go = asyncio.Event()

    async def cling(turn: TurnExecutionInput) -> ResearchTurnResponse:
        try:
            await let_go.wait()
        except asyncio.CancelledError:
            await let_go.wait()
        return response_to(turn)

    runs = ResearchRuns(ScriptedRunner(cling), settings(stop_grace_seconds=0.01))
    run = runs.start(validate_request(body()), streamed=False)
    await runs.close()
    assert "did not end when it was cancelled" in caplog.text
    let_go.set()
    assert (await run.finished).status == "COMPLETED"
    assert len(runs) == 0


PROGRAM = """
import asyncio, sys
from harness.service.app import create_app
from harness.service.server import create_server
from tests.harness.service.scripted import ScriptedRunner, StubCorpus, control, response_to, settings

async def wait_for_cancel(turn):
    await turn.cancel.wait()
    return response_to(turn, status="CANCELLED", control=control("RUN_CANCELLED"))

chosen = settings(drain_seconds=0.1)
app = create_app(chosen, runner=ScriptedRunner(wait_for_cancel), corpus=StubCorpus())
create_server(app, chosen, host="127.0.0.1", port=int(sys.argv[1])).run()
"""


async def test_sigterm_ends_streams_with_a_last_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", PROGRAM, str(port))
    try:
        async with (
            asyncio.timeout(30),
            httpx.AsyncClient(
                base_url=f"http://127.0.0.1:{port}",
                headers={"Authorization": f"Bearer {settings().tokens[0]}"},
                trust_env=False,
                transport=httpx.AsyncHTTPTransport(retries=0),
            ) as client,
        ):
            while True:
                try:
                    await client.get("/health")
                    break
                except httpx.ConnectError:
                    await asyncio.sleep(0.05)
            async with client.stream("POST", "/v1/research/stream", json=body()) as response:
                chunks = response.aiter_raw()
                data = await anext(chunks)
                process.send_signal(signal.SIGTERM)
                async for chunk in chunks:
                    data += chunk
            assert [line["type"] for line in lines_of(data)] == ["job_started", "job_cancelled", "result"]
            assert await process.wait() in {0, -signal.SIGTERM}
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()

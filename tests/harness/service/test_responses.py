"""Streams: order, heartbeats, slow readers, and readers that go away."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

import pytest

from harness.service.ndjson import NdjsonDecoder
from harness.turn import TurnExecutionInput
from harness.wire import ResearchTurnResponse, Usage
from tests.harness.service.connections import open_stream, read_chunk
from tests.harness.service.scripted import (
    ScriptedRunner,
    body,
    control,
    lines_of,
    response_to,
    serving,
    settings,
    tell_model_call,
)


def types_of(lines: list[dict[str, Any]]) -> list[str]:
    return [line["type"] for line in lines]


async def test_a_stream_begins_with_job_started_and_ends_with_the_result() -> None:
    runner = ScriptedRunner()
    async with serving(runner) as service:
        response = await service.client.post("/v1/research/stream", json=body())
    assert response.headers["content-type"] == "application/x-ndjson"
    assert response.headers["cache-control"] == "no-cache"
    assert response.headers["x-accel-buffering"] == "no"
    assert response.headers["paperledger-contract"] == "1.1"
    lines = lines_of(response.content)
    assert types_of(lines) == [
        "job_started", "model_call_started", "model_call_completed", "answer_completed", "result",
    ]  # fmt: skip
    assert [line["sequence"] for line in lines] == [1, 2, 3, 4, 5]
    assert {line["generationId"] for line in lines} == {"gen-1"}
    assert {line["runId"] for line in lines} == {runner.turns[0].run_id}
    assert lines[-1]["payload"]["answer"]["markdown"] == "Done."


async def test_the_first_line_does_not_wait_for_the_run() -> None:
    let_go = asyncio.Event()

    async def wait(turn: TurnExecutionInput) -> ResearchTurnResponse:
        await let_go.wait()
        return response_to(turn)

    async with serving(ScriptedRunner(wait)) as service:
        reader, writer = await open_stream(service, body())
        assert types_of(lines_of(await read_chunk(reader))) == ["job_started"]
        let_go.set()
        assert types_of(lines_of(await read_chunk(reader))) == ["answer_completed", "result"]
        assert await read_chunk(reader) == b""
        writer.close()


@pytest.mark.parametrize(
    ("status", "reason", "line"),
    [
        ("FAILED_TECHNICAL", "PROVIDER_UNAVAILABLE", "job_failed"),
        ("LIMITED", "RUN_MODEL_CALL_LIMIT_EXCEEDED", "run_limited"),
        ("CANCELLED", "RUN_CANCELLED", "job_cancelled"),
    ],
)
async def test_an_end_without_answer_is_no_completed_answer(status: str, reason: str, line: str) -> None:
    async def end(turn: TurnExecutionInput) -> ResearchTurnResponse:
        turn.progress.emit("answer_completed")
        return response_to(turn, status=status, control=control(reason))

    async with serving(ScriptedRunner(end)) as service:
        lines = await service.stream(body())
    assert types_of(lines) == ["job_started", line, "result"]
    assert reason in lines[1].values()
    assert lines[2]["payload"]["status"] == status


async def test_a_runner_that_breaks_ends_in_a_failed_result_with_the_usage_so_far(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def break_down(turn: TurnExecutionInput) -> ResearchTurnResponse:
        tell_model_call(turn, 1)
        raise RuntimeError("Authorization: Bearer sk-secret")

    async with serving(ScriptedRunner(break_down)) as service:
        lines = await service.stream(body())
    assert types_of(lines)[-2:] == ["job_failed", "result"]
    assert lines[-2]["errorType"] == "INTERNAL_UNEXPECTED"
    assert lines[-1]["payload"]["usage"]["total_tokens"] == 100
    assert lines[-1]["payload"]["control"]["usage"]["model_calls"] == 1
    assert "sk-secret" not in json.dumps(lines)
    assert "sk-secret" in caplog.text


async def test_a_result_that_cannot_be_written_ends_in_an_error_line(caplog: pytest.LogCaptureFixture) -> None:
    async def unwritable(turn: TurnExecutionInput) -> ResearchTurnResponse:
        return response_to(turn, trace={"value": object()})

    async with serving(ScriptedRunner(unwritable)) as service:
        lines = await service.stream(body())
        as_object = await service.client.post("/v1/research/turn", json=body())
    assert types_of(lines) == ["job_started", "job_failed", "error"]
    assert lines[-1] == {**lines[-1], "errorType": "INTERNAL_UNEXPECTED", "sequence": 3}
    assert as_object.status_code == 500
    assert as_object.json()["error"] == "harness_failed"
    assert "no JSON form" in caplog.text


async def test_progress_outside_the_contract_is_left_out_and_the_run_goes_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def tell_nonsense(turn: TurnExecutionInput) -> ResearchTurnResponse:
        turn.progress.emit("tool_started", tool=5)
        turn.progress.emit("model_call_completed", attempt=1, durationMs=1)
        turn.progress.emit("thinking", text="hm")
        turn.progress.emit("submission_rejected", attempt=1, codes=["UNCITED_CLAIM"], draft="secret draft")
        return response_to(turn)

    async with serving(ScriptedRunner(tell_nonsense)) as service:
        lines = await service.stream(body())
        assert (await service.client.post("/v1/research/turn", json=body())).status_code == 200
    assert types_of(lines) == ["job_started", "submission_rejected", "answer_completed", "result"]
    assert "draft" not in lines[1]
    assert "not one of the stream contract" in caplog.text


async def test_f29_any_text_of_a_run_stays_on_its_line() -> None:
    async def odd_texts(turn: TurnExecutionInput) -> ResearchTurnResponse:
        turn.progress.emit("tool_started", tool="find_reading_locations", input={"query": "a\u2028b\u0085c\ud800"})
        return response_to(turn, markdown="增益\u2029🧪", trace={"skills_used": ["lone \udfff"]})

    async with serving(ScriptedRunner(odd_texts)) as service:
        response = await service.client.post("/v1/research/stream", json=body())
    assert len(response.text.splitlines()) == response.content.count(b"\n") == 4
    lines = lines_of(response.content)
    assert lines[1]["input"]["query"] == "a\u2028b\u0085c\ufffd"
    assert lines[3]["payload"]["answer"]["markdown"] == "增益\u2029🧪"
    assert lines[3]["payload"]["trace"]["skills_used"] == ["lone \ufffd"]


async def test_a_silent_run_shows_that_it_is_alive() -> None:
    let_go = asyncio.Event()

    async def think(turn: TurnExecutionInput) -> ResearchTurnResponse:
        await let_go.wait()
        return response_to(turn)

    async with serving(ScriptedRunner(think), settings(heartbeat_seconds=0.02)) as service:
        reader, writer = await open_stream(service, body())
        lines: list[dict[str, Any]] = []
        while types_of(lines).count("heartbeat") < 2:
            lines += lines_of(await read_chunk(reader))
        let_go.set()
        while data := await read_chunk(reader):
            lines += lines_of(data)
        writer.close()
    assert types_of(lines)[:3] == ["job_started", "heartbeat", "heartbeat"]
    assert types_of(lines)[-2:] == ["answer_completed", "result"]
    assert [line["sequence"] for line in lines] == list(range(1, len(lines) + 1))


async def test_a_slow_reader_costs_bounded_memory_and_still_gets_the_end() -> None:
    told_all = asyncio.Event()
    let_go = asyncio.Event()
    backlog = 100_000

    async def talk(turn: TurnExecutionInput) -> ResearchTurnResponse:
        for number in range(4000):
            turn.progress.emit("tool_started", tool="read_locations", input={"query": f"{number} " + "x" * 5000})
            if number % 50 == 0:
                await asyncio.sleep(0)
        told_all.set()
        await let_go.wait()
        return response_to(turn)

    async with serving(ScriptedRunner(talk), settings(max_backlog_bytes=backlog)) as service:
        reader, writer = await open_stream(service, body())
        await told_all.wait()
        (run,) = service.runs._active.values()
        assert sum(map(len, run.progress.log._waiting)) <= backlog
        let_go.set()
        decoder = NdjsonDecoder()
        lines: list[dict[str, Any]] = []
        while data := await read_chunk(reader):
            lines += decoder.feed(data)
        writer.close()
    assert [line["sequence"] for line in lines] == list(range(1, len(lines) + 1))
    assert types_of(lines)[-2:] == ["answer_completed", "result"]
    told = types_of(lines).count("tool_started")
    dropped = sum(line["count"] for line in lines if line["type"] == "progress_dropped")
    assert 0 < told < 4000
    assert told + dropped == 4000


async def test_a_reader_that_takes_nothing_for_too_long_has_gone() -> None:
    cancelled = asyncio.Event()

    async def talk_until_cancelled(turn: TurnExecutionInput) -> ResearchTurnResponse:
        while not turn.cancel.is_set():
            turn.progress.emit("tool_started", tool="read_locations", input={"query": "x" * 50_000})
            await asyncio.sleep(0)
        cancelled.set()
        return response_to(turn, status="CANCELLED", control=control("RUN_CANCELLED"))

    async with serving(ScriptedRunner(talk_until_cancelled), settings(write_timeout_seconds=0.05)) as service:
        _, writer = await open_stream(service, body())
        async with asyncio.timeout(5):
            await cancelled.wait()
        writer.close()


class Waiting:
    """A run whose second provider call never answers; ends by itself when cancelled, as the runtime does."""

    def __init__(self, *, obedient: bool = True) -> None:
        self.obedient = obedient
        self.calls_begun = 0
        self.in_second_call = asyncio.Event()
        self.ended = asyncio.Event()

    async def __call__(self, turn: TurnExecutionInput) -> ResearchTurnResponse:
        if turn.request_id == "next":
            return response_to(turn)
        tell_model_call(turn, 1)
        self.calls_begun += 2
        turn.progress.emit("model_call_started", attempt=2)
        self.in_second_call.set()
        try:
            if not self.obedient:
                await asyncio.Event().wait()
            await turn.cancel.wait()
        finally:
            self.ended.set()
        used = Usage(prompt_tokens=90, completion_tokens=10, total_tokens=100)
        return response_to(turn, status="CANCELLED", control=control("RUN_CANCELLED"), usage=used)


@pytest.mark.parametrize("obedient", [True, False])
async def test_f30_a_reader_that_goes_away_ends_its_run_and_frees_the_place(obedient: bool) -> None:
    script = Waiting(obedient=obedient)
    chosen = settings(max_runs=1, stop_grace_seconds=0.05)
    async with serving(ScriptedRunner(script), chosen) as service:
        reader, writer = await open_stream(service, body())
        await read_chunk(reader)
        await script.in_second_call.wait()
        writer.close()
        async with asyncio.timeout(2):
            await script.ended.wait()
        lines = await service.stream(body(request_id="next"))
        assert types_of(lines)[-1] == "result"
        assert len(service.runs) == 0
    first = service.finished[0]
    assert first.status == "CANCELLED"
    assert first.usage.total_tokens == 100
    assert script.calls_begun == 2


async def test_f30_a_reader_of_one_object_that_goes_away_ends_its_run() -> None:
    script = Waiting()
    async with serving(ScriptedRunner(script), settings(max_runs=1)) as service:
        request = asyncio.create_task(service.client.post("/v1/research/turn", json=body()))
        await script.in_second_call.wait()
        request.cancel()
        async with asyncio.timeout(2):
            await script.ended.wait()
        assert (await service.client.post("/v1/research/turn", json=body(request_id="next"))).status_code == 200
    assert service.finished[0].status == "CANCELLED"


async def test_f30_a_close_while_the_last_line_is_written_leaves_no_task_behind(
    caplog: pytest.LogCaptureFixture,
) -> None:
    let_go = asyncio.Event()

    async def answer_big(turn: TurnExecutionInput) -> ResearchTurnResponse:
        await let_go.wait()
        return response_to(turn, markdown="x" * 20_000_000)

    before = asyncio.all_tasks()
    with caplog.at_level(logging.WARNING):
        async with serving(ScriptedRunner(answer_big)) as service:
            reader, writer = await open_stream(service, body())
            await read_chunk(reader)
            let_go.set()
            await reader.read(1)
            writer.transport.abort()
            assert (await service.client.get("/health")).status_code == 200
            assert len(service.runs) == 0
    assert asyncio.all_tasks() == before
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []

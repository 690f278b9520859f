"""Many streams at once: the real service on loopback in a process of its own, read over HTTP from this one."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import multiprocessing
import time
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import httpx

from evals.bench.figures import Figure, FigureGroup, at_most, below, figure, percentile
from evals.bench.library import READER, open_library
from evals.bench.memory import peak_mb
from evals.bench.script import ScriptedCalls
from harness.runtime import ResearchRuntime
from harness.service.app import create_app
from harness.service.server import create_server
from harness.service.settings import ProviderDescription, ServiceSettings

FIRST_EVENT_P99_SECONDS = below(0.5)
MEMORY_MB = below(400)
NO_ERROR = at_most(0)

PAUSE_SECONDS = 0.25
"""How long the fake model lets each reply wait; a provider takes longer."""

_LIMIT_SECONDS = 300.0
_LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Stream:
    """One stream as its reader saw it: seconds to the first line and to the last, and whether it held an answer."""

    first: float
    whole: float
    answered: bool


@dataclass(frozen=True, slots=True)
class Streamed:
    """All streams of a run, and the service's peak memory in MB where the system tells it."""

    streams: tuple[Stream, ...]
    memory_mb: float | None


def run_streams(folder: Path, questions: Sequence[str], count: int) -> Streamed:
    """Start a service over the library in `folder`, read `count` streams at once, stop it.

    Ends within five minutes, whatever the service does; then it raises TimeoutError.
    """
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    service = spawn.Process(target=serve, args=(theirs, folder, count), daemon=True)
    service.start()
    theirs.close()
    try:
        if not ours.poll(_LIMIT_SECONDS):
            message = "the service did not start"
            raise TimeoutError(message)
        port, papers = ours.recv()
        streams = asyncio.run(_read_all(port, papers, questions, count))
        memory_mb = peak_mb(service.pid or 0)
        ours.send(None)
        service.join(_LIMIT_SECONDS)
    finally:
        ours.close()
        if service.is_alive():
            service.kill()
        service.join()
    return Streamed(tuple(streams), memory_mb)


def stream_figures(streamed: Streamed) -> FigureGroup:
    """The figures of one run of streams."""
    streams = streamed.streams
    first = [stream.first for stream in streams]
    whole = [stream.whole for stream in streams]
    figures: list[Figure] = [
        figure("streams without an answer", "", [sum(not stream.answered for stream in streams)], NO_ERROR),
        figure("first event p99", "s", [percentile(first, 0.99)], FIRST_EVENT_P99_SECONDS),
        figure("first event p50", "s", [percentile(first, 0.5)]),
        figure("whole stream p50", "s", [percentile(whole, 0.5)]),
        figure("whole stream p99", "s", [percentile(whole, 0.99)]),
        figure("runs/s", "/s", [len(streams) / max(whole)]),
    ]
    if streamed.memory_mb is not None:
        figures.append(figure("peak memory of the service", "MB", [streamed.memory_mb], MEMORY_MB))
    title = f"{len(streams)} streams at once, each reply of the model after {PAUSE_SECONDS:g} s"
    return FigureGroup(title, tuple(figures))


def serve(pipe: Connection, folder: Path, runs: int) -> None:
    """The service's process: tells its port and papers, serves until it is told to stop."""
    logging.disable(logging.WARNING)
    asyncio.run(_serve(pipe, folder, runs))


async def _serve(pipe: Connection, folder: Path, runs: int) -> None:
    settings = ServiceSettings(
        provider=ProviderDescription(provider="scripted", model="scripted"), no_auth=True, max_runs=runs
    )
    with open_library(folder) as library:
        papers = library.papers()
        runtime = ResearchRuntime(library.gateway, lambda: ScriptedCalls(pause_seconds=PAUSE_SECONDS))
        app = create_app(settings, runner=runtime, corpus=library.gateway)
        server = create_server(app, settings, host=_LOOPBACK, port=0)
        gc.collect()
        gc.freeze()  # as `paperledger serve` does
        serving = asyncio.create_task(server.serve())
        await server.listening.wait()
        pipe.send((server.port, papers))
        await asyncio.to_thread(pipe.recv)
        server.should_exit = True
        await serving


async def _read_all(port: int, papers: Sequence[str], questions: Sequence[str], count: int) -> list[Stream]:
    limits = httpx.Limits(max_connections=count)
    async with (
        asyncio.timeout(_LIMIT_SECONDS),
        httpx.AsyncClient(
            base_url=f"http://{_LOOPBACK}:{port}", limits=limits, timeout=_LIMIT_SECONDS, trust_env=False
        ) as client,
        asyncio.TaskGroup() as group,
    ):
        tasks = [
            group.create_task(_read(client, _request(number, questions[number % len(questions)], papers)))
            for number in range(count)
        ]
    return [task.result() for task in tasks]


async def _read(client: httpx.AsyncClient, request: dict[str, Any]) -> Stream:
    begun = time.perf_counter()
    first: float | None = None
    last = ""
    try:
        async with client.stream("POST", "/v1/research/stream", json=request) as response:
            async for line in response.aiter_lines():
                first = first or time.perf_counter() - begun
                last = line or last
    except httpx.HTTPError:
        last = ""
    whole = time.perf_counter() - begun
    return Stream(first=whole if first is None else first, whole=whole, answered=is_answer(last))


def is_answer(line: str) -> bool:
    """Whether a stream's last line is the result of a completed run."""
    if not line:
        return False
    event: dict[str, Any] = json.loads(line)
    return event.get("type") == "result" and event["payload"]["status"] == "COMPLETED"


def _request(number: int, question: str, papers: Sequence[str]) -> dict[str, Any]:
    return {
        "request_id": f"stream-{number}",
        "conversation_id": f"conversation-{number}",
        "user_id": READER,
        "user_message": question,
        "scope": {"paper_ids": list(papers)},
    }

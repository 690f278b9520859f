"""A scripted runner, request bodies, and the application on a real loopback server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx

from corpus_gateway.wire import HealthReport
from harness.service.app import create_app
from harness.service.ndjson import NdjsonDecoder
from harness.service.server import create_server
from harness.service.settings import ProviderDescription, ServiceSettings
from harness.turn import TurnExecutionInput
from harness.wire import Answer, Control, ResearchMemory, ResearchTurnResponse, Usage

TOKEN = "correct-horse-battery-staple"
PROVIDER = ProviderDescription(provider="scripted", model="scripted-1")

Script = Callable[[TurnExecutionInput], Awaitable[ResearchTurnResponse]]


def settings(**changes: Any) -> ServiceSettings:
    return ServiceSettings(**{"provider": PROVIDER, "tokens": (TOKEN,), **changes})


def body(**changes: Any) -> dict[str, Any]:
    return {
        "request_id": "gen-1",
        "conversation_id": "conv-1",
        "user_id": 7,
        "user_message": "How many paper nodes are there?",
        "scope": {"paper_ids": ["p1", "p2"]},
        **changes,
    }


def response_to(
    turn: TurnExecutionInput, *, status: Any = "COMPLETED", markdown: str = "Done.", **changes: Any
) -> ResearchTurnResponse:
    return ResearchTurnResponse(
        **{
            "request_id": turn.request_id,
            "conversation_id": turn.conversation_id,
            "run_id": turn.run_id,
            "status": status,
            "answer": Answer(
                answer_id="a1",
                question_id=turn.request_id,
                status=status,
                outcome="answered" if status == "COMPLETED" else None,
                answer_type="conversation",
                summary=markdown,
                markdown=markdown,
            ),
            "research_memory": ResearchMemory(),
            "usage": Usage(prompt_tokens=90, completion_tokens=10, total_tokens=100),
            **changes,
        }
    )


def control(reason_code: str) -> Control:
    return Control(reason_code=reason_code, message="It ended early.", limits={}, usage={})  # type: ignore[arg-type]


def tell_model_call(turn: TurnExecutionInput, attempt: int) -> None:
    turn.progress.emit("model_call_started", attempt=attempt)
    turn.progress.emit(
        "model_call_completed",
        attempt=attempt,
        durationMs=5,
        usage={"promptTokens": 90, "completionTokens": 10, "totalTokens": 100, "cumulativeTotalTokens": 100 * attempt},
    )


async def answer_at_once(turn: TurnExecutionInput) -> ResearchTurnResponse:
    tell_model_call(turn, 1)
    return response_to(turn)


class ScriptedRunner:
    """Runs the script for every turn and remembers the turns."""

    def __init__(self, script: Script = answer_at_once) -> None:
        self.script = script
        self.turns: list[TurnExecutionInput] = []

    async def run(self, turn: TurnExecutionInput) -> ResearchTurnResponse:
        self.turns.append(turn)
        return await self.script(turn)


class StubCorpus:
    """A corpus that says how it is."""

    def __init__(self, report: HealthReport | None = None) -> None:
        self.report = report or HealthReport(ok=True, parts={"store": "ok", "index": "ok"})

    async def health(self) -> HealthReport:
        return self.report


class Service:
    """The application on a real server, and a client that holds its token."""

    def __init__(self, client: httpx.AsyncClient, app: Any, server: Any, finished: list[ResearchTurnResponse]) -> None:
        self.client = client
        self.app = app
        self.server = server
        self.port: int = server.port
        self.finished = finished

    @property
    def runs(self) -> Any:
        return self.app.state.runs

    def stop(self) -> None:
        """What SIGTERM does."""
        self.server.should_exit = True

    async def stream(self, request: dict[str, Any]) -> list[dict[str, Any]]:
        response = await self.client.post("/v1/research/stream", json=request)
        assert response.status_code == 200, response.text
        return lines_of(response.content)


def lines_of(data: bytes) -> list[dict[str, Any]]:
    decoder = NdjsonDecoder()
    return [*decoder.feed(data), *decoder.finish()]


def in_process(
    service_settings: ServiceSettings, *, base_url: str = "http://127.0.0.1:8091", caller: str = "127.0.0.1"
) -> tuple[httpx.AsyncClient, ScriptedRunner]:
    """A client of the application without a server between: quick, but it sees a response only as a whole."""
    runner = ScriptedRunner()
    app = create_app(service_settings, runner=runner, corpus=StubCorpus())
    transport = httpx.ASGITransport(app=app, client=(caller, 5000))
    return httpx.AsyncClient(transport=transport, base_url=base_url), runner


@asynccontextmanager
async def serving(
    runner: Any, service_settings: ServiceSettings | None = None, corpus: Any = None
) -> AsyncGenerator[Service, None]:
    chosen = service_settings or settings()
    finished: list[ResearchTurnResponse] = []
    app = create_app(chosen, runner=runner, corpus=corpus or StubCorpus(), on_finished=finished.append)
    server = create_server(app, chosen, host="127.0.0.1", port=0)
    task = asyncio.create_task(server.serve())
    async with asyncio.timeout(10):
        await server.listening.wait()
    headers = {"Authorization": f"Bearer {chosen.tokens[0]}"} if chosen.tokens else {}
    try:
        async with httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{server.port}", headers=headers, timeout=10, trust_env=False
        ) as client:
            yield Service(client, app, server, finished)
    finally:
        server.should_exit = True
        await task

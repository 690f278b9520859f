"""The application: routes, refusals, and what is told about the service itself."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, Response

from harness.errors import ReasonCode
from harness.service.access import AccessGate, ContractHeader
from harness.service.bodies import CONTRACT_HEADER, CONTRACT_VERSION, CancelBody, FailureBody, HealthBody, ReadyBody
from harness.service.errors import BodyTooLarge, BodyTooSlow, RequestRefused
from harness.service.metrics import METRICS_MEDIA_TYPE
from harness.service.openapi import describe, operation
from harness.service.requests import parse_body, validate_owner, validate_request
from harness.service.responses import RunObject, RunStream
from harness.service.runner import CorpusHealth, TurnRunner
from harness.service.runs import FinishedObserver, ResearchRuns
from harness.service.settings import ServiceSettings

logger = logging.getLogger(__name__)

_CLIENT_CLOSED_REQUEST = 499


def create_app(
    settings: ServiceSettings,
    *,
    runner: TurnRunner,
    corpus: CorpusHealth,
    on_finished: FinishedObserver | None = None,
) -> FastAPI:
    """The ASGI application of one process. `on_finished` hears of every run's end, whoever still listens.

    `app.state.runs` is the `ResearchRuns` of the application; other routers may be included by the caller.
    """
    runs = ResearchRuns(runner, settings, on_finished)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None, None]:
        logger.log(logging.WARNING if settings.closed or settings.no_auth else logging.INFO, settings.access_notice())
        yield
        await runs.close()

    app = FastAPI(
        title="Paperledger research service",
        version=CONTRACT_VERSION,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        exception_handlers={
            RequestRefused: _refused,
            HTTPException: _no_such_route,
            ClientDisconnect: _left,
            Exception: _unexpected,
        },
    )
    app.state.runs = runs
    app.add_middleware(AccessGate, settings=settings)
    app.add_middleware(ContractHeader, name=CONTRACT_HEADER, version=CONTRACT_VERSION)
    _add_turn_routes(app, settings, runs)
    _add_state_routes(app, settings, corpus)

    @app.get("/metrics", include_in_schema=False)
    async def metrics() -> Response:  # pyright: ignore[reportUnusedFunction] - the router calls it
        return Response(runs.metrics.page(), media_type=METRICS_MEDIA_TYPE)

    describe(app)
    return app


def _add_turn_routes(app: FastAPI, settings: ServiceSettings, runs: ResearchRuns) -> None:
    @app.post("/v1/research/stream", **operation("stream"))
    async def stream(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction] - the router calls it
        run = runs.start(validate_request(await _read_object(request, settings)), streamed=True)
        assert run.progress.log is not None
        return RunStream(run, run.progress.log, runs, settings)

    @app.post("/v1/research/turn", **operation("turn"))
    async def turn(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction] - the router calls it
        run = runs.start(validate_request(await _read_object(request, settings)), streamed=False)
        return RunObject(run, runs)

    @app.post("/v1/research/runs/{run_id}/cancel", **operation("cancel"))
    async def cancel(run_id: str, request: Request) -> Response:  # pyright: ignore[reportUnusedFunction] - the router calls it
        runs.cancel(run_id, validate_owner(await _read_object(request, settings)))
        return JSONResponse(CancelBody(run_id=run_id).model_dump())


def _add_state_routes(app: FastAPI, settings: ServiceSettings, corpus: CorpusHealth) -> None:
    @app.get("/health", **operation("health"))
    async def health() -> Response:  # pyright: ignore[reportUnusedFunction] - the router calls it
        return JSONResponse(HealthBody.of(settings).model_dump())

    @app.get("/ready", **operation("ready"))
    async def ready() -> Response:  # pyright: ignore[reportUnusedFunction] - the router calls it
        report = await corpus.health()
        body = ReadyBody(
            status="ready" if report.ok else "not_ready",
            parts={name: "ok" if state == "ok" else "unavailable" for name, state in report.parts.items()},
        )
        return JSONResponse(body.model_dump(), status_code=200 if report.ok else 503)


async def _read_object(request: Request, settings: ServiceSettings) -> dict[str, Any]:
    try:
        async with asyncio.timeout(settings.body_timeout_seconds):
            body = await _read_body(request, settings.max_body_bytes)
    except TimeoutError as error:
        raise BodyTooSlow(f"the body did not arrive within {settings.body_timeout_seconds:g} s") from error
    return parse_body(body)


async def _read_body(request: Request, limit: int) -> bytes:
    too_large = BodyTooLarge(f"the body is larger than {limit} bytes")
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > limit:
        raise too_large
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > limit:
            raise too_large
    return bytes(body)


async def _refused(_: Request, refusal: Exception) -> Response:
    assert isinstance(refusal, RequestRefused)
    return JSONResponse(refusal.body(), status_code=refusal.status, headers=refusal.headers())


async def _no_such_route(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    name = str(error.detail).lower().replace(" ", "_")
    return JSONResponse(
        {"error": name, "message": str(error.detail)}, status_code=error.status_code, headers=error.headers
    )


async def _left(_request: Request, _error: Exception) -> Response:
    return Response(status_code=_CLIENT_CLOSED_REQUEST)


async def _unexpected(_request: Request, _error: Exception) -> Response:
    # The cause goes to the log (the server writes it); its text may hold what must not leave the process.
    body = FailureBody(
        error_type=ReasonCode.INTERNAL_UNEXPECTED.value,
        message="The service failed unexpectedly; its log has the cause.",
    )
    return JSONResponse(body.model_dump(), status_code=500)

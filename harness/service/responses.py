"""Responses that live as long as a run: the stream, and the one JSON object; both end the run of a reader that left."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from starlette.background import BackgroundTask
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from harness.service.ndjson import MEDIA_TYPE, encode_object
from harness.service.runs import ActiveRun, ResearchRuns
from harness.service.settings import ServiceSettings
from harness.service.stream_log import StreamLog

STREAM_HEADERS = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
"""Nothing between us and the reader may keep or collect lines."""


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


@asynccontextmanager
async def watching(receive: Receive) -> AsyncGenerator[asyncio.Task[None], None]:
    """A task that ends when the client closes the connection."""
    task = asyncio.create_task(_disconnected(receive))
    try:
        yield task
    finally:
        task.cancel()


class RunStream(Response):
    """Writes the lines of a run as they come, a heartbeat into every long silence, and ends with the run."""

    media_type = MEDIA_TYPE

    def __init__(self, run: ActiveRun, log: StreamLog, runs: ResearchRuns, settings: ServiceSettings) -> None:
        self._run = run
        self._log = log
        self._runs = runs
        self._settings = settings
        self.status_code = 200
        self.background: BackgroundTask | None = None
        self.init_headers(STREAM_HEADERS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - ASGI
        """Stream until the run's last line, or until the reader is gone; then the run is stopped."""
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            async with watching(receive) as gone:
                gone.add_done_callback(lambda _: self._log.wake())
                await self._write(send, gone)
        finally:
            self._runs.stop(self._run)

    async def _write(self, send: Send, gone: asyncio.Task[None]) -> None:
        while not gone.done():
            last = self._log.closed
            data = self._log.take()
            if data or last:
                try:
                    async with asyncio.timeout(self._settings.write_timeout_seconds):
                        await send({"type": "http.response.body", "body": data, "more_body": not last})
                except TimeoutError:
                    return
            if last:
                return
            try:
                async with asyncio.timeout(self._settings.heartbeat_seconds):
                    await self._log.wait()
            except TimeoutError:
                self._log.add_heartbeat()


class RunObject(Response):
    """Waits for the run and answers with its response as one JSON object."""

    media_type = "application/json"

    def __init__(self, run: ActiveRun, runs: ResearchRuns) -> None:
        super().__init__()
        self._run = run
        self._runs = runs

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer when the run has ended; stop it when the client leaves first."""
        try:
            async with watching(receive) as gone:
                waiting: set[asyncio.Future[Any]] = {gone, self._run.finished}
                await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._runs.stop(self._run)
        if self._run.finished.done():
            response = Response(encode_object(self._run.finished.result()), media_type=self.media_type)
            response.headers["Cache-Control"] = "no-cache"
            await response(scope, receive, send)

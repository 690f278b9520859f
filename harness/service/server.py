"""Runs the application under uvicorn and drains it on SIGTERM or Ctrl-C."""

from __future__ import annotations

import asyncio
import logging
import socket

import uvicorn
from fastapi import FastAPI

from harness.service.access import is_loopback
from harness.service.errors import InvalidServiceSettings
from harness.service.runs import ResearchRuns
from harness.service.settings import ServiceSettings

logger = logging.getLogger(__name__)


class DrainingServer(uvicorn.Server):
    """A uvicorn server that, told to stop, first lets running turns end and then ends the rest.

    uvicorn ends the lifespan only after the last connection, so a stream would otherwise hold the process for as long
    as its run likes.
    """

    def __init__(self, config: uvicorn.Config, *, runs: ResearchRuns, drain_seconds: float) -> None:
        super().__init__(config)
        self._runs = runs
        self._drain_seconds = drain_seconds
        self.listening = asyncio.Event()

    @property
    def port(self) -> int:
        """The port that it listens on; tells the chosen one when port 0 was asked for."""
        return self.servers[0].sockets[0].getsockname()[1]

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, then set `listening`."""
        await super().startup(sockets)
        if self.started:
            self.listening.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Refuse new runs, give the running ones their time, then close what is left."""
        logger.info("shutting down: %d runs have %g s to end", len(self._runs), self._drain_seconds)
        draining = asyncio.create_task(self._runs.drain(self._drain_seconds))
        await super().shutdown(sockets)
        if self.force_exit:  # a second Ctrl-C: nobody wants to wait
            draining.cancel()
            await self._runs.close()
        else:
            await draining


def create_server(app: FastAPI, settings: ServiceSettings, *, host: str, port: int) -> DrainingServer:
    """A server for one application. Raises `InvalidServiceSettings` for `no_auth` beyond loopback."""
    if settings.no_auth and not is_loopback(host):
        raise InvalidServiceSettings(
            f"without a token the service listens on loopback only, not on {host}",
            hint="Set a service token, or listen on 127.0.0.1.",
        )
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        proxy_headers=False,  # a forwarded address must not pass for a local one
        server_header=False,
        access_log=False,
        log_config=None,
        ws="none",
        timeout_graceful_shutdown=round(settings.drain_seconds + settings.stop_grace_seconds) + 5,
    )
    return DrainingServer(config, runs=app.state.runs, drain_seconds=settings.drain_seconds)

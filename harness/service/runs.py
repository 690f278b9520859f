"""The runs of one service process: a place for each, its task, its end."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from harness.errors import ReasonCode
from harness.service.ending import UsageSoFar, closing_line, response_without_answer
from harness.service.errors import AlreadyRunning, NoSuchRun, ShuttingDown, TooManyRuns
from harness.service.events import RUNNER_EVENTS
from harness.service.metrics import ServiceMetrics
from harness.service.ndjson import encode_object
from harness.service.requests import turn_of
from harness.service.runner import TurnRunner
from harness.service.settings import ServiceSettings
from harness.service.stream_log import StreamLog
from harness.turn import TurnExecutionInput
from harness.unicode_text import well_formed
from harness.wire import ResearchTurnRequest, ResearchTurnResponse

logger = logging.getLogger(__name__)

_LAST_WAIT_SECONDS = 2.0
"""How long a cancelled task may take to let go when the process ends."""

FinishedObserver = Callable[[ResearchTurnResponse], None]
"""Told of every run's end, whoever still listens: the place for accounting and metrics."""


class RunProgress:
    """The progress sink of one run: counts usage, and writes lines where there is a stream."""

    def __init__(self, metrics: ServiceMetrics) -> None:
        self._metrics = metrics
        self.used = UsageSoFar()
        self.log: StreamLog | None = None

    def emit(self, type: str, /, **fields: Any) -> None:  # noqa: A002 - the contract's name
        """Report one event of the runner. A malformed one is logged and left out: telling never ends a run."""
        if type not in RUNNER_EVENTS:
            return
        clean: dict[str, Any] = well_formed(fields)
        try:
            if self.log is not None:
                self.log.add_progress(type, clean)
            self.used.count(type, clean)
            self._metrics.event(type, clean)
        except (ValidationError, KeyError):
            logger.exception("a progress event of type %s is not one of the stream contract", type)


@dataclass(slots=True, eq=False)
class ActiveRun:
    """One run with its task. `finished` is set with the response once the run is over, and never fails."""

    turn: TurnExecutionInput
    progress: RunProgress
    task: asyncio.Task[ResearchTurnResponse]
    finished: asyncio.Future[ResearchTurnResponse]
    started: float = field(default_factory=time.monotonic)
    last_resort: asyncio.TimerHandle | None = None

    @property
    def key(self) -> tuple[str, str]:
        """What makes a request the same request."""
        return self.turn.user_id, self.turn.request_id

    def elapsed_ms(self) -> int:
        """Milliseconds since the run began."""
        return round((time.monotonic() - self.started) * 1000)


class ResearchRuns:
    """Starts runs while there is a free place and ends them when nobody wants them.

    A place is free again as soon as the run's task has ended, whether or not somebody still reads its stream.
    """

    def __init__(
        self, runner: TurnRunner, settings: ServiceSettings, on_finished: FinishedObserver | None = None
    ) -> None:
        self._runner = runner
        self._settings = settings
        self._on_finished = on_finished
        self._active: dict[tuple[str, str], ActiveRun] = {}
        self._draining = False
        self.metrics = ServiceMetrics(lambda: len(self._active))

    def __len__(self) -> int:
        return len(self._active)

    def start(self, request: ResearchTurnRequest, *, streamed: bool) -> ActiveRun:
        """Start a run. Raises `ShuttingDown`, `AlreadyRunning` or `TooManyRuns`; then nothing was started."""
        progress = RunProgress(self.metrics)
        turn = turn_of(
            request,
            run_id=f"run_{uuid4().hex}",
            ceilings=self._settings.ceilings,
            cancel=asyncio.Event(),
            progress=progress,
        )
        if self._draining:
            raise ShuttingDown("the service is shutting down")
        if (turn.user_id, turn.request_id) in self._active:
            raise AlreadyRunning(f"request {turn.request_id} of this user is running")
        if len(self._active) >= self._settings.max_runs:
            raise TooManyRuns(f"all {self._settings.max_runs} places for runs are taken")
        if streamed:
            progress.log = StreamLog(
                generation_id=turn.request_id, run_id=turn.run_id, max_backlog_bytes=self._settings.max_backlog_bytes
            )
            progress.log.add("job_started", {})
        loop = asyncio.get_running_loop()
        task = loop.create_task(self._runner.run(turn), name=turn.run_id)
        run = ActiveRun(turn=turn, progress=progress, task=task, finished=loop.create_future())
        self._active[run.key] = run
        task.add_done_callback(lambda _: self._finish(run))
        return run

    def cancel(self, run_id: str, user_id: str) -> None:
        """Ask a user's run to end, whoever reads it. Raises `NoSuchRun` for another user's as for one that is over."""
        for run in self._active.values():
            if run.turn.run_id == run_id and run.turn.user_id == user_id:
                self.stop(run)
                return
        raise NoSuchRun

    def stop(self, run: ActiveRun) -> None:
        """Ask the run to end, and cancel its task when it does not within the grace time."""
        if run.task.done() or run.turn.cancel.is_set():
            return
        run.turn.cancel.set()
        loop = asyncio.get_running_loop()
        run.last_resort = loop.call_later(self._settings.stop_grace_seconds, run.task.cancel)

    async def drain(self, seconds: float) -> None:
        """Start no more runs, let those that go on end for so long, then end them."""
        self._draining = True
        running = [run.finished for run in self._active.values()]
        if running:
            await asyncio.wait(running, timeout=seconds)
        await self.close()

    async def close(self) -> None:
        """End every run and wait for it; one that does not let itself be cancelled is left behind and logged."""
        self._draining = True
        runs = list(self._active.values())
        for run in runs:
            self.stop(run)
        if runs:
            await asyncio.wait(
                [run.finished for run in runs], timeout=self._settings.stop_grace_seconds + _LAST_WAIT_SECONDS
            )
        for run in self._active.values():
            logger.error("run %s did not end when it was cancelled", run.turn.run_id)

    def _finish(self, run: ActiveRun) -> None:
        if run.last_resort is not None:
            run.last_resort.cancel()
        del self._active[run.key]
        response = self._response(run)
        logger.info(
            "run %s ended: status=%s reason=%s tokens=%d elapsed_ms=%d",
            run.turn.run_id,
            response.status,
            response.control.reason_code if response.control else "-",
            response.usage.total_tokens,
            run.elapsed_ms(),
        )
        self.metrics.run_ended(response, elapsed_ms=run.elapsed_ms())
        run.finished.set_result(response)
        if run.progress.log is not None:
            self._write_end(run.progress.log, response)
        if self._on_finished is not None:
            self._on_finished(response)

    def _response(self, run: ActiveRun) -> ResearchTurnResponse:
        used, elapsed_ms = run.progress.used, run.elapsed_ms()
        if run.task.cancelled():
            return response_without_answer(
                run.turn,
                status="CANCELLED",
                reason_code=ReasonCode.RUN_CANCELLED,
                message="The run was cancelled.",
                used=used,
                elapsed_ms=elapsed_ms,
            )
        failure = run.task.exception()
        if failure is not None:
            # What an unforeseen exception says may hold a secret: it goes to the log, never on the wire.
            logger.error("run %s failed unexpectedly", run.turn.run_id, exc_info=failure)
            return response_without_answer(
                run.turn,
                status="FAILED_TECHNICAL",
                reason_code=ReasonCode.INTERNAL_UNEXPECTED,
                message="The run failed unexpectedly; the service's log has the cause under its run id.",
                used=used,
                elapsed_ms=elapsed_ms,
            )
        return run.task.result()

    @staticmethod
    def _write_end(log: StreamLog, response: ResearchTurnResponse) -> None:
        try:
            encode_object(response)
        except PydanticSerializationError:
            logger.exception("the response of run %s has no JSON form", response.run_id)
            failure = {"error_type": ReasonCode.INTERNAL_UNEXPECTED.value, "message": "The result cannot be written."}
            log.add("job_failed", {"status": "failed", **failure})
            log.add("error", failure)
        else:
            log.add(*closing_line(response))
            log.add("result", {"payload": response})
        log.close()

"""Parsing in worker processes: a file that hangs, crashes or exhausts memory fails alone.

Workers are spawned, not forked: the native library and the caller's threads must not share state. A worker imports its
parser once and serves many files; it is replaced when it dies, is stopped, or has served `FILES_PER_WORKER` files, so
that memory which a native library never gives back stays bounded.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeAlias, cast

from reading_model.documents import ParsedDocument
from reading_model.errors import ParseError, ParserCrashed, ParserTimeout, ReadingModelError
from reading_model.parsing.limits import ParseLimits
from reading_model.parsing.registry import PARSERS, PATIENCE, unknown_parser
from reading_model.parsing.worker import Failure, Ready, Reply, Task, serve

if TYPE_CHECKING:
    from reading_model.preparing import Prepared

FILES_PER_WORKER = 200
STARTUP_SECONDS = 120.0
_SPAWN = multiprocessing.get_context("spawn")

Outcome = ParsedDocument | ParseError
_AnyOutcome: TypeAlias = "ParsedDocument | Prepared | ReadingModelError"


def parse_file(
    path: Path,
    *,
    parser: str = "pdfium",
    password: str | None = None,
    limits: ParseLimits = ParseLimits(),  # noqa: B008 - a frozen value
    parsers: Mapping[str, str] = PARSERS,
) -> ParsedDocument:
    """Parse one file in a worker process of its own; raises a `ParseError` (see `reading_model.errors`)."""
    with ParserPool(1, parser=parser, limits=limits, parsers=parsers) as pool:
        return pool.parse(path, password=password)


class ParserPool:
    """`workers` processes that parse files of any number; a context manager.

    Memory is bounded: at most one file a worker is in flight, and paths are drawn as workers get free.
    """

    def __init__(
        self,
        workers: int = 1,
        *,
        parser: str = "pdfium",
        limits: ParseLimits = ParseLimits(),  # noqa: B008 - a frozen value
        parsers: Mapping[str, str] = PARSERS,
    ) -> None:
        if workers < 1:
            raise ValueError("a pool needs at least one worker")
        if parser not in parsers:
            raise unknown_parser(parser, parsers)
        self._size = workers
        self._parser = parser
        self._limits = replace(limits, seconds=limits.seconds * PATIENCE.get(parser, 1.0))
        self._parsers = dict(parsers)
        self._workers: list[_Worker] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop every worker, also in the middle of a file."""
        for worker in self._workers:
            worker.stop()
        self._workers.clear()

    def parse(self, path: Path, *, password: str | None = None) -> ParsedDocument:
        """Parse one file; raises its ParseError."""
        for _, outcome in self.imap([path], password=password):
            if isinstance(outcome, ParseError):
                raise outcome
            return outcome
        raise AssertionError("imap yields an outcome for each path")

    def imap(self, paths: Iterable[Path], *, password: str | None = None) -> Iterator[tuple[Path, Outcome]]:
        """Parse `paths`, yielding (path, document or error) as files complete, in no fixed order.

        The same password is tried on each file that needs one. A path is drawn only when a worker is free for it.
        Files that are in work when the iterator is closed are given up.
        """
        # a worker that only parses yields documents and errors of parsing
        return cast("Iterator[tuple[Path, Outcome]]", self._run(paths, password, prepares=False))

    def imap_prepared(
        self, paths: Iterable[Path], *, password: str | None = None
    ) -> Iterator[tuple[Path, Prepared | ReadingModelError]]:
        """The same, with each document packed and built by its worker, ready to be kept.

        Errors are those of parsing and ValueNotStorable.
        """
        return cast("Iterator[tuple[Path, Prepared | ReadingModelError]]", self._run(paths, password, prepares=True))

    def _run(
        self, paths: Iterable[Path], password: str | None, *, prepares: bool
    ) -> Iterator[tuple[Path, _AnyOutcome]]:
        tasks = (Task(path, self._parser, self._limits, password, prepares) for path in paths)
        try:
            yield from self._outcomes(tasks)
        finally:
            self._give_up()

    def _give_up(self) -> None:
        for worker in [worker for worker in self._workers if worker.task is not None]:
            worker.stop()
            self._workers.remove(worker)

    def _outcomes(self, tasks: Iterator[Task]) -> Iterator[tuple[Path, _AnyOutcome]]:
        exhausted = False
        while True:
            while not exhausted and (idle := self._idle_worker()) is not None:
                task = next(tasks, None)
                if task is None:
                    exhausted = True
                else:
                    idle.start(task)
            busy = [worker for worker in self._workers if worker.task is not None]
            if not busy:
                return
            yield from self._completed(busy)

    def _idle_worker(self) -> _Worker | None:
        for worker in self._workers:
            if worker.task is None:
                return worker
        if len(self._workers) == self._size:
            return None
        worker = _Worker(self._parser, self._parsers, self._limits)
        self._workers.append(worker)
        return worker

    def _completed(self, busy: list[_Worker]) -> Iterator[tuple[Path, _AnyOutcome]]:
        """Wait until a worker speaks, dies or is late, and give the outcomes there are."""
        now = time.monotonic()
        patience = max(0.0, min(worker.deadline for worker in busy) - now)
        ready = set(wait([worker.connection for worker in busy], timeout=patience))
        for worker in busy:
            task = worker.task
            assert task is not None
            outcome: _AnyOutcome | None = None
            if worker.connection in ready:
                outcome = worker.receive()
            elif time.monotonic() >= worker.deadline:
                outcome = ParserTimeout(f"Parsing took more than {self._limits.seconds:g} seconds and was stopped.")
                worker.stop()
            if outcome is None:
                continue
            worker.task = None
            if not worker.usable:
                worker.stop()
                self._workers.remove(worker)
            yield task.path, outcome


@dataclass(slots=True, init=False, eq=False)
class _Worker:
    """One process and the parent's end of its pipe; `task` is what it works on, `deadline` when that ends."""

    connection: Connection
    task: Task | None
    deadline: float
    served: int
    usable: bool
    ready: bool
    _process: SpawnProcess

    def __init__(self, parser: str, parsers: Mapping[str, str], limits: ParseLimits) -> None:
        self.connection, theirs = cast("tuple[Connection, Connection]", _SPAWN.Pipe())  # a pipe of any platform
        self._process = _SPAWN.Process(target=serve, args=(theirs, parser, parsers, limits.memory_mb), daemon=True)
        self._process.start()
        theirs.close()
        self.task, self.served, self.usable, self.ready = None, 0, True, False
        self.deadline = time.monotonic() + STARTUP_SECONDS

    def start(self, task: Task) -> None:
        """Hand over a task; its time runs from when the worker is ready."""
        self.task = task
        if self.ready:
            self._send()

    def _send(self) -> None:
        assert self.task is not None
        self.deadline = time.monotonic() + self.task.limits.seconds
        try:
            self.connection.send(self.task)
        except OSError:
            self.usable = False  # it died between two files: receive() reports it

    def receive(self) -> _AnyOutcome | None:
        """What the worker said: an outcome, or None for its greeting. A closed pipe is a crash."""
        try:
            reply: Reply | Ready = self.connection.recv()
        except (EOFError, OSError):
            self.stop()
            return ParserCrashed(f"The parser process died ({self._exit()}).")
        if isinstance(reply, Ready):
            self.ready = True
            self._send()
            return None
        self.served += 1
        if isinstance(reply, Failure):
            self.usable = self.usable and self.ready and reply.error is not ParserCrashed
            return reply.to_error()
        self.usable = self.usable and self.served < FILES_PER_WORKER
        return reply

    def stop(self) -> None:
        """End the process, whatever it does."""
        self.usable = False
        self.connection.close()
        if self._process.is_alive():
            self._process.kill()
        self._process.join()

    def _exit(self) -> str:
        code = self._process.exitcode
        if code is not None and code < 0:
            return f"signal {-code}"
        return f"exit code {code}"

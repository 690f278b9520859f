"""The lines of one running stream: numbered as they happen, kept until the reader took them, bounded."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from harness.service.events import AnyLine, line_of
from harness.service.ndjson import encode_line


def epoch_ms() -> int:
    """The time now, epoch milliseconds."""
    return time.time_ns() // 1_000_000


class StreamLog:
    """Takes lines without ever blocking and hands them to one reader.

    At most `max_backlog_bytes` of progress wait for the reader; what does not fit is counted, and the first line that
    fits again is preceded by `progress_dropped`. Opening and closing lines always fit. Numbers are given to lines that
    are kept, so a reader sees a sequence without gaps. Not thread-safe: one event loop writes and reads.
    """

    def __init__(
        self, *, generation_id: str, run_id: str, max_backlog_bytes: int, clock: Callable[[], int] = epoch_ms
    ) -> None:
        self._ids = {"generationId": generation_id, "runId": run_id}
        self._max_backlog_bytes = max_backlog_bytes
        self._clock = clock
        self._sequence = 0
        self._waiting: list[bytes] = []
        self._waiting_bytes = 0
        self._dropped = 0
        self._changed = asyncio.Event()
        self.closed = False

    def add_progress(self, kind: str, fields: dict[str, Any]) -> None:
        """Add a line that may be dropped when the reader is too slow."""
        if self.closed:
            return
        line = self._line(kind, fields)
        data = encode_line(line)
        if self._waiting_bytes + len(data) > self._max_backlog_bytes:
            self._dropped += 1
            return
        if self._dropped:
            self._tell_dropped()
            data = encode_line(line.model_copy(update={"sequence": self._sequence + 1}))
        self._keep(data)

    def add(self, kind: str, fields: dict[str, Any]) -> None:
        """Add a line that is never dropped."""
        if self._dropped:
            self._tell_dropped()
        self._keep(encode_line(self._line(kind, fields)))

    def add_heartbeat(self) -> None:
        """Tell that the run is alive, unless there is news anyway."""
        if not self._waiting and not self.closed:
            self.add("heartbeat", {})

    def close(self) -> None:
        """No line follows; the reader gets what is left and ends."""
        self.closed = True
        self._changed.set()

    def take(self) -> bytes:
        """The lines that wait, in order; they are the reader's now."""
        data = b"".join(self._waiting)
        self._waiting.clear()
        self._waiting_bytes = 0
        if not self.closed:
            self._changed.clear()
        return data

    async def wait(self) -> None:
        """Return when there is a line to take, the log is closed, or somebody called `wake`."""
        await self._changed.wait()

    def wake(self) -> None:
        """Let the waiting reader look around."""
        self._changed.set()

    def _line(self, kind: str, fields: dict[str, Any]) -> AnyLine:
        envelope = {**self._ids, "sequence": self._sequence + 1, "timestamp": self._clock()}
        return line_of(envelope, kind, fields)

    def _tell_dropped(self) -> None:
        count, self._dropped = self._dropped, 0
        self._keep(encode_line(self._line("progress_dropped", {"count": count})))

    def _keep(self, data: bytes) -> None:
        self._sequence += 1
        self._waiting.append(data)
        self._waiting_bytes += len(data)
        self._changed.set()

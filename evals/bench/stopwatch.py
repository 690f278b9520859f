"""Two clocks at once: what a caller waits, and what the process works."""

from __future__ import annotations

import time
from dataclasses import dataclass
from types import TracebackType
from typing import Self


@dataclass(frozen=True, slots=True)
class Span:
    """Seconds by the wall clock, and processor seconds of all threads of this process."""

    wall: float
    processor: float


def wall(span: Span) -> float:
    """What a caller waited."""
    return span.wall


def processor(span: Span) -> float:
    """What the process worked."""
    return span.processor


class Stopwatch:
    """Times the body of a `with` statement; `span` is set when it ends without an exception."""

    span: Span

    def __enter__(self) -> Self:
        self._begun = (time.perf_counter(), time.process_time())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        begun, worked = self._begun
        self.span = Span(time.perf_counter() - begun, time.process_time() - worked)

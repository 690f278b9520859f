"""What a model may say of itself beside the SDK's interface."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, runtime_checkable

CaptureSink = Callable[[str, int, Mapping[str, Any]], None]
"""Takes kind (`model.request`, `model.response`, `model.error`), transport attempt from 1, and payload."""


@runtime_checkable
class CapturesTransport(Protocol):
    """A model that reports its own requests and responses, secrets removed."""

    def capture_into(self, sink: CaptureSink) -> None:
        """Report to `sink` from now on."""
        ...


@runtime_checkable
class ReportsWaste(Protocol):
    """A model that asks again and so pays for replies that nobody gets."""

    def take_wasted(self) -> tuple[int, int]:
        """Prompt and completion tokens of such replies, since the last time this was asked."""
        ...


@runtime_checkable
class ReadsWholeTranscript(Protocol):
    """A model on this machine that plans from every earlier reply; its transcript is not shortened."""

    reads_whole_transcript: bool

"""How a model that speaks HTTP tells a recorder what went over the wire."""

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

"""How a model that speaks HTTP tells what went over the wire and what it cost, and what stays out of records."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar, runtime_checkable

CaptureSink = Callable[[str, int, Mapping[str, Any]], None]
"""Takes kind (`model.request`, `model.response`, `model.error`), transport attempt from 1, and payload."""

_SHORTEST_KEY = 8
"""A shorter key is a placeholder for servers that want one; its letters occur in ordinary words."""

_Value = TypeVar("_Value")


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


def without_key(value: _Value, api_key: str | None) -> _Value:
    """A JSON value in which a key that the provider echoes is replaced by `[key]`."""
    if api_key is None or len(api_key) < _SHORTEST_KEY:
        return value
    text = json.dumps(value, ensure_ascii=False)
    written = json.dumps(api_key, ensure_ascii=False)[1:-1]
    return json.loads(text.replace(written, "[key]")) if written in text else value

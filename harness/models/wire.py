"""What an API on the wire is to the model that uses it: a body to send, a reply to understand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, cast

from agents import ModelSettings, Tool, Usage
from agents.items import TResponseInputItem, TResponseOutputItem

_MOST_TOKENS = 1_000_000_000
"""More than any reply can use; a larger number is nonsense."""


class ReplyInvalid(Exception):
    """A reply that the API does not know."""


class StreamBroken(Exception):
    """A stream that ended before its reply did."""


class Wire(Protocol):
    """One API; stateless, so that one serves all runs."""

    def request_body(
        self,
        model: str,
        instructions: str | None,
        items: str | Sequence[TResponseInputItem],
        tools: Sequence[Tool],
        settings: ModelSettings,
    ) -> dict[str, Any]:
        """The JSON body of a request."""
        ...

    def assembled(self, events: Sequence[Mapping[str, Any]], *, ended: bool) -> dict[str, Any]:
        """The reply that a stream's events make; `ended` tells whether the stream said that it was over.

        Raises `StreamBroken` for a reply that is not complete, `ReplyInvalid` for events that hold none.
        """
        ...

    def output_of(self, payload: object) -> list[TResponseOutputItem]:
        """The output items of a reply. Raises `ReplyInvalid`."""
        ...

    def usage_of(self, payload: object) -> Usage:
        """The usage of a reply; zeros where it reports none or nonsense."""
        ...


def usage_from(payload: object, *, sent: str, made: str, cached: str) -> Usage:
    """Usage from a reply's `usage` under the API's own names; `cached` names the object of input details."""
    reported = as_dict(as_dict(payload).get("usage"))
    prompt, completion = _count(reported.get(sent)), _count(reported.get(made))
    usage = Usage(requests=1, input_tokens=prompt, output_tokens=completion, total_tokens=prompt + completion)
    usage.input_tokens_details.cached_tokens = _count(as_dict(reported.get(cached)).get("cached_tokens"))
    return usage


def as_dict(value: object) -> dict[str, Any]:
    """A JSON object, empty for any other value."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def as_dicts(value: object) -> list[dict[str, Any]]:
    """The objects of a JSON list, none for any other value."""
    entries = cast("list[object]", value) if isinstance(value, list) else []
    return [entry for item in entries if (entry := as_dict(item))]


def _count(value: object) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= _MOST_TOKENS else 0

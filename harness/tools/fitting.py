"""Cut a reply at whole items, so that its JSON text stays inside the budget of what a model may be shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from harness.tools.replies import Reply, SpanRange

_Line = TypeVar("_Line", bound=Reply)

ENVELOPE = 420
"""Characters kept free for what stands around the items: counts, hint and notice."""


def fitting(lines: Sequence[_Line], budget: int, envelope: int = ENVELOPE) -> list[_Line]:
    """The longest beginning of `lines` whose JSON fits into `budget` characters; at least one line always fits in.

    A single line is let through even where the budget is smaller than it: search lines are short, and a reply that
    can never show anything would leave the model without a way on.
    """
    used = envelope
    taken: list[_Line] = []
    for line in lines:
        used += len(line.to_json()) + 1
        if taken and used > budget:
            break
        taken.append(line)
    return taken


def listed_ranges(ranges: Sequence[SpanRange], budget: int) -> list[SpanRange]:
    """The longest beginning of `ranges` that fits."""
    used = 0
    for count, item in enumerate(ranges):
        used += len(item.to_json()) + 1
        if used > budget:
            return list(ranges[:count])
    return list(ranges)

"""One turn's frozen input, its limits, and the channel through which it reports progress."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, fields
from typing import Any, Protocol

from harness.wire import HistoryMessage, ReferenceFocus, ResearchMemory


@dataclass(frozen=True, slots=True)
class RunLimits:
    """Ceilings of one run; `requested` tells whether the caller asked for limits, which names the way a run ends."""

    max_wall_clock_ms: int = 600_000
    max_model_turns: int = 16
    max_total_tokens: int = 400_000
    max_model_visible_tool_chars: int = 16_000
    max_history_chars: int = 32_000
    max_repairs: int = 3
    max_repairs_total: int = 12
    max_submissions: int = 6
    max_completion_tokens: int = 3_000
    requested: bool = False

    def as_dict(self) -> dict[str, int]:
        """The numeric limits by name, as `control.limits` reports them."""
        return {item.name: getattr(self, item.name) for item in fields(self) if item.name != "requested"}


class ProgressSink(Protocol):
    """Receives progress events; it must not block. `type` and field names are those of the stream contract."""

    def emit(self, type: str, /, **fields: Any) -> None:  # noqa: A002 - the contract's name
        """Report one event; envelope fields (sequence, timestamp, ids) are added by the receiver."""
        ...


class NoProgress:
    """A sink for callers that want the result alone."""

    def emit(self, type: str, /, **fields: Any) -> None:  # noqa: A002 - the contract's name
        """Drop the event."""


@dataclass(frozen=True, slots=True)
class TurnExecutionInput:
    """Everything that one run starts from; nothing of it changes while the run goes on.

    `history` is trimmed to `limits.max_history_chars` in whole user/assistant pairs by the runtime.
    `cancel` is set by the caller to end the run; the model call in flight is then stopped.
    """

    run_id: str
    request_id: str
    conversation_id: str
    user_id: str
    question: str
    scope_paper_ids: tuple[str, ...]
    limits: RunLimits
    cancel: asyncio.Event
    progress: ProgressSink
    history: tuple[HistoryMessage, ...] = ()
    memory: ResearchMemory = field(default_factory=ResearchMemory)
    focus: ReferenceFocus | None = None
    include_trace: bool = True

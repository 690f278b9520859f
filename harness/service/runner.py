"""What the service needs of others: someone who carries out a turn, and a corpus that says how it is."""

from __future__ import annotations

from typing import Protocol

from corpus_gateway.wire import HealthReport
from harness.turn import TurnExecutionInput
from harness.wire import ResearchTurnResponse


class TurnRunner(Protocol):
    """Carries out one turn.

    Reports progress through `turn.progress` from the event loop's thread: the `model_call_*`, `tool_*` and
    `submission_rejected` lines of the stream contract. The lines that open and close a stream are the service's own.
    When `turn.cancel` is set it ends soon with a response of its own that tells the usage so far; when it does not,
    its task is cancelled.
    """

    async def run(self, turn: TurnExecutionInput) -> ResearchTurnResponse:
        """The response of the turn, whatever its end."""
        ...


class CorpusHealth(Protocol):
    """The corpus as `/ready` sees it; every corpus gateway is one."""

    async def health(self) -> HealthReport:
        """Whether store and index can be reached."""
        ...

"""One research turn from its frozen input to the response on the wire."""

from __future__ import annotations

from collections.abc import Callable

from agents.models.interface import Model

from corpus_gateway.protocol import CorpusGateway
from harness.recorder import Recorder
from harness.turn import TurnExecutionInput
from harness.wire import ResearchTurnResponse


class ResearchRuntime:
    """Runs turns over one corpus; keeps nothing between them.

    `model_factory` gives a fresh model for each run, which is closed after it. Progress goes to `turn.progress`:
    model_call_started, model_call_completed, tool_started, tool_completed (status `success` or `failed`),
    submission_rejected, run_limited and answer_completed; envelope, job_* and terminal lines are the service's.
    """

    def __init__(
        self, gateway: CorpusGateway, model_factory: Callable[[], Model], *, recorder: Recorder | None = None
    ) -> None:
        self._gateway = gateway
        self._model_factory = model_factory
        self._recorder = recorder

    async def run(self, turn: TurnExecutionInput) -> ResearchTurnResponse:
        """Run one turn.

        Whatever a run can meet ends in a response: accepted answers, limits, cancellation through `turn.cancel`,
        failures of provider and corpus (with `control.reason_code` and the usage so far). Only programming errors
        and asyncio cancellation leave as exceptions.
        """
        raise NotImplementedError

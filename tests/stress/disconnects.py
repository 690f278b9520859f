"""Readers that go away at seeded moments: `python -m tests.stress.disconnects [--count 500] [--seed 1]`.

Every run works in steps until somebody ends it; half of them never look at their cancel event, as a model call that
hangs does not. Measured from the closing of the connection until the run's task is over: the service's own part of
stopping, without a model's client in it.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import time
from dataclasses import dataclass

from harness.turn import TurnExecutionInput
from harness.wire import ResearchTurnResponse
from tests.harness.service.connections import open_stream, read_chunk
from tests.harness.service.scripted import ScriptedRunner, body, response_to, serving, tell_model_call

ALLOWED_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Disconnects:
    """Seconds from each closed connection to the end of its run, and how many runs were left over at the end."""

    seconds: tuple[float, ...]
    left_over: int

    @property
    def late(self) -> int:
        """Runs that took longer than allowed."""
        return sum(taken > ALLOWED_SECONDS for taken in self.seconds)


class Working:
    """A script that works until it is ended; `over` is set when nothing of it goes on."""

    def __init__(self, *, listens: bool, step_seconds: float) -> None:
        self._listens = listens
        self._step_seconds = step_seconds
        self.over = asyncio.Event()

    async def __call__(self, turn: TurnExecutionInput) -> ResearchTurnResponse:
        attempt = 0
        try:
            while not (self._listens and turn.cancel.is_set()):
                attempt += 1
                tell_model_call(turn, attempt)
                await asyncio.sleep(self._step_seconds)
            return response_to(turn, status="CANCELLED")
        finally:
            self.over.set()


async def disconnect(count: int, seed: int) -> Disconnects:
    """Open `count` streams one after another and leave each after a seeded number of chunks."""
    chance = random.Random(seed)
    runner = ScriptedRunner()
    seconds: list[float] = []
    async with serving(runner) as service:
        for number in range(count):
            script = Working(listens=chance.random() < 0.5, step_seconds=chance.uniform(0.001, 0.02))
            runner.script = script
            reader, writer = await open_stream(service, body(request_id=f"gen-{number}"))
            for _ in range(chance.randrange(6)):
                await read_chunk(reader)
            writer.transport.abort() if chance.random() < 0.5 else writer.close()
            began = time.monotonic()
            async with asyncio.timeout(10):
                await script.over.wait()
            seconds.append(time.monotonic() - began)
        await asyncio.sleep(0)
        return Disconnects(tuple(seconds), left_over=len(service.runs))


def main() -> int:
    """Print the figures; 1 when a run was late or left over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    found = asyncio.run(disconnect(chosen.count, chosen.seed))
    ordered = sorted(found.seconds)
    print(
        f"disconnects={len(ordered)} seed={chosen.seed} median_s={ordered[len(ordered) // 2]:.3f} "
        f"max_s={ordered[-1]:.3f} late={found.late} left_over={found.left_over}"
    )
    return 1 if found.late or found.left_over else 0


if __name__ == "__main__":
    raise SystemExit(main())

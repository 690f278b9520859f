"""Long runs and many runs: what a turn costs and sends as a run goes on, and what a thousand runs leave behind."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from agents import ModelResponse, ModelSettings

from evals.bench.figures import Figure, FigureGroup, at_most, figure
from evals.bench.memory import resident_mb
from evals.bench.progress import Progress
from evals.bench.script import SUBMIT, ScriptedCalls
from harness.models.chat_wire import ChatWire
from harness.models.providers import COMPATIBLE, profiles

TURNS = 52
EARLY, LATE = 10, 50
_AROUND = 5
"""Turns before and after over which the cost of a turn is a median."""

BODY_RATIO = at_most(1.5)
SHARE_RATIO = at_most(1.5)
MEMORY_RATIO = at_most(1.05)


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: characters of its request, and processor seconds from the reply before it to its request."""

    body: int
    seconds: float


class LongScript(ScriptedCalls):
    """Searches once, then finds and reads in turn, always something new, and abstains at the end."""

    def __init__(self) -> None:
        super().__init__()
        self.turns: list[Turn] = []
        self.replies: list[str] = []
        self._unread: list[str] = []
        self._read: set[str] = set()
        self._papers: list[str] = []
        self._question = ""
        self._wire = ChatWire(profiles()[COMPATIBLE])
        self._replied = time.process_time()

    async def get_response(self, *args: Any, **given: Any) -> ModelResponse:
        """The next call; notes what the turn before it cost, and the size of this request."""
        seconds = time.process_time() - self._replied
        body = self._wire.request_body(
            "bench", given["system_instructions"], given["input"], given["tools"], ModelSettings(tool_choice="required")
        )
        self.turns.append(Turn(len(json.dumps(body, ensure_ascii=False)), seconds))
        response = await super().get_response(*args, **given)
        self._replied = time.process_time()
        return response

    def _next_call(self, question: str, results: Sequence[Mapping[str, Any]]) -> tuple[str, dict[str, Any]]:
        if self.played:
            self.replies.append(self.results[-1])
            self._notice(results[-1])
        if self.played == 0:
            self._question = question  # later the last words of the person's side may be a note on earlier steps
            return "search_paper_candidates", {"query_text": ""}
        if self.played + 1 >= TURNS:
            return SUBMIT, {"outcome": "abstained", "markdown": "Nothing in the papers speaks to this."}
        if self.played % 2 or not self._unread:
            words = self._question.split()
            turned = words[self.played % len(words) :] + words[: self.played % len(words)]
            query = " ".join([*turned, str(self.played)])
            return "find_reading_locations", {"paper_ids": self._papers, "query_text": query, "top_k": 20}
        chosen, self._unread = self._unread[:2], self._unread[2:]
        self._read.update(chosen)
        return "read_locations", {"location_refs": chosen}

    def _notice(self, result: Mapping[str, Any]) -> None:
        self._papers = [line["paper_id"] for line in result.get("candidates", [])] or self._papers
        known = {*self._unread, *self._read}
        found = [line["location_ref"] for line in result.get("locations", [])]
        self._unread += [reference for reference in found if reference not in known]


def long_run_figures(ours: Sequence[Turn], sdk: Sequence[Turn]) -> FigureGroup:
    """The figures of one long run and of the SDK alone with the same calls and replies."""
    early, late = ours[EARLY - 1].body, ours[LATE - 1].body
    shares = [1000 * (_cost(ours, turn) - _cost(sdk, turn)) for turn in (EARLY, LATE)]
    figures: list[Figure] = [
        figure(f"request at turn {EARLY}", "kB", [early / 1000]),
        figure(f"request at turn {LATE}", "kB", [late / 1000]),
        figure(f"request at turn {LATE} / turn {EARLY}", "x", [late / early], BODY_RATIO),
        figure(f"own share of turn {EARLY}, processor time", "ms", [shares[0]]),
        figure(f"own share of turn {LATE}, processor time", "ms", [shares[1]]),
        figure(f"own share of turn {LATE} / turn {EARLY}", "x", [shares[1] / shares[0]], SHARE_RATIO),
        figure(f"SDK alone, turn {EARLY}, processor time", "ms", [1000 * _cost(sdk, EARLY)]),
        figure(f"SDK alone, turn {LATE}, processor time", "ms", [1000 * _cost(sdk, LATE)]),
    ]
    return FigureGroup(f"One run of {TURNS} calls that always finds something new", tuple(figures))


def memory_figures(one_run: Callable[[], Coroutine[Any, Any, None]], *, quick: bool, progress: Progress) -> FigureGroup:
    """Resident memory after some runs in a row, and after many."""
    first, last = (20, 60) if quick else (100, 1000)
    measured: list[float] = []

    async def run_all() -> None:
        for number in progress.over(range(1, last + 1), last, "runs in a row"):
            await one_run()
            if number in {first, last}:
                measured.append(resident_mb(os.getpid()) or 0.0)

    asyncio.run(run_all())
    figures: list[Figure] = []
    if all(measured):
        figures = [
            figure(f"memory after {first} runs", "MB", [measured[0]]),
            figure(f"memory after {last} runs", "MB", [measured[1]]),
            figure(f"memory after {last} / {first} runs", "x", [measured[1] / measured[0]], MEMORY_RATIO),
        ]
    return FigureGroup(f"{last} runs in a row", tuple(figures))


def _cost(turns: Sequence[Turn], around: int) -> float:
    near = turns[around - 1 - _AROUND : around + _AROUND]
    return median(turn.seconds for turn in near)

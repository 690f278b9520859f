"""Every fault of a provider at every call of a six-call run, through the real service and real connections.

Each run must end in exactly one closing line, with the usage that the provider really reported, leave no task and no
connection behind, and never let the key out: not into a line, not into the log, not into the record.

    python -m tests.stress.provider_faults [--runs N --seed S]
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpus_gateway.memory import MemoryCorpusGateway, MemoryLocation, MemoryPaper
from harness.models.endpoint import Timing
from harness.models.openai import ProviderModel, provider_model
from harness.models.providers import profile_for
from harness.models.retry import RetryPolicy
from harness.recorder import Recorder
from harness.runtime import ResearchRuntime
from tests.harness.service.scripted import Service, body, lines_of, serving
from tests.stress.faulty_provider import Fault, FaultyProvider, WireName, faulty_provider
from tests.stress.provider_fault_kinds import FAULTS

KEY = "sk-never-to-be-seen-0123456789"
CALLS = 6
SOON = RetryPolicy(attempts=3, first_wait=0.001, longest_wait=1.0)
SENTENCES = (
    "The literature graph has 37M unique paper nodes.",
    "The literature graph has 12M author nodes, which are linked to the papers.",
)


@dataclass(frozen=True)
class Trial:
    """One fault at one call over one API."""

    fault: Fault
    position: int
    wire: WireName

    def __str__(self) -> str:
        return f"{self.fault.name} at call {self.position} over {self.wire}"


@dataclass(frozen=True)
class Survey:
    """Endings by name, and everything that was not as it must be."""

    endings: Counter[str]
    wrong: tuple[str, ...]


def trials() -> list[Trial]:
    """Every trial, in the order of the table."""
    return [
        Trial(fault, position, wire) for fault in FAULTS for position in range(1, CALLS + 1) for wire in fault.wires
    ]


async def survey(chosen: Sequence[Trial], folder: Path) -> Survey:
    """Play the trials one after another over one service."""
    endings: Counter[str] = Counter()
    wrong: list[str] = []
    log = _Log()
    logging.getLogger().addHandler(log)
    try:
        async with faulty_provider(KEY) as provider:
            bench = _Bench(provider, folder)
            async with serving(bench.runtime()) as service:
                await bench.play(service, None, "chat")  # what is opened once is open by now
                gc.collect()
                before = bench.left_over()
                for trial in chosen:
                    ending, faults = await bench.try_out(service, trial, before)
                    endings[ending] += 1
                    wrong += [f"{trial}: {fault}" for fault in faults]
    finally:
        logging.getLogger().removeHandler(log)
    if KEY in "\n".join(log.lines):
        wrong.append("the key stands in the log")
    wrong += await asyncio.to_thread(_records_with_key, folder)
    return Survey(endings, tuple(wrong))


def _records_with_key(folder: Path) -> list[str]:
    return [f"the key stands in {path}" for path in folder.rglob("*.json*") if KEY in path.read_text("utf-8")]


class _Bench:
    """One service's surroundings."""

    def __init__(self, provider: FaultyProvider, folder: Path) -> None:
        self._provider = provider
        self._folder = folder
        self._trial: Trial | None = None
        self._number = 0

    def runtime(self) -> ResearchRuntime:
        places = [
            MemoryLocation(text=text, page=page, ref=f"loc_{page}") for page, text in enumerate(SENTENCES, start=1)
        ]
        paper = MemoryPaper(paper_id="p1", title="Construction of the Literature Graph", owner="7", locations=places)
        return ResearchRuntime(MemoryCorpusGateway([paper]), self._model, recorder=Recorder(self._folder))

    def _model(self) -> ProviderModel:
        trial = self._trial
        wire = trial.wire if trial else "chat"
        profile = profile_for(
            self._provider.base_url,
            api="responses" if wire == "responses" else "chat",
            stream=wire == "stream",
        )
        timing = Timing(trial.fault.request_seconds, trial.fault.stall_seconds) if trial else Timing()
        return provider_model(
            "scripted", base_url=self._provider.base_url, api_key=KEY, profile=profile, timing=timing, retry=SOON
        )

    async def play(self, service: Service, trial: Trial | None, wire: WireName) -> tuple[bytes, list[dict[str, Any]]]:
        self._trial = trial
        self._number += 1
        self._provider.begin(trial.fault if trial else None, trial.position if trial else 1)
        request = body(request_id=f"gen-{self._number}", scope={"paper_ids": ["p1"]}, options={"include_trace": True})
        response = await service.client.post("/v1/research/stream", json=request, timeout=60)
        return response.content, lines_of(response.content)

    async def try_out(self, service: Service, trial: Trial, before: _LeftOver) -> tuple[str, list[str]]:
        raw, lines = await self.play(service, trial, trial.wire)
        payload = lines[-1].get("payload") or {}
        control = payload.get("control") or {}
        ending = control.get("reason_code") or payload.get("status") or lines[-1]["type"]
        faults = [*_wrong_lines(raw, lines), *self._wrong_ending(trial, payload)]
        faults += await self._wrong_left_over(before)
        return ending, faults

    def _wrong_ending(self, trial: Trial, payload: dict[str, Any]) -> Iterator[str]:
        control = payload.get("control") or {}
        expected = ("COMPLETED", None) if trial.fault.ends is None else ("FAILED_TECHNICAL", trial.fault.ends)
        if (payload.get("status"), control.get("reason_code")) != expected:
            yield f"ended as {payload.get('status')} {control.get('reason_code')}: {control.get('message')}"
        if not self._provider.played:
            yield "the fault was not played"
        usage, delivered = payload.get("usage") or {}, self._provider.delivered
        told = [usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)]
        exact = self._provider.all_reported
        if (told != delivered) if exact else (told[0] < delivered[0] or told[1] < delivered[1]):
            yield f"usage {told}, and the provider reported {delivered}"
        if control and control["usage"]["tokens"] != sum(told):
            yield "control and usage differ"

    async def _wrong_left_over(self, before: _LeftOver) -> list[str]:
        deadline = time.monotonic() + 2
        while (now := self.left_over()).exceeds(before) and time.monotonic() < deadline:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.005)
        return [] if not now.exceeds(before) else [f"left over {now}, before it was {before}"]

    def left_over(self) -> _LeftOver:
        tasks = sum(not task.done() for task in asyncio.all_tasks())
        return _LeftOver(self._provider.open_connections, tasks, _open_sockets())


@dataclass(frozen=True)
class _LeftOver:
    """What is open when no run goes on."""

    provider_connections: int
    tasks: int
    sockets: int

    def exceeds(self, before: _LeftOver) -> bool:
        """Whether anything more is open; what others left and is closed meanwhile is nobody's fault."""
        return (
            self.provider_connections > before.provider_connections
            or self.tasks > before.tasks
            or self.sockets > before.sockets
        )


class _Log(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


def _wrong_lines(raw: bytes, lines: list[dict[str, Any]]) -> Iterator[str]:
    closing = [line["type"] for line in lines if line["type"] in {"result", "error"}]
    if closing != ["result"] or lines[-1]["type"] != "result":
        yield f"closing lines {closing}"
    if [line["sequence"] for line in lines] != list(range(1, len(lines) + 1)):
        yield "the lines have gaps"
    if KEY.encode() in raw:
        yield "the key stands in a line"
    if b"Secret plan" in raw:
        yield "reasoning stands in a line"


def _open_sockets() -> int:
    """Open sockets of this process; 0 where the system does not tell."""
    folder = Path("/proc/self/fd")
    if not folder.is_dir():
        return 0
    count = 0
    for entry in folder.iterdir():
        try:
            count += str(entry.readlink()).startswith("socket:")
        except FileNotFoundError:
            continue
    return count


def main(arguments: Sequence[str] | None = None) -> int:
    """Say what was found; 1 when anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, help="so many trials, chosen by chance (default: all)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    chosen = trials()
    if given.runs is not None:
        chosen = random.Random(given.seed).sample(chosen, given.runs)
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="paperledger-faults-") as folder:
        found = asyncio.run(survey(chosen, Path(folder)))
    for name, count in found.endings.most_common():
        sys.stdout.write(f"{count:5} {name}\n")
    for fault in found.wrong:
        sys.stdout.write(f"{fault}\n")
    kinds = len({trial.fault.name for trial in chosen})
    sys.stdout.write(f"{len(chosen)} runs, {kinds} kinds, {len(found.wrong)} wrong, {time.monotonic() - start:.0f} s\n")
    return int(bool(found.wrong))


if __name__ == "__main__":
    sys.exit(main())

"""`bench harness`: what a run costs beside its model, and many streams at once through the service."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from evals.bench.corpus import SEED, fill
from evals.bench.figures import Figure, FigureGroup, Report, at_most, figure, ratios
from evals.bench.library import READER, BenchLibrary, open_library
from evals.bench.long_runs import TURNS, LongScript, long_run_figures, memory_figures
from evals.bench.progress import Progress
from evals.bench.retrieval import make_probes
from evals.bench.script import CALLS, ScriptedCalls
from evals.bench.sdk_alone import run_sdk_alone
from evals.bench.stopwatch import Span, Stopwatch, processor, wall
from evals.bench.streams import run_streams, stream_figures
from evals.bench.surroundings import report
from harness.runtime import ResearchRuntime
from harness.turn import NoProgress, RunLimits, TurnExecutionInput

OVERHEAD_MS = at_most(60)


@dataclass(frozen=True, slots=True)
class Overhead:
    """One repetition: seconds of each run without its model, and of the SDK alone with the same calls and replies."""

    runs: tuple[Span, ...]
    sdk: tuple[Span, ...]


class RunNotAccepted(Exception):
    """A scripted run did not end in an accepted answer, so that its time says nothing."""


def bench_harness(*, quick: bool, progress: Progress) -> Report:
    """Measure the harness on a synthetic library. Quick: 4 papers, 5 runs twice, 20 streams."""
    repetitions, count, streams = (2, 5, 20) if quick else (5, 20, 100)
    with tempfile.TemporaryDirectory(prefix="paperledger-bench-") as name:
        folder = Path(name)
        with open_library(folder) as library:
            progress.step("harness: a synthetic library")
            filled = fill(library, quick=quick, progress=progress)
            questions = [f"{probe.title} {probe.query}" for probe in make_probes(library, count, SEED)]
            asyncio.run(measure_overhead(library, questions[:2], progress))  # what is made once is made by now
            measured: list[Overhead] = []
            for repetition in range(1, repetitions + 1):
                progress.step(f"harness: repetition {repetition} of {repetitions}")
                measured.append(asyncio.run(measure_overhead(library, questions, progress)))
            progress.step("harness: one long run, then many")
            long_run = asyncio.run(_long_run(library, questions[0]))
            many = memory_figures(
                lambda: _one_run(library, questions[0], ScriptedCalls()), quick=quick, progress=progress
            )
        progress.step(f"harness: {streams} streams at once")
        streamed = run_streams(folder, questions, streams)
    notes = (
        "A run is six model calls: search, find, read, find, read, submit; the answer was accepted in every run. "
        "The model's own time is taken off. The SDK alone runs an agent with the same calls and replies and no corpus.",
        "The request of a turn is what Chat Completions would be sent, tools included. A turn's own share is its "
        "processor time without that of the SDK alone, as a median of eleven turns; the embedded search is part of it.",
        "Streams: real HTTP on loopback, the service in a process of its own, the reader in this one.",
    )
    title = f"{CALLS}-call run over {filled}, {count} questions"
    groups = (FigureGroup(title, tuple(overhead_figures(measured))), long_run, many, stream_figures(streamed))
    return report("harness", groups, notes, quick=quick)


def overhead_figures(measured: Sequence[Overhead]) -> list[Figure]:
    """The figures of some repetitions over the same questions."""
    runs = [1000 * median(map(wall, item.runs)) for item in measured]
    runs_cpu = [1000 * median(map(processor, item.runs)) for item in measured]
    sdk_cpu = [1000 * median(map(processor, item.sdk)) for item in measured]
    return [
        figure("overhead p50", "ms", runs, OVERHEAD_MS),
        figure("overhead p50, processor time", "ms", runs_cpu, OVERHEAD_MS),
        figure("SDK alone p50, processor time", "ms", sdk_cpu),
        figure("overhead / SDK alone, processor time", "x", ratios(runs_cpu, sdk_cpu)),
        figure("own share p50, processor time", "ms", [a - b for a, b in zip(runs_cpu, sdk_cpu, strict=True)]),
    ]


async def measure_overhead(library: BenchLibrary, questions: Sequence[str], progress: Progress) -> Overhead:
    """Run each question once through the harness and once through the SDK alone. Raises RunNotAccepted."""
    runs: list[Span] = []
    sdk: list[Span] = []
    scope = library.papers()
    for number, question in enumerate(progress.over(questions, len(questions), "runs")):
        model = ScriptedCalls()
        runtime = ResearchRuntime(library.gateway, lambda model=model: model)
        turn = _turn(f"run_{number}", question, scope)
        with Stopwatch() as watch:
            response = await runtime.run(turn)
        if response.status != "COMPLETED" or model.played != CALLS:
            message = f"run {number} ended as {response.status} after {model.played} calls"
            raise RunNotAccepted(message)
        runs.append(_without_model(watch.span, model))
        alone = ScriptedCalls()
        with Stopwatch() as watch:
            await run_sdk_alone(alone, question, model.results)
        sdk.append(_without_model(watch.span, alone))
    return Overhead(tuple(runs), tuple(sdk))


async def _one_run(library: BenchLibrary, question: str, model: ScriptedCalls, limits: RunLimits | None = None) -> None:
    runtime = ResearchRuntime(library.gateway, lambda: model)
    response = await runtime.run(_turn("run_again", question, library.papers(), limits))
    if response.control is not None:
        message = f"a run ended as {response.status} after {model.played} calls: {response.control}"
        raise RunNotAccepted(message)


async def _long_run(library: BenchLibrary, question: str) -> FigureGroup:
    """One run of 52 calls, and the SDK alone with its calls and replies. Raises RunNotAccepted."""
    ours, alone = LongScript(), LongScript()
    await _one_run(library, question, ours, RunLimits(max_model_turns=TURNS + 1, max_total_tokens=100_000_000))
    await run_sdk_alone(alone, question, ours.replies, calls=TURNS)
    return long_run_figures(ours.turns, alone.turns)


def _without_model(span: Span, model: ScriptedCalls) -> Span:
    return Span(span.wall - model.seconds, span.processor - model.seconds)


def _turn(run_id: str, question: str, scope: tuple[str, ...], limits: RunLimits | None = None) -> TurnExecutionInput:
    return TurnExecutionInput(
        run_id=run_id,
        request_id=run_id,
        conversation_id="bench",
        user_id=READER,
        question=question,
        scope_paper_ids=scope,
        limits=limits or RunLimits(),
        cancel=asyncio.Event(),
        progress=NoProgress(),
    )

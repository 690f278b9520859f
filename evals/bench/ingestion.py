"""`bench ingest`: from PDF to a committed reading model, beside what pdfium alone needs for the same pages."""

from __future__ import annotations

import gc
import multiprocessing
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TypeVar

from evals.bench.bare import read_boxes, read_characters, read_text, read_through_api
from evals.bench.figures import Figure, FigureGroup, Report, at_least, at_most, below, figure, ratios
from evals.bench.library import BenchLibrary, open_library
from evals.bench.long_pdf import long_pdf
from evals.bench.memory import ChildPeaks, is_measurable, peak_mb
from evals.bench.progress import Progress
from evals.bench.surroundings import report
from reading_model.ingestion import ingest
from reading_model.keeping import keep_artifact
from reading_model.parsing import ParseLimits
from reading_model.parsing.pdfium.parser import parse
from reading_model.preparing import Prepared, prepare
from reading_model.store import NewPaper

PAGES_PER_SECOND = at_least(20)
TIMES_BARE = at_most(4)
LONG_MEMORY_MB = below(700)
LONG_PAGES = 1000
QUICK_LONG_PAGES = 20

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class IngestInputs:
    """What to measure on. A folder or file that is not there is left out with a note."""

    sample_papers: Path
    shared_papers: Path
    long_file: Path


@dataclass(slots=True)
class Seconds:
    """Processor seconds of one repetition over all files, by step."""

    text: float = 0.0
    raw: float = 0.0
    bare: float = 0.0
    api: float = 0.0
    parse: float = 0.0
    build: float = 0.0
    store: float = 0.0
    index: float = 0.0

    @property
    def to_model(self) -> float:
        """From the file's bytes to the committed model."""
        return self.parse + self.build + self.store

    @property
    def to_search(self) -> float:
        """From the file's bytes to a paper that can be searched."""
        return self.to_model + self.index


def bench_ingest(inputs: IngestInputs, *, quick: bool, progress: Progress) -> Report:
    """Measure ingestion. Quick: the sample papers and a generated document of 20 pages, two repetitions."""
    repetitions = 2 if quick else 3
    groups = [_paper_group("sample papers", _pdfs(inputs.sample_papers), repetitions, progress)]
    notes = [
        "Steps are processor time of one process, so that other work on the machine does not count; yardsticks and "
        "steps alternate file by file.",
    ]
    shared = [] if quick else _pdfs(inputs.shared_papers)
    if shared:
        groups.append(_paper_group("shared papers", shared, repetitions, progress))
    elif not quick:
        notes.append(f"The shared papers were skipped: there is no PDF in {inputs.shared_papers}.")
    if not quick and not inputs.long_file.is_file():
        notes.append(f"The given long document was skipped: there is no file {inputs.long_file}.")
    if is_measurable():
        groups += _long_groups(inputs.long_file, quick=quick, progress=progress)
    else:
        notes.append("Peak memory was skipped: it is read from /proc, which this system lacks.")
    return report("ingest", groups, notes, quick=quick)


def _pdfs(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.pdf"))


def _paper_group(title: str, files: Sequence[Path], repetitions: int, progress: Progress) -> FigureGroup:
    runs: list[Seconds] = []
    pages = 0
    for repetition in range(1, repetitions + 1):
        progress.step(f"{title}: repetition {repetition} of {repetitions}")
        with tempfile.TemporaryDirectory(prefix="paperledger-bench-") as folder, open_library(Path(folder)) as library:
            # as in a parsing worker: what the process holds already is not looked through for cycles again
            gc.freeze()
            seconds = Seconds()
            pages = sum(
                _measure_file(file, library, seconds) for file in progress.over(files, len(files), f"{title}: files")
            )
            runs.append(seconds)
    return FigureGroup(f"{title}: {len(files)} files, {pages:,} pages", tuple(paper_figures(runs, pages)))


def paper_figures(runs: Sequence[Seconds], pages: int) -> list[Figure]:
    """The figures of some repetitions over the same pages."""
    bare, to_model = [run.bare for run in runs], [run.to_model for run in runs]
    steps = [
        figure(f"{item.name}, a page", "ms", [1000 * getattr(run, item.name) / pages for run in runs])
        for item in fields(Seconds)
    ]
    return [
        figure("pages/s a core, to committed model", "/s", [pages / run.to_model for run in runs], PAGES_PER_SECOND),
        figure("to committed model / bare pass", "x", ratios(to_model, bare), TIMES_BARE),
        figure("to committed model / raw pass", "x", ratios(to_model, [run.raw for run in runs])),
        figure("to committed model / pass by public functions", "x", ratios(to_model, [run.api for run in runs])),
        figure("parse / bare pass", "x", ratios([run.parse for run in runs], bare)),
        figure("to searchable / bare pass", "x", ratios([run.to_search for run in runs], bare)),
        figure("bare pass / plain text", "x", ratios(bare, [run.text for run in runs])),
        figure("raw pass / plain text", "x", ratios([run.raw for run in runs], [run.text for run in runs])),
        *steps,
    ]


def _measure_file(file: Path, library: BenchLibrary, seconds: Seconds) -> int:
    """Take one file through every step, adding to `seconds`; its number of pages."""
    data = file.read_bytes()
    spent, _ = _timed(lambda: read_text(data))
    seconds.text += spent
    spent, _ = _timed(lambda: read_boxes(data))
    seconds.raw += spent
    spent, _ = _timed(lambda: read_characters(data))
    seconds.bare += spent
    spent, _ = _timed(lambda: read_through_api(data))
    seconds.api += spent
    spent, document = _timed(lambda: parse(data))
    seconds.parse += spent
    spent, prepared = _timed(lambda: prepare(document))
    seconds.build += spent
    spent, _ = _timed(lambda: _store(library, file, data, prepared))
    seconds.store += spent
    model = prepared.model
    if model is None:
        message = f"{file.name} has no text"
        raise ValueError(message)
    spent, _ = _timed(lambda: library.indexer.index_model(model.paper_id, model.model_version))
    seconds.index += spent
    return len(document.pages)


def _store(library: BenchLibrary, file: Path, data: bytes, prepared: Prepared) -> None:
    """Everything that ingestion keeps of a paper, in its order."""
    key = f"pdf/{prepared.source_sha256}.pdf"
    library.objects.put(key, data)
    library.objects.put(prepared.artifact.key, prepared.artifact.data)
    library.store.papers.add(NewPaper(prepared.paper_id, prepared.source_sha256, file.name, len(data), key))
    keep_artifact(library.store, prepared)
    if prepared.model is not None:
        library.store.models.save_rows(prepared.model)


def _timed(work: Callable[[], Result]) -> tuple[float, Result]:
    before = time.process_time()
    result = work()
    return time.process_time() - before, result


@dataclass(frozen=True, slots=True)
class LongRun:
    """What the ingestion of one long document took, in a process of its own with one parsing worker."""

    pages: int
    seconds: float
    main_mb: float
    worker_mb: float


def _long_groups(long_file: Path, *, quick: bool, progress: Progress) -> list[FigureGroup]:
    """A generated document whose pages are full of text, and the given one where it is there."""
    with tempfile.TemporaryDirectory(prefix="paperledger-bench-") as name:
        folder = Path(name)
        generated = folder / "generated.pdf"
        generated.write_bytes(long_pdf(QUICK_LONG_PAGES if quick else LONG_PAGES))
        files = [generated, *([long_file] if long_file.is_file() and not quick else [])]
        groups: list[FigureGroup] = []
        for file in files:
            progress.step(f"one long document through `ingest`: {file.name}")
            # a process of its own, so that what was measured before does not count
            with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
                run = pool.submit(ingest_alone, file, folder / file.stem).result()
            groups.append(_long_group(file.name, run))
        return groups


def _long_group(name: str, run: LongRun) -> FigureGroup:
    limit = ParseLimits().memory_mb
    title = f"{name}, {run.pages:,} pages through `ingest`, worker under {limit:,} MB of address space"
    return FigureGroup(
        title,
        (
            figure("peak memory, both processes", "MB", [run.main_mb + run.worker_mb], LONG_MEMORY_MB),
            figure("peak memory, parsing worker", "MB", [run.worker_mb]),
            figure("peak memory, process that stores", "MB", [run.main_mb]),
            figure("pages/s, wall clock, process start included", "/s", [run.pages / run.seconds]),
        ),
    )


def ingest_alone(file: Path, folder: Path) -> LongRun:
    """Ingest one file into a new library in this process and say what it took.

    It runs in a child that may have children of its own. Raises ValueError when the file fails.
    """
    with open_library(folder) as library, ChildPeaks() as children:
        begun = time.perf_counter()
        [outcome] = ingest(
            [file], store=library.store, objects=library.objects, on_ready=library.indexer.index_model, jobs=1
        )
        seconds = time.perf_counter() - begun
    if outcome.status != "ready":
        message = f"{file.name} was not taken in: {outcome.failure}"
        raise ValueError(message)
    return LongRun(outcome.pages, seconds, peak_mb(os.getpid()) or 0.0, children.highest)

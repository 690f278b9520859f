"""A library fifty times as large: search over a scope of 76 of its papers, and over all of them.

Workers make papers and encode their points, this process writes rows and points, a few batches at a time: what is not
written yet is bounded, whatever the size.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import shutil
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random

from sqlalchemy import Engine, event

from corpus_gateway.wire import LocationSearchRequest
from evals.bench.corpus import SEED
from evals.bench.figures import Figure, FigureGroup, at_most, figure, percentile
from evals.bench.large_papers import LargePaper, large_papers
from evals.bench.library import READER, BenchLibrary, open_library
from evals.bench.memory import available_gb, peak_mb
from evals.bench.progress import Progress
from evals.bench.synthetic import query_from

SEARCH_P95_MS = at_most(60)

_BATCH = 5
_TOP_K = 8
_GB = 10**9


@dataclass(frozen=True, slots=True)
class LargeSize:
    """How many papers of how many locations, how many papers a scope has, and how many queries go over it."""

    papers: int = 5000
    locations_a_paper: int = 100
    scope: int = 76
    queries: int = 100
    queries_over_all: int = 10

    @property
    def locations(self) -> int:
        """All locations of the library."""
        return self.papers * self.locations_a_paper

    @property
    def disk_gb(self) -> float:
        """Room on disk that it takes while it is made, generously: rows, points, and points once more while merged."""
        return self.locations * 20_000 / _GB

    @property
    def memory_gb(self) -> float:
        """Memory that it takes: the engine keeps what is not merged yet in memory, and merging holds it twice."""
        return self.locations * 32_000 / _GB


def large_group(folder: Path, size: LargeSize, progress: Progress) -> FigureGroup | str:
    """Measure in a library that is made in `folder`; where there is no room for it, the reason why not.

    The library stays in the folder, which is the caller's to delete.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if lacking := _lacking(folder, size):
        return f"{size.locations:,} locations were skipped: {lacking}."
    progress.step(
        f"retrieval: a library of {size.locations:,} locations, in a temporary folder that is deleted; "
        f"up to {size.disk_gb:.0f} GB of disk and {size.memory_gb:.0f} GB of memory, some minutes"
    )
    with open_library(folder) as library:
        _without_sync(library.store.engine)
        openings = dict(_fill(library, size, progress))
        random = Random(SEED)  # noqa: S311 - reproducible queries are what it is for
        scope = random.sample(sorted(openings), size.scope)
        queries = [query_from(openings[random.choice(scope)], random) for _ in range(size.queries)]
        everything = list(library.papers())
        _spent(library, scope, queries[:5])  # what is read once is read by now
        as_written = _spent(library, scope, queries)
        begun = time.process_time()
        library.locations.optimize()
        merging = time.process_time() - begun
        merged = _spent(library, scope, queries)
        over_all = _spent(library, everything, queries[: size.queries_over_all])
    figures = [
        figure("search p50", "ms", [percentile(merged, 0.5)]),
        figure("search p95", "ms", [percentile(merged, 0.95)], SEARCH_P95_MS),
        figure("search p50, points not merged yet", "ms", [percentile(as_written, 0.5)]),
        figure("search p95, points not merged yet", "ms", [percentile(as_written, 0.95)], SEARCH_P95_MS),
        figure("search p50, whole library as scope", "ms", [percentile(over_all, 0.5)]),
        figure("search p95, whole library as scope", "ms", [percentile(over_all, 0.95)]),
        figure("merging the points, processor time", "s", [merging]),
        *_peak(),
    ]
    title = f"{size.papers:,} papers, {size.locations:,} locations, scope of {size.scope}, {size.queries} queries"
    return FigureGroup(title, tuple(figures))


def _lacking(folder: Path, size: LargeSize) -> str | None:
    disk, memory = shutil.disk_usage(folder).free / _GB, available_gb()
    if disk < size.disk_gb:
        return f"{size.disk_gb:.0f} GB of disk are needed, {disk:.0f} are free"
    if memory is not None and memory < size.memory_gb:
        return f"{size.memory_gb:.0f} GB of memory are needed, {memory:.0f} are free"
    return None


def _peak() -> Iterator[Figure]:
    peak = peak_mb(os.getpid())
    if peak is not None:
        yield figure("peak memory of the process that writes and merges", "MB", [peak])


def _without_sync(engine: Engine) -> None:
    """Let SQLite leave writing to the system: the library is thrown away, and a power cut may have it."""

    def configure(connection: object, _record: object) -> None:
        connection.execute("PRAGMA synchronous = OFF")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType] -- a sqlite3.Connection

    event.listen(engine, "connect", configure)
    engine.dispose()


def _fill(library: BenchLibrary, size: LargeSize, progress: Progress) -> Iterator[tuple[str, str]]:
    """Write all papers; each one's id and a text to ask for."""
    contract = library.contract.text()
    for paper in progress.over(_made(size, contract), size.papers, "papers of the large library"):
        paper_id = paper.paper.paper_id
        library.store.papers.add(paper.paper)
        library.store.access.grant(READER, paper_id, paper.paper.filename)
        library.store.models.save_rows(paper.rows)
        library.store.models.activate(
            paper_id, paper.rows.model_version, contract=contract, point_count=len(paper.points)
        )
        library.locations.upsert(paper.points)
        library.cards.upsert([paper.card])
        yield paper_id, paper.opening


def _made(size: LargeSize, contract: str) -> Iterator[LargePaper]:
    workers = os.cpu_count() or 1
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        waiting: deque[Future[list[LargePaper]]] = deque()
        for first in range(0, size.papers, _BATCH):
            count = min(_BATCH, size.papers - first)
            waiting.append(
                pool.submit(large_papers, first, count, size.locations_a_paper, seed=SEED, contract=contract)
            )
            if len(waiting) > 2 * workers:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


def _spent(library: BenchLibrary, papers: Sequence[str], queries: Sequence[str]) -> list[float]:
    """Milliseconds by the wall clock of each search over these papers."""

    async def ask() -> list[float]:
        spent: list[float] = []
        for query in queries:
            wanted = LocationSearchRequest(
                user_id=READER,
                scope_paper_ids=list(papers),
                paper_ids=list(papers),
                query_text=query,
                top_k=_TOP_K,
            )
            begun = time.perf_counter()
            await library.gateway.search_locations(wanted)
            spent.append(1000 * (time.perf_counter() - begun))
        return spent

    return asyncio.run(ask())

"""`bench retrieval`: search and reading through the gateway, beside the engine's own query of the same run."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from corpus_gateway.local import LocalCorpusGateway
from corpus_gateway.wire import LocationReadRequest, LocationSearchRequest
from evals.bench.baselines import baseline_figures
from evals.bench.corpus import SEED, Filled, fill
from evals.bench.figures import Figure, FigureGroup, Report, at_least, at_most, figure, percentile, ratios
from evals.bench.large import LargeSize, large_group
from evals.bench.library import READER, BenchLibrary, open_library
from evals.bench.on_mariadb import gateway_on_mariadb
from evals.bench.progress import Progress
from evals.bench.stopwatch import Span, Stopwatch, processor, wall
from evals.bench.surroundings import report
from evals.bench.synthetic import query_from
from evals.mariadb import missing_parts
from index.encoder import encode_query
from index.engine import SparseQuery
from reading_model.models import SEARCHABLE_KINDS

SEARCH_P50_MS = at_most(8)
SEARCH_P95_MS = at_most(20)
TIMES_ENGINE = at_most(4)
READ_P95_MS = at_most(5)
READ_P95_MARIADB_MS = at_most(10)
LOCATIONS_PER_SECOND = at_least(1000)

READ_TOGETHER = 8
TOP_K = 8

_NOTES = (
    "Search: one call of the gateway over all papers, previews included; the engine's own query asks for as many "
    "hits with the same vector, filter and IDF corpus. Both alternate query by query, with one caller.",
    "Processor time is that of the whole process; on an idle machine wall clock is about the same, on a busy one "
    "wall clock counts the waiting for a core too.",
    "Indexing is processor time of one process, from SQL to searchable, a value for each paper.",
    "bm25s and rank-bm25 hold the same texts in memory and rank all of them: no rights, scopes, checks or previews.",
)


@dataclass(frozen=True, slots=True)
class Probe:
    """A search, the title of the paper whose words it has, and the references that are read together beside it."""

    query: str
    title: str
    location_refs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Latencies:
    """One repetition, an entry a probe."""

    engine: tuple[Span, ...]
    search: tuple[Span, ...]
    read: tuple[Span, ...]


def bench_retrieval(*, quick: bool, progress: Progress) -> Report:
    """Measure retrieval on synthetic libraries. Quick: 4 papers, 20 queries, two repetitions, no large library."""
    repetitions, count = (2, 20) if quick else (5, 200)
    notes: list[str] = [*_NOTES]
    with tempfile.TemporaryDirectory(prefix="paperledger-bench-") as name:
        folder = Path(name)
        with open_library(folder / "library") as library:
            progress.step("retrieval: a synthetic library")
            filled = fill(library, quick=quick, progress=progress)
            probes = make_probes(library, count, SEED)
            asyncio.run(_measure(library, probes[: max(1, count // 10)], progress))  # what is read once is read by now
            runs: list[Latencies] = []
            for repetition in range(1, repetitions + 1):
                progress.step(f"retrieval: repetition {repetition} of {repetitions}")
                runs.append(asyncio.run(_measure(library, probes, progress)))
            beside = list(baseline_figures(_texts(library), [probe.query for probe in probes], TOP_K, progress))
            on_mariadb = list(_read_on_mariadb(library, probes, folder / "mariadb", repetitions, notes, progress))
        groups = [_group(filled, count, [*latency_figures(runs), *on_mariadb], beside)]
        if not quick:
            large = large_group(folder / "large", LargeSize(), progress)
            if isinstance(large, str):
                notes.append(large)
            else:
                groups.append(large)
    return report("retrieval", groups, notes, quick=quick)


def _read_on_mariadb(
    library: BenchLibrary,
    probes: Sequence[Probe],
    folder: Path,
    repetitions: int,
    notes: list[str],
    progress: Progress,
) -> Iterator[Figure]:
    missing = missing_parts()
    if missing:
        notes.append(f"Reading from MariaDB was skipped: {', '.join(missing)} not installed.")
        return
    with gateway_on_mariadb(library, folder, progress) as gateway:
        papers = list(library.papers())
        asyncio.run(_measure_reading(gateway, papers, probes[: max(1, len(probes) // 10)]))
        runs = [asyncio.run(_measure_reading(gateway, papers, probes)) for _ in range(repetitions)]
    name = f"exact read of {READ_TOGETHER} from MariaDB"
    yield figure(f"{name} p50", "ms", [1000 * percentile(run, 0.5) for run in runs])
    yield figure(f"{name} p95", "ms", [1000 * percentile(run, 0.95) for run in runs], READ_P95_MARIADB_MS)


async def _measure_reading(
    gateway: LocalCorpusGateway, papers: Sequence[str], probes: Sequence[Probe]
) -> tuple[float, ...]:
    """Seconds that each reading took by the wall clock: the server works in a process of its own."""
    spent: list[float] = []
    for probe in probes:
        with Stopwatch() as watch:
            await gateway.read_locations(_reading(papers, probe))
        spent.append(watch.span.wall)
    return tuple(spent)


def _reading(papers: Sequence[str], probe: Probe) -> LocationReadRequest:
    return LocationReadRequest(user_id=READER, scope_paper_ids=list(papers), location_refs=list(probe.location_refs))


def _texts(library: BenchLibrary) -> dict[str, str]:
    """The texts of all locations by reference."""
    versions = sorted(model.model_version for model in library.store.models.current(library.papers()).values())
    return {
        record.location.ref: record.location.text
        for record in library.store.locations.of_models(versions, SEARCHABLE_KINDS)
    }


def make_probes(library: BenchLibrary, count: int, seed: int) -> list[Probe]:
    """Queries from the words of random locations, and random references to read; the same for the same library."""
    versions = sorted(model.model_version for model in library.store.models.current(library.papers()).values())
    records = list(library.store.locations.of_models(versions, SEARCHABLE_KINDS))
    titles = {record.paper_id: record.metadata.title or "" for record in library.store.papers.get()}
    random = Random(seed)  # noqa: S311 - reproducible queries are what it is for
    probes: list[Probe] = []
    for _ in range(count):
        origin = random.choice(records)
        query = query_from(origin.location.text, random)
        together = tuple(record.location.ref for record in random.sample(records, READ_TOGETHER))
        probes.append(Probe(query, titles[origin.paper_id], together))
    return probes


async def _measure(library: BenchLibrary, probes: Sequence[Probe], progress: Progress) -> Latencies:
    papers = list(library.papers())
    versions = tuple(sorted(model.model_version for model in library.store.models.current(papers).values()))
    engine: list[Span] = []
    search: list[Span] = []
    read: list[Span] = []
    for probe in progress.over(probes, len(probes), "queries"):
        query = _engine_query(probe.query, versions)
        wanted = LocationSearchRequest(
            user_id=READER, scope_paper_ids=papers, paper_ids=papers, query_text=probe.query, top_k=TOP_K
        )
        reading = _reading(papers, probe)
        with Stopwatch() as watch:
            library.locations.search(query)
        engine.append(watch.span)
        with Stopwatch() as watch:
            await library.gateway.search_locations(wanted)
        search.append(watch.span)
        with Stopwatch() as watch:
            await library.gateway.read_locations(reading)
        read.append(watch.span)
    return Latencies(tuple(engine), tuple(search), tuple(read))


def _engine_query(text: str, versions: tuple[str, ...]) -> SparseQuery:
    vector = encode_query(text)
    assert vector is not None, "every probe has words to search for"
    return SparseQuery(vector=vector, model_versions=versions, limit=TOP_K, corpus=versions)


def _group(filled: Filled, queries: int, ours: Sequence[Figure], baselines: Sequence[Figure]) -> FigureGroup:
    indexing = figure(
        "indexing, locations/s a core",
        "/s",
        [1 / seconds for seconds in filled.seconds_a_location],
        LOCATIONS_PER_SECOND,
    )
    return FigureGroup(f"{filled}, {queries} queries", (*ours, indexing, *baselines))


def latency_figures(runs: Sequence[Latencies]) -> list[Figure]:
    """The figures of some repetitions of the same probes."""

    def of(taken: Callable[[Latencies], Sequence[Span]], share: float, clock: Callable[[Span], float]) -> list[float]:
        return [1000 * percentile([clock(span) for span in taken(run)], share) for run in runs]

    def engine(run: Latencies) -> Sequence[Span]:
        return run.engine

    def search(run: Latencies) -> Sequence[Span]:
        return run.search

    def read(run: Latencies) -> Sequence[Span]:
        return run.read

    search_cpu, engine_cpu = of(search, 0.5, processor), of(engine, 0.5, processor)
    return [
        figure("search p50", "ms", of(search, 0.5, wall), SEARCH_P50_MS),
        figure("search p95", "ms", of(search, 0.95, wall), SEARCH_P95_MS),
        figure("search p50, processor time", "ms", search_cpu, SEARCH_P50_MS),
        figure("search p95, processor time", "ms", of(search, 0.95, processor), SEARCH_P95_MS),
        figure("search / engine query, p50 of processor time", "x", ratios(search_cpu, engine_cpu), TIMES_ENGINE),
        figure("engine query p50, processor time", "ms", engine_cpu),
        figure(f"exact read of {READ_TOGETHER} p50", "ms", of(read, 0.5, wall)),
        figure(f"exact read of {READ_TOGETHER} p95", "ms", of(read, 0.95, wall), READ_P95_MS),
        figure(f"exact read of {READ_TOGETHER} p95, processor time", "ms", of(read, 0.95, processor), READ_P95_MS),
    ]

"""`rank-bm25` and `bm25s` on the texts and queries of the benchmark: their speed beside ours, in the same process."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence

from evals.bench.figures import Figure, figure, percentile
from evals.bench.progress import Progress
from evals.retrieval.controls import RankedUnits, bm25s_as_it_comes, rank_bm25

BASELINES: tuple[Callable[[Mapping[str, str]], RankedUnits], ...] = (bm25s_as_it_comes, rank_bm25)


def baseline_figures(
    texts: Mapping[str, str], queries: Sequence[str], depth: int, progress: Progress
) -> Iterator[Figure]:
    """Locations indexed a second, and time a query, in processor time of one core. Raises EvaluationPackageMissing.

    Both hold all texts in memory and know neither rights nor scopes nor previews; they rank everything they hold.
    """
    for build in BASELINES:
        begun = time.process_time()
        ranked = build(texts)
        indexed = len(texts) / (time.process_time() - begun)
        spent: list[float] = []
        for query in progress.over(queries, len(queries), f"queries to {ranked.name}"):
            begun = time.process_time()
            ranked.ranking(query, depth)
            spent.append(1000 * (time.process_time() - begun))
        yield figure(f"{ranked.name}: query p50, processor time", "ms", [percentile(spent, 0.5)])
        yield figure(f"{ranked.name}: query p95, processor time", "ms", [percentile(spent, 0.95)])
        yield figure(f"{ranked.name}: indexing, locations/s a core", "/s", [indexed])

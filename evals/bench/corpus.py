"""The library that retrieval and harness are measured on: papers from `synthetic`, stored and made searchable."""

from __future__ import annotations

import time
from dataclasses import dataclass

from evals.bench.library import BenchLibrary, save_document
from evals.bench.progress import Progress
from evals.bench.synthetic import synthetic_papers

SEED = 20
PAPERS = 76
PARAGRAPHS = 132
QUICK_PAPERS = 4
QUICK_PARAGRAPHS = 12


@dataclass(frozen=True, slots=True)
class Filled:
    """A filled library: its papers, searchable locations, and the seconds that indexing one paper took, by location."""

    papers: int
    locations: int
    seconds_a_location: tuple[float, ...]

    def __str__(self) -> str:
        return f"{self.papers} synthetic papers, {self.locations:,} locations"


def fill(library: BenchLibrary, *, quick: bool, progress: Progress) -> Filled:
    """Put the synthetic papers into an empty library; each is stored, indexed and current, points merged."""
    count, paragraphs = (QUICK_PAPERS, QUICK_PARAGRAPHS) if quick else (PAPERS, PARAGRAPHS)
    locations = 0
    seconds: list[float] = []
    documents = synthetic_papers(count, paragraphs=paragraphs, seed=SEED)
    for number, document in enumerate(progress.over(documents, count, "papers stored and indexed")):
        model = save_document(library, document, f"synthetic-{number:03}.pdf")
        before = time.process_time()
        indexed = library.indexer.index_model(model.paper_id, model.model_version)
        seconds.append((time.process_time() - before) / indexed)
        locations += indexed
    library.locations.optimize()  # as `paperledger add` does in the end
    return Filled(count, locations, tuple(seconds))

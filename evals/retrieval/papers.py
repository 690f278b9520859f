"""Real papers in a temporary library, added and searched as a user's are."""

from __future__ import annotations

import asyncio
import tempfile
import unicodedata
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from corpus_gateway.wire import LocationSearchRequest
from evals.bench.library import READER, BenchLibrary, open_library
from evals.errors import EvaluationDataMalformed, EvaluationDataMissing
from reading_model.ingestion import ingest
from reading_model.models import SEARCHABLE_KINDS


@dataclass(frozen=True, slots=True)
class Unit:
    """A place of a paper; `paper` is the name that the evaluation gives it."""

    ref: str
    paper: str
    page: int
    page_end: int
    text: str

    def holds(self, paper: str, quote: str, page: int | None = None) -> bool:
        """Whether this is that paper's and the quotation stands in it, compared by letters and digits alone."""
        on_page = page is None or self.page <= page <= self.page_end
        return self.paper == paper and on_page and letters_of(quote) in letters_of(self.text)


@dataclass(frozen=True, slots=True)
class SearchedPapers:
    """An open library of papers; all of them are the scope of every search."""

    library: BenchLibrary
    names: Mapping[str, str]
    units: Mapping[str, Unit]

    def find(self, query: str, top_k: int) -> list[Unit]:
        """What the location tool of a run is given for a query, best first; `top_k` is at most 20."""
        papers = list(self.library.papers())
        request = LocationSearchRequest(
            user_id=READER, scope_paper_ids=papers, paper_ids=papers, query_text=query, top_k=top_k
        )
        result = asyncio.run(self.library.gateway.search_locations(request))
        return [self.units[place.location_ref] for place in result.locations]


@contextmanager
def searched_papers(files: Mapping[str, Path]) -> Generator[SearchedPapers]:
    """Add files, each under a name, to a temporary library.

    Raises EvaluationDataMissing, EvaluationDataMalformed for a file that cannot be added.
    """
    for file in files.values():
        if not file.exists():
            raise EvaluationDataMissing(file, why="the queries are about this paper")
    with tempfile.TemporaryDirectory(prefix="paperledger-eval-") as folder, open_library(Path(folder)) as library:
        names = _add(library, files)
        yield SearchedPapers(library, names, _units(library, names))


def letters_of(text: str) -> str:
    """The letters and digits of a text, in compatible form and small."""
    return "".join(sign for sign in unicodedata.normalize("NFKC", text).casefold() if sign.isalnum())


def _add(library: BenchLibrary, files: Mapping[str, Path]) -> dict[str, str]:
    names = {file.resolve(): name for name, file in files.items()}
    added: dict[str, str] = {}
    for outcome in ingest(
        list(names), store=library.store, objects=library.objects, on_ready=library.indexer.index_model
    ):
        if outcome.failure is not None or outcome.paper_id is None:
            problem = outcome.failure.message if outcome.failure is not None else "it was not added"
            raise EvaluationDataMalformed(outcome.path, "as a whole", problem)
        added[outcome.paper_id] = names[outcome.path]
        library.store.access.grant(READER, outcome.paper_id, outcome.path.name)
    return added


def _units(library: BenchLibrary, names: Mapping[str, str]) -> dict[str, Unit]:
    current = library.store.models.current(list(names))
    versions: Sequence[str] = sorted(model.model_version for model in current.values())
    return {
        record.location.ref: Unit(
            record.location.ref,
            names[record.paper_id],
            record.location.page,
            record.location.page_end,
            record.location.text,
        )
        for record in library.store.locations.of_models(versions, SEARCHABLE_KINDS)
    }

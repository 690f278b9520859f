"""The same papers on a private MariaDB server, so that exact reading is measured there too."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from corpus_gateway.local import LocalCorpusGateway
from evals.bench.library import READER, BenchLibrary
from evals.bench.progress import Progress
from evals.mariadb import start
from index.papers import PaperRetrieval
from index.retrieval import LocationRetrieval
from reading_model.store import NewPaper, ReadingStore, open_store, upgrade_schema


@contextmanager
def gateway_on_mariadb(library: BenchLibrary, folder: Path, progress: Progress) -> Generator[LocalCorpusGateway]:
    """A gateway over a copy of the library's rows on a server of our own, and over the library's points.

    The server's data lie below `folder` and are deleted when the context ends. Raises RuntimeError when the server does
    not start.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with start(folder) as server:
        url = server.new_database()
        upgrade_schema(url)
        store = open_store(url)
        try:
            _copy(library, store, progress)
            yield LocalCorpusGateway(
                store,
                LocationRetrieval(store, library.locations, library.contract),
                PaperRetrieval(store, library.cards, library.contract),
                contract=library.contract.text(),
            )
        finally:
            store.close()


def _copy(library: BenchLibrary, store: ReadingStore, progress: Progress) -> None:
    papers = library.store.papers.get()
    for record in progress.over(papers, len(papers), "papers copied to MariaDB"):
        assert record.model_version is not None, "every paper of the library is indexed"
        model = library.store.models.load(record.paper_id, record.model_version)
        store.papers.add(NewPaper(record.paper_id, model.source_sha256, record.filename, 1, f"pdf/{record.paper_id}"))
        store.access.grant(READER, record.paper_id, record.filename)
        store.models.save(model)
        store.models.activate(
            record.paper_id,
            record.model_version,
            contract=library.contract.text(),
            point_count=record.searchable_count,
        )

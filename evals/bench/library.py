"""A library of the embedded default in a folder, as the command line opens one, for measurements."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from corpus_gateway.local import LocalCorpusGateway
from index.contract import IndexContract
from index.embedded import EmbeddedQdrant
from index.indexer import Indexer, active_contract
from index.papers import PaperRetrieval
from index.retrieval import LocationRetrieval
from reading_model.artifacts import pack
from reading_model.builder import build_reading_model
from reading_model.documents import ParsedDocument
from reading_model.identity import paper_id_of
from reading_model.models import ReadingModel
from reading_model.objects import LocalObjects
from reading_model.store import NewPaper, ReadingStore, open_store, schema_revision, upgrade_schema

READER = "bench"
"""The user whose library the papers are in."""


@dataclass(frozen=True, slots=True)
class BenchLibrary:
    """The open parts of a library."""

    store: ReadingStore
    objects: LocalObjects
    locations: EmbeddedQdrant
    cards: EmbeddedQdrant
    indexer: Indexer
    contract: IndexContract
    gateway: LocalCorpusGateway

    def papers(self) -> tuple[str, ...]:
        """The ids of all papers that the reader may see."""
        return tuple(self.store.access.accessible(READER))


@contextmanager
def open_library(folder: Path) -> Generator[BenchLibrary]:
    """Open the library in `folder`, or make one there."""
    folder.mkdir(parents=True, exist_ok=True)
    url = f"sqlite:///{folder / 'library.sqlite3'}"
    if schema_revision(url).current is None:
        upgrade_schema(url)
    with ExitStack() as stack:
        store = open_store(url)
        stack.callback(store.close)
        locations = EmbeddedQdrant(folder / "index" / "locations")
        stack.callback(locations.close)
        cards = EmbeddedQdrant(folder / "index" / "papers")
        stack.callback(cards.close)
        contract = active_contract(store)
        yield BenchLibrary(
            store=store,
            objects=LocalObjects(folder / "objects"),
            locations=locations,
            cards=cards,
            indexer=Indexer(store, locations, cards, contract),
            contract=contract,
            gateway=LocalCorpusGateway(
                store,
                locations=LocationRetrieval(store, locations, contract),
                papers=PaperRetrieval(store, cards, contract),
                contract=contract.text(),
            ),
        )


def save_document(library: BenchLibrary, document: ParsedDocument, filename: str) -> ReadingModel:
    """Store the model of a document in the reader's library; it is not searchable yet."""
    paper_id = paper_id_of(document.source_sha256)
    artifact = pack(document)
    model = build_reading_model(document, paper_id=paper_id, artifact_sha256=artifact.sha256)
    library.store.papers.add(
        NewPaper(paper_id, document.source_sha256, filename, len(artifact.data), f"pdf/{document.source_sha256}.pdf")
    )
    library.store.access.grant(READER, paper_id, filename)
    library.store.models.save(model)
    return model

"""The suite's papers in a real installation."""

from __future__ import annotations

from pathlib import Path

from corpus_gateway.memory import MemoryPaper
from corpus_gateway.protocol import CorpusGateway
from reading_model.store import NewPaper
from tests.contract.seed import PAPERS
from tests.contract.small_models import metadata_of, model_of
from tests.corpus_gateway.installation import Installation, installation


def make_template(folder: Path) -> Path:
    """A closed installation that holds the suite's papers."""
    with installation(folder) as parts:
        corpus = LocalCorpus(parts)
        for paper in PAPERS:
            corpus.put(paper)
    return folder


class LocalCorpus:
    """A `CorpusUnderTest`: papers are put into the store and indexed, rights are rows."""

    def __init__(self, parts: Installation) -> None:
        self._parts = parts

    @property
    def gateway(self) -> CorpusGateway:
        return self._parts.gateway

    def put(self, paper: MemoryPaper) -> None:
        store = self._parts.store
        filename = paper.filename or f"{paper.paper_id}.pdf"
        store.papers.add(NewPaper(paper.paper_id, "0" * 64, filename, 1, f"pdf/{paper.paper_id}.pdf"))
        model = model_of(paper)
        store.models.save(model)
        if paper.searchable:
            self._parts.indexer.index_model(paper.paper_id, model.model_version)
        else:
            store.papers.set_metadata(paper.paper_id, metadata_of(paper))
        self.share(paper.paper_id, paper.owner)
        if paper.published:
            self.publish(paper.paper_id)

    def share(self, paper_id: str, user_id: str) -> None:
        (record,) = self._parts.store.papers.get([paper_id])
        self._parts.store.access.grant(user_id, paper_id, record.filename)

    def withdraw(self, paper_id: str, user_id: str) -> None:
        self._parts.store.access.revoke(user_id, paper_id)

    def publish(self, paper_id: str) -> None:
        self._parts.store.access.publish(paper_id, "root")

    def unpublish(self, paper_id: str) -> None:
        self._parts.store.access.unpublish(paper_id)

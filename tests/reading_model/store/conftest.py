from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from reading_model.builder import build_reading_model
from reading_model.models import ReadingModel
from reading_model.store import NewPaper, ReadingStore, open_store
from tests.reading_model.sample_documents import paper


@pytest.fixture
def store(store_url: str) -> Iterator[ReadingStore]:
    opened = open_store(store_url)
    yield opened
    opened.close()


@pytest.fixture
def add(store: ReadingStore) -> Callable[[str], None]:
    """Add a paper of this id."""

    def add_paper(paper_id: str) -> None:
        store.papers.add(NewPaper(paper_id, "f" * 64, f"{paper_id}.pdf", 1234, f"pdf/{paper_id}.pdf"))

    return add_paper


def model_of(paper_id: str, artifact: str = "a") -> ReadingModel:
    """The sample paper as a model of this paper; another artifact makes another version."""
    return build_reading_model(paper(), paper_id=paper_id, artifact_sha256=artifact * 64)

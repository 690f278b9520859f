"""How many statements a call sends: as many for one paper or place as for many, on both databases."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import event

from corpus_gateway.local import LocalCorpusGateway
from corpus_gateway.memory import MemoryLocation, MemoryPaper
from index.embedded import EmbeddedQdrant
from index.indexer import Indexer, active_contract
from index.papers import PaperRetrieval
from index.retrieval import LocationRetrieval
from reading_model.store import NewPaper, ReadingStore, open_store
from tests.contract import calls
from tests.contract.seed import ALICE
from tests.contract.small_models import model_of

PAPERS = [f"p-{number}" for number in range(9)]


@pytest.fixture
def store(store_url: str) -> Iterator[ReadingStore]:
    opened = open_store(store_url)
    yield opened
    opened.close()


@pytest.fixture
def gateway(store: ReadingStore, tmp_path: Path) -> Iterator[LocalCorpusGateway]:
    locations, cards = EmbeddedQdrant(tmp_path / "locations"), EmbeddedQdrant(tmp_path / "cards")
    contract = active_contract(store)
    indexer = Indexer(store, locations, cards, contract)
    for paper_id in PAPERS:
        texts = [f"Gulls of {paper_id} at {hour} o'clock.\n\nTerns were not counted." for hour in range(4)]
        paper = MemoryPaper(paper_id, owner=ALICE, locations=[MemoryLocation(text=text) for text in texts])
        model = model_of(paper)
        store.papers.add(NewPaper(paper_id, "0" * 64, f"{paper_id}.pdf", 1, f"pdf/{paper_id}.pdf"))
        store.models.save(model)
        indexer.index_model(paper_id, model.model_version)
        store.access.grant(ALICE, paper_id, f"{paper_id}.pdf")
    yield LocalCorpusGateway(
        store,
        LocationRetrieval(store, locations, contract),
        PaperRetrieval(store, cards, contract),
        contract=contract.text(),
    )
    locations.close()
    cards.close()


@contextmanager
def selects(store: ReadingStore) -> Generator[list[str]]:
    """The queries that are sent meanwhile."""
    sent: list[str] = []

    def note(*sent_with: object) -> None:
        statement = str(sent_with[2])
        if statement.startswith("SELECT"):
            sent.append(statement)

    event.listen(store.engine, "before_cursor_execute", note)
    yield sent
    event.remove(store.engine, "before_cursor_execute", note)


@pytest.mark.parametrize("papers", [1, 9])
async def test_a_search_asks_for_rights_and_for_texts(
    gateway: LocalCorpusGateway, store: ReadingStore, papers: int
) -> None:
    scope = PAPERS[:papers]
    with selects(store) as sent:
        hits = await calls.locations(gateway, "gulls at clock", scope=scope, paper_ids=scope, top_k=4)
    assert len(hits.locations) == 4
    assert len(sent) == 2


@pytest.mark.parametrize("places", [1, 3, 9])
async def test_reading_asks_for_places_rights_and_elements(
    gateway: LocalCorpusGateway, store: ReadingStore, places: int
) -> None:
    refs = [await calls.ref_of(gateway, paper_id, "gulls", user=ALICE) for paper_id in PAPERS[:places]]
    with selects(store) as sent:
        result = await calls.read(gateway, refs, scope=PAPERS)
    assert len(result.items) == places
    assert all(item.spans[0].boxes for item in result.items)
    assert len(sent) == 3

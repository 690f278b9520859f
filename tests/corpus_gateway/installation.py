"""A real installation in a folder: SQLite, embedded engine, objects, library and gateway."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from corpus_gateway.library import Library
from corpus_gateway.local import LocalCorpusGateway
from index.contract import IndexContract
from index.embedded import EmbeddedQdrant
from index.indexer import Indexer, active_contract
from index.papers import PaperRetrieval
from index.retrieval import LocationRetrieval
from reading_model.objects import LocalObjects
from reading_model.store import ReadingStore, open_store, upgrade_schema

_BLOCK = bytes(1 << 16)


def copy_installation(source: Path, target: Path) -> None:
    """Copy the folder of a closed installation; holes in files stay holes (the engine allocates 300 MB of them)."""
    shutil.copytree(source, target, copy_function=_copy_sparse)


def _copy_sparse(source: str, target: str) -> None:
    with Path(source).open("rb") as read, Path(target).open("wb") as write:
        while block := read.read(len(_BLOCK)):
            if block == _BLOCK[: len(block)]:
                write.seek(len(block), os.SEEK_CUR)
            else:
                write.write(block)
        write.truncate(read.tell())


@dataclass(frozen=True)
class Installation:
    store: ReadingStore
    objects: LocalObjects
    locations: EmbeddedQdrant
    cards: EmbeddedQdrant
    contract: IndexContract
    indexer: Indexer
    library: Library
    gateway: LocalCorpusGateway


@contextmanager
def installation(folder: Path) -> Iterator[Installation]:
    folder.mkdir(parents=True, exist_ok=True)
    url = f"sqlite:///{folder / 'library.sqlite3'}"
    upgrade_schema(url)
    store = open_store(url)
    locations = EmbeddedQdrant(folder / "locations")
    cards = EmbeddedQdrant(folder / "cards")
    try:
        contract = active_contract(store)
        objects = LocalObjects(folder / "objects")
        indexer = Indexer(store, locations, cards, contract)
        yield Installation(
            store=store,
            objects=objects,
            locations=locations,
            cards=cards,
            contract=contract,
            indexer=indexer,
            library=Library(store, objects, indexer, contract=contract.text),
            gateway=LocalCorpusGateway(
                store,
                LocationRetrieval(store, locations, contract),
                PaperRetrieval(store, cards, contract),
                contract=contract.text(),
            ),
        )
    finally:
        locations.close()
        cards.close()
        store.close()

"""The two processes that `kill_index` kills: one that serves and indexes, one that rebuilds.

`python -m tests.stress.index_processes serve|rebuild LIBRARY`; the one that serves answers a line for each line that it
reads: `ask`, `verify`, or `index PAPER VERSION`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from index.contract import IndexContract
from index.embedded import EmbeddedQdrant
from index.embedded_engine import EmbeddedEngine
from index.engine import IndexPoint
from index.rebuilding import IndexRebuild
from index.retrieval import LocationQuery, LocationRetrieval
from index.serving import OpenIndex, ServingIndex
from index.serving_indexer import ServingIndexer
from reading_model.store import ReadingStore, open_store

RULES = IndexContract.default()
QUERIES = ("windy harbour", "lantern", "measured between tide and lantern", "paper-0003 alone")


def url(library: Path) -> str:
    return f"sqlite:///{library / 'library.sqlite3'}"


def engine(library: Path) -> EmbeddedEngine:
    return EmbeddedEngine(library / "index")


@contextmanager
def serving(library: Path) -> Generator[tuple[ReadingStore, ServingIndex]]:
    """What a service opens when it starts."""
    store = open_store(url(library))
    opened = ServingIndex(store, engine(library), RULES.idf)
    ServingIndexer(opened).open_well()
    try:
        yield store, opened
    finally:
        opened.close()
        store.close()


def answers(store: ReadingStore, opened: ServingIndex) -> dict[str, object]:
    """Which index answers, and all that it answers to the queries."""

    def ask(index: OpenIndex) -> dict[str, object]:
        current = store.models.current([record.paper_id for record in store.papers.get()])
        contract = index.contract.text()
        searchable = {
            paper: model.model_version
            for paper, model in current.items()
            if model.index_contract == contract and model.index_status.answers
        }
        search = LocationRetrieval(store, index.locations, index.contract).search
        found = [search(LocationQuery(models=searchable, corpus=None, text=text, top_k=20)).hits for text in QUERIES]
        return {
            "generation": index.contract.generation,
            "papers": len(searchable),
            "hits": [[(hit.record.location.ref, hit.score) for hit in hits] for hits in found],
        }

    return opened.run(ask)


def serve(library: Path) -> None:
    written = EmbeddedQdrant.upsert

    def loud(self: EmbeddedQdrant, points: list[IndexPoint]) -> None:
        written(self, points)
        _say("wrote")

    EmbeddedQdrant.upsert = loud  # type: ignore[method-assign, assignment]
    with serving(library) as (store, opened):
        _say("open")
        for line in sys.stdin:
            what, *words = line.split()
            if what == "ask":
                _say(json.dumps(answers(store, opened)))
            elif what == "verify":
                _say(json.dumps(asdict(ServingIndexer(opened).verify())))
            else:
                ServingIndexer(opened).index_model(words[0], words[1])
                _say("done")


def rebuild(library: Path) -> None:
    store = open_store(url(library))
    _say("open")
    report = IndexRebuild(store, engine(library), RULES, lambda now: _say(f"{now.phase} {now.done}")).run()
    _say(json.dumps(asdict(report)))
    store.close()


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    {"serve": serve, "rebuild": rebuild}[sys.argv[1]](Path(sys.argv[2]))

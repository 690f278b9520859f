"""How the index stands, as far as it can be told: also beside the process that has it open, and under other rules."""

from __future__ import annotations

from collections import Counter

from index.contract import IndexContract
from index.engine import IndexEngine
from index.errors import ContractMalformed, ContractMismatch, IndexInUse
from index.indexer import Indexer, active_contract
from index.leftovers import leftovers
from index.reports import IndexState, IndexStatusReport, MeanLength
from index.serving import open_index
from reading_model.store import ACTIVE_CONTRACT, ReadingStore


def read_state(store: ReadingStore, engine: IndexEngine, *, idf: str) -> IndexState:
    """The state of a library's index; nothing is changed. Raises StoreError, IndexUnavailable."""
    counts: IndexStatusReport | None = None
    in_use = mismatch = None
    try:
        counts = _counts(store, engine, active_contract(store, idf=idf))
    except IndexInUse as error:
        in_use = str(error)
    except (ContractMismatch, ContractMalformed) as error:
        mismatch = str(error)
    records = store.papers.get()
    stored = store.control.get(ACTIVE_CONTRACT) or ""
    return IndexState(
        contract=stored,
        papers=dict(Counter(record.index_status for record in records)),
        expected_points=sum(
            record.searchable_count for record in records if record.model_version and record.index_status.answers
        ),
        mean_length=_mean_length(store, stored),
        counts=counts,
        in_use=in_use,
        mismatch=mismatch,
        rebuild=store.builds.running(),
        leftovers=leftovers(store, engine),
    )


def _counts(store: ReadingStore, engine: IndexEngine, contract: IndexContract) -> IndexStatusReport:
    index = open_index(engine, contract)
    try:
        return Indexer(store, index.locations, index.cards, contract).status()
    finally:
        index.close()


def _mean_length(store: ReadingStore, contract: str) -> MeanLength | None:
    try:
        frozen = IndexContract.parse(contract).avgdl
    except ContractMalformed:
        return None
    lengths = store.models.measured_lengths()
    points = sum(record.searchable_count for record in store.papers.get() if (record.model_version or "") in lengths)
    return MeanLength(frozen, sum(lengths.values()) / points if points else None)

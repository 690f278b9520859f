"""The life cycle of points: built beside the old ones, counted, and only then does the paper switch to them.

SQL is the truth. What the engine holds can be compared with it (`verify`), is checked when a library opens (`check`)
and can be made again from it (`repair`).
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice

from index.contract import SCOPED_IDF, IndexContract
from index.engine import SparseIndex
from index.errors import IndexOperationRunning, PointsIncomplete
from index.points import card_point, location_point
from index.reports import IndexStatusReport, StartReport, VerifyReport
from index.verification import compare
from reading_model.errors import StoreError
from reading_model.models import IndexStatus, LocationRecord, PaperRecord
from reading_model.store import ReadingStore

ACTIVE_CONTRACT = "active_contract"
"""The name under which the store keeps the contract that the library's points were made under."""

_BATCH = 100
_ERROR_LENGTH = 1000


def active_contract(store: ReadingStore, *, idf: str = SCOPED_IDF) -> IndexContract:
    """The contract a library works under; a new library starts with the default one.

    The mean length is the library's own, `idf` what the settings say, everything else is this release's. Raises
    ContractMismatch when the library was indexed under other rules, ContractMalformed when what is stored is no
    contract.
    """
    stored = store.control.get(ACTIVE_CONTRACT)
    if stored is None:
        contract = IndexContract.default(idf=idf)
        store.control.set(ACTIVE_CONTRACT, contract.text())
        return contract
    contract = IndexContract.default(avgdl=IndexContract.parse(stored).avgdl, idf=idf)
    contract.require(stored, where="this library")
    return contract


class Indexer:
    """Writes and removes the points of papers. One process owns the embedded engine, and one Indexer serves it.

    `contract` is that of the locations; the cards follow it.
    """

    def __init__(
        self, store: ReadingStore, locations: SparseIndex, cards: SparseIndex, contract: IndexContract
    ) -> None:
        self._store = store
        self._locations = locations
        self._cards = cards
        self._contract = contract
        self._card_contract = contract.for_cards()
        self._running: set[str] = set()
        self._running_lock = threading.Lock()

    def index_model(self, paper_id: str, model_version: str) -> int:
        """Make a model searchable and current; the number of its points.

        Points are written beside those of the model that serves now, and counted; then the model becomes current and
        READY in one transaction; then the older points go. When it fails the model is FAILED and the serving one stays.
        Raises StoreError for an unknown model, IndexOperationRunning, PointsIncomplete, IndexUnavailable.
        """
        with self._alone(model_version):
            serving = self._store.models.current([paper_id]).get(paper_id)
            again = serving is not None and serving.model_version == model_version
            building = IndexStatus.REBUILDING if again else IndexStatus.BUILDING
            # the engine's folder has one owner, so a state that this process did not set was left by a dead one
            if not self._store.models.set_index_status(model_version, building, expected=tuple(IndexStatus)):
                message = f"paper {paper_id} has no model {model_version}"
                raise StoreError(message)
            try:
                count = self._write(paper_id, model_version)
                self._store.models.activate(paper_id, model_version, contract=self._contract.text(), point_count=count)
            except Exception as error:
                reason = f"{type(error).__name__}: {error}"[:_ERROR_LENGTH]
                self._store.models.set_index_status(
                    model_version, IndexStatus.FAILED, expected=(building,), error=reason
                )
                raise
            older = [version for version in self._store.models.versions(paper_id) if version != model_version]
            self._locations.delete_models(older)
            return count

    def refresh_card(self, paper_id: str) -> None:
        """Write a paper's card again, after its metadata was changed."""
        self._write_cards(self._store.papers.get([paper_id]))

    def remove_paper(self, paper_id: str) -> None:
        """Delete the points of all models of a paper and its card; call it before the paper leaves the store."""
        self._locations.delete_models(self._store.models.versions(paper_id))
        self._cards.delete_models([paper_id])

    def check(self) -> StartReport:
        """Compare counts when a library opens, and put right what a killed process left.

        Papers whose points are not complete become PENDING (`repair` builds them), points of no current model are
        deleted, missing cards are written. Raises ContractMismatch when a serving paper was indexed under other rules.
        """
        papers = [record for record in self._store.papers.get() if record.model_version is not None]
        serving = [record for record in papers if record.index_status.answers]
        for record in serving:
            self._contract.require(record.index_contract or "no contract", where=f"paper {record.paper_id}")
        interrupted = [record for record in serving if record.index_status is IndexStatus.REBUILDING]
        expected = sum(record.searchable_count for record in serving)
        if not interrupted and self._locations.count() == expected and self._cards.count() == len(papers):
            return StartReport()
        return self._put_right(papers, serving)

    def repair(self) -> tuple[str, ...]:
        """Build the points of every paper that has a current model which is not READY; their ids."""
        waiting = [
            (record.paper_id, record.model_version)
            for record in self._store.papers.get()
            if record.model_version is not None and record.index_status is not IndexStatus.READY
        ]
        for paper_id, model_version in waiting:
            self.index_model(paper_id, model_version)
        return tuple(paper_id for paper_id, _ in waiting)

    def status(self) -> IndexStatusReport:
        """How many papers are in which state, and how many points there are and should be."""
        records = self._store.papers.get()
        answering = [record for record in records if record.index_status.answers and record.model_version]
        return IndexStatusReport(
            contract=self._contract.text(),
            papers=dict(Counter(record.index_status for record in records)),
            expected_points=sum(record.searchable_count for record in answering),
            points=self._locations.count(),
            cards=self._cards.count(),
        )

    def verify(self) -> VerifyReport:
        """Compare SQL and points one by one, locations and cards; changes nothing."""
        return compare(self._store, self._locations, self._cards, self._contract)

    def _write(self, paper_id: str, model_version: str) -> int:
        metadata = self._store.models.metadata(paper_id, model_version)
        count = 0
        for batch in _batches(self._store.locations.of_models([model_version])):
            self._locations.upsert([location_point(record, metadata.title, self._contract) for record in batch])
            count += len(batch)
        found = self._locations.count(model_version)
        if found != count:
            message = f"{count} points of {model_version} were written, the engine counts {found}"
            raise PointsIncomplete(message)
        filename = self._store.papers.get([paper_id])[0].filename
        self._cards.upsert([card_point(paper_id, filename, metadata, self._card_contract)])
        return count

    def _write_cards(self, records: Sequence[PaperRecord]) -> None:
        self._cards.upsert(
            [
                card_point(record.paper_id, record.filename, record.metadata, self._card_contract)
                for record in records
                if record.model_version is not None
            ]
        )

    def _put_right(self, papers: Sequence[PaperRecord], serving: Sequence[PaperRecord]) -> StartReport:
        tally = Counter(payload.model_version for _, payload in self._locations.scroll())
        incomplete = [
            (record.paper_id, record.model_version or "")
            for record in serving
            if tally[record.model_version or ""] != record.searchable_count
            or record.index_status is IndexStatus.REBUILDING
        ]
        for _, model_version in incomplete:
            self._store.models.set_index_status(
                model_version,
                IndexStatus.PENDING,
                expected=tuple(status for status in IndexStatus if status.answers),
                error="the points found at start were not complete",
            )
        orphans = sorted(tally.keys() - {record.model_version for record in papers})
        self._locations.delete_models(orphans)
        held = {payload.paper_id for _, payload in self._cards.scroll()}
        self._cards.delete_models(sorted(held - {record.paper_id for record in papers}))
        self._write_cards([record for record in papers if record.paper_id not in held])
        return StartReport(
            incomplete_papers=tuple(paper_id for paper_id, _ in incomplete), removed_models=tuple(orphans)
        )

    @contextmanager
    def _alone(self, model_version: str) -> Generator[None]:
        with self._running_lock:
            if model_version in self._running:
                message = f"the points of {model_version} are being built already"
                raise IndexOperationRunning(message)
            self._running.add(model_version)
        try:
            yield
        finally:
            with self._running_lock:
                self._running.discard(model_version)


def _batches(records: Iterator[LocationRecord]) -> Iterator[list[LocationRecord]]:
    while batch := list(islice(records, _BATCH)):
        yield batch

"""The life cycle of points: built beside the old ones, counted, and only then does the paper switch to them.

SQL is the truth. What the engine holds can be compared with it (`verify`), is checked when a library opens (`check`)
and can be made again from it (`repair`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice

from index.contract import SCOPED_IDF, IndexContract
from index.engine import SparseIndex
from index.errors import IndexingError, IndexOperationRunning, PointsIncomplete
from index.owner import LEASE_SECONDS, Heartbeat, new_owner
from index.points import card_point, measured_point
from index.reports import IndexStatusReport, StartReport, VerifyReport
from index.verification import compare
from reading_model.errors import LeaseLost
from reading_model.models import IndexStatus, LocationRecord, PaperRecord
from reading_model.store import ACTIVE_CONTRACT, Lease, ReadingStore

_BATCH = 100
_ERROR_LENGTH = 1000


def active_contract(store: ReadingStore, *, idf: str = SCOPED_IDF) -> IndexContract:
    """The contract a library works under; a new library starts with the default one.

    Mean length and collection are the library's own, `idf` what the settings say, everything else is this release's.
    Raises ContractMismatch when the library was indexed under other rules, ContractMalformed when what is stored is no
    contract.
    """
    stored = store.control.get(ACTIVE_CONTRACT)
    if stored is None:
        # of several that open a new library at once, all work under the contract of the first
        stored = store.control.get_or_set(ACTIVE_CONTRACT, IndexContract.default(idf=idf).text())
    known = IndexContract.parse(stored)
    contract = IndexContract.default(avgdl=known.avgdl, idf=idf)
    if known.names_generation:
        contract = replace(contract, collection=known.collection)
    contract.require(stored, where="this library")
    return contract


class Indexer:
    """Writes and removes the points of papers, each paper under a lease, which other processes respect.

    `contract` is that of the locations; the cards follow it. `owner` is the name under which leases are taken.
    """

    def __init__(
        self,
        store: ReadingStore,
        locations: SparseIndex,
        cards: SparseIndex,
        contract: IndexContract,
        *,
        owner: str | None = None,
    ) -> None:
        self._store = store
        self._locations = locations
        self._cards = cards
        self._contract = contract
        self._card_contract = contract.for_cards()
        self._owner = owner or new_owner()

    def index_model(self, paper_id: str, model_version: str) -> int:
        """Make a model searchable and current; the number of its points.

        Points are written beside those of the model that serves now, and counted; then the model becomes current and
        READY in one transaction; then the older points go. When it fails the model is FAILED and the serving one stays.
        Raises StoreError for an unknown model, IndexOperationRunning while somebody else builds it, LeaseLost when
        somebody took it over, ContractChanged when the whole index was rebuilt meanwhile, PointsIncomplete,
        IndexUnavailable.
        """
        lease = self._store.leases.claim(model_version, self._owner, seconds=LEASE_SECONDS)
        if lease is None:
            message = f"the points of {model_version} are being built already"
            raise IndexOperationRunning(message)
        try:
            count, length = self._write(paper_id, lease)
            demoted = self._store.models.activate(
                paper_id,
                model_version,
                contract=self._contract.text(),
                point_count=count,
                lease=lease,
                length=length,
            )
        except LeaseLost:
            raise  # the points are those of the new owner
        except BaseException as error:
            self._give_back(lease, error)
            raise
        # and no other version's: somebody may be building or have activated a newer one by now
        self._locations.delete_models(demoted)
        return count

    def refresh_card(self, paper_id: str) -> None:
        """Write a paper's card again, after its metadata was changed."""
        self._write_cards(self._store.papers.get([paper_id]))

    def remove_points(self, paper_id: str, model_versions: Sequence[str]) -> None:
        """Delete the points of these models and the card of their paper."""
        self._locations.delete_models(model_versions)
        self._cards.delete_models([paper_id])

    def check(self) -> StartReport:
        """Compare counts when a library opens, and put right what a killed process left.

        Papers whose points are not complete become PENDING (`repair` builds them), points of no current model are
        deleted, missing cards are written. What somebody with a running lease builds is left alone. Raises
        ContractMismatch when a serving paper was indexed under other rules.
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
        """Build the points of current models that wait for it and that nobody builds now; the ids of their papers.

        What FAILED is not tried again on its own.
        """
        under_way = self._store.leases.under_way()
        waiting = [
            (record.paper_id, record.model_version)
            for record in self._store.papers.get()
            if record.model_version is not None
            and record.index_status not in {IndexStatus.READY, IndexStatus.FAILED}
            and record.model_version not in under_way
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

    def verify(self, *, leftovers: Sequence[str] = ()) -> VerifyReport:
        """Compare SQL and points one by one, locations and cards; changes nothing.

        Points of models that somebody builds now are not compared; their papers count as unfinished where they have
        answered before. `leftovers` are reported as they are.
        """
        papers = [record for record in self._store.papers.get() if record.model_version is not None]
        unready = {
            record.model_version or "": record.paper_id
            for record in papers
            if record.index_status is not IndexStatus.READY
        }
        # the first models of papers, which nobody misses yet
        coming = {version: "" for version in self._store.leases.under_way() if version not in unready}
        report = compare(
            self._store, papers, self._locations, self._cards, self._contract, unfinished={**coming, **unready}
        )
        return replace(report, unfinished=tuple(name for name in report.unfinished if name), leftovers=tuple(leftovers))

    def put_right(self, report: VerifyReport) -> None:
        """Build the papers again and remove the points that a comparison named."""
        self._locations.delete_models(report.models_to_remove)
        self._cards.delete_models(report.models_to_remove)
        for paper_id, model in self._store.models.current(report.papers_to_build).items():
            self.index_model(paper_id, model.model_version)

    def _write(self, paper_id: str, lease: Lease) -> tuple[int, float]:
        """Write the points of a model and the card of its paper; how many points, and their length in words."""
        version = lease.model_version
        beat = Heartbeat(
            lambda: self._store.leases.extend(lease, seconds=LEASE_SECONDS),
            every=LEASE_SECONDS / 4,
        )
        metadata = self._store.models.metadata(paper_id, version)
        count, length = write_locations(self._store, self._locations, version, metadata.title, self._contract, beat)
        filename = self._store.papers.get([paper_id])[0].filename
        self._cards.upsert([card_point(paper_id, filename, metadata, self._card_contract)])
        return count, length

    def _give_back(self, lease: Lease, error: BaseException) -> None:
        """FAILED, and no points of a model that does not serve."""
        reason = f"{type(error).__name__}: {error}"[:_ERROR_LENGTH]
        with suppress(LeaseLost):
            if lease.status is IndexStatus.BUILDING:
                # under the lease, so that they are not the points of whoever claims the model next
                self._store.leases.extend(lease, seconds=LEASE_SECONDS)
                # an engine that cannot delete them either keeps them until the next start, which finds them
                with suppress(IndexingError):
                    self._locations.delete_models([lease.model_version])
            self._store.leases.fail(lease, reason)

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
        held = {payload.paper_id for _, payload in self._cards.scroll()}
        # read in this order, a model that became current meanwhile is seen as under way or as current, never as neither
        under_way = self._store.leases.under_way()
        known = self._store.papers.get()
        current = {record.paper_id: record.model_version for record in known if record.model_version is not None}
        incomplete = [
            (record.paper_id, record.model_version or "")
            for record in serving
            if record.model_version not in under_way
            and (
                tally[record.model_version or ""] != record.searchable_count
                or record.index_status is IndexStatus.REBUILDING
            )
        ]
        for _, model_version in incomplete:
            self._store.models.set_index_status(
                model_version,
                IndexStatus.PENDING,
                expected=tuple(status for status in IndexStatus if status.answers),
                error="the points found at start were not complete",
            )
        orphans = sorted(tally.keys() - set(current.values()) - under_way.keys())
        self._locations.delete_models(orphans)
        # a paper whose first model somebody builds has its card already
        coming = {record.paper_id for record in known} if under_way else set[str]()
        self._cards.delete_models(sorted(held - current.keys() - coming))
        self._write_cards([record for record in papers if record.paper_id not in held])
        return StartReport(
            incomplete_papers=tuple(paper_id for paper_id, _ in incomplete), removed_models=tuple(orphans)
        )


def write_locations(
    store: ReadingStore,
    locations: SparseIndex,
    model_version: str,
    title: str | None,
    contract: IndexContract,
    beat: Callable[[], None],
) -> tuple[int, float]:
    """Write the points of a model and count them; how many there are, and their length in weighted words.

    `beat` is called before each batch and may raise. Raises PointsIncomplete, IndexUnavailable.
    """
    count, length = 0, 0.0
    for batch in _batches(store.locations.of_models([model_version])):
        beat()
        measured = [measured_point(record, title, contract) for record in batch]
        locations.upsert([point for point, _ in measured])
        count += len(batch)
        length += sum(words for _, words in measured)
    found = locations.count(model_version)
    if found != count:
        message = f"{count} points of {model_version} were written, the engine counts {found}"
        raise PointsIncomplete(message)
    return count, length


def _batches(records: Iterator[LocationRecord]) -> Iterator[list[LocationRecord]]:
    while batch := list(islice(records, _BATCH)):
        yield batch

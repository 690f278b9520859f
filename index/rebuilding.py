"""A full rebuild: a second index is built beside the one that serves, verified, and put into force at one stroke.

It needs the store and nothing of the old index, so it is also the way out of an index of other rules. It runs in a
process of its own. What happens to papers meanwhile is caught up with at the end: the switch is a transaction that
looks at every paper and goes through only when the new index holds exactly these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from index.contract import DEFAULT_AVGDL, IndexContract
from index.engine import CARDS, LOCATIONS, IndexEngine, Optimizing, PointPayload
from index.errors import ContractMalformed, IndexInUse, PointsIncomplete, RebuildRunning
from index.indexer import write_locations
from index.leftovers import remove_leftovers
from index.owner import BUILD_LEASE_SECONDS, Heartbeat, new_owner
from index.points import card_payload, card_point, measured_point
from index.reports import RebuildProgress, RebuildReport
from index.serving import OpenIndex, collection_names
from index.verification import compare
from reading_model.errors import StoreError
from reading_model.models import PaperRecord
from reading_model.store import ACTIVE_CONTRACT, IndexBuild, ReadingStore
from reading_model.store.builds import BuildLease

_ROUNDS = 20


@dataclass(frozen=True, slots=True)
class _Image:
    """What the points of a paper were made from, apart from the model's own texts, which never change."""

    model_version: str
    title: str | None
    card_sha256: str


@dataclass(slots=True)
class IndexRebuild:
    """One full rebuild of a library's index. `rules` is this release's contract; its mean length is measured here.

    `on_progress` is called after each paper, while lengths are measured (`phase` "measuring") and while points are
    written ("building").
    """

    store: ReadingStore
    engine: IndexEngine
    rules: IndexContract
    on_progress: Callable[[RebuildProgress], None] = lambda _: None
    owner: str = field(default_factory=new_owner)
    _built: dict[str, _Image] = field(default_factory=dict[str, _Image], init=False)
    _lengths: dict[str, float] = field(default_factory=dict[str, float], init=False)

    def run(self, *, afresh: bool = False) -> RebuildReport:
        """Build, verify and switch; a build that was interrupted is gone on with, unless `afresh`.

        When it is interrupted the old index goes on serving and the papers that are done are kept. Raises
        RebuildRunning, LeaseLost when another process took it over, PointsIncomplete, IndexUnavailable, StoreError.
        """
        lease, contract, index = self._begin(afresh=afresh)
        try:
            resumed = self._take_stock(index)
            beat = self._heartbeat(lease)
            self._build(index, beat)
            if isinstance(index.locations, Optimizing):
                beat()
                index.locations.optimize()
            self._switch(lease, index, beat)
        except BaseException:
            with suppress(StoreError):
                self.store.builds.pause(lease)
            raise
        finally:
            index.close()
        for alias, name in zip((LOCATIONS, CARDS), collection_names(contract.generation), strict=True):
            self.engine.switch(alias, name)
        return RebuildReport(
            contract=contract.text(),
            papers=len(self._built),
            resumed=resumed,
            avgdl=contract.avgdl,
            removed=remove_leftovers(self.store, self.engine),
        )

    def _begin(self, *, afresh: bool) -> tuple[BuildLease, IndexContract, OpenIndex]:
        running = self.store.builds.running()
        if running is not None:
            contract = self._resumable(running)
            if contract is not None and not afresh:
                return self._resume(running, contract)
            self._drop(running)
        contract = self.rules.of_generation(self._next_generation(), avgdl=self._mean_length())
        lease = self.store.builds.start(
            contract.collection,
            contract.text(),
            self.owner,
            papers=len(self._papers()),
            seconds=BUILD_LEASE_SECONDS,
        )
        if lease is None:
            raise _running(self.store.builds.running())
        try:
            return lease, contract, self._open(contract)
        except BaseException:
            with suppress(StoreError):
                self.store.builds.pause(lease)
            raise

    def _resume(self, running: IndexBuild, contract: IndexContract) -> tuple[BuildLease, IndexContract, OpenIndex]:
        index = self._open(contract)
        lease = self._take_over(running)
        if lease is None:
            index.close()
            raise _running(running)
        return lease, contract, index

    def _drop(self, running: IndexBuild) -> None:
        """Give up a build of other rules; nobody may be at it."""
        contract = self._resumable(running, by_any_rules=True)
        if contract is not None and self.engine.sole_owner:
            self._open(contract).close()
        lease = self._take_over(running)
        if lease is None:
            raise _running(running)
        self.store.builds.drop(lease, "given up for another build")
        remove_leftovers(self.store, self.engine)

    def _take_over(self, running: IndexBuild) -> BuildLease | None:
        return self.store.builds.take_over(
            running.collection, self.owner, seconds=BUILD_LEASE_SECONDS, alone=self.engine.sole_owner
        )

    def _resumable(self, running: IndexBuild, *, by_any_rules: bool = False) -> IndexContract | None:
        try:
            contract = IndexContract.parse(running.contract)
        except ContractMalformed:
            return None
        return contract if by_any_rules or contract.same_rules(self.rules) else None

    def _open(self, contract: IndexContract) -> OpenIndex:
        names = collection_names(contract.generation)
        try:
            locations = self.engine.create(names[0], contract)
            try:
                return OpenIndex(contract, locations, self.engine.create(names[1], contract.for_cards()))
            except BaseException:
                locations.close()
                raise
        except IndexInUse as error:
            message = f"the index is being rebuilt by process {error.pid}"
            raise RebuildRunning(message) from error

    def _next_generation(self) -> int:
        """One that no collection has, so that points of two builds never meet."""
        named = [*self.engine.names(), *self.store.builds.collections(), _collection_in_force(self.store)]
        numbers = [int(name.rpartition("_")[2]) for name in named if name.rpartition("_")[2].isdecimal()]
        return max([1, *numbers]) + 1

    def _mean_length(self) -> float:
        """The mean length of the indexed texts in weighted words, as the rules count them.

        Lengths that were counted by the same rules when the points were written are taken as they are.
        """
        known = self.store.models.measured_lengths() if self._same_rules_in_force() else {}
        papers = self._papers()
        for number, record in enumerate(papers, 1):
            version = record.model_version or ""
            if version in known:
                self._lengths[version] = known[version]
            else:
                self._lengths[version] = self._measured(record)
                self.on_progress(RebuildProgress("measuring", number, len(papers)))
        points = sum(record.searchable_count for record in papers)
        return round(sum(self._lengths.values()) / points, 3) or DEFAULT_AVGDL if points else DEFAULT_AVGDL

    def _same_rules_in_force(self) -> bool:
        in_force = self.store.control.get(ACTIVE_CONTRACT)
        try:
            return in_force is not None and IndexContract.parse(in_force).same_rules(self.rules)
        except ContractMalformed:
            return False

    def _measured(self, record: PaperRecord) -> float:
        locations = self.store.locations.of_models([record.model_version or ""])
        return sum(measured_point(location, record.metadata.title, self.rules)[1] for location in locations)

    def _papers(self) -> list[PaperRecord]:
        return [record for record in self.store.papers.get() if record.model_version is not None]

    def _take_stock(self, index: OpenIndex) -> int:
        """Papers that an interrupted build has done: all their points, and a card of what is known of them now."""
        tally = Counter(payload.model_version for _, payload in index.locations.scroll())
        cards = {payload.paper_id: payload for _, payload in index.cards.scroll()}
        known = self.store.models.measured_lengths() if self._same_rules_in_force() else {}
        for record in self._papers():
            version = record.model_version or ""
            card = _card(record, index)
            if cards.get(record.paper_id) == card and tally[version] == record.searchable_count:
                self._built[record.paper_id] = _image(record, card)
                if version not in self._lengths:
                    self._lengths[version] = known[version] if version in known else self._measured(record)
        done = {image.model_version for image in self._built.values()}
        index.locations.delete_models(sorted(tally.keys() - done))
        index.cards.delete_models(sorted(cards.keys() - self._built.keys()))
        return len(self._built)

    def _build(self, index: OpenIndex, beat: Callable[[], None]) -> None:
        """Build until the new index holds point by point what the store says."""
        for _ in range(_ROUNDS):
            papers = self._papers()
            self._catch_up(papers, index, beat)
            report = compare(self.store, papers, index.locations, index.cards, index.contract)
            if report.clean:
                return
            # papers that came or went while they were compared are no fault
            if self._is_complete(index, self._papers()):
                break
        message = "the new index does not hold what was written into it"
        raise PointsIncomplete(message)

    def _switch(self, lease: BuildLease, index: OpenIndex, beat: Callable[[], None]) -> None:
        contract = index.contract.text()
        while not self.store.builds.switch(
            lease,
            contract,
            is_complete=lambda records: self._is_complete(index, records),
            lengths={image.model_version: self._lengths[image.model_version] for image in self._built.values()},
        ):
            self._catch_up(self._papers(), index, beat)

    def _catch_up(self, papers: Sequence[PaperRecord], index: OpenIndex, beat: Callable[[], None]) -> None:
        """Make the new index hold these papers and no others."""
        gone = self._built.keys() - {record.paper_id for record in papers}
        index.locations.delete_models([self._built.pop(paper_id).model_version for paper_id in sorted(gone)])
        index.cards.delete_models(sorted(gone))
        for record in papers:
            image = _image(record, _card(record, index))
            before = self._built.get(record.paper_id)
            if before == image:
                continue
            beat()
            if before is not None:
                index.locations.delete_models([before.model_version])
            version = image.model_version
            _, self._lengths[version] = write_locations(
                self.store, index.locations, version, image.title, index.contract, beat
            )
            card = card_point(record.paper_id, record.filename, record.metadata, index.contract.for_cards())
            index.cards.upsert([card])
            self._built[record.paper_id] = image
            self.on_progress(RebuildProgress("building", len(self._built), len(papers)))

    def _is_complete(self, index: OpenIndex, records: Iterable[PaperRecord]) -> bool:
        return self._built == {
            record.paper_id: _image(record, _card(record, index))
            for record in records
            if record.model_version is not None
        }

    def _heartbeat(self, lease: BuildLease) -> Callable[[], None]:
        def tell() -> None:
            self.store.builds.progress(
                lease, done=len(self._built), papers=len(self._papers()), seconds=BUILD_LEASE_SECONDS
            )

        tell()
        return Heartbeat(tell, every=1.0)


def _image(record: PaperRecord, card: PointPayload) -> _Image:
    return _Image(record.model_version or "", record.metadata.title, card.text_sha256)


def _card(record: PaperRecord, index: OpenIndex) -> PointPayload:
    return card_payload(record.paper_id, record.filename, record.metadata, index.contract.for_cards())


def _collection_in_force(store: ReadingStore) -> str:
    try:
        return IndexContract.parse(store.control.get(ACTIVE_CONTRACT) or "").collection
    except ContractMalformed:
        return ""


def _running(build: IndexBuild | None) -> RebuildRunning:
    owner = build.owner if build is not None else None
    return RebuildRunning(f"the index is being rebuilt by {owner or 'another process'}")

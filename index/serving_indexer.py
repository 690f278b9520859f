"""The points of papers in the index in force, whichever that is while they are written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from index.engine import Optimizing
from index.indexer import Indexer
from index.leftovers import removable_leftovers, remove_leftovers
from index.owner import new_owner
from index.reports import IndexStatusReport, StartReport, VerifyReport
from index.serving import OpenIndex, ServingIndex

Result = TypeVar("Result")


class ServingIndexer:
    """`Indexer` over a `ServingIndex`: what was written into an index that is no longer in force is written again."""

    def __init__(self, serving: ServingIndex) -> None:
        self._serving = serving
        self._owner = new_owner()

    def index_model(self, paper_id: str, model_version: str) -> int:
        """Make a model searchable and current; the number of its points. Raises as `Indexer.index_model` does."""
        return self._run(lambda indexer: indexer.index_model(paper_id, model_version))

    def refresh_card(self, paper_id: str) -> None:
        """Write a paper's card again, after its metadata was changed."""
        self._run(lambda indexer: indexer.refresh_card(paper_id))

    def remove_points(self, paper_id: str, model_versions: Sequence[str]) -> None:
        """Delete the points of these models and the card of their paper."""
        self._run(lambda indexer: indexer.remove_points(paper_id, model_versions))

    def open_well(self) -> StartReport:
        """Put right what a killed process left, as a start does: counts, unfinished papers, leftover collections."""
        remove_leftovers(self._serving.store, self._serving.engine)
        report = self._run(lambda indexer: indexer.check())
        self._run(lambda indexer: indexer.repair())
        return report

    def settle(self) -> None:
        """Merge what was written, where that makes searches faster and the index smaller in memory.

        It blocks searches, for about a second a 10,000 points: call it after many papers, when nobody waits.
        """
        with self._serving.use() as index:
            for collection in (index.locations, index.cards):
                if isinstance(collection, Optimizing):
                    collection.optimize()

    def status(self) -> IndexStatusReport:
        """How many papers are in which state, and how many points there are and should be."""
        return self._run(lambda indexer: indexer.status())

    def verify(self) -> VerifyReport:
        """Compare SQL and points one by one, and name collections that nothing needs or has open; changes nothing."""
        left = removable_leftovers(self._serving.store, self._serving.engine)
        return self._run(lambda indexer: indexer.verify(leftovers=left))

    def put_right(self, report: VerifyReport) -> None:
        """Build, delete and remove what a comparison named."""
        remove_leftovers(self._serving.store, self._serving.engine)
        self._run(lambda indexer: indexer.put_right(report))

    def _run(self, work: Callable[[Indexer], Result]) -> Result:
        def over(index: OpenIndex) -> Result:
            store = self._serving.store
            return work(Indexer(store, index.locations, index.cards, index.contract, owner=self._owner))

        return self._serving.run(over)

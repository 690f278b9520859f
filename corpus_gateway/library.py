"""The library: papers come in, are published, edited and removed. Synchronous; `cli` and the page call it.

A paper's data and points are shared by everyone who added the same bytes; a user's library holds the right to see it
and the name under which it was added.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Protocol

from corpus_gateway.errors import PaperNotReady
from corpus_gateway.failures import as_gateway_errors
from corpus_gateway.listing import LibraryPaper, PaperListing, not_found
from corpus_gateway.scope import is_searchable
from reading_model.errors import PaperNotFound
from reading_model.files import stored_name
from reading_model.ingestion import Given, IngestOutcome, ingest
from reading_model.models import PaperMetadata, with_given
from reading_model.objects import ObjectStore
from reading_model.pruning import Pruned, prune
from reading_model.reparsing import ReparseOutcome, rebuild, reparse
from reading_model.store import ReadingStore

QUIET = timedelta(hours=1)
"""For how long a model has not served before it may be removed while the library is read."""


class PointBuilder(Protocol):
    """What the library asks of the index; `index.serving_indexer.ServingIndexer` does it."""

    def index_model(self, paper_id: str, model_version: str) -> int:
        """Build the points of a stored model, make it current, and return how many there are."""
        ...

    def refresh_card(self, paper_id: str) -> None:
        """Write what paper search knows of a paper again, after its metadata changed."""
        ...

    def remove_points(self, paper_id: str, model_versions: Sequence[str]) -> None:
        """Delete the points of these models and what paper search knows of their paper."""
        ...


AddOutcome = IngestOutcome
"""What became of one file, for one user. `ready`: the paper is new to the user's library, or was completed, and can be
searched. `skipped`: it was there already. `failed`: see `failure`; where `paper_id` is set, the library lists it."""


@dataclass(frozen=True, slots=True)
class Removal:
    """`deleted` tells whether the paper's data are gone too, because nobody else holds it."""

    paper_id: str
    deleted: bool


class Library(PaperListing):
    """The papers of an installation, to be listed and changed. Threads may share one.

    `contract` tells the text of the index contract in force.
    """

    def __init__(
        self, store: ReadingStore, objects: ObjectStore, points: PointBuilder, *, contract: Callable[[], str]
    ) -> None:
        super().__init__(store, contract=contract)
        self._objects = objects
        self._points = points
        self._changing = threading.RLock()

    def add(
        self,
        files: Iterable[Path],
        user_id: str,
        *,
        jobs: int = 1,
        parser: str = "pdfium",
        password: str | None = None,
        given: Given | None = None,
    ) -> Iterator[AddOutcome]:
        """Take files into a user's library; one outcome a file, as they finish (`discover` finds files in folders).

        The same bytes make one paper, whoever adds them; a paper that an earlier run left half-way is completed.
        `given` says what a person knows of a file (`Bibliography.given`); it wins over what the parser finds.
        Raises `GatewayError` when store or index fail; what was yielded before is kept.
        """

        def take_in(paths: Iterable[Path]) -> Iterator[IngestOutcome]:
            return ingest(
                paths,
                store=self._store,
                objects=self._objects,
                on_ready=self._make_searchable,
                jobs=jobs,
                parser=parser,
                password=password,
                given=given,
            )

        with as_gateway_errors():
            for outcome in take_in(files):
                try:
                    yield self._settle(outcome, user_id, given)
                except PaperNotFound:
                    # its last holder removed it in between, so there is something to take in after all
                    for again in take_in([outcome.path]):
                        yield self._settle(again, user_id, given)

    def reparse(
        self, paper_ids: Iterable[str], *, jobs: int = 1, parser: str = "pdfium", password: str | None = None
    ) -> Iterator[ReparseOutcome]:
        """Parse the kept files of papers again; each paper's old model serves until its new one is searchable.

        A paper that this version of the parser made is left alone, so a run that was stopped can be started again.
        Raises `GatewayError` when store or index fail; what was yielded before is kept.
        """
        with as_gateway_errors():
            yield from reparse(
                paper_ids,
                store=self._store,
                objects=self._objects,
                on_ready=self._make_searchable,
                jobs=jobs,
                parser=parser,
                password=password,
            )

    def rebuild(self, paper_ids: Iterable[str], *, parser: str | None = None) -> Iterator[ReparseOutcome]:
        """The same from the kept artifacts, without parsing; `parser` names whose (None: that of the current model)."""
        with as_gateway_errors():
            yield from rebuild(
                paper_ids,
                store=self._store,
                objects=self._objects,
                on_ready=self._make_searchable,
                parser=parser,
            )

    def prune(self, paper_ids: Iterable[str], *, quiet: timedelta = QUIET) -> Iterator[Pruned]:
        """Remove models that have not served for the time `quiet`, with their artifacts.

        References to them read as missing, as they have since another model became current. The time must be longer
        than a call that reads; it can be nothing where nobody else has the library open.
        """
        for paper_id in paper_ids:
            with as_gateway_errors(), self._changing:
                yield prune(paper_id, store=self._store, objects=self._objects, quiet_since=datetime.now(UTC) - quiet)

    def remove(self, user_id: str, paper_id: str, *, keep_objects: bool = False) -> Removal:
        """Take a paper out of a user's library; when nobody else holds it and it is not published, its data go too.

        Raises PaperNotFound for a paper that is not in the user's library.
        """
        with as_gateway_errors(), self._changing:
            holders = self._store.access.holders(paper_id)
            if user_id not in holders:
                raise not_found(paper_id)
            return self._let_go(
                paper_id,
                lambda: self._store.access.revoke(user_id, paper_id),
                is_last=holders == [user_id] and not self._store.access.is_published(paper_id),
                keep_objects=keep_objects,
            )

    def publish(self, paper_id: str, *, by: str) -> None:
        """Show a paper to everyone. Raises PaperNotFound, and PaperNotReady unless it is searchable."""
        with as_gateway_errors():
            if not self._store.papers.get([paper_id]):
                raise not_found(paper_id)
            if not self.searchable([paper_id])[paper_id]:
                message = f"paper {paper_id} is not searchable, so it cannot be published"
                raise PaperNotReady(message)
            self._store.access.publish(paper_id, by)

    def unpublish(self, paper_id: str, *, keep_objects: bool = False) -> Removal:
        """Show a paper only to those who hold it; when nobody does, its data go. Raises PaperNotFound."""
        with as_gateway_errors(), self._changing:
            if not self._store.access.is_published(paper_id):
                raise not_found(paper_id)
            return self._let_go(
                paper_id,
                lambda: self._store.access.unpublish(paper_id),
                is_last=not self._store.access.holders(paper_id),
                keep_objects=keep_objects,
            )

    def edit(self, user_id: str, paper_id: str, fields: Mapping[str, object]) -> LibraryPaper:
        """Set bibliographic fields by hand (names as in PaperMetadata); they win over what a parser finds.

        None clears a field. Raises PaperNotFound for a paper that is not in the user's own library, TypeError for a
        field that there is not.
        """
        with as_gateway_errors():
            if self._store.access.filename(user_id, paper_id) is None:
                raise not_found(paper_id)
            known = self._store.papers.get([paper_id])[0].metadata
            with self._changing:
                self._set_metadata(paper_id, with_given(known, fields))
            return self.shown(user_id, [paper_id])[0]

    def _make_searchable(self, paper_id: str, model_version: str) -> bool:
        """Build a model's points unless they are there; two uploads of the same bytes come here one after the other."""
        with self._changing:
            current = self._store.models.current([paper_id]).get(paper_id)
            if current and current.model_version == model_version and is_searchable(current, self._contract()):
                return False
            self._points.index_model(paper_id, model_version)
            return True

    def _settle(self, outcome: IngestOutcome, user_id: str, given: Given | None) -> AddOutcome:
        paper_id = outcome.paper_id
        if paper_id is None:
            return outcome
        with self._changing:
            is_new = self._store.access.grant(user_id, paper_id, stored_name(outcome.path))
        if outcome.status == "skipped" and given is not None:
            outcome = self._take_given(outcome, paper_id, given)
        if outcome.status == "skipped" and (self._complete(paper_id) or is_new):
            return replace(outcome, status="ready")
        return outcome

    def _take_given(self, outcome: IngestOutcome, paper_id: str, given: Given) -> IngestOutcome:
        """Keep what a person says of a paper that is there already."""
        (record,) = self._store.papers.get([paper_id])
        fields = given(outcome.path, record.metadata)
        if not fields:
            return outcome
        known = with_given(record.metadata, fields)
        with self._changing:
            self._set_metadata(paper_id, known)
        return replace(outcome, title=known.title or outcome.title)

    def _set_metadata(self, paper_id: str, known: PaperMetadata) -> None:
        """Keep it, and let searches know: the title is part of every indexed text, the rest of the paper's card."""
        if self._store.papers.set_metadata(paper_id, known):
            for model in self._store.models.current([paper_id]).values():
                self._points.index_model(paper_id, model.model_version)
        else:
            self._points.refresh_card(paper_id)

    def _complete(self, paper_id: str) -> bool:
        current = self._store.models.current([paper_id]).get(paper_id)
        return current is not None and self._make_searchable(paper_id, current.model_version)

    def _let_go(self, paper_id: str, give_up: Callable[[], object], *, is_last: bool, keep_objects: bool) -> Removal:
        """Give up one hold on a paper, and with the last one its data.

        Points go first: when the index does not answer, the hold is still there and the call can be repeated.
        """
        if not is_last:
            give_up()
            return Removal(paper_id, deleted=False)
        keys = [] if keep_objects else self._store.papers.own_object_keys(paper_id)
        versions = self._store.models.versions(paper_id)
        self._points.remove_points(paper_id, versions)
        give_up()
        if not self._store.papers.delete_unheld(paper_id):
            self._build_again(paper_id)
            return Removal(paper_id, deleted=False)
        # an index that was put into force in between was built while the store still had the paper
        self._points.remove_points(paper_id, versions)
        for key in keys:
            self._objects.delete(key)
        return Removal(paper_id, deleted=True)

    def _build_again(self, paper_id: str) -> None:
        """Another process took the paper up while its points went: give them back."""
        for model in self._store.models.current([paper_id]).values():
            self._points.index_model(paper_id, model.model_version)

"""Ingestion: from PDF files to papers that can be searched, each all or nothing.

Every step can be repeated: objects and models are named by their content, and a paper counts as added only when its
model is current, which happens last. So a run that was killed leaves papers that are complete, absent, or done again by
the next run. At most one document a worker is in memory.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from reading_model.discovery import discover
from reading_model.errors import DamagedPdf, NoText, ParseError, ReadingModelError, ValueNotStorable
from reading_model.files import stored_name
from reading_model.identity import paper_id_of
from reading_model.keeping import keep_artifact
from reading_model.models import Failure, IndexStatus, PaperMetadata, with_given
from reading_model.objects import ObjectStore
from reading_model.parsing import PARSERS, ParseLimits, ParserPool
from reading_model.parsing.sources import Source, read_source
from reading_model.preparing import Prepared
from reading_model.store import NewPaper, ReadingStore
from reading_model.store.rows import ModelRows

__all__ = ["Given", "IngestOutcome", "discover", "ingest"]

Given = Callable[[Path, PaperMetadata], Mapping[str, object]]
"""What a person says of a file of which a parser found these facts: fields of PaperMetadata, which win."""

_SERVING = frozenset({IndexStatus.READY, IndexStatus.REBUILDING})


@dataclass(frozen=True, slots=True)
class IngestOutcome:
    """What became of a file. `skipped`: the library has the paper already. `failure` is set when it failed.

    `paper_id` is None where a file failed that is no paper of the library. `seconds` run from when it was taken up.
    """

    path: Path
    paper_id: str | None
    status: Literal["ready", "skipped", "failed"]
    failure: Failure | None = None
    pages: int = 0
    seconds: float = 0.0
    title: str | None = None


def ingest(
    paths: Iterable[Path],
    *,
    store: ReadingStore,
    objects: ObjectStore,
    on_ready: Callable[[str, str], object],
    jobs: int = 1,
    parser: str = "pdfium",
    password: str | None = None,
    limits: ParseLimits = ParseLimits(),  # noqa: B008 - a frozen value
    parsers: Mapping[str, str] = PARSERS,
    given: Given | None = None,
) -> Iterator[IngestOutcome]:
    """Add files, yielding an outcome for each as it is done, in no fixed order.

    `on_ready(paper_id, model_version)` makes a stored model searchable and current (the indexer); what it raises ends
    the run, as does a database that does not answer. What is wrong with one file fails that file alone. `parsers` is
    the table of parsers by name. `given` is asked for each new paper before it becomes searchable.
    """
    run = _Run(store, objects, on_ready, parser, limits, given)
    waiting = iter(paths)
    with ParserPool(jobs, parser=parser, limits=limits, parsers=parsers) as pool:
        while (first := next(run.to_parse(waiting), None)) is not None:
            yield from run.drain()
            rest = run.to_parse(waiting)
            for path, parsed in pool.imap_prepared(_chained(first, rest), password=password):
                yield from run.finish(path, parsed)
                yield from run.drain()
    yield from run.drain()


def _chained(first: Path, rest: Iterator[Path]) -> Iterator[Path]:
    yield first
    yield from rest


@dataclass(slots=True)
class _Started:
    """A file that is being parsed, and the other files of the run with the same bytes."""

    sha256: str
    since: float
    twins: list[Path] = field(default_factory=list[Path])


class _Run:
    """One run: where its papers go, what is being parsed, and the outcomes known without parsing."""

    def __init__(
        self,
        store: ReadingStore,
        objects: ObjectStore,
        on_ready: Callable[[str, str], object],
        parser: str,
        limits: ParseLimits,
        given: Given | None,
    ) -> None:
        self._store = store
        self._objects = objects
        self._on_ready = on_ready
        self._parser = parser
        self._limits = limits
        self._given = given
        self._started: dict[Path, _Started] = {}
        self._by_hash: dict[str, _Started] = {}
        self._known: deque[IngestOutcome] = deque()

    def drain(self) -> Iterator[IngestOutcome]:
        """Outcomes of files that needed no parsing."""
        while self._known:
            yield self._known.popleft()

    def to_parse(self, paths: Iterator[Path]) -> Iterator[Path]:
        """The files that must be parsed; what is known at once of the others goes to `drain`."""
        for path in paths:
            since = time.monotonic()
            try:
                sha256 = read_source(path, self._parser, self._limits.max_bytes).sha256
            except (OSError, ParseError) as error:
                self._known.append(_failed(path, None, error, since))
                continue
            twin = self._by_hash.get(sha256)
            if twin is not None:
                twin.twins.append(path)
            elif (title := self._title_if_added(paper_id_of(sha256))) is not None:
                self._known.append(_skipped(path, paper_id_of(sha256), title, since))
            else:
                started = _Started(sha256, since)
                self._started[path] = started
                self._by_hash[sha256] = started
                yield path

    def finish(self, path: Path, parsed: Prepared | ReadingModelError) -> Iterator[IngestOutcome]:
        """Keep what was parsed; the outcome of the file and of those with the same bytes."""
        started = self._started.pop(path)
        outcome = self._outcome(path, parsed, started)
        del self._by_hash[started.sha256]
        yield outcome
        for twin in started.twins:
            if outcome.status == "failed":
                yield IngestOutcome(twin, outcome.paper_id, "failed", outcome.failure, outcome.pages)
            else:
                yield IngestOutcome(twin, outcome.paper_id, "skipped", None, outcome.pages, 0.0, outcome.title)

    def _outcome(self, path: Path, parsed: Prepared | ReadingModelError, started: _Started) -> IngestOutcome:
        paper_id = paper_id_of(started.sha256)
        if isinstance(parsed, ReadingModelError):
            return self._parse_failed(path, paper_id, parsed, started)
        try:
            source = read_source(path, self._parser, self._limits.max_bytes)
        except (OSError, ParseError) as error:
            return _failed(path, None, error, started.since)
        if not source.sha256 == parsed.source_sha256 == started.sha256:
            return _failed(path, None, _changed(path), started.since)
        return self._keep(path, parsed, source, started)

    def _parse_failed(self, path: Path, paper_id: str, error: ReadingModelError, started: _Started) -> IngestOutcome:
        # only a run that was stopped, or an earlier parser, left the paper behind
        is_known = bool(self._store.papers.get([paper_id]))
        if is_known:
            self._store.papers.fail(paper_id, Failure(error.code, str(error)))
        return _failed(path, paper_id if is_known else None, error, started.since)

    def _keep(self, path: Path, prepared: Prepared, source: Source, started: _Started) -> IngestOutcome:
        if prepared.model is None:
            return self._no_text(path, prepared, source, started)
        try:
            self._keep_file(path, prepared, source)
            given = self._take_given(path, prepared.paper_id, prepared.model.metadata)
            self._store.models.save_rows(prepared.model)
        except ValueNotStorable as error:
            return self._not_storable(path, prepared, error, started)
        return self._serve(path, prepared.model, given.title or prepared.model.metadata.title, started)

    def _no_text(self, path: Path, prepared: Prepared, source: Source, started: _Started) -> IngestOutcome:
        paper_id, pages = prepared.paper_id, prepared.page_count
        self._keep_file(path, prepared, source)
        self._take_given(path, paper_id, PaperMetadata())
        error = NoText(prepared.no_text)
        failure = Failure(error.code, str(error))
        self._store.papers.fail(paper_id, failure, page_count=pages, diagnostics=prepared.diagnostics)
        return _failed(path, paper_id, error, started.since, pages)

    def _not_storable(
        self, path: Path, prepared: Prepared, error: ValueNotStorable, started: _Started
    ) -> IngestOutcome:
        paper_id, pages = prepared.paper_id, prepared.page_count
        if not self._store.papers.get([paper_id]):
            return _failed(path, None, error, started.since, pages)
        self._store.papers.fail(paper_id, Failure(error.code, str(error)), page_count=pages)
        return _failed(path, paper_id, error, started.since, pages)

    def _keep_file(self, path: Path, prepared: Prepared, source: Source) -> None:
        # objects first: a row never points to bytes that are not there
        self._objects.put(source.key, source.kept)
        self._objects.put(prepared.artifact.key, prepared.artifact.data)
        name = stored_name(path)
        self._store.papers.add(NewPaper(prepared.paper_id, source.sha256, name, len(source.kept), source.key))
        keep_artifact(self._store, prepared)

    def _take_given(self, path: Path, paper_id: str, found: PaperMetadata) -> PaperMetadata:
        """Keep what a person says of the paper, before points are made of it; the facts that were given."""
        given: Mapping[str, object] = self._given(path, found) if self._given is not None else {}
        if given:
            (record,) = self._store.papers.get([paper_id])
            self._store.papers.set_metadata(paper_id, with_given(record.metadata, given))
        return with_given(PaperMetadata(), given)

    def _serve(self, path: Path, model: ModelRows, title: str | None, started: _Started) -> IngestOutcome:
        if self._title_if_added(model.paper_id) is not None:
            # another process added the same bytes while this one parsed them
            return _skipped(path, model.paper_id, title, started.since, model.page_count)
        self._on_ready(model.paper_id, model.model_version)
        seconds = time.monotonic() - started.since
        return IngestOutcome(path, model.paper_id, "ready", None, model.page_count, seconds, title)

    def _title_if_added(self, paper_id: str) -> str | None:
        """The paper's title, or its file name, when it serves already."""
        for record in self._store.papers.get([paper_id]):
            if record.model_version is not None and record.index_status in _SERVING:
                return record.metadata.title or record.filename
        return None


def _failed(
    path: Path, paper_id: str | None, error: ReadingModelError | OSError, since: float, pages: int = 0
) -> IngestOutcome:
    if isinstance(error, ReadingModelError):
        failure = Failure(error.code, str(error))
    elif isinstance(error, FileNotFoundError):
        failure = Failure("not_found", f"there is no file {stored_name(path)}")
    else:
        failure = Failure("unreadable", f"the file cannot be read: {error.strerror or error}")
    return IngestOutcome(path, paper_id, "failed", failure, pages, time.monotonic() - since)


def _skipped(path: Path, paper_id: str, title: str | None, since: float, pages: int = 0) -> IngestOutcome:
    return IngestOutcome(path, paper_id, "skipped", None, pages, time.monotonic() - since, title)


def _changed(path: Path) -> ParseError:
    return DamagedPdf(f"{stored_name(path)} changed while it was read", hint="Add the file when nothing writes to it.")

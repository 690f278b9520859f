"""A new model for papers that are there: parsed again from the kept file, or built again from the kept artifact.

The model that serves goes on serving until the new one is searchable, and whatever fails leaves it there. Papers are
done one by one; a run that was stopped goes on where it was when it is started again, because a paper that has its
model already is left alone.
"""

from __future__ import annotations

import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

from reading_model.artifacts import unpack
from reading_model.builder import build_reading_model
from reading_model.documents import Provenance
from reading_model.errors import (
    NoText,
    ObjectMissing,
    PaperNotFound,
    ParseError,
    ReadingModelError,
    ValueNotStorable,
)
from reading_model.keeping import keep_artifact, provenance_of, version_of
from reading_model.models import Failure, IndexStatus
from reading_model.objects import ObjectStore
from reading_model.parsing import PARSERS, ParseLimits, ParserPool
from reading_model.parsing.registry import declared_provenance
from reading_model.preparing import Prepared
from reading_model.store import Artifact, ReadingStore
from reading_model.store.rows import ModelRows, rows_of

_OF_ONE_PAPER = (NoText, ObjectMissing, PaperNotFound, ParseError, ValueNotStorable)
"""What is wrong with one paper; every other error ends the run."""


@dataclass(frozen=True, slots=True)
class ReparseOutcome:
    """What became of a paper. `unchanged`: this very model served already. `failed`: the old model, if any, serves on.

    `model_version` is the one that serves now.
    """

    paper_id: str
    status: Literal["ready", "unchanged", "failed"]
    model_version: str | None = None
    failure: Failure | None = None
    pages: int = 0
    seconds: float = 0.0


def reparse(
    paper_ids: Iterable[str],
    *,
    store: ReadingStore,
    objects: ObjectStore,
    on_ready: Callable[[str, str], object],
    jobs: int = 1,
    parser: str = "pdfium",
    password: str | None = None,
    limits: ParseLimits = ParseLimits(),  # noqa: B008 - a frozen value
    parsers: Mapping[str, str] = PARSERS,
) -> Iterator[ReparseOutcome]:
    """Parse the kept files of papers again, yielding an outcome for each, in no fixed order.

    A paper whose current model this parser made, in this version, is not parsed again. `on_ready` as in `ingest`.
    """
    run = _Run(store, objects, on_ready)
    declared = declared_provenance(parser, parsers)
    with (
        tempfile.TemporaryDirectory(prefix="paperledger-") as folder,
        ParserPool(jobs, parser=parser, limits=limits, parsers=parsers) as pool,
    ):
        waiting = iter(paper_ids)
        while (first := next(run.to_parse(waiting, declared, Path(folder)), None)) is not None:
            yield from run.drain()
            rest = run.to_parse(waiting, declared, Path(folder))
            for path, parsed in pool.imap_prepared(_chained(first, rest), password=password):
                yield run.finish(path, parsed)
                yield from run.drain()
    yield from run.drain()


def rebuild(
    paper_ids: Iterable[str],
    *,
    store: ReadingStore,
    objects: ObjectStore,
    on_ready: Callable[[str, str], object],
    parser: str | None = None,
) -> Iterator[ReparseOutcome]:
    """Build models again from kept artifacts, in the order of the papers: the newest one of `parser`.

    Without a name it is the newest one of the parser that made the current model.
    """
    run = _Run(store, objects, on_ready)
    for paper_id in paper_ids:
        yield run.rebuilt(paper_id, parser)


def _chained(first: Path, rest: Iterator[Path]) -> Iterator[Path]:
    yield first
    yield from rest


class _Run:
    """One run: what is being parsed, and the outcomes known without parsing."""

    def __init__(self, store: ReadingStore, objects: ObjectStore, on_ready: Callable[[str, str], object]) -> None:
        self._store = store
        self._objects = objects
        self._on_ready = on_ready
        self._started: dict[Path, tuple[str, float]] = {}
        self._known: deque[ReparseOutcome] = deque()

    def drain(self) -> Iterator[ReparseOutcome]:
        """Outcomes of papers that needed no parsing."""
        while self._known:
            yield self._known.popleft()

    def to_parse(self, paper_ids: Iterator[str], declared: Provenance | None, folder: Path) -> Iterator[Path]:
        """Files of the papers that must be parsed; what is known at once of the others goes to `drain`."""
        for paper_id in paper_ids:
            since = time.monotonic()
            if (served := self._made_by(paper_id, declared)) is not None:
                self._known.append(ReparseOutcome(paper_id, "unchanged", served))
                continue
            try:
                key = self._store.papers.object_key(paper_id)
                path = folder / f"{paper_id}{PurePosixPath(key).suffix}"
                path.write_bytes(self._objects.get(key))
            except (PaperNotFound, ObjectMissing) as error:
                self._known.append(self._failed(paper_id, error, since))
                continue
            self._started[path] = (paper_id, since)
            yield path

    def finish(self, path: Path, parsed: Prepared | ReadingModelError) -> ReparseOutcome:
        """Keep what was parsed and let it serve."""
        paper_id, since = self._started.pop(path)
        path.unlink()
        try:
            if isinstance(parsed, ReadingModelError):
                raise parsed
            if parsed.model is None:
                raise NoText(parsed.no_text)
            self._objects.put(parsed.artifact.key, parsed.artifact.data)
            keep_artifact(self._store, parsed)
            return self._serve(parsed.model, since)
        except _OF_ONE_PAPER as error:
            return self._failed(paper_id, error, since)

    def rebuilt(self, paper_id: str, parser: str | None) -> ReparseOutcome:
        """Build a paper's model from its artifact and let it serve."""
        since = time.monotonic()
        try:
            artifact = self._artifact(paper_id, parser)
            served = self._served(paper_id)
            if served == version_of(artifact):
                return ReparseOutcome(paper_id, "unchanged", served)
            document = unpack(self._objects.get(artifact.object_key))
            model = build_reading_model(document, paper_id=paper_id, artifact_sha256=artifact.sha256)
            return self._serve(rows_of(model), since)
        except _OF_ONE_PAPER as error:
            return self._failed(paper_id, error, since)

    def _artifact(self, paper_id: str, parser: str | None) -> Artifact:
        found = self._store.papers.artifacts(paper_id)
        if parser is None:
            current = self._store.models.current([paper_id]).get(paper_id)
            own = [item for item in found if current is not None and item.parser == current.parser]
            wanted = own or found
        else:
            wanted = [item for item in found if item.parser == parser]
        if not wanted:
            by = f" by the parser `{parser}`" if parser is not None else ""
            message = f"no artifact{by} is kept of paper {paper_id}"
            raise ObjectMissing(message)
        return wanted[-1]

    def _serve(self, model: ModelRows, since: float) -> ReparseOutcome:
        paper_id, version = model.paper_id, model.model_version
        if self._served(paper_id) == version:
            return ReparseOutcome(paper_id, "unchanged", version, None, model.page_count, time.monotonic() - since)
        self._store.models.save_rows(model)
        self._on_ready(paper_id, version)
        return ReparseOutcome(paper_id, "ready", version, None, model.page_count, time.monotonic() - since)

    def _made_by(self, paper_id: str, declared: Provenance | None) -> str | None:
        """The version of the model that serves, when it is what this parser yields for the file."""
        served = self._served(paper_id) if declared is not None else None
        if served is None:
            return None
        made = (item for item in self._store.papers.artifacts(paper_id) if provenance_of(item) == declared)
        return served if any(version_of(item) == served for item in made) else None

    def _served(self, paper_id: str) -> str | None:
        current = self._store.models.current([paper_id]).get(paper_id)
        return current.model_version if current is not None and current.index_status is IndexStatus.READY else None

    def _failed(self, paper_id: str, error: ReadingModelError, since: float) -> ReparseOutcome:
        failure = Failure(error.code, str(error))
        current = self._store.models.current([paper_id]).get(paper_id)
        served = None if current is None else current.model_version
        return ReparseOutcome(paper_id, "failed", served, failure, 0, time.monotonic() - since)

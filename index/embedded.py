"""The Qdrant engine in this process: one folder, one owner, one lock. The only module that knows `qdrant_edge`.

The engine validates nothing, holds the GIL and reports everything as a plain `Exception`; what the product relies on
is stated here. Its write-ahead log is what survives a killed process; what keeps a second process out is our own lock.
Default statistics go stale after deletes, so every search names the points over which IDF is counted.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# (the engine's type stubs leave payloads and conditions open)

from __future__ import annotations

import contextlib
import shutil
import threading
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import Any

import qdrant_edge as edge

from index.engine import (
    INTEGER_FIELDS,
    KEYWORD_FIELDS,
    VECTOR_NAME,
    IndexPoint,
    PointPayload,
    ScoredPoint,
    SparseQuery,
    SparseVector,
)
from index.errors import IndexInUse, IndexUnavailable
from index.folder_lock import FolderLock
from index.payloads import read_fields, stored_fields
from index.ranking import best_points

LEAST_FREE_BYTES = 64 << 20
"""An opened folder of a few papers takes 31 MB of what its sparse files promise."""

BATCH_SIZE = 100
"""Points of one write: a batch holds the interpreter for about 6 ms."""

_SCROLL_PAGE = 1000


class EmbeddedQdrant:
    """A `SparseIndex` in a folder; opens it, or makes it when it is empty or missing.

    Raises IndexInUse when another process, or this one, has the folder open already, and IndexUnavailable when the
    engine refuses it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.RLock()
        self._owned = FolderLock(folder)
        try:
            self._shard: edge.EdgeShard | None = self._open()
        except BaseException:
            self._owned.release()
            raise

    def upsert(self, points: Sequence[IndexPoint]) -> None:
        """Write points in batches; each batch is in the write-ahead log and searchable when it is done."""
        with self._engine() as shard:
            for start in range(0, len(points), BATCH_SIZE):
                batch = [_engine_point(point) for point in points[start : start + BATCH_SIZE]]
                shard.update(edge.UpdateOperation.upsert_points(batch))

    def delete_models(self, model_versions: Sequence[str]) -> None:
        """Delete every point of these model versions; an empty sequence deletes nothing."""
        if not model_versions:
            return
        with self._engine() as shard:
            shard.update(edge.UpdateOperation.delete_points_by_filter(_of_models(model_versions)))

    def count(self, model_version: str | None = None) -> int:
        """Exact number of points, of one model version or of the whole collection."""
        only = None if model_version is None else _of_models((model_version,))
        with self._engine() as shard:
            return shard.count(edge.CountRequest(filter=only, exact=True))

    def search(self, query: SparseQuery) -> list[ScoredPoint]:
        """The best points, score descending, ties by paper id and location ref; scores have three decimals."""
        return best_points(query, lambda limit: self._nearest(query, limit))

    def scroll(self) -> Iterator[tuple[str, PointPayload]]:
        """Every point's id and payload, in no particular order."""
        offset: edge.PointId | None = None
        while True:
            with self._engine() as shard:
                request = edge.ScrollRequest(offset=offset, limit=_SCROLL_PAGE, with_payload=True)
                records, offset = shard.scroll(request)
            for record in records:
                yield str(record.id), read_fields(record.payload)
            if offset is None:
                return

    def optimize(self) -> None:
        """Merge and index segments, which makes searches faster; takes seconds and blocks every other call."""
        with self._engine() as shard:
            shard.optimize()

    def close(self) -> None:
        """Flush and release the folder; later calls raise IndexUnavailable, closing twice does nothing."""
        with self._lock:
            if self._shard is None:
                return
            try:
                with self._engine() as shard:
                    shard.flush()
                    shard.close()
            finally:
                self._shard = None
                self._owned.release()

    def _nearest(self, query: SparseQuery, limit: int) -> list[ScoredPoint]:
        corpus = edge.Filter() if query.corpus is None else _of_models(query.corpus)
        request = edge.QueryRequest(
            limit=limit,
            query=edge.Query.Nearest(_engine_vector(query.vector), using=VECTOR_NAME),
            filter=_filter(query),
            with_payload=True,
            params=edge.SearchParams(idf=edge.IdfParams(corpus=corpus)),
        )
        with self._engine() as shard:
            found = shard.query(request)
        return [ScoredPoint(hit.score, read_fields(hit.payload)) for hit in found]

    def _open(self) -> edge.EdgeShard:
        self._require_space()
        try:
            sparse = {VECTOR_NAME: edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf)}
            config = edge.EdgeConfig(sparse_vectors=sparse)
            self._folder.mkdir(parents=True, exist_ok=True)
            exists = (self._folder / "edge_config.json").exists()
            shard = (edge.EdgeShard.load if exists else edge.EdgeShard.create)(str(self._folder), config)
            for names, kind in (
                (KEYWORD_FIELDS, edge.PayloadSchemaType.Keyword),
                (INTEGER_FIELDS, edge.PayloadSchemaType.Integer),
            ):
                for name in names:
                    shard.update(edge.UpdateOperation.create_field_index(name, kind))
        except Exception as error:  # the engine has no exception type of its own
            if "WouldBlock" in str(error):
                raise IndexInUse(self._folder, None) from error
            message = f"the index {self._folder} cannot be opened: {error}"
            raise IndexUnavailable(message) from error
        return shard

    def _require_space(self) -> None:
        """The engine maps sparse files; on a full disk the system kills whoever writes to one (SIGBUS)."""
        parent = next(folder for folder in (self._folder, *self._folder.parents) if folder.exists())
        free = shutil.disk_usage(parent).free
        if free < LEAST_FREE_BYTES:
            message = (
                f"the index {self._folder} needs {LEAST_FREE_BYTES >> 20} MB of free space on its disk to be opened, "
                f"there are {free >> 20} MB"
            )
            raise IndexUnavailable(message)

    @contextlib.contextmanager
    def _engine(self) -> Generator[edge.EdgeShard]:
        with self._lock:
            if self._shard is None:
                message = f"the index {self._folder} is closed"
                raise IndexUnavailable(message)
            try:
                yield self._shard
            except Exception as error:  # the engine has no exception type of its own
                message = f"the index {self._folder} did not answer: {error}"
                raise IndexUnavailable(message) from error


def _of_models(model_versions: Sequence[str]) -> edge.Filter:
    return edge.Filter(must=[edge.FieldCondition("model_version", match=edge.MatchAny(list(model_versions)))])


def _filter(query: SparseQuery) -> edge.Filter:
    must: list[Any] = [edge.FieldCondition("model_version", match=edge.MatchAny(list(query.model_versions)))]
    if query.element_types:
        must.append(edge.FieldCondition("element_types", match=edge.MatchAny(list(query.element_types))))
    if query.page_from is not None:
        must.append(edge.FieldCondition("page_end", range=edge.RangeFloat(gte=query.page_from)))
    if query.page_to is not None:
        must.append(edge.FieldCondition("page", range=edge.RangeFloat(lte=query.page_to)))
    return edge.Filter(must=must)


def _engine_vector(vector: SparseVector) -> edge.SparseVector:
    return edge.SparseVector(list(vector.indices), list(vector.values))


def _engine_point(point: IndexPoint) -> edge.Point:
    return edge.Point(point.id, {VECTOR_NAME: _engine_vector(point.vector)}, stored_fields(point.payload))

"""A collection on a Qdrant server, as a `SparseIndex`. The same points, scores and order as the embedded engine's.

The form of the collection is held against what is expected before every search and write: another process, or a person,
may have changed it since, and a changed modifier or shard count changes scores without any error.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from qdrant_client import QdrantClient, models

from index.engine import VECTOR_NAME, IndexPoint, PointPayload, ScoredPoint, SparseQuery, SparseVector
from index.errors import ServerUnavailable
from index.payloads import read_fields, stored_fields
from index.ranking import best_points
from index.server_calls import ServerCalls
from index.server_form import CollectionForm, require_form

Result = TypeVar("Result")

BATCH_SIZE = 200
"""Points of one write: about 300 kB of JSON."""

_SCROLL_PAGE = 1000


class ServerQdrant:
    """A `SparseIndex` over the collection, or the alias, `name`; made by `ServerEngine`. Safe from several threads."""

    def __init__(self, calls: ServerCalls, name: str, form: CollectionForm) -> None:
        self._calls = calls
        self._name = name
        self._form = form
        self._closed = False

    def upsert(self, points: Sequence[IndexPoint]) -> None:
        """Write points in batches; each is durable on as many replicas as the collection asks for when it is done.

        Raises ContractMismatch when the collection has changed since it was opened (another process may have switched
        its alias), IndexUnavailable.
        """
        self._require_form()
        for start in range(0, len(points), BATCH_SIZE):
            batch = [_server_point(point) for point in points[start : start + BATCH_SIZE]]
            self._write("write points", lambda client, batch=batch: client.upsert(self._name, batch, wait=True))

    def delete_models(self, model_versions: Sequence[str]) -> None:
        """Delete every point of these model versions; an empty sequence deletes nothing."""
        if not model_versions:
            return
        chosen = models.FilterSelector(filter=_of_models(model_versions))
        self._write("delete points", lambda client: client.delete(self._name, chosen, wait=True))

    def count(self, model_version: str | None = None) -> int:
        """Exact number of points, of one model version or of the whole collection."""
        only = None if model_version is None else _of_models((model_version,))
        return self._call("count points", lambda client: client.count(self._name, only, exact=True)).count

    def search(self, query: SparseQuery) -> list[ScoredPoint]:
        """The best points, score descending, ties by paper id and location ref; scores have three decimals.

        Raises ContractMismatch when the collection has changed since it was opened, IndexUnavailable.
        """
        self._require_form()
        return best_points(query, lambda limit: self._nearest(query, limit))

    def scroll(self) -> Iterator[tuple[str, PointPayload]]:
        """Every point's id and payload, in no particular order."""
        offset: models.ExtendedPointId | None = None
        while True:
            records, following = self._call("list points", self._page(offset))
            for record in records:
                yield str(record.id), read_fields(record.payload)
            if following is None:
                return
            if following == offset or not isinstance(following, (int, str)):
                message = f"the Qdrant server {self._calls.label} lists the same points again and again"
                raise ServerUnavailable(message)
            offset = following

    def close(self) -> None:
        """Later calls raise IndexUnavailable; the connection belongs to the engine and stays."""
        self._closed = True

    def _require_form(self) -> None:
        require_form(
            self._call("describe its collection", lambda client: client.get_collection(self._name)), self._form
        )

    def _page(
        self, offset: models.ExtendedPointId | None
    ) -> Callable[[QdrantClient], tuple[list[models.Record], object]]:
        return lambda client: client.scroll(self._name, limit=_SCROLL_PAGE, offset=offset, with_payload=True)

    def _nearest(self, query: SparseQuery, limit: int) -> list[ScoredPoint]:
        corpus = models.Filter() if query.corpus is None else _of_models(query.corpus)
        params = (
            models.SearchParams(idf=models.IdfCorpusParams(corpus=corpus)) if self._form.contract.scoped_idf else None
        )
        reply = self._call(
            "search",
            lambda client: client.query_points(
                self._name,
                query=_server_vector(query.vector),
                using=VECTOR_NAME,
                query_filter=_filter(query),
                search_params=params,
                limit=limit,
                with_payload=True,
            ),
        )
        hits = [ScoredPoint(hit.score, read_fields(hit.payload)) for hit in reply.points]
        self._require_asked(hits, query, limit)
        return hits

    def _require_asked(self, hits: Sequence[ScoredPoint], query: SparseQuery, limit: int) -> None:
        """Another order or number of hits would break the cut, a point outside the filter would break a border."""
        asked = frozenset(query.model_versions)
        scores = [hit.score for hit in hits]
        if (
            len(hits) > limit
            or not all(map(math.isfinite, scores))
            or scores != sorted(scores, reverse=True)
            or any(hit.payload.model_version not in asked for hit in hits)
        ):
            message = f"the Qdrant server {self._calls.label} answered a search with hits that were not asked for"
            raise ServerUnavailable(message)

    def _write(self, what: str, request: Callable[[QdrantClient], models.UpdateResult]) -> None:
        status = self._call(what, request).status
        if status is not models.UpdateStatus.COMPLETED:
            message = f"the Qdrant server {self._calls.label} did not {what} in time: {status}"
            raise ServerUnavailable(message)

    def _call(self, what: str, request: Callable[[QdrantClient], Result]) -> Result:
        if self._closed:
            message = f"the collection {self._name} is closed"
            raise ServerUnavailable(message)
        return self._calls.call(what, request)


def _of_models(model_versions: Sequence[str]) -> models.Filter:
    return models.Filter(must=[_one_of("model_version", model_versions)])


def _one_of(field: str, values: Sequence[str]) -> models.FieldCondition:
    return models.FieldCondition(key=field, match=models.MatchAny(any=list(values)))


def _filter(query: SparseQuery) -> models.Filter:
    must: list[models.Condition] = [_one_of("model_version", query.model_versions)]
    if query.element_types:
        must.append(_one_of("element_types", query.element_types))
    if query.page_from is not None:
        must.append(models.FieldCondition(key="page_end", range=models.Range(gte=query.page_from)))
    if query.page_to is not None:
        must.append(models.FieldCondition(key="page", range=models.Range(lte=query.page_to)))
    return models.Filter(must=must)


def _server_vector(vector: SparseVector) -> models.SparseVector:
    return models.SparseVector(indices=list(vector.indices), values=list(vector.values))


def _server_point(point: IndexPoint) -> models.PointStruct:
    return models.PointStruct(
        id=point.id, vector={VECTOR_NAME: _server_vector(point.vector)}, payload=stored_fields(point.payload)
    )

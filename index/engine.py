"""What an index engine must do; one interface for the embedded engine and for a server.

Engines store points and score them. They do not validate what they are given, so the types here do: indices are
distinct and ascending, values finite, and a filter without a single model version matches nothing.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class SparseVector:
    """Term ids (ascending, distinct, 31 bits) and their weights (finite)."""

    indices: tuple[int, ...]
    values: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.indices) != len(self.values):
            message = "a sparse vector needs as many values as indices"
            raise ValueError(message)
        if not all(map(operator.lt, self.indices, self.indices[1:])):
            message = "indices of a sparse vector must be distinct and ascending"
            raise ValueError(message)
        if not all(map(math.isfinite, self.values)):
            message = "values of a sparse vector must be finite"
            raise ValueError(message)


@dataclass(frozen=True, slots=True)
class PointPayload:
    """Routing fields of a point. It never carries text. Paper cards use kind `paper` and their paper id as ref."""

    paper_id: str
    model_version: str
    location_ref: str
    kind: str
    element_types: tuple[str, ...]
    section: str | None
    page: int
    page_end: int
    text_sha256: str
    contract: str


@dataclass(frozen=True, slots=True)
class IndexPoint:
    """One searchable location: `id` is the UUIDv5 of paper, model version and location ref."""

    id: str
    vector: SparseVector
    payload: PointPayload


@dataclass(frozen=True, slots=True)
class SparseQuery:
    """A query over the points of some model versions.

    `model_versions` empty matches nothing. `corpus` gives the model versions over which IDF is counted;
    None counts over every point of the collection (only right when the scope is every current paper).
    `element_types` empty means no restriction; a point has its own kind among them. Pages are an overlap with
    [page_from, page_to].
    """

    vector: SparseVector
    model_versions: tuple[str, ...]
    limit: int
    corpus: tuple[str, ...] | None
    element_types: tuple[str, ...] = ()
    page_from: int | None = None
    page_to: int | None = None


@dataclass(frozen=True, slots=True)
class ScoredPoint:
    """A hit: BM25 score (greater than 0) and the point's routing fields."""

    score: float
    payload: PointPayload


class SparseIndex(Protocol):
    """One collection of points. Calls are synchronous and safe from several threads."""

    def upsert(self, points: Sequence[IndexPoint]) -> None:
        """Write points; when it returns they are durable and searchable."""
        ...

    def delete_models(self, model_versions: Sequence[str]) -> None:
        """Delete every point of these model versions; an empty sequence deletes nothing."""
        ...

    def count(self, model_version: str | None = None) -> int:
        """Exact number of points, of one model version or of the whole collection."""
        ...

    def search(self, query: SparseQuery) -> list[ScoredPoint]:
        """The best points, score descending, ties by paper id and location ref; complete at the cut."""
        ...

    def scroll(self) -> Iterator[tuple[str, PointPayload]]:
        """Every point's id and payload, in no particular order."""
        ...

    def close(self) -> None:
        """Flush and release the engine; later calls fail."""
        ...

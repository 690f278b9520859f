"""What an index engine must do; one interface for the embedded engine and for a server.

Engines store points and score them. They do not validate what they are given, so the types here do: indices are
distinct and ascending, values finite, and a filter without a single model version matches nothing.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from index.contract import IndexContract

LOCATIONS = "locations"
"""Alias of the collection of locations that serves."""

CARDS = "papers"
"""Alias of the collection of paper cards that serves."""

VECTOR_NAME = "lexical_bm25_v1"
"""The one sparse vector of a point; the engine multiplies it by the inverse document frequency of each term."""

KEYWORD_FIELDS = ("model_version", "element_types")
INTEGER_FIELDS = ("page", "page_end")


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


@runtime_checkable
class Optimizing(Protocol):
    """A collection that answers faster after it was told that nothing more is coming for now."""

    def optimize(self) -> None:
        """Merge and index segments; takes seconds and blocks every other call."""
        ...


class IndexEngine(Protocol):
    """Where the collections of one library live: each under a physical name; an alias says which of them serves.

    Names are the library's own: two libraries on one server do not see each other's. `create` beside the serving
    collection, fill, `switch` and `delete` the old one make a rebuild without a gap.
    """

    @property
    def sole_owner(self) -> bool:
        """Whether opening a collection proves that no other process has it open."""
        ...

    def serving(self, alias: str, contract: IndexContract) -> SparseIndex:
        """Open the collection that serves under an alias; an empty one is made when there is none.

        Raises ContractMismatch when the collection was made under another contract or has another form,
        IndexInUse, IndexUnavailable. The caller closes what it was given.
        """
        ...

    def create(self, name: str, contract: IndexContract) -> SparseIndex:
        """Make a collection under a physical name; one of that name that an interrupted rebuild left is opened.

        Raises as `serving` does. No alias points to it yet. The caller closes what it was given.
        """
        ...

    def target(self, alias: str) -> str | None:
        """The physical name that an alias points to, None when nothing serves under it."""
        ...

    def switch(self, alias: str, name: str) -> None:
        """Let an alias point to an existing collection from now on, at one stroke; the old collection stays.

        On a server, a `SparseIndex` that was opened by alias follows at once; an embedded one stays with the
        collection it has open.
        """
        ...

    def names(self) -> tuple[str, ...]:
        """Physical names of the library's collections, ascending; those that serve among them."""
        ...

    def held(self, name: str) -> bool:
        """Whether somebody has a collection open and needs it whole, so that `delete` would refuse."""
        ...

    def delete(self, name: str) -> None:
        """Delete a collection that no alias points to; one that is not there is no error.

        Raises ValueError when an alias points to it, and IndexInUse when somebody has it open and needs it whole.
        """
        ...

    def close(self) -> None:
        """Release connections; collections that were opened are closed by who opened them."""
        ...

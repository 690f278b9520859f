"""The order of hits, decided once for both engines: scores are rounded, and ties at the cut are completed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from index.engine import ScoredPoint, SparseQuery

SCORE_DECIMALS = 3
"""Scores are rounded. An engine sums 32-bit floats in an order that differs between two builds of the same points (it
numbers terms as it happens to meet them), so the seventh digit differs; an order must not hang on it.
"""

_TIE_MARGIN = 16


class Nearest(Protocol):
    """Asks an engine for its best hits, by score; equal scores come in any order, and the cut goes through them."""

    def __call__(self, limit: int) -> Sequence[ScoredPoint]:
        """At most `limit` hits, with the engine's own scores."""
        ...


def best_points(query: SparseQuery, nearest: Nearest) -> list[ScoredPoint]:
    """The best points of a query: score descending, ties by paper id and location ref; complete at the cut.

    Engines cut ties by chance: while the point after the cut scores like the last one before it, more are fetched, so
    that the order is decided here. Raises ValueError for a query whose IDF is counted over no model version.
    """
    if not query.model_versions or not query.vector.indices or query.limit < 1:
        return []
    if query.corpus is not None and not query.corpus:
        message = "IDF over no model version is undefined; leave `corpus` None for the whole collection"
        raise ValueError(message)
    wanted = query.limit + _TIE_MARGIN
    while True:
        hits = [ScoredPoint(round(hit.score, SCORE_DECIMALS), hit.payload) for hit in nearest(wanted)]
        if len(hits) < wanted or hits[-1].score < hits[query.limit - 1].score:
            break
        wanted *= 4
    hits.sort(key=lambda hit: (-hit.score, hit.payload.paper_id, hit.payload.location_ref))
    return hits[: query.limit]

"""Questions about a paper as a whole: their words say what kind of thing is asked for, not what it is about."""

from __future__ import annotations

from functools import lru_cache

from index.analyzer import query_terms

_GENERIC = (
    "paper papers article articles study studies work works publication publications document documents manuscript "
    "main key core general overall topic topics subject purpose goal goals aim aims motivation contribution "
    "contributions idea ideas message finding findings takeaway takeaways conclusion conclusions "
    "summary summarize summarise summaries overview abstract introduction describe explain tell present discuss "
    "find search related recommend list show give author authors"
)


def is_broad(text: str) -> bool:
    """Whether every word of a query that means anything fits any paper ("what is this paper about")."""
    found = query_terms(text)
    return bool(found) and not specific_terms(text)


def specific_terms(text: str) -> dict[str, float]:
    """The terms of a query, with their weights, that do not fit any paper."""
    return {term: weight for term, weight in query_terms(text).items() if term not in _generic_terms()}


@lru_cache(maxsize=1)
def _generic_terms() -> frozenset[str]:
    return frozenset(query_terms(_GENERIC))

"""Which candidates are shown: near-duplicates folded, and none of a few papers left out.

Pure: candidates come in the total order (score descending, paper id, location ref) and the result keeps it, so that a
shorter list is the beginning of a longer one wherever no paper has to be given a place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from index.analyzer import stretches

NEAR_DUPLICATE = 0.9
"""Share of common words (Jaccard) from which two places of one paper count as the same text."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place that may be shown."""

    paper_id: str
    location_ref: str
    score: float
    text: str
    text_sha256: str


def select(candidates: Sequence[Candidate], *, papers: int, top_k: int) -> list[Candidate]:
    """At most `top_k` candidates, in order; `papers` is the number of papers that were searched.

    While the papers searched are few (at most half of `top_k`), the best place of each is among them; the rest is
    filled in order.
    """
    chosen = _distinct(candidates, top_k)
    if not gives_each_paper_a_place(papers, top_k):
        return chosen
    present = {candidate.paper_id for candidate in chosen}
    best: dict[str, Candidate] = {}
    for candidate in candidates:
        best.setdefault(candidate.paper_id, candidate)
    absent = [candidate for paper_id, candidate in best.items() if paper_id not in present]
    kept = _without_last_repeats(chosen, len(chosen) + len(absent) - top_k)
    order = {candidate.location_ref: place for place, candidate in enumerate(candidates)}
    return sorted((*kept, *absent), key=lambda candidate: order[candidate.location_ref])


def gives_each_paper_a_place(papers: int, top_k: int) -> bool:
    """Whether the papers searched are so few that the best place of each is shown."""
    return 1 < papers <= top_k // 2


def _distinct(candidates: Sequence[Candidate], top_k: int) -> list[Candidate]:
    chosen: list[Candidate] = []
    for candidate in candidates:
        if len(chosen) == top_k:
            break
        if not any(_same_text(candidate, other) for other in chosen):
            chosen.append(candidate)
    return chosen


def _without_last_repeats(chosen: Sequence[Candidate], spare: int) -> list[Candidate]:
    """The chosen without their last `spare` entries that are not the best place of their paper."""
    seen: set[str] = set()
    repeats: list[str] = []
    for candidate in chosen:
        if candidate.paper_id in seen:
            repeats.append(candidate.location_ref)
        seen.add(candidate.paper_id)
    dropped = set(repeats[len(repeats) - spare :]) if spare > 0 else set[str]()
    return [candidate for candidate in chosen if candidate.location_ref not in dropped]


def _same_text(one: Candidate, other: Candidate) -> bool:
    if one.paper_id != other.paper_id:
        return False
    if one.text_sha256 == other.text_sha256:
        return True
    words, others = _words(one.text), _words(other.text)
    shared = len(words & others)
    return shared >= NEAR_DUPLICATE * (len(words) + len(others) - shared) and shared > 0


@lru_cache(maxsize=256)
def _words(text: str) -> frozenset[str]:
    return frozenset(stretches(text.casefold()))

"""Are the places that golden cases rest on found? The product beside textbook BM25 over the same units of text."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.retrieval.controls import RankedUnits, rank_bm25
from evals.retrieval.golden import GoldenSet, Obligation
from evals.retrieval.papers import SearchedPapers, Unit, searched_papers
from evals.retrieval.product import NAME

TOP = 8
"""Hits of a search that count, as many as a run is shown unless it asks for more."""

ASKED_BY: Mapping[str, Callable[[Obligation], Sequence[str]]] = {
    "the claim's queries": lambda obligation: obligation.queries,
    "all messages joined": lambda obligation: ["\n".join(obligation.messages)],
    "the last message": lambda obligation: obligation.messages[-1:],
}


@dataclass(frozen=True, slots=True)
class ObligationRank:
    """The best rank (from 1) at which any of the queries finds an obligation's place; None: not in the first `TOP`."""

    obligation: Obligation
    rank: int | None


@dataclass(frozen=True, slots=True)
class ObligationResult:
    """How one system, asked in one way, met every obligation."""

    system: str
    asked_by: str
    ranks: tuple[ObligationRank, ...]

    @property
    def met(self) -> int:
        """Obligations whose place is in the first `TOP`."""
        return sum(1 for entry in self.ranks if entry.rank is not None)

    @property
    def mrr(self) -> float:
        """The mean of 1/rank over the obligations; one that is not met counts 0."""
        return sum(1 / entry.rank for entry in self.ranks if entry.rank) / len(self.ranks) if self.ranks else 0.0


def measure_obligations(golden: GoldenSet) -> list[ObligationResult]:
    """Import the papers into a temporary library and ask for every obligation, with all papers as scope.

    Raises EvaluationDataMissing, EvaluationDataMalformed, EvaluationPackageMissing.
    """
    with searched_papers(golden.papers) as papers:
        textbook = rank_bm25({ref: unit.text for ref, unit in papers.units.items()})
        systems: dict[str, Callable[[str], list[Unit]]] = {
            NAME: lambda query: papers.find(query, TOP),
            textbook.name: lambda query: _textbook_hits(textbook, papers, query),
        }
        return [
            ObligationResult(name, way, tuple(_rank(find, entry, ask(entry)) for entry in golden.obligations))
            for way, ask in ASKED_BY.items()
            for name, find in systems.items()
        ]


def obligations_table(results: Sequence[ObligationResult]) -> str:
    """The figures as a Markdown table, and which obligations the product did not meet."""
    lines = [f"| asked by | | in the top {TOP} | MRR |", "|---|---|---|---|"]
    lines += [
        f"| {result.asked_by} | {result.system} | {result.met} of {len(result.ranks)} | {result.mrr:.3f} |"
        for result in results
    ]
    missed = [
        f"* {entry.obligation.case}: {entry.obligation.anchor}, by {result.asked_by}"
        for result in results
        if result.system == NAME
        for entry in result.ranks
        if entry.rank is None
    ]
    return "\n".join([*lines, *(["", f"Not found by {NAME}:", *missed] if missed else [])]) + "\n"


def obligations_summary(results: Sequence[ObligationResult]) -> dict[str, object]:
    """The figures as one JSON object, with the rank of every obligation."""
    return {
        "top": TOP,
        "results": [
            {
                "asked_by": result.asked_by,
                "system": result.system,
                "met": result.met,
                "obligations": len(result.ranks),
                "mrr": round(result.mrr, 6),
                "ranks": [
                    {
                        "case": entry.obligation.case,
                        "claim": entry.obligation.claim,
                        "anchor": entry.obligation.anchor,
                        "rank": entry.rank,
                    }
                    for entry in result.ranks
                ],
            }
            for result in results
        ],
    }


def write_obligations(results: Sequence[ObligationResult], folder: Path) -> None:
    """Write `obligations.json` and `obligations.md`; the same data gives the same bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    summary = json.dumps(obligations_summary(results), ensure_ascii=False, indent=2)
    (folder / "obligations.json").write_text(summary + "\n", encoding="utf-8")
    (folder / "obligations.md").write_text(obligations_table(results), encoding="utf-8")


def _textbook_hits(textbook: RankedUnits, papers: SearchedPapers, query: str) -> list[Unit]:
    return [papers.units[ref] for ref in textbook.ranking(query, TOP)]


def _rank(find: Callable[[str], list[Unit]], obligation: Obligation, queries: Sequence[str]) -> ObligationRank:
    ranks = [
        rank
        for query in queries
        for rank, unit in enumerate(find(query), start=1)
        if unit.holds(obligation.paper, obligation.quote)
    ]
    return ObligationRank(obligation, min(ranks, default=None))

"""Frozen queries: what a search has to find among some papers, written down once and asked again after every change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from evals.errors import EvaluationDataMalformed
from evals.retrieval.papers import SearchedPapers, searched_papers
from evals.yaml_files import load_yaml

DEPTH = 20

QUERIES = Path(__file__).parent / "queries"
"""The frozen queries that come with the product."""


class FrozenQuery(BaseModel):
    """A query, and the place that is among the first `within` hits: a page (PDF page, from 1) of a paper, a quotation.

    `language` is a tag for people; several are joined by `+`.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    language: str
    query: str
    paper: str
    page: Annotated[int, Field(ge=1)]
    quote: str
    within: Annotated[int, Field(ge=1, le=DEPTH)]


@dataclass(frozen=True, slots=True)
class FrozenResult:
    """At which rank (from 1) a query's place was found; None: not among the first `DEPTH` hits."""

    query: FrozenQuery
    rank: int | None

    @property
    def holds(self) -> bool:
        """Whether it was found early enough."""
        return self.rank is not None and self.rank <= self.query.within


def load_frozen(file: Path) -> list[FrozenQuery]:
    """Frozen queries of a YAML file. Raises EvaluationDataMissing, EvaluationDataMalformed."""
    queries = load_yaml(file, list[FrozenQuery])
    ids = [query.id for query in queries]
    for query in queries:
        if ids.count(query.id) > 1:
            raise EvaluationDataMalformed(file, f"query {query.id}", "its id comes a second time")
    return queries


def ask_frozen(queries: Sequence[FrozenQuery], folder: Path) -> list[FrozenResult]:
    """Add all PDFs of a folder to a temporary library and ask each query of them all.

    Raises EvaluationDataMissing, EvaluationDataMalformed (a quotation that no passage of its page holds).
    """
    files: Mapping[str, Path] = {file.name: file for file in sorted(folder.glob("*.pdf"))}
    wanted = {query.paper: folder / query.paper for query in queries}
    with searched_papers({**wanted, **files}) as papers:
        return [_ask(papers, query, folder) for query in queries]


def _ask(papers: SearchedPapers, query: FrozenQuery, folder: Path) -> FrozenResult:
    if not any(unit.holds(query.paper, query.quote, query.page) for unit in papers.units.values()):
        problem = f"query {query.id}: no place on page {query.page} holds the quotation {query.quote!r}"
        raise EvaluationDataMalformed(folder / query.paper, f"page {query.page}", problem)
    hits = enumerate(papers.find(query.query, DEPTH), start=1)
    rank = next((rank for rank, unit in hits if unit.holds(query.paper, query.quote, query.page)), None)
    return FrozenResult(query, rank)


def frozen_table(results: Sequence[FrozenResult]) -> str:
    """The ranks as a Markdown table, with how many hold and the mean reciprocal rank."""
    lines = ["| query | language | rank | within | |", "|---|---|---|---|---|"]
    lines += [
        f"| {result.query.id} | {result.query.language} | {result.rank or '-'} | {result.query.within} | "
        f"{'' if result.holds else 'not held'} |"
        for result in results
    ]
    held = sum(result.holds for result in results)
    return "\n".join([*lines, "", f"{held} of {len(results)} hold, MRR {_mrr(results):.3f}"]) + "\n"


def frozen_summary(results: Sequence[FrozenResult]) -> dict[str, object]:
    """The ranks as one JSON object."""
    return {
        "queries": len(results),
        "held": sum(result.holds for result in results),
        "mrr": round(_mrr(results), 6),
        "ranks": [{"id": result.query.id, "rank": result.rank, "within": result.query.within} for result in results],
    }


def _mrr(results: Sequence[FrozenResult]) -> float:
    return sum(1 / result.rank for result in results if result.rank) / len(results) if results else 0.0

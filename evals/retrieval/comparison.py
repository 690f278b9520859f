"""The product beside textbook BM25 on one data set, in one run: figures, table and run files.

Nothing in the files depends on the moment, the folder or the machine: two runs over the same data give the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.retrieval.beir import BeirSet
from evals.retrieval.bootstrap import Difference, paired_difference
from evals.retrieval.controls import RankedUnits, all_controls
from evals.retrieval.measures import DEPTH, MEASURES, Scores, score_rankings
from evals.retrieval.packages import require_packages
from evals.retrieval.product import NAME, product_search
from index.contract import IndexContract

COMPARED = "nDCG@10"
"""The measure whose difference to the product is given with an interval."""


@dataclass(frozen=True, slots=True)
class SystemResult:
    """What one system returned for every query, and how it scored; `difference` is the product's score less its own."""

    name: str
    rankings: Mapping[str, Sequence[str]]
    scores: Scores
    difference: Difference | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """All systems on one data set, the product first. `contract` is the one the product's points were made under."""

    data: BeirSet
    contract: str
    systems: tuple[SystemResult, ...]

    def summary(self) -> dict[str, object]:
        """The figures as one JSON object, without the rankings."""
        product = self.systems[0].scores
        return {
            "data": self.data.name,
            "split": self.data.split,
            "documents": len(self.data.documents),
            "queries": len(product.by_query),
            "queries_without_relevant_document": list(product.left_out),
            "depth": DEPTH,
            "contract": self.contract,
            "systems": [_summary(system) for system in self.systems],
        }


def compare_on(data: BeirSet, contract: IndexContract) -> Comparison:
    """Run every system over the judged queries of a data set. Raises EvaluationPackageMissing, IndexUnavailable."""
    require_packages()
    with product_search(data.documents, contract) as search:
        product = _run(search, data, None)
        used = search.contract.text()
    texts = {document.id: f"{document.title} {document.text}".strip() for document in data.documents}
    controls = [_run(control, data, product.scores) for control in all_controls(texts)]
    return Comparison(data, used, (product, *controls))


def table(comparison: Comparison) -> str:
    """The figures as a Markdown table."""
    product = comparison.systems[0].scores
    left_out = f", {len(product.left_out)} left out without a relevant document" if product.left_out else ""
    lines = [
        f"{comparison.data.name}, split {comparison.data.split}: {len(comparison.data.documents):,} documents, "
        f"{len(product.by_query):,} queries{left_out}",
        "",
        f"| | {' | '.join(MEASURES)} | {NAME} is better by ({COMPARED}, 95 % interval) |",
        "|---" * (len(MEASURES) + 2) + "|",
    ]
    for system in comparison.systems:
        cells = [_number(system.scores.mean(measure)) for measure in MEASURES]
        lines.append(f"| {system.name} | {' | '.join(cells)} | {system.difference or ''} |")
    return "\n".join(lines) + "\n"


def write_files(comparison: Comparison, folder: Path) -> None:
    """Write `report.json`, `table.md` and, for each system, `SYSTEM.run` in the form of TREC."""
    folder.mkdir(parents=True, exist_ok=True)
    summary = json.dumps(comparison.summary(), ensure_ascii=False, indent=2)
    (folder / "report.json").write_text(summary + "\n", encoding="utf-8")
    (folder / "table.md").write_text(table(comparison), encoding="utf-8")
    for system in comparison.systems:
        name = system.name.replace(", ", "-")
        lines = [
            f"{query} Q0 {document} {rank} {DEPTH + 1 - rank} {name}\n"
            for query, ranking in system.rankings.items()
            for rank, document in enumerate(ranking, start=1)
        ]
        (folder / f"{name}.run").write_text("".join(lines), encoding="utf-8")


def _run(system: RankedUnits, data: BeirSet, product: Scores | None) -> SystemResult:
    rankings = {query: system.ranking(text, DEPTH) for query, text in data.queries.items()}
    scores = score_rankings(rankings, data.judgments)
    difference = None
    if product is not None and scores.by_query:
        pairs = [(product.by_query[query][COMPARED], own[COMPARED]) for query, own in scores.by_query.items()]
        difference = paired_difference(pairs)
    return SystemResult(system.name, rankings, scores, difference)


def _summary(system: SystemResult) -> dict[str, object]:
    means = {measure: _rounded(system.scores.mean(measure)) for measure in MEASURES}
    difference = system.difference
    return {
        "name": system.name,
        "means": means,
        "product_better_by": None
        if difference is None
        else {"measure": COMPARED, "mean": difference.mean, "low": difference.low, "high": difference.high},
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"

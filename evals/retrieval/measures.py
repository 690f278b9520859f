"""Measures of rankings. The only module that knows `ir_measures`, whose measures are those of trec_eval.

trec_eval sorts a run by score and breaks ties by document id, against the order in which a system returned its hits.
Here a ranking is an order: it is handed over with strictly descending scores, so that ties stay as returned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evals.retrieval.packages import imported

DEPTH = 100
"""Hits of a ranking that are looked at."""

MEASURES = ("nDCG@10", "RR@10", "R@10", "R@20", "R@100", "AP@100")


@dataclass(frozen=True, slots=True)
class Scores:
    """The measures of some rankings: of each query, and their means over the queries that have a score.

    `left_out` names the queries without a relevant document: these have no score and count in no mean.
    """

    by_query: Mapping[str, Mapping[str, float]]
    left_out: tuple[str, ...]

    def mean(self, measure: str) -> float | None:
        """The mean over `by_query`; None when there is no query."""
        values = [scores[measure] for scores in self.by_query.values()]
        return sum(values) / len(values) if values else None


def score_rankings(
    rankings: Mapping[str, Sequence[str]],
    judgments: Mapping[str, Mapping[str, int]],
    measures: Sequence[str] = MEASURES,
) -> Scores:
    """Score rankings, best hit first, against grades; a query without a ranking scores 0.

    A hit that comes again is the same hit: only its first place counts, and what follows moves up. Raises
    EvaluationPackageMissing.
    """
    ir_measures = imported("ir_measures", "ir-measures")
    judged = {query: grades for query, grades in judgments.items() if any(grade > 0 for grade in grades.values())}
    run = {query: _descending(rankings.get(query, ())) for query in judged}
    by_query = {query: dict.fromkeys(measures, 0.0) for query in judged}
    if judged:
        parsed = [ir_measures.parse_measure(measure) for measure in measures]
        for metric in ir_measures.iter_calc(parsed, judged, {query: hits for query, hits in run.items() if hits}):
            by_query[metric.query_id][str(metric.measure)] = float(metric.value)
    return Scores(by_query, tuple(query for query in judgments if query not in judged))


def _descending(ranking: Sequence[str]) -> dict[str, float]:
    distinct = list(dict.fromkeys(ranking))
    return {document: float(len(distinct) - place) for place, document in enumerate(distinct)}

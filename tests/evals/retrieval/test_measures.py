from __future__ import annotations

import importlib
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.errors import EvaluationPackageMissing
from evals.retrieval.measures import MEASURES, score_rankings

GOLD = {"q": {"A": 1, "B": 1}}


def scores_at(ranked: list[str], gold: list[str], k: int) -> tuple[float | None, float | None, float | None]:
    """Recall, nDCG and MRR at k."""
    measures = (f"R@{k}", f"nDCG@{k}", f"RR@{k}")
    found = score_rankings({"q": ranked}, {"q": dict.fromkeys(gold, 1)}, measures)
    recall, ndcg, mrr = map(found.mean, measures)
    return recall, ndcg, mrr


@pytest.mark.parametrize(
    ("gold", "k", "ranked", "recall", "ndcg", "mrr"),
    [
        (["A"], 3, ["A", "A", "X"], 1.0, 1.0, 1.0),
        (["A", "B"], 2, ["A", "A"], 0.5, 0.613147, 1.0),
        (["A", "B"], 3, ["A", "A", "A"], 0.5, 0.613147, 1.0),
        (["A", "B"], 4, ["X", "A", "X", "B"], 1.0, None, 0.5),
        (["A", "B"], 3, [], 0.0, 0.0, 0.0),
    ],
)
def test_f37_the_same_hit_counts_once(
    gold: list[str], k: int, ranked: list[str], recall: float, ndcg: float | None, mrr: float
) -> None:
    found = scores_at(ranked, gold, k)
    assert found[0] == recall
    assert found[2] == mrr
    assert ndcg is None or found[1] == pytest.approx(ndcg, abs=1e-6)


def test_f37_a_query_without_gold_has_no_score_and_is_counted_as_left_out() -> None:
    found = score_rankings({"q": ["A"], "none": ["A"]}, {"q": {"A": 1}, "none": {}, "zero": {"A": 0}})
    assert list(found.by_query) == ["q"]
    assert found.left_out == ("none", "zero")
    assert found.mean("nDCG@10") == 1.0
    assert scores_at(["A"], [], 3) == (None, None, None)


@given(st.lists(st.sampled_from("ABXYZ"), max_size=8), st.data())
def test_f37_a_copy_of_a_hit_never_raises_a_score(ranked: list[str], data: st.DataObject) -> None:
    before = score_rankings({"q": ranked}, GOLD).by_query["q"]
    assert all(0 <= value <= 1 for value in before.values())
    if not ranked:
        return
    place = data.draw(st.integers(0, len(ranked) - 1))
    below = data.draw(st.integers(place + 1, len(ranked)))
    with_copy = [*ranked[:below], ranked[place], *ranked[below:]]
    assert score_rankings({"q": with_copy}, GOLD).by_query["q"] == before


def test_the_order_of_a_ranking_is_the_order_that_is_scored() -> None:
    """trec_eval would put equal scores into the order of ids, from Z to A."""
    judgments = {"first": {"A": 1}, "second": {"Z": 1}}
    found = score_rankings({"first": ["A", "Z"], "second": ["A", "Z"]}, judgments, ("RR@10",))
    assert found.by_query == {"first": {"RR@10": 1.0}, "second": {"RR@10": 0.5}}


def test_a_query_that_was_not_answered_scores_nothing() -> None:
    found = score_rankings({}, GOLD)
    assert found.by_query == {"q": dict.fromkeys(MEASURES, 0.0)}


def test_grades_are_weighed() -> None:
    judgments = {"q": {"best": 2, "good": 1}}
    best = score_rankings({"q": ["best", "good"]}, judgments).mean("nDCG@10")
    other = score_rankings({"q": ["good", "best"]}, judgments).mean("nDCG@10")
    assert best == 1.0
    assert other is not None
    assert other < 1.0


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    with pytest.raises(EvaluationPackageMissing, match="ir-measures") as caught:
        score_rankings({"q": ["A"]}, GOLD)
    assert "paperledger[evals]" in caught.value.hint
    monkeypatch.undo()
    assert importlib.import_module("ir_measures")

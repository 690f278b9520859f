from __future__ import annotations

import sys

import pytest

from evals.errors import EvaluationPackageMissing
from evals.retrieval.controls import all_controls, bm25s_as_it_comes, bm25s_at_its_best, rank_bm25

TEXTS = {
    "b": "The network was trained with dropout.",
    "a": "The network was trained with dropout.",
    "c": "Training networks takes time; networks are large.",
    "d": "Rain fell on the town all day.",
    "e": "Snow fell on the hills all night.",
}


def test_equal_scores_come_in_the_order_of_ids() -> None:
    for control in all_controls(TEXTS):
        assert control.ranking("dropout", 10) == ["a", "b"], control.name


def test_units_without_any_word_of_the_query_are_no_hits() -> None:
    for control in all_controls(TEXTS):
        assert control.ranking("zebra", 10) == [], control.name
        assert control.ranking("", 10) == [], control.name


def test_only_the_stemmed_control_knows_other_forms() -> None:
    assert bm25s_as_it_comes(TEXTS).ranking("networked train", 10) == []
    assert set(bm25s_at_its_best(TEXTS).ranking("networked train", 10)) == {"a", "b", "c"}


def test_depth_cuts_the_ranking() -> None:
    assert rank_bm25(TEXTS).ranking("dropout", 1) == ["a"]


def test_texts_without_a_word_match_nothing() -> None:
    for control in all_controls({"a": "", "b": "..."}):
        assert control.ranking("dropout", 10) == []


@pytest.mark.parametrize("module", ["rank_bm25", "bm25s"])
def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(EvaluationPackageMissing, match="extra `evals`"):
        list(all_controls(TEXTS))

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.bench.figures import (
    Target,
    Verdict,
    at_least,
    at_most,
    below,
    figure,
    percentile,
    ratios,
    verdict,
)

numbers = st.floats(allow_nan=False, allow_infinity=False, width=32)


@pytest.mark.parametrize(
    ("value", "target", "expected"),
    [
        (20.0, at_least(20), Verdict.REACHED),
        (19.9, at_least(20), Verdict.NOT_REACHED),
        (4.0, at_most(4), Verdict.REACHED),
        (4.1, at_most(4), Verdict.NOT_REACHED),
        (699.9, below(700), Verdict.REACHED),
        (700.0, below(700), Verdict.NOT_REACHED),
        (math.nan, at_most(4), Verdict.NOT_REACHED),
        (-math.inf, at_most(4), Verdict.NOT_REACHED),
        (math.inf, at_least(20), Verdict.NOT_REACHED),
        (1.0, None, Verdict.NO_TARGET),
    ],
)
def test_a_figure_is_held_against_its_target(value: float, target: Target | None, expected: Verdict) -> None:
    assert verdict(value, target) is expected


@given(numbers, numbers)
def test_below_is_the_opposite_of_at_least(value: float, limit: float) -> None:
    assert (verdict(value, below(limit)) is Verdict.REACHED) != (verdict(value, at_least(limit)) is Verdict.REACHED)


def test_the_verdict_is_on_the_median_of_the_repetitions() -> None:
    taken = figure("search", "ms", [30.0, 7.0, 6.0], at_most(8))
    assert (taken.median, taken.lowest, taken.highest, taken.repetitions) == (7.0, 6.0, 30.0, 3)
    assert taken.verdict is Verdict.REACHED


def test_targets_read_as_bounds() -> None:
    assert [str(target) for target in (at_most(4), at_least(1000), below(0.5))] == ["<= 4", ">= 1000", "< 0.5"]


@given(st.lists(numbers, min_size=1), st.floats(0, 1))
def test_a_percentile_is_the_least_value_that_covers_its_share(values: list[float], share: float) -> None:
    found = percentile(values, share)
    assert found in values
    assert sum(value <= found for value in values) >= share * len(values)
    assert sum(value < found for value in values) < max(share * len(values), 1)


def test_a_percentile_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        percentile([], 0.5)


def test_ratios_stay_within_their_repetition() -> None:
    assert ratios([4.0, 9.0], [2.0, 3.0]) == [2.0, 3.0]

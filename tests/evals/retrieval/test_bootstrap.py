from __future__ import annotations

from evals.retrieval.bootstrap import paired_difference


def test_a_difference_of_every_pair_is_beyond_noise() -> None:
    found = paired_difference([(0.6, 0.5)] * 50)
    assert (found.mean, found.low, found.high) == (0.1, 0.1, 0.1)
    assert str(found) == "+0.1000 [+0.1000, +0.1000]"


def test_an_even_exchange_is_noise() -> None:
    found = paired_difference([(1.0, 0.0), (0.0, 1.0)] * 50)
    assert found.low < 0.0 == found.mean < found.high


def test_the_same_pairs_give_the_same_interval() -> None:
    pairs = [(i % 7 / 7, i % 5 / 5) for i in range(40)]
    assert paired_difference(pairs) == paired_difference(pairs)

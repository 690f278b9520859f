"""Is a difference more than noise? A paired bootstrap over queries (Efron and Tibshirani, 1993, chapter 16)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

RESAMPLES = 2000
_SEED = 1


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean of first less second over pairs, and the 95 % interval of that mean; rounded to four decimals."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:+.4f} [{self.low:+.4f}, {self.high:+.4f}]"


def paired_difference(pairs: Sequence[tuple[float, float]]) -> Difference:
    """The difference of two systems whose scores of the same queries are given, at least one; always the same result.

    Chance comes from a fixed seed.
    """
    differences = np.array([first - second for first, second in pairs])
    chance = np.random.default_rng(_SEED)
    picked = chance.integers(0, len(differences), size=(RESAMPLES, len(differences)))
    means = differences[picked].mean(axis=1)
    low, high = (round(float(value), 4) for value in np.percentile(means, (2.5, 97.5)))
    return Difference(round(float(differences.mean()), 4), low, high)

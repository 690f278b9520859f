"""What a benchmark reports: figures with their spread, targets, and whether a target was reached."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import median


class Bound(StrEnum):
    """On which side of its limit a figure has to be."""

    AT_MOST = "<="
    BELOW = "<"
    AT_LEAST = ">="


class Verdict(StrEnum):
    """Whether a figure holds against its target; NO_TARGET for figures that are shown for orientation."""

    REACHED = "reached"
    NOT_REACHED = "not reached"
    NO_TARGET = ""


@dataclass(frozen=True, slots=True)
class Target:
    """A limit from the design; figure and limit have the same unit."""

    bound: Bound
    limit: float

    def __str__(self) -> str:
        return f"{self.bound} {self.limit:g}"


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured figure: the median over the repetitions, and the lowest and highest of them.

    The verdict is on the median. `unit` is `x` for a ratio to the yardstick of the same run.
    """

    name: str
    unit: str
    median: float
    lowest: float
    highest: float
    repetitions: int
    target: Target | None
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class FigureGroup:
    """Figures taken on the same input, which `title` names."""

    title: str
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """One run of a benchmark. `notes` say what was left out and why, and what the figures rest on."""

    benchmark: str
    quick: bool
    python: str
    cores: int
    groups: tuple[FigureGroup, ...]
    notes: tuple[str, ...] = ()


def verdict(value: float, target: Target | None) -> Verdict:
    """Whether `value` is on the right side of the target; a value that is no finite number never is."""
    if target is None:
        return Verdict.NO_TARGET
    if not math.isfinite(value):
        return Verdict.NOT_REACHED
    match target.bound:
        case Bound.AT_MOST:
            holds = value <= target.limit
        case Bound.BELOW:
            holds = value < target.limit
        case Bound.AT_LEAST:
            holds = value >= target.limit
    return Verdict.REACHED if holds else Verdict.NOT_REACHED


def figure(name: str, unit: str, values: Sequence[float], target: Target | None = None) -> Figure:
    """The figure of some repetitions, at least one."""
    middle = median(values)
    return Figure(name, unit, middle, min(values), max(values), len(values), target, verdict(middle, target))


def at_most(limit: float) -> Target:
    """A target that holds up to and with its limit."""
    return Target(Bound.AT_MOST, limit)


def at_least(limit: float) -> Target:
    """A target that holds from its limit on."""
    return Target(Bound.AT_LEAST, limit)


def below(limit: float) -> Target:
    """A target that its limit itself does not reach."""
    return Target(Bound.BELOW, limit)


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest of the values that at least `share` (0 to 1) of them do not exceed (nearest rank)."""
    if not values:
        message = "a percentile needs at least one value"
        raise ValueError(message)
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def ratios(values: Sequence[float], yardsticks: Sequence[float]) -> list[float]:
    """Each value by the yardstick of its own repetition."""
    return [value / yardstick for value, yardstick in zip(values, yardsticks, strict=True)]

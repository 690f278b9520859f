"""Labelled pairs of a claim and a cited span: written by hand in varied language, and made from templates.

The label of a made pair holds by construction: a direction or a negation turned round, the sides of a comparison
exchanged, the same said in other words, or another measure, system or condition put in its place.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Literal, cast

from evals.rules.specimens import CORPORA, FACTORS, MEASURES, METHODS, THINGS

Label = Literal["contradict", "agree", "neither"]
HAND_WRITTEN = Path(__file__).with_name("contradiction_pairs.tsv")
HELD_OUT = Path(__file__).with_name("held_out_pairs.tsv")


@dataclass(frozen=True, slots=True)
class Pair:
    """A claim, the span that it cites, and how they stand to each other."""

    label: Label
    claim: str
    span: str


def read_pairs(file: Path) -> list[Pair]:
    """The pairs of a data file: label, claim and span, a line each, divided by tabs."""
    pairs: list[Pair] = []
    for line in file.read_text(encoding="utf-8").splitlines():
        label, claim, span = line.split("\t")
        pairs.append(Pair(cast("Label", label), claim, span))
    return pairs


def made(random: Random, count: int) -> list[Pair]:
    """Pairs from templates, the three labels and three patterns in turn."""
    makers = (_directions, _negations, _comparisons)
    return [makers[at % 3](random, at // 3 % 3) for at in range(count)]


def _directions(random: Random, label: int) -> Pair:
    factor, method = random.choice(FACTORS), random.choice(METHODS)
    measure, other = random.sample(MEASURES, 2)
    up, down = random.choice((("increased", "decreased"), ("improved", "degraded"), ("strengthened", "weakened")))
    if random.random() < 0.5:
        up, down = down, up
    span = f"In our tests, {factor} {up} the {measure} of {method} on most inputs of the benchmark."
    claims: tuple[tuple[Label, str], ...] = (
        ("contradict", f"In the tests, {factor} {down} the {measure} of {method} on most inputs of the benchmark."),
        ("agree", f"The {measure} of {method} {up} on most inputs of the benchmark with {factor}."),
        ("neither", f"In the tests, {factor} {down} the {other} of {method} on most inputs of the benchmark."),
    )
    return Pair(claims[label][0], claims[label][1], span)


def _negations(random: Random, label: int) -> Pair:
    method, (thing, other) = random.choice(METHODS), random.sample(THINGS, 2)
    span = f"During ranking, {method} does not depend on {thing}."
    claims: tuple[tuple[Label, str], ...] = (
        ("contradict", f"{method} does depend on {thing} during ranking."),
        ("agree", f"{method} never depends on {thing} during ranking."),
        ("neither", f"{method} does depend on {other} during ranking."),
    )
    return Pair(claims[label][0], claims[label][1], span)


def _comparisons(random: Random, label: int) -> Pair:
    first, second, third = random.sample(METHODS, 3)
    corpus = random.choice(CORPORA)
    more, less = random.choice((("faster", "slower"), ("better", "worse"), ("larger", "smaller")))
    span = f"On {corpus}, {first} is {more} than {second}."
    claims: tuple[tuple[Label, str], ...] = (
        ("contradict", f"{second} is {more} than {first} on {corpus}."),
        ("agree", f"{second} is {less} than {first} on {corpus}."),
        ("neither", f"{third} is {more} than {first} on {corpus}."),
    )
    return Pair(claims[label][0], claims[label][1], span)

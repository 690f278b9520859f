"""A small seeded run of the benchmark of the submission rules, and what its inputs promise."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from evals.bench.figures import Verdict
from evals.bench.progress import Progress
from evals.bench.rules import RulesInputs, bench_rules
from evals.rules.mutations import KINDS, Kind
from evals.rules.pairs import HAND_WRITTEN, HELD_OUT, made, read_pairs
from evals.rules.papers import Paper, golden_statements, told_otherwise
from evals.rules.specimens import accepted, specimen
from harness.submission.contradiction import contradicted_by

ROOT = Path(__file__).resolve().parents[3]
GOLDEN = ROOT.parent / "shared" / "data" / "paperloom"


@pytest.mark.parametrize("kind", KINDS, ids=[kind.name for kind in KINDS])
def test_a_mutation_does_what_its_kind_says(kind: Kind) -> None:
    random = Random(kind.name)
    assert [accepted(kind.make(random)) for _ in range(4)] == [not kind.must_be_refused] * 4


@pytest.mark.parametrize("verbatim", [True, False])
def test_specimens_are_valid(verbatim: bool) -> None:
    random = Random(7)
    assert all(accepted(specimen(random, verbatim=verbatim)) for _ in range(20))


def test_there_are_enough_kinds_and_pairs() -> None:
    assert sum(kind.must_be_refused for kind in KINDS) >= 25
    assert len({(kind.name, kind.must_be_refused) for kind in KINDS}) == len(KINDS)
    written = read_pairs(HAND_WRITTEN) + read_pairs(HELD_OUT)
    assert len(written) >= 120
    assert {pair.label for pair in written} == {"contradict", "agree", "neither"}
    assert len({(pair.claim, pair.span) for pair in written}) == len(written)


def test_what_is_called_a_contradiction_is_one() -> None:
    pairs = read_pairs(HAND_WRITTEN) + read_pairs(HELD_OUT) + made(Random(5), 90)
    fired = Counter(pair.label for pair in pairs if contradicted_by(pair.claim, [pair.span]) is not None)
    assert fired["contradict"] / fired.total() >= 0.98
    assert fired["contradict"] / sum(pair.label == "contradict" for pair in pairs) >= 0.9


def test_made_pairs_hold_every_label_in_every_pattern() -> None:
    pairs = made(Random(1), 9)
    assert Counter(pair.label for pair in pairs) == {"contradict": 3, "agree": 3, "neither": 3}


def test_sentences_with_marks_are_left_out_and_a_paper_of_one_sentence_gives_none() -> None:
    kept = "The long survey of the coast holds many letters and maps of it."
    paper = Paper("p", "A", (f"{kept} It costs $5 and “more” than one would think it might cost. Short one.",))
    assert paper.sentences == [kept]
    assert list(told_otherwise(paper, Random(1), 3, verbatim=True)) == []


@pytest.mark.data
@pytest.mark.skipif(not GOLDEN.exists(), reason="../shared/data/paperloom is not here")
def test_golden_statements_are_accepted_with_the_pages_nearest_to_them() -> None:
    statements = list(golden_statements(GOLDEN))
    assert len(statements) >= 8
    refused = [statement.blocks for statement in statements if not accepted(statement)]
    assert len(refused) <= 1, refused


def test_a_quick_run_reaches_its_targets(tmp_path: Path) -> None:
    inputs = RulesInputs(ROOT / "examples" / "papers", tmp_path / "none", tmp_path / "none")
    report = bench_rules(inputs, quick=True, progress=Progress(write=lambda _: None))
    figures = [figure for group in report.groups for figure in group.figures]
    assert [figure.name for figure in figures if figure.verdict is Verdict.NOT_REACHED] == []
    assert any("Not there" in note for note in report.notes)

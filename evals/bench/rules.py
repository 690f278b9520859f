"""`bench rules`: what the submission rules let pass and what they refuse, on mutations, valid answers and pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from evals.bench.figures import Figure, FigureGroup, Report, at_least, at_most, figure
from evals.bench.progress import Progress
from evals.bench.surroundings import report
from evals.rules.mutations import KINDS
from evals.rules.pairs import HAND_WRITTEN, HELD_OUT, Pair, made, read_pairs
from evals.rules.papers import (
    Paper,
    golden_statements,
    offline_answers,
    questions_about,
    read_folder,
    read_golden,
    told_otherwise,
)
from evals.rules.specimens import Specimen, accepted, specimen
from harness.submission.contradiction import contradicted_by

SEED = 20_240_607
MUTATIONS = 10_010
MADE_PAIRS = 240


@dataclass(frozen=True, slots=True)
class RulesInputs:
    """Folders of papers and of golden data; what does not exist is left out and named in the notes."""

    sample_papers: Path
    shared_papers: Path
    golden: Path


def bench_rules(inputs: RulesInputs, *, quick: bool, progress: Progress) -> Report:
    """Measure the rules. Quick: a tenth of the mutations, and the sample papers alone."""
    random = Random(SEED)  # noqa: S311 - reproducible specimens are what it is for
    progress.step("rules: mutations")
    mutated = _mutations(random, MUTATIONS // (10 if quick else 1), progress)
    progress.step("rules: papers")
    papers = [*read_folder(inputs.sample_papers)]
    if not quick:
        papers += [*read_folder(inputs.shared_papers), *read_golden(inputs.golden)]
    progress.step("rules: valid answers")
    valid = _valid(inputs, papers, random, quick=quick)
    progress.step("rules: pairs")
    pairs = FigureGroup("CLAIM_CONTRADICTS_EVIDENCE on labelled pairs", tuple(_pairs(random)))
    missing = [str(folder) for folder in (inputs.shared_papers, inputs.golden) if not folder.exists()]
    notes = (
        f"Seed {SEED}. Each kind of mutation says by construction whether it must be refused; then none may pass.",
        "Valid answers: facts of templates in other words, sentences of the papers quoted or reported, golden "
        "statements with a page each, answers of the offline model. Not verbatim: those that are no quotations.",
        *([f"Not there: {', '.join(missing)}."] if missing else []),
    )
    return report("rules", [*mutated, valid, pairs], notes, quick=quick)


def _mutations(random: Random, count: int, progress: Progress) -> Iterator[FigureGroup]:
    each = -(-count // len(KINDS))
    refused: list[Figure] = []
    benign: list[Figure] = []
    for kind in progress.over(KINDS, len(KINDS), "kinds"):
        passed = sum(accepted(kind.make(random)) for _ in range(each))
        if kind.must_be_refused:
            refused.append(figure(f"{kind.name}: accepted", f"of {each}", [passed], at_most(0)))
        else:
            benign.append(figure(f"{kind.name}: refused", f"of {each}", [each - passed], at_most(0.02 * each)))
    wrong = sum(item.median for item in refused)
    total = figure("accepted in all", f"of {each * len(refused)}", [wrong], at_most(0))
    yield FigureGroup(f"must be refused: {len(refused)} kinds", (*refused, total))
    yield FigureGroup(f"must be accepted: {len(benign)} kinds", tuple(benign))


def _valid(inputs: RulesInputs, papers: Sequence[Paper], random: Random, *, quick: bool) -> FigureGroup:
    share = 10 if quick else 1
    each = 30 // share
    sources: list[tuple[str, list[Specimen]]] = [
        ("templates, other words", [specimen(random) for _ in range(500 // share)]),
        ("templates, quoted", [specimen(random, verbatim=True) for _ in range(100 // share)]),
        (
            "papers, reported",
            [item for paper in papers for item in told_otherwise(paper, random, each, verbatim=False)],
        ),
        (
            "papers, quoted",
            [item for paper in papers for item in told_otherwise(paper, random, each // 2, verbatim=True)],
        ),
        ("golden statements", [] if quick else [*golden_statements(inputs.golden)]),
    ]
    figures: list[Figure] = []
    refused, loose, total = 0, 0, 0
    for name, specimens in sources:
        wrong = sum(not accepted(item) for item in specimens)
        refused, total = refused + wrong, total + len(specimens)
        loose += sum(not item.verbatim for item in specimens)
        figures.append(figure(f"{name}: refused", f"of {len(specimens)}", [wrong]))
    attempts = [tried for _, tried in offline_answers(papers, questions_about(papers, random, 60 // share))]
    wrong = sum(tried != 1 for tried in attempts)
    figures.append(figure("offline model: refused", f"of {len(attempts)}", [wrong]))
    total, refused = total + len(attempts), refused + wrong
    figures.append(figure("refused in all", f"% of {total}", [100 * refused / total], at_most(2)))
    figures.append(figure("not verbatim", f"% of {total}", [100 * loose / total], at_least(50)))
    return FigureGroup("valid answers", tuple(figures))


def _pairs(random: Random) -> Iterator[Figure]:
    written, held_out = read_pairs(HAND_WRITTEN), read_pairs(HELD_OUT)
    templates = made(random, MADE_PAIRS)
    yield from _precision("all pairs", [*written, *held_out, *templates], targeted=True)
    yield from _precision("written by hand", written)
    yield from _precision("held out", held_out)
    yield from _precision("made", templates)


def _precision(name: str, pairs: Iterable[Pair], *, targeted: bool = False) -> Iterator[Figure]:
    judged = [(pair.label == "contradict", contradicted_by(pair.claim, [pair.span]) is not None) for pair in pairs]
    found = [truth for truth, fired in judged if fired]
    real = [fired for truth, fired in judged if truth]
    unit = f"of {len(judged)}"
    yield figure(f"{name}: precision", unit, [sum(found) / max(1, len(found))], at_least(0.98) if targeted else None)
    yield figure(f"{name}: recall", unit, [sum(real) / max(1, len(real))])

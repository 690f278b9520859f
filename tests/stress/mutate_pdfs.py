"""Add PDFs that were broken in small ways: each must end in a named outcome, in time, and nothing else may suffer.

`python -m tests.stress.mutate_pdfs [--mutants 500] [--jobs 2] [--seed 1]`, about 5 minutes on two cores. A file that is
named in the output is made again by its seed and number.
"""

from __future__ import annotations

import argparse
import random
import re
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from reading_model.ingestion import IngestOutcome, ingest
from reading_model.parsing import ParseLimits
from tests.corpus_gateway.installation import Installation, installation
from tests.places import CASES, DATA, SAMPLE_PAPERS

SECONDS = 30.0
LONG_SECONDS = 120.0
LONG_FILE_PAGES = re.compile(rb"/Count\s+(\d{3,})")

_NUMBER = re.compile(rb"(?<![\d.])\d{1,10}(?![\d.])")
_NAME = re.compile(rb"/[A-Z][A-Za-z0-9]{2,12}")
_ODD_NUMBERS = (b"0", b"-1", b"65536", b"2147483647", b"-2147483648", b"99999999999", b"1e38", b"0.0000001")
_NAMED = frozenset(
    {
        "not_a_pdf",
        "damaged",
        "password_required",
        "password_wrong",
        "too_large",
        "parser_timeout",
        "parser_crashed",
        "no_text",
        "value_not_storable",
    }
)

Mutation = Callable[[bytearray, random.Random, Sequence[bytes]], None]


def flip_bits(data: bytearray, chance: random.Random, _others: Sequence[bytes]) -> None:
    """One to 40 bits anywhere."""
    for _ in range(chance.randint(1, 40)):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def cut(data: bytearray, chance: random.Random, _others: Sequence[bytes]) -> None:
    """The rest of the file is missing, as after a broken download."""
    del data[chance.randrange(16, len(data)) :]


def lose(data: bytearray, chance: random.Random, _others: Sequence[bytes]) -> None:
    """A stretch is missing."""
    start, length = _stretch(data, chance)
    del data[start : start + length]


def blank(data: bytearray, chance: random.Random, _others: Sequence[bytes]) -> None:
    """A stretch is zeros, as on a bad disk."""
    start, length = _stretch(data, chance)
    data[start : start + length] = bytes(len(data[start : start + length]))


def repeat(data: bytearray, chance: random.Random, _others: Sequence[bytes]) -> None:
    """A stretch comes twice."""
    start, length = _stretch(data, chance)
    data[start:start] = data[start : start + length]


def graft(data: bytearray, chance: random.Random, others: Sequence[bytes]) -> None:
    """A stretch of another file in place of a stretch of this one."""
    start, length = _stretch(data, chance)
    donor = chance.choice(others)
    there = chance.randrange(len(donor))
    data[start : start + length] = donor[there : there + length]


def other_numbers(data: bytearray, chance: random.Random, _others: Sequence[bytes]) -> None:
    """Numbers (lengths, offsets, sizes, references) that do not fit."""
    for _ in range(chance.randint(1, 6)):
        _replace(data, _NUMBER, chance.choice(_ODD_NUMBERS), chance)


def other_references(data: bytearray, chance: random.Random, _others: Sequence[bytes]) -> None:
    """Numbers that fit and mean another object."""
    for _ in range(chance.randint(1, 6)):
        _replace(data, _NUMBER, b"%d" % chance.randint(0, 40), chance)


def other_names(data: bytearray, chance: random.Random, _others: Sequence[bytes]) -> None:
    """Keys and names that stand elsewhere in the file."""
    names = _NAME.findall(data) or [b"/Kids"]
    for _ in range(chance.randint(1, 6)):
        _replace(data, _NAME, chance.choice(names), chance)


MUTATIONS: tuple[Mutation, ...] = (
    flip_bits,
    cut,
    lose,
    blank,
    repeat,
    graft,
    other_numbers,
    other_references,
    other_names,
)


def _stretch(data: bytearray, chance: random.Random) -> tuple[int, int]:
    return chance.randrange(len(data)), chance.choice((1, 7, 64, 700, 9000))


def _replace(data: bytearray, pattern: re.Pattern[bytes], by: bytes, chance: random.Random) -> None:
    found = list(pattern.finditer(data))
    if found:
        place = chance.choice(found)
        data[place.start() : place.end()] = by


@dataclass(frozen=True)
class Mutant:
    """A broken file and what it was made of. `seconds` is how long parsing it may take."""

    path: Path
    made_of: str
    seconds: float


@dataclass(frozen=True)
class Survey:
    """What became of the mutants: outcomes by name, the longest time, growth of this process in MB, what is wrong."""

    outcomes: Counter[str]
    slowest: float
    grown_mb: float
    wrong: tuple[str, ...]


def sources() -> list[Path]:
    """The sample papers, and the odd files and cases where they are."""
    folders = (SAMPLE_PAPERS, DATA / "odd", CASES / "inputs")
    return [path for folder in folders for path in sorted(folder.glob("*.pdf")) if path.stat().st_size]


def mutants(folder: Path, count: int, seed: int) -> Iterator[Mutant]:
    """`count` broken files, made when they are asked for; the same seed makes the same files."""
    paths = sources()
    originals = [path.read_bytes() for path in paths]
    for number in range(count):
        chance = random.Random(f"{seed}:{number}")
        which = chance.randrange(len(paths))
        data = bytearray(originals[which])
        kinds = chance.sample(MUTATIONS, chance.randint(1, 2))
        for mutate in kinds:
            if data:
                mutate(data, chance, originals)
        path = folder / f"mutant-{number:04}.pdf"
        path.write_bytes(data)
        names = ", ".join(mutate.__name__ for mutate in kinds)
        pages = max(map(int, LONG_FILE_PAGES.findall(originals[which])), default=0)
        yield Mutant(path, f"{paths[which].name}: {names}", LONG_SECONDS if pages > 100 else SECONDS)


def survey(folder: Path, *, count: int, jobs: int, seed: int) -> Survey:
    """Add the mutants to a library and look at it afterwards."""
    files = folder / "files"
    files.mkdir()
    outcomes: Counter[str] = Counter()
    wrong: list[str] = []
    slowest = grown = 0.0
    with installation(folder / "library") as parts:
        for seconds in (SECONDS, LONG_SECONDS):
            known = {item.path: item for item in mutants(files, count, seed) if item.seconds == seconds}
            before = _peak_mb()
            for outcome in _added(parts, known, jobs, seconds):
                code = outcome.failure.code if outcome.failure is not None else outcome.status
                outcomes[code] += 1
                slowest = max(slowest, outcome.seconds)
                wrong += _wrong(outcome, known[outcome.path], seconds)
            grown = max(grown, _peak_mb() - before)
        report = parts.indexer.verify()
        if not report.clean:
            wrong.append(f"index verify: {report}")
    if sum(outcomes.values()) != count:
        wrong.append(f"{sum(outcomes.values())} outcomes for {count} files")
    return Survey(outcomes, slowest, grown, tuple(wrong))


def _added(parts: Installation, known: dict[Path, Mutant], jobs: int, seconds: float) -> Iterator[IngestOutcome]:
    return ingest(
        iter(known),
        store=parts.store,
        objects=parts.objects,
        on_ready=parts.indexer.index_model,
        jobs=jobs,
        limits=ParseLimits(seconds=seconds),
    )


def _wrong(outcome: IngestOutcome, mutant: Mutant, seconds: float) -> Iterator[str]:
    if outcome.failure is not None and outcome.failure.code not in _NAMED:
        yield f"{mutant.path.name} ({mutant.made_of}): {outcome.failure}"
    # the time of the parent comes on top of the parser's
    if outcome.seconds > 2 * seconds or (outcome.failure is not None and outcome.failure.code == "parser_timeout"):
        yield f"{mutant.path.name} ({mutant.made_of}): {outcome.seconds:.0f} s"
    if outcome.failure is not None and outcome.failure.code == "parser_crashed":
        sys.stdout.write(f"{mutant.path.name} ({mutant.made_of}): {outcome.failure.message}\n")


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(arguments: Sequence[str] | None = None) -> int:
    """Say what was found; 1 when anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutants", type=int, default=500)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="paperledger-mutants-") as folder:
        found = survey(Path(folder), count=given.mutants, jobs=given.jobs, seed=given.seed)
    for name, count in found.outcomes.most_common():
        sys.stdout.write(f"{count:5} {name}\n")
    for fault in found.wrong:
        sys.stdout.write(f"{fault}\n")
    sys.stdout.write(
        f"slowest {found.slowest:.1f} s, this process grew by {found.grown_mb:.0f} MB, "
        f"{time.monotonic() - start:.0f} s in all\n"
    )
    return int(bool(found.wrong))


if __name__ == "__main__":
    sys.exit(main())

"""Kill whoever works on the index, again and again, and ask what answers: always a complete state, and the same one.

Two of three kills hit a separate process that rebuilds the whole index while another one serves; the third hits the
process that serves while it indexes a paper. `python -m tests.stress.kill_index [--papers 40] [--kills 30] [--seed 1]`,
about three minutes.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from reading_model.models import PaperMetadata
from reading_model.store import open_store, upgrade_schema
from tests.index.libraries import reading_model, store_paper
from tests.stress.index_processes import url

_WORDS = [
    *["windy", "harbour", "lantern", "tide", "measured", "between", "paper", "ledger"],
    *["anchor", "signal", "mast", "gull", "chart", "depth", "salt", "rope"],
]
_PLACES = 25
_PATIENCE = 120.0
_LONGEST_DELAY = 0.4


@dataclass
class Tally:
    """What was seen: kills by whom they hit, answers that were compared, leases taken over, and what was wrong."""

    rebuilds_killed: int = 0
    owners_killed: int = 0
    switched: int = 0
    answers: int = 0
    taken_over: int = 0
    resumed: int = 0
    wrong: list[str] = field(default_factory=list[str])


class Process:
    """One of the processes of `index_processes`, spoken to line by line."""

    def __init__(self, what: str, library: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.stress.index_processes", what, str(library)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )

    def say(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def line(self) -> str:
        """The next line it says; an empty one when it has ended."""
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def ask(self, question: str) -> dict[str, Any]:
        self.say(question)
        while (line := self.line()) == "wrote":
            pass
        return json.loads(line)

    def kill(self, *, after: float) -> None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(after)
        self._process.send_signal(signal.SIGKILL)
        self.end()

    def end(self) -> int:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        return self._process.wait(_PATIENCE)


@contextmanager
def serving(library: Path) -> Generator[Process]:
    process = Process("serve", library)
    try:
        while (line := process.line()) != "open":
            assert line == "wrote", f"the process that serves did not start: {line!r}"
        yield process
    finally:
        process.kill(after=0)


def run(folder: Path, *, papers: int, kills: int, seed: int) -> Tally:
    """Kill so often and compare every answer with the one before; at the end a rebuild that nobody kills."""
    chance = random.Random(seed)
    library = folder / "library"
    library.mkdir(parents=True)
    upgrade_schema(url(library))
    tally = Tally()
    versions = dict(_store(library, number, chance) for number in range(papers))
    with serving(library) as server:
        for paper_id, version in versions.items():
            server.say(f"index {paper_id} {version}")
            while server.line() != "done":
                pass
    before: dict[str, Any] | None = None
    for number in range(kills):
        before = (
            _kill_the_owner(library, chance, tally, papers + number)
            if number % 3 == 2
            else _kill_a_rebuild(library, chance, tally, papers)
        )
        _look(before, papers, tally)
    _finish(library, tally)
    return tally


def _store(library: Path, number: int, chance: random.Random, *, places: int = _PLACES) -> tuple[str, str]:
    """Store a paper without points; its id and model version."""
    paper_id = f"paper-{number:04}"
    texts = [f"{' '.join(chance.choices(_WORDS, k=30))} {paper_id} place {place}" for place in range(places)]
    store = open_store(url(library))
    model = reading_model(paper_id, texts, metadata=PaperMetadata(title=f"{paper_id} alone"))
    version = store_paper(store, model)
    store.close()
    return paper_id, version


def _kill_a_rebuild(library: Path, chance: random.Random, tally: Tally, papers: int) -> dict[str, Any]:
    """Answers while another process rebuilds and after it was killed; the old index's, or the new one's."""
    with serving(library) as server:
        old = server.ask("ask")
        builder = Process("rebuild", library)
        for _ in range(chance.randint(0, papers + 1)):
            if not builder.line():
                break
            _compare(old, server.ask("ask"), tally)
        builder.kill(after=chance.uniform(0, _LONGEST_DELAY))
        tally.rebuilds_killed += 1
        new = server.ask("ask")
        tally.switched += _compare(old, new, tally)
        _verify(server, tally)
        return new


def _kill_the_owner(library: Path, chance: random.Random, tally: Tally, number: int) -> dict[str, Any]:
    """The process that serves is killed while it indexes: what the next start answers; nothing may be half done."""
    paper_id, version = _store(library, number, chance, places=10 * _PLACES)
    with serving(library) as server:
        old = server.ask("ask")
        server.say(f"index {paper_id} {version}")
        for _ in range(chance.randint(0, 3)):
            server.line()
        server.kill(after=chance.uniform(0, _LONGEST_DELAY / 10))
    tally.owners_killed += 1
    tally.taken_over += _is_taken_over(library, version, tally)
    with serving(library) as server:
        new = server.ask("ask")
        whole = new["papers"] in {old["papers"], old["papers"] + 1}
        if not whole or (new["papers"] == old["papers"] and new != old):
            tally.wrong.append(f"after the owner was killed {new['papers']} papers answered, not {old['papers']}")
        _verify(server, tally)
        if new["papers"] == old["papers"]:
            server.say(f"index {paper_id} {version}")
            while server.line() != "done":
                pass
        return server.ask("ask")


def _is_taken_over(library: Path, version: str, tally: Tally) -> bool:
    """Whether the dead owner held a lease; it must not be taken before it runs out, and must be taken afterwards."""
    soon = open_store(url(library))
    held = version in soon.leases.under_way()
    early = soon.leases.claim(version, "early", seconds=1) if held else None
    soon.close()
    later = open_store(url(library), clock=lambda _: datetime.now(UTC) + timedelta(hours=1))
    late = later.leases.claim(version, "late", seconds=1) if held else None
    later.close()
    if held and (early is not None or late is None):
        tally.wrong.append(f"the lease of a killed owner: early {early}, late {late}")
    return held


def _compare(old: dict[str, Any], new: dict[str, Any], tally: Tally) -> bool:
    """Whether another index answers now; the same one must answer the same."""
    tally.answers += 1
    switched = new["generation"] != old["generation"]
    if (not switched and new != old) or new["papers"] != old["papers"]:
        tally.wrong.append(f"index {new['generation']} answered otherwise than index {old['generation']}")
    return switched


def _look(answer: dict[str, Any], papers: int, tally: Tally) -> None:
    if answer["papers"] < papers or not all(answer["hits"]):
        tally.wrong.append(f"{answer['papers']} of {papers} papers answered")


def _verify(server: Process, tally: Tally) -> None:
    report = server.ask("verify")
    for name in ("missing", "unexpected", "altered", "unfinished", "leftovers"):
        if report[name]:
            tally.wrong.append(f"index verify: {len(report[name])} {name}, first {report[name][0]}")


def _finish(library: Path, tally: Tally) -> None:
    """A rebuild that nobody kills goes on with what is there, and the process that serves moves to it."""
    with serving(library) as server:
        old = server.ask("ask")
        builder = Process("rebuild", library)
        last = ""
        while line := builder.line():
            last = line
        if builder.end() != 0:
            tally.wrong.append(f"the last rebuild failed: {last}")
            return
        tally.resumed = json.loads(last)["resumed"]
        if not _compare(old, server.ask("ask"), tally):
            tally.wrong.append("the process that serves did not move to the new index")
        _verify(server, tally)


def main(arguments: Sequence[str] | None = None) -> int:
    """Say what was found; 1 when anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--papers", type=int, default=40)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="paperledger-kill-") as folder:
        tally = run(Path(folder), papers=given.papers, kills=given.kills, seed=given.seed)
    for fault in tally.wrong:
        sys.stdout.write(f"{fault}\n")
    seconds = time.monotonic() - start
    sys.stdout.write(
        f"{tally.rebuilds_killed} rebuilds killed, {tally.switched} of them after the switch\n"
        f"{tally.owners_killed} owners killed while they indexed\n"
        f"{tally.taken_over} leases of killed owners taken over once they had run out\n"
        f"{tally.answers} answers compared, {tally.resumed} papers kept for the last rebuild\n"
        f"{len(tally.wrong)} wrong, {seconds:.0f} s\n"
    )
    return int(bool(tally.wrong))


if __name__ == "__main__":
    sys.exit(main())

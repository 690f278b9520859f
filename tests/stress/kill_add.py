"""Add many papers with two workers, kill the process again and again, look at what is there: nothing may be half done.

`python -m tests.stress.kill_add [--papers 1000] [--kills 10] [--jobs 2] [--seed 1]`, about 10 minutes on two cores.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cli.settings import Settings
from cli.wiring import OpenLibrary, open_library
from reading_model.artifacts import unpack
from reading_model.identity import sha256_hex
from reading_model.models import IndexStatus
from reading_model.objects import LocalObjects
from tests.stress.adding import USER
from tests.stress.papers import write_papers

_LONGEST_DELAY = 0.25


@dataclass(frozen=True)
class Seen:
    """What a library holds: papers that are complete, and everything that is wrong with it."""

    complete: int
    wrong: tuple[str, ...]


def run(folder: Path, *, papers: int, kills: int, jobs: int, seed: int) -> list[Seen]:
    """What is there after each kill, and at the end of the run that nobody kills."""
    chance = random.Random(seed)
    files, library = folder / "files", folder / "library"
    write_papers(files, papers, seed)
    seen: list[Seen] = []
    # moments are spread over the whole work: so many papers done, then a moment more
    moments = sorted(chance.sample(range(papers), kills))
    done = 0
    for moment in moments:
        done += _add_until_killed(library, files, jobs, moment - done, chance.uniform(0, _LONGEST_DELAY))
        seen.append(look(library))
        say(f"killed at {moment}: {seen[-1].complete} complete, {len(seen[-1].wrong)} wrong")
    subprocess.run(_command(library, files, jobs), check=True, stdout=subprocess.DEVNULL)
    seen.append(look(library))
    return seen


def _add_until_killed(library: Path, files: Path, jobs: int, more: int, delay: float) -> int:
    """Kill the run `delay` seconds after it has made `more` papers ready; how many it made ready."""
    process = subprocess.Popen(_command(library, files, jobs), stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    ready = 0
    with process:
        for line in process.stdout:
            ready += line.startswith("ready")
            if ready >= more:
                break
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(delay)
        process.send_signal(signal.SIGKILL)
        ready += sum(line.startswith("ready") for line in process.stdout)
    return ready


def _command(library: Path, files: Path, jobs: int) -> list[str]:
    return [sys.executable, "-m", "tests.stress.adding", str(library), str(files), str(jobs)]


def look(library: Path) -> Seen:
    """Open a library as the next command would, and hold every paper of it against its file, objects and points."""
    with open_library(Settings(library=library)) as opened:
        report = opened.indexer.verify()
        wrong = [] if report.clean else [f"index verify: {report}"]
        listed = opened.library.papers(USER)
        for paper in listed:
            wrong += _wrong(opened, paper.record.paper_id)
            if not paper.searchable:
                wrong.append(f"{paper.filename} is listed and cannot be searched")
        return Seen(len(listed), tuple(wrong))


def _wrong(opened: OpenLibrary, paper_id: str) -> list[str]:
    (record,) = opened.store.papers.get([paper_id])
    if record.model_version is None or record.index_status is not IndexStatus.READY or record.failure:
        return [f"{record.filename} is {record.index_status}"]
    model = opened.store.models.load(paper_id, record.model_version)
    objects = LocalObjects(opened.settings.library / "objects")
    kept = objects.get(opened.store.papers.object_key(paper_id))
    artifacts = opened.store.papers.artifacts(paper_id)
    parsed = unpack(objects.get(artifacts[-1].object_key))
    if not (sha256_hex(kept) == parsed.source_sha256 == model.source_sha256 and len(artifacts) == 1):
        return [f"{record.filename} does not agree with its objects"]
    return []


def say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def main(arguments: Sequence[str] | None = None) -> int:
    """Say what was found; 1 when anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--papers", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="paperledger-kill-") as folder:
        seen = run(Path(folder), papers=given.papers, kills=given.kills, jobs=given.jobs, seed=given.seed)
    wrong = [fault for state in seen for fault in state.wrong]
    for fault in wrong:
        say(fault)
    say(f"{seen[-1].complete} of {given.papers} papers complete at the end, {time.monotonic() - start:.0f} s")
    return int(bool(wrong) or seen[-1].complete != given.papers)


if __name__ == "__main__":
    sys.exit(main())

from __future__ import annotations

from pathlib import Path

from tests.stress.kill_index import run


def test_whoever_is_killed_a_complete_index_answers(quick_folder: Path) -> None:
    tally = run(quick_folder, papers=6, kills=3, seed=3)
    assert tally.wrong == []
    assert (tally.rebuilds_killed, tally.owners_killed) == (2, 1)
    assert tally.answers > 3

from __future__ import annotations

from pathlib import Path

from tests.stress.kill_add import run


def test_every_paper_is_complete_or_absent_wherever_adding_is_killed(tmp_path: Path) -> None:
    seen = run(tmp_path, papers=40, kills=3, jobs=2, seed=7)
    assert [state.wrong for state in seen] == [()] * 4
    assert seen[-1].complete == 40
    assert [state.complete < 40 for state in seen[:-1]] == [True] * 3, "the kills must come before the end"

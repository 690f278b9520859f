from __future__ import annotations

import random
from pathlib import Path

from tests.stress.provider_fault_kinds import FAULTS
from tests.stress.provider_faults import CALLS, survey, trials


def test_at_least_40_kinds_are_played_at_each_of_the_six_calls() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) >= 40
    assert CALLS == 6
    assert len(trials()) >= 40 * CALLS


async def test_every_run_ends_once_with_its_usage_and_leaves_nothing_behind(tmp_path: Path) -> None:
    slow = ("hang", "dripping_body", "stalled_body")
    chosen = [trial for trial in trials() if trial.fault.name not in slow]
    found = await survey(random.Random(20).sample(chosen, 45), tmp_path)
    assert found.wrong == ()
    assert found.endings["COMPLETED"] > 10, "most faults do not end a run"
    assert len(found.endings) > 3

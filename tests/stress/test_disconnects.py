"""A few of the disconnects that `python -m tests.stress.disconnects` makes by the hundred."""

from __future__ import annotations

from tests.stress.disconnects import disconnect


async def test_f30_a_run_ends_within_a_second_after_its_reader_left() -> None:
    found = await disconnect(6, seed=1)
    assert len(found.seconds) == 6
    assert found.late == 0, found
    assert found.left_over == 0

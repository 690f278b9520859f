from __future__ import annotations

from evals.bench.progress import Progress


class Clock:
    """A clock that goes on by 0.4 s whenever it is read."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.4
        return self.now


def test_counts_are_told_now_and_then_and_steps_at_once() -> None:
    lines: list[str] = []
    progress = Progress(write=lines.append, clock=Clock())
    progress.step("begin")
    assert list(progress.over("abcdef", 6, "letters")) == list("abcdef")
    assert lines == ["begin\n", "letters: 3 of 6\n", "letters: 6 of 6\n"]

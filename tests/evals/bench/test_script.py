from __future__ import annotations

import pytest

from evals.bench.script import ScriptedCalls
from evals.bench.streams import Stream, Streamed, is_answer, stream_figures


def test_the_script_does_not_stream() -> None:
    with pytest.raises(NotImplementedError):
        ScriptedCalls().stream_response()


@pytest.mark.parametrize(
    ("line", "answered"),
    [
        ("", False),
        ('{"type": "job_failed"}', False),
        ('{"type": "result", "payload": {"status": "FAILED_TECHNICAL"}}', False),
        ('{"type": "result", "payload": {"status": "COMPLETED"}}', True),
    ],
)
def test_only_the_result_of_a_completed_run_is_an_answer(line: str, answered: bool) -> None:
    assert is_answer(line) is answered


def test_streams_without_an_answer_are_counted_against_the_target() -> None:
    streams = (Stream(0.1, 1.0, answered=True), Stream(0.7, 2.0, answered=False))
    group = stream_figures(Streamed(streams, memory_mb=None))
    verdicts = {figure.name: (figure.median, figure.verdict) for figure in group.figures}
    assert verdicts["streams without an answer"] == (1, "not reached")
    assert verdicts["first event p99"] == (0.7, "not reached")
    assert "peak memory of the service" not in verdicts

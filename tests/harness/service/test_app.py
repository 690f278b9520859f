"""Routes and refusals over a real server on loopback."""

from __future__ import annotations

from tests.harness.service.scripted import (
    ScriptedRunner,
    body,
    serving,
)


async def test_a_stream_begins_with_job_started_and_ends_with_the_result() -> None:
    runner = ScriptedRunner()
    async with serving(runner) as service:
        lines = await service.stream(body())
    assert [line["type"] for line in lines] == [
        "job_started",
        "model_call_started",
        "model_call_completed",
        "answer_completed",
        "result",
    ]
    assert [line["sequence"] for line in lines] == [1, 2, 3, 4, 5]
    assert {line["generationId"] for line in lines} == {"gen-1"}
    assert {line["runId"] for line in lines} == {runner.turns[0].run_id}
    assert lines[-1]["payload"]["answer"]["markdown"] == "Done."

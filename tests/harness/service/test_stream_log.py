"""Numbering, bounds and the honest gap of a stream's lines."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st
from pydantic import ValidationError

from harness.service.stream_log import StreamLog
from tests.harness.service.scripted import lines_of


def new_log(max_backlog_bytes: int = 10_000) -> StreamLog:
    return StreamLog(generation_id="gen", run_id="run", max_backlog_bytes=max_backlog_bytes, clock=lambda: 1_700)


def tool_event(query: str = "nodes") -> dict[str, Any]:
    return {"tool": "find_reading_locations", "input": {"query": query}}


def test_every_line_carries_the_envelope_first() -> None:
    log = new_log()
    log.add("job_started", {})
    (line,) = lines_of(log.take())
    assert list(line.items()) == [
        ("generationId", "gen"),
        ("runId", "run"),
        ("sequence", 1),
        ("timestamp", 1_700),
        ("type", "job_started"),
    ]


def test_fields_of_the_runner_never_replace_the_envelope() -> None:
    log = new_log()
    log.add_progress("tool_started", {**tool_event(), "sequence": 9, "runId": "other", "type": "result"})
    (line,) = lines_of(log.take())
    assert (line["sequence"], line["runId"], line["type"]) == (1, "run", "tool_started")


def test_a_line_that_is_not_of_the_contract_is_refused_and_takes_no_number() -> None:
    log = new_log()
    with pytest.raises(ValidationError):
        log.add_progress("tool_started", {"tool": 5})
    log.add("heartbeat", {})
    assert [line["sequence"] for line in lines_of(log.take())] == [1]


def test_what_does_not_fit_is_counted_and_told_where_it_is_missing() -> None:
    log = new_log(max_backlog_bytes=400)
    for number in range(10):
        log.add_progress("tool_started", tool_event(f"query {number}"))
    first = lines_of(log.take())
    log.add_progress("tool_started", tool_event("later"))
    second = lines_of(log.take())
    assert 1 <= len(first) < 10
    assert [line["type"] for line in second] == ["progress_dropped", "tool_started"]
    assert second[0]["count"] == 10 - len(first)
    assert [line["sequence"] for line in first + second] == list(range(1, len(first) + 3))


def test_the_last_lines_are_never_dropped() -> None:
    log = new_log(max_backlog_bytes=1)
    log.add_progress("tool_started", tool_event())
    log.add("answer_completed", {})
    log.add("error", {"error_type": "INTERNAL_UNEXPECTED", "message": "It broke."})
    log.close()
    lines = lines_of(log.take())
    assert [line["type"] for line in lines] == ["progress_dropped", "answer_completed", "error"]
    assert [line["sequence"] for line in lines] == [1, 2, 3]


def test_nothing_follows_the_end() -> None:
    log = new_log()
    log.close()
    log.add_progress("tool_started", tool_event())
    log.add_heartbeat()
    assert log.take() == b""


def test_a_heartbeat_is_needless_while_news_wait() -> None:
    log = new_log()
    log.add("job_started", {})
    log.add_heartbeat()
    assert [line["type"] for line in lines_of(log.take())] == ["job_started"]
    log.add_heartbeat()
    assert [line["type"] for line in lines_of(log.take())] == ["heartbeat"]


@pytest.mark.parametrize("news", ["line", "end", "wake"])
async def test_a_waiting_reader_is_woken(news: str) -> None:
    log = new_log()
    waiting = asyncio.create_task(log.wait())
    await asyncio.sleep(0)
    assert not waiting.done()
    {"line": lambda: log.add("job_started", {}), "end": log.close, "wake": log.wake}[news]()
    async with asyncio.timeout(1):
        await waiting


@examples(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["progress", "firm", "take"]), st.text(max_size=60)), max_size=40))
def test_sequences_have_no_gaps_and_every_drop_is_told(steps: list[tuple[str, str]]) -> None:
    log = new_log(max_backlog_bytes=500)
    lines: list[dict[str, Any]] = []
    sent = 0
    for step, text in steps:
        if step == "progress":
            log.add_progress("tool_started", tool_event(text))
            sent += 1
        elif step == "firm":
            log.add("heartbeat", {})
        else:
            lines += lines_of(log.take())
    log.add("answer_completed", {})
    lines += lines_of(log.take())
    assert [line["sequence"] for line in lines] == list(range(1, len(lines) + 1))
    told = sum(line["type"] == "tool_started" for line in lines)
    dropped = sum(line.get("count", 0) for line in lines)
    assert told + dropped == sent

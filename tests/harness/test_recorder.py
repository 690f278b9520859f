from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.recorder import Recorder, without_secrets
from tests.harness.runs import find, play, read, search, step, submit, submit_read


def events(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "run_1" / "events.jsonl").read_text(encoding="utf-8").splitlines()]


async def test_a_run_is_recorded_from_its_question_to_its_result(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path)
    run = await play(
        [
            step(search()),
            step(find()),
            step(read("loc_recall", call_id="r")),
            step(submit("Recall rose [[ev_9f]].", call_id="s")),
            submit_read("Recall rose {loc_recall}."),
        ],
        recorder=recorder,
    )
    recorded = events(tmp_path)
    assert [item["sequence"] for item in recorded] == list(range(1, len(recorded) + 1))
    assert {item["schema_version"] for item in recorded} == {"harness-eval-event/v1"}
    assert len({item["event_id"] for item in recorded}) == len(recorded)
    kinds = [item["kind"] for item in recorded]
    assert kinds[0] == "run.started"
    assert kinds.count("model.request") == kinds.count("model.response") == 5
    assert kinds.count("tool.started") == kinds.count("tool.completed") == 5
    assert [item["payload"]["accepted"] for item in recorded if item["kind"] == "answer.validation"] == [False, True]
    [reading] = [item for item in recorded if item["event_id"] == "run_1:r:tool.completed:1"]
    before, after = reading["payload"]["state_before"], reading["payload"]["state_after"]
    assert before["evidence_ids"] == []
    assert after["evidence_ids"] == run.response.answer.cited_evidence_ids
    result = json.loads((tmp_path / "run_1" / "result.json").read_text(encoding="utf-8"))
    assert result["schema_version"] == "harness-eval-result/v1"
    assert result["event_count"] == len(recorded)
    assert result["capture_ok"] is True
    assert result["result"] == run.response.model_dump(mode="json")
    assert recorder.failures == 0


async def test_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    await play([step(submit("Hello!"))], recorder=Recorder(tmp_path))
    folder = tmp_path / "run_1"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}


async def test_an_ending_without_an_answer_is_recorded_with_its_reason(tmp_path: Path) -> None:
    await play([step(search(query_text=f"gull {number}")) for number in range(99)], recorder=Recorder(tmp_path))
    [error] = [item for item in events(tmp_path) if item["kind"] == "run.error"]
    assert error["payload"]["reason_code"] == "RUN_MODEL_CALL_LIMIT_EXCEEDED"


async def test_a_folder_that_cannot_be_written_changes_no_answer(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    recorder = Recorder(blocked)
    run = await play([step(submit("Hello!"))], recorder=recorder)
    assert run.response.status == "COMPLETED"
    assert recorder.failures > 0
    assert len(caplog.records) == 1


def test_the_same_event_twice_is_counted_and_not_written(tmp_path: Path) -> None:
    recording = Recorder(tmp_path).open("run_1")
    for _ in range(3):
        recording.record("tool.started", "c1", {})
    recording.record("tool.started", "c1", {}, attempt=2)
    recording.finish({})
    assert len(events(tmp_path)) == 2
    result = json.loads((tmp_path / "run_1" / "result.json").read_text())
    assert result["duplicate_event_count"] == 2


def test_what_cannot_be_written_is_told_in_the_result(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path)
    recording = recorder.open("run_1")
    recording.record("run.started", "run", {"odd": object()})
    recording.finish({})
    result = json.loads((tmp_path / "run_1" / "result.json").read_text())
    assert result["capture_ok"] is False
    assert result["capture_error"].startswith("TypeError")
    assert result["event_count"] == 0
    assert recorder.failures == 1


def test_lone_surrogates_are_written_as_escapes(tmp_path: Path) -> None:
    recording = Recorder(tmp_path).open("run_1")
    recording.record("run.started", "run", {"question": "a\ud800b"})
    recording.finish({})
    assert events(tmp_path)[0]["payload"]["question"] == "a\ud800b"


def test_headers_with_keys_are_left_out() -> None:
    headers = {"Authorization": "Bearer x", "X-Api-Key": "y", "Set-Cookie": "z", "Content-Type": "application/json"}
    assert without_secrets(headers) == {"Content-Type": "application/json"}

from __future__ import annotations

import json
from pathlib import Path

from tests.e2e.command_line import paperledger

QUESTION = "How far off were the default scores after 34% of the points had been deleted?"


def test_a_recorded_run_is_replayed_and_a_changed_record_gives_a_diff(library: Path, tmp_path: Path) -> None:
    assert paperledger("ask", QUESTION, "--record", tmp_path / "runs", "--library", library).code == 0
    [folder] = (tmp_path / "runs").iterdir()
    same = paperledger("replay", folder, "--library", library, "--json")
    assert (same.code, same.json["same"], same.json["differences"]) == (0, True, [])
    assert same.json["evidence"] > 0
    events = folder / "events.jsonl"
    events.write_text(events.read_text(encoding="utf-8").replace("deleted", "removed"), encoding="utf-8")
    other = paperledger("replay", folder, "--library", library)
    assert other.code == 1
    assert "+++ replayed" in other.out
    assert "removed" in other.out


def test_a_folder_without_a_record_is_wrong_use(library: Path, tmp_path: Path) -> None:
    ran = paperledger("replay", tmp_path, "--library", library, "--json")
    assert ran.code == 2
    assert json.loads(ran.out)["error"] == "record_unreadable"

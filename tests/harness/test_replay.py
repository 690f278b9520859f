"""A recorded run, played again over the same corpus and over others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from agents.testing import assistant_message, function_call

from corpus_gateway.memory import MemoryCorpusGateway, MemoryLocation, MemoryPaper
from harness.errors import RecordUnreadable
from harness.models.repair import REPAIR_TOOL
from harness.recorder import Recorder
from harness.replay import ReplayedModel, ReplayReport, read_run, replay
from tests.harness.models.provider import completion, failure, serving
from tests.harness.models.test_openai import HELLO, ask
from tests.harness.runs import (
    GULLS,
    RECALL,
    TERNS,
    call,
    corpus,
    find,
    limits,
    play,
    read,
    search,
    step,
    submit,
    submit_read,
)

RUN = [
    step(search()),
    step(assistant_message("Let me see.")),
    step(function_call("read_locations", '{"location_refs": ["l\ud800', call_id="odd"), call(REPAIR_TOOL)),
    step(find()),
    step(read("loc_recall")),
    step(submit("Recall rose [[ev_9f]].")),
    submit_read("Recall rose {loc_recall}."),
]


async def recorded(folder: Path, steps: list[Any], **given: Any) -> Path:
    await play(steps, recorder=Recorder(folder), **given)
    return folder / "run_1"


async def replayed(folder: Path, gateway: MemoryCorpusGateway | None = None) -> ReplayReport:
    return await replay(read_run(folder), gateway or corpus(), user_id="1")


async def test_a_run_over_the_same_corpus_comes_out_the_same(tmp_path: Path) -> None:
    report = await replayed(await recorded(tmp_path, RUN))
    assert report.differences == ()
    assert report.same
    assert (report.calls, report.evidence) == (5, 1)


@pytest.mark.parametrize(
    "given",
    [
        {"limits": limits(max_model_turns=2)},
        {"limits": limits(max_model_visible_tool_chars=700)},
        {"limits": limits(max_total_tokens=400)},
        {"limits": limits(max_submissions=1)},
    ],
)
async def test_limits_are_part_of_the_record(tmp_path: Path, given: dict[str, Any]) -> None:
    steps = [step(search()), step(find()), step(read("loc_recall")), step(submit("Recall rose.")), step(submit("Hi!"))]
    assert (await replayed(await recorded(tmp_path, steps, **given))).differences == ()


def changed(text: str) -> MemoryCorpusGateway:
    places = [MemoryLocation(text, ref="loc_recall", section="Results", page=3)]
    gulls = MemoryPaper(GULLS, title="Finding Gulls in Text", locations=places)
    return MemoryCorpusGateway([gulls, MemoryPaper(TERNS, title="Terns on the Move")])


async def test_another_corpus_gives_a_readable_difference(tmp_path: Path) -> None:
    report = await replayed(await recorded(tmp_path, RUN), changed(RECALL.replace("0.74", "0.79")))
    assert not report.same
    kinds = {item.kind for item in report.differences}
    assert {"tool_result", "evidence"} <= kinds
    [reading] = [item for item in report.differences if "read_locations" in item.where]
    text = "\n".join(reading.lines)
    assert "--- recorded" in text
    assert "0.79" in text
    assert all(len(item.lines) <= 41 for item in report.differences)


async def test_papers_that_are_gone_end_the_run_otherwise(tmp_path: Path) -> None:
    report = await replayed(await recorded(tmp_path, RUN), MemoryCorpusGateway([]))
    assert {"tool_result", "evidence", "verdict", "ending"} <= {item.kind for item in report.differences}


async def test_an_ending_from_outside_need_not_come_again(tmp_path: Path) -> None:
    async with serving([completion(("search_paper_candidates", {})), failure(400)]) as provider:
        await ask(provider, recorder=Recorder(tmp_path))
    assert (await replayed(tmp_path / "run_1")).same


async def test_a_run_over_http_is_replayed_from_items_and_with_what_useless_replies_cost(tmp_path: Path) -> None:
    empty = json.dumps({"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 0}}).encode()
    from tests.harness.models.provider import Answer

    async with serving([completion(("search_paper_candidates", {})), Answer(body=empty), HELLO]) as provider:
        response = await ask(provider, recorder=Recorder(tmp_path))
    assert response.usage.prompt_tokens == 207
    run = read_run(tmp_path / "run_1")
    assert [reply.wasted for reply in run.replies] == [(0, 0), (7, 0)]
    assert (await replayed(tmp_path / "run_1")).same


@pytest.mark.parametrize("events", [None, "", "no json\n", '{"kind": "run.started"}\n', "[]\n"])
async def test_a_folder_without_a_record_is_refused(tmp_path: Path, events: str | None) -> None:
    if events is not None:
        (tmp_path / "events.jsonl").write_text(events)
        (tmp_path / "result.json").write_text('{"result": {}}')
    with pytest.raises(RecordUnreadable) as refused:
        read_run(tmp_path)
    assert "--record" in refused.value.hint


def test_streaming_is_not_offered() -> None:
    with pytest.raises(NotImplementedError):
        ReplayedModel([]).stream_response()

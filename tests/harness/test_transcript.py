"""What the provider is shown of a long run."""

from __future__ import annotations

import json
from typing import Any, cast

from agents.items import TResponseInputItem
from agents.testing import ModelCall, ModelStep
from hypothesis import given
from hypothesis import strategies as st

from corpus_gateway.memory import MemoryCorpusGateway, MemoryLocation, MemoryPaper
from harness.context import SUBMIT_TOOL
from harness.models.repair import ProtocolRepairs
from harness.transcript import MOST_STEPS, TranscriptView
from tests.harness.runs import GULLS, TERNS, Played, find, limits, play, read, search, step, submit

OPENING = [{"role": "user", "content": "Why?"}]


def library() -> MemoryCorpusGateway:
    """One paper with many places, so that every step of a long run gives something new."""
    places = [
        MemoryLocation(f"Gull number {number} flew {number} km. " * 20, ref=f"loc_{number}", section=f"Day {number}")
        for number in range(60)
    ]
    return MemoryCorpusGateway(
        [MemoryPaper(GULLS, title="Gulls by the Day", locations=places), MemoryPaper(TERNS, "T")]
    )


async def long_run(turns: int, **given: Any) -> Played:
    """Search, find, then read one place after another, and submit last."""
    steps = [step(search()), step(find(query="gull number"))]
    for number in range(turns - 3):
        if number % 3 == 0:
            steps.append(step(find(query=f"gull number {number} flew")))
        else:
            steps.append(ModelStep.respond(lambda made, number=number: step(read(_found(made, number)))))
    steps.append(step(submit("Nothing in the papers speaks to this.", "abstained")))
    given_limits = limits(max_model_turns=turns + 1, max_total_tokens=10_000_000)
    return await play(steps, gateway=library(), limits=given_limits, **given)


def _found(model_call: ModelCall, wished: int) -> str:
    """The wished place when it was found, else another one that was."""
    text = json.dumps(model_call.input)
    known = [f"loc_{number}" for number in range(60) if f'loc_{number}\\"' in text]
    return f"loc_{wished}" if f"loc_{wished}" in known else known[wished % len(known)]


def size(model_call: ModelCall) -> int:
    """Characters of a request: the system prompt and everything that is replayed (tools are always the same)."""
    return len(model_call.system_instructions or "") + len(json.dumps(model_call.input))


async def test_a_request_at_turn_50_is_hardly_larger_than_at_turn_10() -> None:
    run = await long_run(52)
    assert len(run.model.calls) == 52
    assert size(run.model.calls[49]) <= 1.5 * size(run.model.calls[9])


async def test_the_note_of_folded_steps_names_evidence_and_places_but_no_words() -> None:
    run = await long_run(40)
    [note] = [
        json.loads(item["content"])
        for item in run.model.calls[-1].input
        if item.get("role") == "user" and "steps_shortened" in str(item["content"])
    ]
    assert "flew" not in json.dumps([note["evidence"], note["opened_papers"]])
    assert {"paper_id": GULLS, "title": "Gulls by the Day"} in note["opened_papers"]
    assert note["evidence"]
    known = {item["evidence_id"]: item for item in cast("dict[str, Any]", run.response.trace)["evidence_ledger"]}
    for line in note["evidence"]:
        for evidence_id in line["evidence_ids"]:
            assert known[evidence_id]["location_ref"] == line["location_ref"]
            assert known[evidence_id]["section"] == line["section"]


async def test_what_was_folded_can_be_read_again_without_being_taken_for_a_loop() -> None:
    many = [step(find(query=f"gull number {number}")) for number in range(MOST_STEPS + 1)]
    again = read("loc_1", call_id="again")
    steps = [step(search()), step(find(query="gull 1")), step(read("loc_1")), *many, step(again)]
    run = await play(
        [*steps, step(submit("Nothing.", "abstained"))], gateway=library(), limits=limits(max_model_turns=40)
    )
    assert run.reply("again")["items"][0]["location_ref"] == "loc_1"


def called(number: int, name: str, output: str = '{"ok": 1}') -> list[dict[str, Any]]:
    call = {"type": "function_call", "call_id": f"c{number}", "name": name, "arguments": "{}"}
    return [call, {"type": "function_call_output", "call_id": f"c{number}", "output": output}]


steps_drawn = st.lists(st.tuples(st.sampled_from(["search", SUBMIT_TOOL]), st.integers(0, 3000)), max_size=40)


@given(steps_drawn)
def test_a_view_is_short_keeps_calls_and_replies_together_and_shows_the_newest_draft(
    drawn: list[tuple[str, int]],
) -> None:
    view = TranscriptView(ProtocolRepairs(), opening=1, longest_result=2000)
    items = list(OPENING)
    for number, (name, length) in enumerate(drawn):
        items += called(number, name, json.dumps({"text": "x" * length}))
        shown = cast("list[dict[str, Any]]", view.of(cast("list[TResponseInputItem]", items)))
        calls = [item["call_id"] for item in shown if item.get("type") == "function_call"]
        assert calls == [item["call_id"] for item in shown if item.get("type") == "function_call_output"]
        assert view.shown_calls == set(calls)
        assert len(calls) <= MOST_STEPS + 1
        assert f"c{number}" in calls
        drafts = [item for item in shown if item.get("name") == SUBMIT_TOOL]
        assert len(drafts) == any(kind == SUBMIT_TOOL for kind, _ in drawn[: number + 1])
        assert shown[0] == OPENING[0]


@given(steps_drawn)
def test_a_view_depends_on_the_transcript_alone(drawn: list[tuple[str, int]]) -> None:
    items: list[dict[str, Any]] = list(OPENING)
    asked_often = TranscriptView(ProtocolRepairs(), opening=1, longest_result=2000)
    for number, (name, length) in enumerate(drawn):
        items += called(number, name, json.dumps({"text": "x" * length}))
        often = asked_often.of(cast("list[TResponseInputItem]", items))
    if drawn:
        once = TranscriptView(ProtocolRepairs(), opening=1, longest_result=2000)
        assert once.of(cast("list[TResponseInputItem]", items)) == often


def test_the_beginning_of_a_request_stays_the_same_for_some_calls() -> None:
    view = TranscriptView(ProtocolRepairs(), opening=1, longest_result=2000)
    items: list[dict[str, Any]] = list(OPENING)
    beginnings: list[str] = []
    for number in range(40):
        items += called(number, "search")
        beginnings.append(json.dumps(view.of(cast("list[TResponseInputItem]", items))[1]))
    assert len(set(beginnings)) <= 40 // 4 + 1

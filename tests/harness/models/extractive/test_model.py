from __future__ import annotations

import json
from typing import Any

import pytest
from agents import ModelSettings
from agents.models.interface import ModelTracing
from openai.types.responses import ResponseFunctionToolCall

from harness.models.extractive import ExtractiveModel
from harness.models.extractive.plan import MAX_READS, next_calls
from harness.models.extractive.transcript import Call, Transcript, read_transcript

EVERY_TOOL = frozenset(
    {
        "search_paper_candidates",
        "find_papers_by_identity",
        "find_reading_locations",
        "read_locations",
        "submit_research_answer",
    }
)


async def reply(items: Any) -> list[ResponseFunctionToolCall]:
    response = await ExtractiveModel().get_response(
        system_instructions="rules",
        input=items,
        model_settings=ModelSettings(),
        tools=[],
        output_schema=None,
        handoffs=[],
        tracing=ModelTracing.DISABLED,
        previous_response_id=None,
        conversation_id=None,
        prompt=None,
    )
    assert all(isinstance(item, ResponseFunctionToolCall) for item in response.output)
    return [item for item in response.output if isinstance(item, ResponseFunctionToolCall)]


async def test_without_other_tools_it_submits() -> None:
    [call] = await reply("How many gulls sleep?")
    assert call.name == "submit_research_answer"
    assert json.loads(call.arguments)["outcome"] == "abstained"


async def test_call_ids_follow_from_the_conversation() -> None:
    first, second = await reply("gulls?"), await reply("gulls?")
    assert [call.call_id for call in first] == [call.call_id for call in second]
    assert first[0].call_id != (await reply("Hello!"))[0].call_id


async def test_streaming_is_not_offered() -> None:
    with pytest.raises(NotImplementedError):
        ExtractiveModel().stream_response()


def found(ref: str, preview: str) -> dict[str, Any]:
    return {"location_ref": ref, "paper_id": "p1", "title": "Birds", "section": None, "page": 1, "preview": preview}


def transcript(*calls: Call) -> Transcript:
    papers = {"candidates": [{"paper_id": "p1", "title": "Birds"}], "matched_count": 1}
    places = {"locations": [found(f"passage_ref_{at}", "gulls sleep" if at == 7 else "wind") for at in range(10)]}
    searched = Call("search_paper_candidates", {"query_text": "gulls"}, papers)
    located = Call("find_reading_locations", {}, places)
    return Transcript("How do gulls sleep?", (), (searched, located, *calls))


def test_places_whose_preview_holds_the_question_are_read_first() -> None:
    [call] = next_calls(transcript(), EVERY_TOOL)
    assert call.name == "read_locations"
    assert call.arguments["location_refs"][0] == "passage_ref_7"
    assert len(call.arguments["location_refs"]) == 8


def test_what_did_not_fit_is_read_next_and_no_place_twice() -> None:
    [first] = next_calls(transcript(), EVERY_TOOL)
    left = {"location_ref": "passage_ref_7", "first": 2, "last": 4}
    done = Call("read_locations", first.arguments, {"items": [], "unread_spans": [left]})
    [second] = next_calls(transcript(done), EVERY_TOOL)
    assert second.arguments["span_ranges"] == [left]
    assert not set(second.arguments["location_refs"]) & set(first.arguments["location_refs"])
    again = Call("read_locations", second.arguments, {"items": []})
    [third] = next_calls(transcript(done, again), EVERY_TOOL)
    assert third.name == "submit_research_answer"


def test_reading_ends() -> None:
    read = Call("read_locations", {"location_refs": []}, {"items": []})
    [call] = next_calls(transcript(*[read] * MAX_READS), EVERY_TOOL)
    assert call.name == "submit_research_answer"


def test_only_papers_in_focus_are_searched() -> None:
    note = json.dumps({"notice": "Note", "focus_papers": [{"paper_id": "p7", "title": "Terns"}]})
    items = [{"role": "user", "content": note}, {"role": "user", "content": "Which terns sleep?"}]
    read = read_transcript(items)
    searched = Call("search_paper_candidates", {"query_text": "terns"}, {"candidates": []})
    calls = next_calls(Transcript(read.question, (), (searched,), focus_papers=read.focus_papers), EVERY_TOOL)
    assert {tuple(call.arguments["paper_ids"]) for call in calls} == {("p7",)}


def test_a_rejection_that_names_no_block_takes_back_everything() -> None:
    span = {"evidence_id": "ev_1", "page": 1, "text": "Gulls sleep on one leg at night."}
    read = Call("read_locations", {}, {"items": [{"paper_id": "p1", "title": "Birds", "spans": [span]}]})
    refused = Call("submit_research_answer", {}, {"accepted": False})
    [first] = next_calls(transcript(read, read, read), EVERY_TOOL)
    assert "one leg" in first.arguments["markdown"]
    [second] = next_calls(transcript(read, read, read, refused), EVERY_TOOL)
    assert second.arguments["outcome"] == "abstained"

"""A whole run with a scripted model over the in-memory corpus."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from agents.testing import ModelCall, ModelStep

from corpus_gateway.errors import CorpusContractViolation, CorpusUnauthorized, CorpusUnavailable, GatewayError
from harness.errors import InvalidTurnRequest
from harness.prompts import last_call_notice
from harness.runtime import ResearchRuntime
from harness.tools.toolbox import TOOL_NAMES
from tests.harness.runs import (
    GULLS,
    SUBMIT,
    TERNS,
    call,
    corpus,
    evidence_in,
    find,
    limits,
    play,
    read,
    replies,
    search,
    step,
    submit,
    submit_read,
    turn,
)

OPENING = (step(search(query_text="gulls")), step(find()))


async def test_search_find_read_submit_gives_a_cited_answer() -> None:
    run = await play([*OPENING, step(read("loc_recall")), submit_read("Recall rose from 0.61 to 0.74 {loc_recall}.")])
    response = run.response
    assert response.status == "COMPLETED"
    assert response.control is None
    [citation] = response.citations
    assert citation.location_ref == "loc_recall"
    assert citation.origin == "this_turn"
    assert response.answer.cited_evidence_ids == [citation.evidence_id]
    assert "[1]" in response.answer.markdown
    assert f"[[{citation.evidence_id}]]" in response.answer.marker_markdown
    assert response.usage.total_tokens == 440
    assert response.research_memory.selected_evidence_ids == [citation.evidence_id]
    assert response.research_memory.selected_paper_ids == [GULLS]
    assert response.trace is not None
    assert response.trace["finish_reason"] == "model_submitted_answer"
    assert [item["query"] for item in response.trace["evidence_ledger"]] == ["recall cost query"]
    run.model.assert_complete()


async def test_progress_tells_each_model_call_and_tool_in_the_words_of_the_stream_contract() -> None:
    run = await play([*OPENING, step(read("loc_recall")), submit_read("Recall rose to 0.74 {loc_recall}.")])
    assert [event["type"] for event in run.events.seen] == [
        *["model_call_started", "model_call_completed", "tool_started", "tool_completed"] * 3,
        "model_call_started",
        "model_call_completed",
    ]
    searched, found, done = run.events.of("tool_completed")
    assert searched["input"] == {"query": "gulls", "limit": 20}
    assert searched["output"] == {
        "resultCount": 1,
        "papers": [{"paperId": GULLS, "title": "Finding Gulls in Text"}],
    }
    assert found["input"] == {"paperIds": [GULLS], "query": "recall cost query", "limit": 8}
    assert found["output"]["locations"][0].keys() == {"paperId", "title", "section", "page", "locationRef"}
    assert done["status"] == "success"
    assert done["input"] == {"locationRefs": ["loc_recall"], "locationCount": 1}
    assert done["output"]["pages"] == ["3"]
    assert done["output"]["evidence"][0]["quote"].startswith("Recall rose")
    assert done["evidenceIds"] == run.response.answer.cited_evidence_ids
    assert run.events.of("model_call_completed")[-1]["usage"] == {
        "promptTokens": 100,
        "completionTokens": 10,
        "totalTokens": 110,
        "cumulativeTotalTokens": 440,
    }


@pytest.mark.parametrize("field", ["answer", "citations", "research_memory"])
async def test_the_same_run_twice_gives_the_same_bytes(field: str) -> None:
    script = [
        *OPENING,
        step(read("loc_recall", "loc_cost")),
        submit_read("Recall rose {loc_recall}.\n\nCost {loc_cost}."),
    ]
    first, second = await play(script), await play(script, run_id="run_2", request_id="req_2")
    assert first.response.model_dump_json(include={field}) == second.response.model_dump_json(include={field})


async def test_f23_unread_evidence_is_refused_all_at_once_and_the_run_goes_on() -> None:
    def first(model_call: ModelCall) -> ModelStep:
        evidence = evidence_in(model_call)["loc_recall"]
        return step(
            submit(f"Recall rose [[{evidence}]] and cost fell [[ev_9f]]. See also [[loc_cost]].", "answered", "s1")
        )

    run = await play(
        [
            *OPENING,
            step(read("loc_recall")),
            ModelStep.respond(first),
            step(read("loc_cost")),
            submit_read("Recall rose {loc_recall} and cost fell {loc_cost}."),
        ]
    )
    refusal = run.reply("s1")
    assert refusal["accepted"] is False
    assert {"ev_9f", "loc_cost"} <= {marker for item in refusal["violations"] for marker in item.get("markers", [])}
    assert [citation.location_ref for citation in run.response.citations] == ["loc_recall", "loc_cost"]
    assert run.response.trace is not None
    assert run.response.trace["citation_validation"]["submission_attempts"] == 2
    assert "ev_9f" not in run.response.model_dump_json(include={"answer", "citations", "research_memory"})
    [rejected] = run.events.of("submission_rejected")
    assert rejected["attempt"] == 1
    assert "UNKNOWN_EVIDENCE" in rejected["codes"]


async def test_f24_only_a_submission_that_comes_alone_ends_the_run() -> None:
    def together(*names: str) -> ModelStep:
        def respond(model_call: ModelCall) -> ModelStep:
            marker = f"[[{evidence_in(model_call)['loc_recall']}]]"
            made = {
                "c1": read("loc_cost", call_id="c1"),
                **{name: submit(f"Recall rose {marker}.", call_id=name) for name in ("c2", "c3", "c4", "c5")},
            }
            return step(*(made[name] for name in names))

        return ModelStep.respond(respond)

    run = await play(
        [*OPENING, step(read("loc_recall", call_id="c0")), together("c1", "c2"), together("c3", "c4"), together("c5")]
    )
    assert run.response.status == "COMPLETED"
    assert run.response.trace is not None
    answered = [item["tool_call_id"] for item in run.response.trace["tool_calls"]]
    assert answered[3:] == ["c1", "c2", "c3", "c4", "c5"]
    for call_id in ("c1", "c2", "c3", "c4"):
        assert run.reply(call_id)["error"]["code"] == "SUBMISSION_NOT_ALONE"
        assert "once and alone" in run.reply(call_id)["error"]["next_action"]
    assert run.reply("c5")["accepted"] is True
    # nothing of the mixed batch was carried out
    assert [item["location_ref"] for item in run.response.trace["evidence_ledger"]] == ["loc_recall"]
    assert len(run.events.of("tool_started")) == 3
    assert [event["codes"] for event in run.events.of("submission_rejected")] == [["SUBMISSION_NOT_ALONE"]] * 2


async def test_f24_an_unknown_tool_beside_a_submission_refuses_the_whole_batch() -> None:
    run = await play([step(call("search_papers", "c1"), submit("Hello!", call_id="c2")), step(submit("Hello!"))])
    assert run.reply("c1")["error"]["code"] == "SUBMISSION_NOT_ALONE"
    assert run.reply("c2")["error"]["code"] == "SUBMISSION_NOT_ALONE"
    assert run.response.status == "COMPLETED"


async def test_f25_a_run_at_its_turn_limit_ends_once_and_names_the_limit() -> None:
    searches = [step(find(query=f"query {number}")) for number in range(9)]
    run = await play(searches, limits=limits(max_model_turns=4))
    assert run.response.status == "LIMITED"
    assert run.reason == "RUN_MODEL_CALL_LIMIT_EXCEEDED"
    assert len(run.model.calls) == 4
    assert len(run.events.of("tool_completed")) == 4
    assert run.events.seen[-1]["type"] == "tool_completed"
    assert run.response.usage.model_dump() == {"prompt_tokens": 400, "completion_tokens": 40, "total_tokens": 440}
    assert run.response.answer.markdown == ""
    assert run.response.research_memory.previous_evidence == []


async def test_on_the_last_call_the_model_is_told_so_and_only_the_submission_is_offered() -> None:
    run = await play([*OPENING, step(find(call_id="late"))], limits=limits(max_model_turns=3))
    before, last = run.model.calls[1], run.model.calls[2]
    assert last_call_notice() not in (before.system_instructions or "")
    assert last_call_notice() in (last.system_instructions or "")
    assert [tool.name for tool in before.tools] == list(TOOL_NAMES)
    assert [tool.name for tool in last.tools] == [SUBMIT]
    assert run.reply("late")["error"]["code"] == "last_call"


async def test_a_submission_on_the_last_call_is_accepted() -> None:
    run = await play([step(submit("Hello!"))], limits=limits(max_model_turns=1))
    assert run.response.status == "COMPLETED"


async def test_f26_unknown_tool_and_empty_result_get_replies_that_help() -> None:
    run = await play(
        [
            step(call("search_papers", "c1", query="spans")),
            step(search("c2", query_text="zyxglorp")),
            step(read(call_id="c3")),
            step(submit("Nothing in the papers speaks to this.", "abstained", "c4")),
        ]
    )
    unknown = run.reply("c1")["error"]
    assert unknown["code"] == "unknown_tool"
    assert unknown["known_tools"] == list(TOOL_NAMES)
    assert run.reply("c2")["candidates"] == []
    assert run.reply("c2")["hint"]
    assert run.reply("c3")["error"]["code"] == "location_refs_required"
    assert run.response.answer.outcome == "abstained"
    assert run.response.status == "INCOMPLETE_PRECISE"


@pytest.mark.parametrize("broken", ["unknown tool", "plain text", "broken arguments"])
async def test_f26_a_model_that_only_breaks_the_protocol_is_stopped(broken: str) -> None:
    from agents.testing import assistant_message, function_call

    made: dict[str, Any] = {
        "unknown tool": lambda number: call("search_papers", f"u{number}"),
        "plain text": lambda number: assistant_message(f"The answer is {number}."),
        "broken arguments": lambda number: function_call("read_locations", '{"location_refs": [', call_id=f"b{number}"),
    }
    run = await play([step(made[broken](number)) for number in range(20)])
    assert run.response.status == "FAILED_TECHNICAL"
    assert run.reason == "PROVIDER_TOOL_PROTOCOL_VIOLATION"
    assert len(run.model.calls) == 4
    assert run.response.usage.total_tokens == 440


async def test_repairs_are_also_counted_over_the_whole_run() -> None:
    steps = [step(search(limit=number) if number % 2 else call("nope")) for number in range(40)]
    run = await play(steps, limits=limits(max_model_turns=40, max_repairs_total=5))
    assert run.reason == "PROVIDER_TOOL_PROTOCOL_VIOLATION"
    assert len(run.model.calls) == 11


@pytest.mark.parametrize(("requested", "status"), [(True, "LIMITED"), (False, "FAILED_TECHNICAL")])
async def test_a_token_budget_ends_the_run_with_the_tokens_really_used(requested: bool, status: str) -> None:
    steps = [step(search(), tokens=(400, 50)) for _ in range(9)]
    run = await play(steps, limits=limits(max_total_tokens=1000, requested=requested))
    assert run.response.status == status
    assert run.reason == "RUN_TOKEN_BUDGET_EXHAUSTED"
    assert run.response.usage.total_tokens == 1350
    assert run.response.control is not None
    assert run.response.control.usage.model_calls == 3
    assert run.response.control.usage.tokens == 1350


async def test_a_provider_that_reports_no_usage_still_uses_up_the_budget() -> None:
    run = await play(
        [[search(limit=number + 1)] for number in range(99)], limits=limits(max_total_tokens=12_000, max_model_turns=90)
    )
    assert run.reason == "RUN_TOKEN_BUDGET_EXHAUSTED"
    assert run.response.usage.total_tokens >= 12_000


async def test_spent_submissions_end_the_run_without_any_draft_text() -> None:
    bad = [step(submit(f"Draft {number} says that recall rose to 0.74.")) for number in range(9)]
    run = await play([*OPENING, step(read("loc_recall")), *bad], limits=limits(max_submissions=3))
    assert run.response.status == "LIMITED"
    assert run.reason == "RUN_SUBMISSION_LIMIT_EXCEEDED"
    assert len(run.events.of("submission_rejected")) == 3
    assert run.response.answer.markdown == ""
    assert "Draft" not in run.response.model_dump_json(exclude={"trace"})


async def test_the_last_rejected_submission_is_saved_as_far_as_it_holds() -> None:
    mixed = submit_read("Recall rose from 0.61 to 0.74 {loc_recall}.\n\nThe moon is made of cheese.")
    run = await play([*OPENING, step(read("loc_recall")), mixed, mixed], limits=limits(max_submissions=2))
    assert run.response.status == "INCOMPLETE_PRECISE"
    assert run.response.answer.outcome == "partial"
    assert "cheese" not in run.response.answer.markdown
    assert [block.text for block in run.response.answer.unsupported_blocks] == ["The moon is made of cheese."]


async def test_refused_batches_count_as_attempts() -> None:
    pair = [step(submit("Hello!"), submit("Hello!")) for _ in range(9)]
    run = await play(pair, limits=limits(max_submissions=2))
    assert run.reason == "RUN_SUBMISSION_LIMIT_EXCEEDED"
    assert len(run.model.calls) == 2


async def test_only_the_newest_draft_is_replayed() -> None:
    drafts = [step(submit(f"Draft {number} says that recall rose.")) for number in range(4)]
    run = await play([*drafts, step(submit("Hello!"))])
    shown = json.dumps(run.model.calls[-1].input)
    assert "Draft 3" in shown
    assert not any(f"Draft {number}" in shown for number in range(3))
    assert len(replies(run.model.calls[-1])) == 1


async def test_the_deadline_ends_a_run_whose_model_hangs() -> None:
    async def hang(model_call: ModelCall) -> ModelStep:
        await asyncio.Event().wait()
        raise AssertionError

    run = await play([*OPENING, ModelStep.respond(hang)], limits=limits(max_wall_clock_ms=200))
    assert run.response.status == "LIMITED"
    assert run.reason == "RUN_DEADLINE_EXCEEDED"
    assert run.response.usage.total_tokens == 220
    assert run.response.control is not None
    assert run.response.control.usage.model_calls == 3


async def test_cancelling_stops_the_model_call_in_flight_at_once() -> None:
    cancel = asyncio.Event()
    stopped = asyncio.Event()

    async def hang(model_call: ModelCall) -> ModelStep:
        asyncio.get_running_loop().call_later(0.01, cancel.set)
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        raise AssertionError

    async with asyncio.timeout(1):
        run = await play([*OPENING, ModelStep.respond(hang)], cancel=cancel)
    assert stopped.is_set()
    assert run.response.status == "CANCELLED"
    assert run.reason == "RUN_CANCELLED"
    assert run.response.usage.total_tokens == 220


async def test_a_turn_cancelled_before_it_starts_calls_no_model() -> None:
    cancel = asyncio.Event()
    cancel.set()
    run = await play([step(search())], cancel=cancel)
    assert run.reason == "RUN_CANCELLED"
    assert len(run.model.calls) == 0


async def test_cancellation_of_the_task_itself_is_passed_on_and_stops_the_run() -> None:
    reached = asyncio.Event()
    stopped = asyncio.Event()

    async def hang(model_call: ModelCall) -> ModelStep:
        reached.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        raise AssertionError

    task = asyncio.create_task(play([ModelStep.respond(hang)]))
    await reached.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert stopped.is_set()


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (CorpusUnavailable("the store is gone"), "CORPUS_UNAVAILABLE"),
        (CorpusUnauthorized("the token was refused"), "CORPUS_AUTHENTICATION_FAILED"),
        (CorpusContractViolation("not what was agreed"), "CORPUS_CONTRACT_VIOLATION"),
    ],
)
async def test_a_lost_corpus_ends_the_run_with_its_reason(error: GatewayError, reason: str) -> None:
    gateway = corpus()

    def lose(model_call: ModelCall) -> ModelStep:
        gateway.failure = error
        return step(find())

    run = await play([step(search()), ModelStep.respond(lose)], gateway=gateway)
    assert run.response.status == "FAILED_TECHNICAL"
    assert run.reason == reason
    assert run.response.usage.total_tokens == 220
    last = run.events.seen[-1]
    assert (last["type"], last["status"]) == ("tool_completed", "failed")
    assert last["output"]["error"] == error.code


async def test_f32_an_empty_scope_is_refused_before_a_model_is_made() -> None:
    def no_model() -> Any:
        raise AssertionError

    for scope in [(), ("",), ("  ",)]:
        with pytest.raises(InvalidTurnRequest) as caught:
            await ResearchRuntime(corpus(), no_model).run(turn(scope_paper_ids=scope))
        assert caught.value.field == "scope.paper_ids"


async def test_f32_a_scope_of_unknown_papers_reaches_nothing() -> None:
    run = await play([step(search("s")), step(submit("Nothing is here.", "abstained"))], scope_paper_ids=("p404",))
    assert run.reply("s")["candidates"] == []
    assert run.response.corpus["disclosed_papers"] == 0


async def test_a_doubled_paper_in_the_scope_counts_once() -> None:
    run = await play([step(search("s")), step(submit("Hello!"))], scope_paper_ids=(TERNS, TERNS))
    assert [item["paper_id"] for item in run.reply("s")["candidates"]] == [TERNS]
    assert run.response.corpus["scope_papers"] == 1


async def test_tools_of_one_reply_run_strictly_in_order() -> None:
    run = await play([step(search(), find(), read("loc_recall")), submit_read("Recall rose {loc_recall}.")])
    assert [event["status"] for event in run.events.of("tool_completed")] == ["success"] * 3
    assert run.response.status == "COMPLETED"


async def test_without_trace_none_is_sent() -> None:
    run = await play([step(submit("Hello!"))], include_trace=False)
    assert run.response.trace is None


async def test_the_skill_used_last_names_the_answer_type() -> None:
    run = await play([step(call("get_research_skill", "k", skill_id="deep_comparison")), step(submit("Hello!"))])
    assert run.response.answer.answer_type == "deep_comparison"
    assert run.reply("k")["skill_id"] == "deep_comparison"
    assert run.events.of("tool_completed")[0]["output"] == {"skillId": "deep_comparison", "found": True}

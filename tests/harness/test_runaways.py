"""Models that never come to an end: each run ends within one call of the limit that it meets."""

from __future__ import annotations

import pytest
from agents.testing import ModelCall, ModelStep, assistant_message

from tests.harness.runs import Played, call, find, limits, play, read, search, step, submit, submit_read

MANY = 60
OPENING = [step(search()), step(find())]


async def runaway(steps: list[ModelStep], **asked: int) -> Played:
    return await play(steps, limits=limits(**asked))


async def test_always_searching_for_something_else_ends_at_the_limit_of_calls() -> None:
    run = await runaway([step(search(query_text=f"gull {number}")) for number in range(MANY)], max_model_turns=9)
    assert run.response.status == "LIMITED"
    assert run.reason == "RUN_MODEL_CALL_LIMIT_EXCEEDED"
    assert len(run.model.calls) == 9


async def test_always_searching_ends_within_one_call_of_the_token_budget() -> None:
    steps = [step(search(query_text=f"gull {number}"), tokens=(100 + number, 10)) for number in range(MANY)]
    run = await runaway(steps, max_total_tokens=2000, max_model_turns=50)
    assert run.reason == "RUN_TOKEN_BUDGET_EXHAUSTED"
    spent = [110 + number for number in range(len(run.model.calls))]
    assert sum(spent[:-1]) < 2000 <= sum(spent) == run.response.usage.total_tokens


async def test_the_call_that_the_token_budget_makes_the_last_is_announced_and_offers_the_submission_alone() -> None:
    steps = [*OPENING, step(read("loc_recall")), submit_read("Recall rose {loc_recall}.")]
    run = await runaway(steps, max_total_tokens=500)
    assert run.response.status == "COMPLETED"
    offered = [[tool.name for tool in made.tools] for made in run.model.calls]
    assert offered[3] == ["submit_research_answer"]
    assert len(offered[2]) > 1
    assert "last step" in (run.model.calls[3].system_instructions or "")


async def test_the_same_search_again_is_answered_once_with_guidance_and_then_ended() -> None:
    run = await runaway([step(search(f"c{number}")) for number in range(MANY)])
    assert run.reason == "PROVIDER_TOOL_PROTOCOL_VIOLATION"
    assert run.response.status == "FAILED_TECHNICAL"
    assert run.reply("c1")["error"]["code"] == "repeated_call"
    assert len(run.model.calls) == 3
    assert run.response.control is not None
    assert "search_paper_candidates" in run.response.control.message


async def test_the_same_read_again_ends_the_same_way() -> None:
    run = await runaway([*OPENING, *(step(read("loc_recall")) for _ in range(MANY))])
    assert run.reason == "PROVIDER_TOOL_PROTOCOL_VIOLATION"
    assert len(run.model.calls) == 5


async def test_two_calls_in_turn_are_a_loop_as_well() -> None:
    pair = [step(search()), step(find())] * MANY
    run = await runaway(pair)
    assert run.reason == "PROVIDER_TOOL_PROTOCOL_VIOLATION"
    assert len(run.model.calls) == 5


async def test_a_call_that_gives_something_new_ends_the_suspicion() -> None:
    steps = [*OPENING, step(search()), step(read("loc_recall")), step(search()), step(read("loc_cost"))]
    run = await runaway([*steps, submit_read("Recall rose {loc_recall}.")])
    assert run.response.status == "COMPLETED"


@pytest.mark.parametrize("requested", [True, False])
async def test_always_plain_text_ends_when_repairs_are_used_up(requested: bool) -> None:
    run = await play(
        [step(assistant_message("The answer is 4.")) for _ in range(MANY)], limits=limits(requested=requested)
    )
    assert run.reason == "PROVIDER_TOOL_PROTOCOL_VIOLATION"
    assert run.response.status == "FAILED_TECHNICAL"
    assert len(run.model.calls) == 4


async def test_always_an_unknown_tool_ends_when_repairs_are_used_up() -> None:
    run = await runaway([step(call("open_sesame")) for _ in range(MANY)], max_repairs=2)
    assert run.reason == "PROVIDER_TOOL_PROTOCOL_VIOLATION"
    assert len(run.model.calls) == 3


async def test_always_the_same_rejected_draft_ends_with_the_submissions_and_never_grows_the_request() -> None:
    sizes: list[int] = []

    def again(made: ModelCall) -> ModelStep:
        sizes.append(len(str(made.input)))
        return step(submit("Recall rose [[ev_9f]]." + " It rose and rose." * 200))

    run = await runaway([ModelStep.respond(again) for _ in range(MANY)], max_submissions=6)
    assert run.reason == "RUN_SUBMISSION_LIMIT_EXCEEDED"
    assert run.response.status == "LIMITED"
    assert len(run.model.calls) == 6
    assert max(sizes[1:]) - min(sizes[1:]) < 20

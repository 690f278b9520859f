"""A model may send anything: each call gets exactly one reply, and the run ends in a response that names its reason."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from agents.exceptions import ModelBehaviorError
from agents.items import TResponseOutputItem
from agents.testing import ModelCall, ModelStep, assistant_message
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openai.types.responses import ResponseFunctionToolCall

from corpus_gateway.memory import MemoryCorpusGateway
from corpus_gateway.wire import PaperSearchRequest, PaperSearchResult
from harness.models.repair import REPAIR_TOOL
from harness.tools.toolbox import TOOL_NAMES
from harness.wire import HistoryMessage, PreviousEvidence, ReferenceFocus, ResearchMemory
from tests.harness.runs import GULLS, SUBMIT, call, corpus, limits, play, search, step

TEXT = st.text(st.characters(exclude_categories=[]), max_size=20)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
FIELDS = [
    "query_text",
    "paper_ids",
    "location_refs",
    "span_ranges",
    "limit",
    "top_k",
    "outcome",
    "markdown",
    "skill_id",
]
ARGUMENTS = st.one_of(
    TEXT,
    JSON.map(json.dumps),
    st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=4).map(json.dumps),
    st.dictionaries(st.sampled_from(FIELDS), st.one_of(st.just(["x"]), st.integers(0, 30), st.just("x"))).map(
        json.dumps
    ),
)
NAMES = st.one_of(st.sampled_from([*TOOL_NAMES, REPAIR_TOOL, "search", ""]), TEXT)
CALLS = st.builds(
    lambda name, arguments, call_id: ResponseFunctionToolCall(
        name=name, arguments=arguments, call_id=call_id, type="function_call"
    ),
    NAMES,
    ARGUMENTS,
    st.one_of(st.sampled_from(["a", "b", "call_h1", ""]), TEXT),
)
ITEMS = st.one_of(CALLS, st.builds(assistant_message, TEXT))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.lists(ITEMS, max_size=4), min_size=1, max_size=6), st.integers(1, 6))
def test_whatever_a_model_sends_ends_in_a_typed_response(
    replies_of_model: list[list[TResponseOutputItem]], turns: int
) -> None:
    script = [step(*items) for items in replies_of_model]
    run = asyncio.run(
        play([*script, *[step(search())] * 6], limits=limits(max_model_turns=turns, max_repairs=9, max_submissions=2))
    )
    response = run.response
    assert (response.control is None) == (response.answer.outcome is not None)
    assert response.usage.total_tokens == 110 * len(run.model.calls)
    response.model_dump_json()
    for made in run.model.calls:
        json.dumps(made.input, ensure_ascii=False).encode()
        asked = [item for item in made.input if item.get("type") == "function_call"]
        answered = [item["call_id"] for item in made.input if item.get("type") == "function_call_output"]
        assert sorted(item["call_id"] for item in asked) == sorted(answered)
        assert len(set(answered)) == len(answered)
        assert all(isinstance(json.loads(item["arguments"]), dict) for item in asked)
        assert REPAIR_TOOL not in [item["name"] for item in asked] or _names_it(replies_of_model)


def _names_it(replies_of_model: list[list[TResponseOutputItem]]) -> bool:
    """Whether the model itself used the private tool's name, under which its call is then replayed."""
    items = [item for items in replies_of_model for item in items]
    return any(isinstance(item, ResponseFunctionToolCall) and item.name == REPAIR_TOOL for item in items)


class Slow(MemoryCorpusGateway):
    """Never answers a search."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = asyncio.Event()
        self.stopped = asyncio.Event()

    async def search_papers(self, request: PaperSearchRequest) -> PaperSearchResult:
        self.asked.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.stopped.set()
        raise AssertionError


async def test_a_corpus_that_hangs_is_stopped_at_the_deadline() -> None:
    gateway = Slow()
    run = await play([step(search())], gateway=gateway, limits=limits(max_wall_clock_ms=100))
    assert run.reason == "RUN_DEADLINE_EXCEEDED"
    assert gateway.stopped.is_set()


async def test_cancelling_stops_a_tool_under_way() -> None:
    gateway, cancel = Slow(), asyncio.Event()
    running = asyncio.create_task(play([step(search())], gateway=gateway, cancel=cancel))
    await gateway.asked.wait()
    cancel.set()
    async with asyncio.timeout(1):
        run = await running
    assert run.response.status == "CANCELLED"
    assert gateway.stopped.is_set()


@pytest.mark.parametrize("turns", [1, 2, 3])
async def test_no_more_model_calls_than_allowed(turns: int) -> None:
    run = await play([step(search()) for _ in range(9)], limits=limits(max_model_turns=turns))
    assert len(run.model.calls) == turns


async def test_a_hundred_runs_at_once_do_not_mix() -> None:
    async def one(number: int) -> Any:
        own = step(search(f"c{number}", query_text=f"gulls {number}"))
        hello = step(
            ResponseFunctionToolCall(
                name=SUBMIT,
                arguments=json.dumps({"outcome": "answered", "markdown": "Hello!"}),
                call_id="s",
                type="function_call",
            )
        )
        return await play([own, hello], gateway=shared, run_id=f"run_{number}")

    shared = corpus()
    runs = await asyncio.gather(*(one(number) for number in range(100)))
    for number, run in enumerate(runs):
        assert run.response.run_id == f"run_{number}"
        assert run.reply(f"c{number}")["query_text"] == f"gulls {number}"


async def test_a_request_with_half_characters_runs_like_any_other() -> None:
    half = "a\ud800"
    evidence = PreviousEvidence(evidence_id="ev_" + half, location_ref=half, span_text=half)
    run = await play(
        [step(search("s")), step(call(SUBMIT, outcome="answered", markdown="Hello!"))],
        question=f"Why {half}?",
        scope_paper_ids=(GULLS, half),
        conversation_id=half,
        request_id=half,
        history=(HistoryMessage(role="user", content=half), HistoryMessage(role="assistant", content=half)),
        memory=ResearchMemory(previous_evidence=[evidence]),
        focus=ReferenceFocus(paper_ids=[half], location_refs=[half]),
    )
    assert run.response.status == "COMPLETED"
    assert [item["paper_id"] for item in run.reply("s")["candidates"]] == [GULLS]
    assert "a\ufffd" in str(run.model.calls[0].input)
    str(run.model.calls[0].input).encode()
    run.response.model_dump_json().encode()


async def test_a_model_that_does_not_let_go_is_left_behind() -> None:
    cancel, released = asyncio.Event(), asyncio.Event()

    async def stubborn(model_call: ModelCall) -> ModelStep:
        cancel.set()
        while not released.is_set():
            try:
                await released.wait()
            except asyncio.CancelledError:
                continue
        raise AssertionError

    async with asyncio.timeout(2):
        run = await play([ModelStep.respond(stubborn)], cancel=cancel)
    released.set()
    assert run.response.status == "CANCELLED"


async def test_what_the_sdk_itself_refuses_is_the_providers_failure() -> None:
    run = await play([ModelBehaviorError("odd")])
    assert run.response.status == "FAILED_TECHNICAL"
    assert run.reason == "PROVIDER_PROTOCOL_INVALID"

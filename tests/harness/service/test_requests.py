"""What a request may hold, and what a run then starts from."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from harness.service.errors import InvalidField, MalformedBody
from harness.service.requests import effective_limits, parse_body, turn_of, validate_request
from harness.turn import NoProgress, RunLimits, TurnExecutionInput
from harness.wire import TurnOptions
from tests.harness.service.scripted import body


def turn_from(request: dict[str, Any], ceilings: RunLimits | None = None) -> TurnExecutionInput:
    return turn_of(
        validate_request(request),
        run_id="run_1",
        ceilings=ceilings or RunLimits(),
        cancel=asyncio.Event(),
        progress=NoProgress(),
    )


def refused_field(request: dict[str, Any]) -> str:
    with pytest.raises(InvalidField) as caught:
        validate_request(request)
    assert caught.value.body()["error"] == "invalid_request"
    assert caught.value.body()["message"]
    return caught.value.body()["field"]


@pytest.mark.parametrize(
    "data",
    [b"", b"question", b"[1]", b'"text"', b"null", b'{"a":', b'{"a":NaN}', b'{"a":"\\ud800"}', b"\xff{}", b"[" * 5000],
)
def test_a_body_that_is_no_json_object_is_malformed(data: bytes) -> None:
    with pytest.raises(MalformedBody):
        parse_body(data)


@examples(deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes_are_an_object_or_malformed(data: bytes) -> None:
    try:
        value = parse_body(data)
    except MalformedBody:
        return
    assert isinstance(value, dict)


@pytest.mark.parametrize("scope", [None, [], {}, {"paper_ids": []}, {"paper_ids": None}, {"paper_ids": ["", "  "]}])
def test_f32_an_empty_scope_is_refused(scope: object) -> None:
    assert refused_field(body(scope=scope)).startswith("scope")


def test_f32_a_missing_scope_is_refused() -> None:
    request = body()
    del request["scope"]
    assert refused_field(request) == "scope"


def test_f32_a_repeated_paper_counts_once() -> None:
    assert turn_from(body(scope={"paper_ids": [" p1", "p2", "p1", ""]})).scope_paper_ids == ("p1", "p2")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"user_message": " \n"}, "user_message"),
        ({"user_message": None}, "user_message"),
        ({"conversation_id": " "}, "conversation_id"),
        ({"conversation_id": "c" * 201}, "conversation_id"),
        ({"request_id": 5}, "request_id"),
        ({"user_id": "a user"}, "user_id"),
        ({"user_id": ""}, "user_id"),
        ({"user_id": True}, "user_id"),
        ({"user_id": 1.5}, "user_id"),
        ({"history": "hello"}, "history"),
        ({"history": ["hello"]}, "history.0"),
        ({"history": [{"role": "user", "content": [1]}]}, "history.0.content"),
        ({"options": {"run_limits": {"max_model_turns": 0}}}, "options.run_limits.max_model_turns"),
        ({"options": {"max_completion_tokens": "many"}}, "options.max_completion_tokens"),
        ({"options": {"on_disconnect": "continue"}}, "options.on_disconnect"),
        ({"research_memory": {"previous_evidence": [{}]}}, "research_memory.previous_evidence.0.evidence_id"),
    ],
)
def test_a_wrong_field_is_named(changes: dict[str, Any], field: str) -> None:
    assert refused_field(body(**changes)) == field


def test_a_refusal_does_not_repeat_the_value() -> None:
    with pytest.raises(InvalidField) as caught:
        validate_request(body(user_id="sk secret"))
    assert "sk secret" not in str(caught.value.body())


@pytest.mark.parametrize(("given_id", "kept"), [(42, "42"), ("user.a:b_c-1", "user.a:b_c-1")])
def test_a_user_is_a_number_or_a_plain_word(given_id: object, kept: str) -> None:
    assert turn_from(body(user_id=given_id)).user_id == kept


@pytest.mark.parametrize("absent", [None, "", "  "])
def test_a_request_without_id_gets_one(absent: str | None) -> None:
    first, second = (turn_from(body(request_id=absent)).request_id for _ in range(2))
    assert first.startswith("req_")
    assert first != second


def test_only_what_user_and_assistant_said_is_kept() -> None:
    history = [
        {"role": "system", "content": "obey"},
        {"role": "user", "content": "first"},
        {"role": "tool", "content": None},
        {"role": "assistant", "content": " "},
        {"role": "assistant"},
        {"content": "nobody said this"},
        {"role": ["user"], "content": "a list is no role"},
        {"role": "assistant", "content": "second"},
    ]
    kept = turn_from(body(history=history)).history
    assert [(message.role, message.content) for message in kept] == [("user", "first"), ("assistant", "second")]


def test_null_stands_for_nothing_in_optional_fields() -> None:
    turn = turn_from(
        body(
            history=None,
            options=None,
            research_memory={"selected_paper_ids": None, "selected_evidence_ids": None, "previous_evidence": None},
            scope={"mode": None, "paper_ids": ["p1"], "reference_focus": {"paper_ids": None, "unknown": 1}},
        )
    )
    assert turn.history == ()
    assert turn.memory.previous_evidence == []
    assert turn.focus is not None
    assert turn.focus.paper_ids == []
    assert turn.include_trace


def test_the_turn_carries_what_was_asked() -> None:
    turn = turn_from(
        body(
            user_message="  Why?  ",
            research_memory={"selected_paper_ids": ["p1"], "previous_evidence": [{"evidence_id": "ev_1", "page": "3"}]},
            scope={"paper_ids": ["p1"], "reference_focus": {"location_refs": ["passage_ref_1"]}},
            options={"include_trace": False, "unknown": 1},
        )
    )
    assert turn.question == "Why?"
    assert turn.memory.previous_evidence[0].page == "3"
    assert turn.focus is not None
    assert turn.focus.location_refs == ["passage_ref_1"]
    assert not turn.include_trace
    assert (turn.run_id, turn.request_id, turn.conversation_id) == ("run_1", "gen-1", "conv-1")


def test_without_wishes_the_ceilings_hold() -> None:
    ceilings = RunLimits(max_model_turns=5)
    assert turn_from(body(), ceilings).limits == ceilings


def test_wishes_below_the_ceilings_hold_and_are_remembered() -> None:
    limits = turn_from(
        body(options={"max_completion_tokens": 100, "run_limits": {"max_model_turns": 3, "max_history_chars": 0}})
    ).limits
    assert (limits.max_model_turns, limits.max_history_chars, limits.max_completion_tokens) == (3, 0, 100)
    assert limits.max_wall_clock_ms == RunLimits().max_wall_clock_ms
    assert limits.requested


def test_a_wish_for_completion_tokens_alone_is_no_wish_for_limits() -> None:
    assert not turn_from(body(options={"max_completion_tokens": 10})).limits.requested


@examples(deadline=None)
@given(
    st.fixed_dictionaries({}, optional={
        name: st.integers(500, 2_000_000)
        for name in (
            "max_wall_clock_ms", "max_model_turns", "max_total_tokens", "max_model_visible_tool_chars",
            "max_history_chars", "max_repairs", "max_submissions",
        )
    })
)  # fmt: skip
def test_no_wish_lifts_a_ceiling(wishes: dict[str, int]) -> None:
    ceilings = RunLimits()
    limits = effective_limits(TurnOptions.model_validate({"run_limits": wishes}), ceilings).as_dict()
    for name, ceiling in ceilings.as_dict().items():
        assert limits[name] == min(wishes.get(name, ceiling), ceiling)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["role", "content", "paper_ids", "evidence_id", "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)


FIELDS = [*body(), "history", "research_memory", "options"]
HISTORY = st.fixed_dictionaries({"history": st.lists(st.fixed_dictionaries({"role": ANYTHING, "content": ANYTHING}))})


@examples(deadline=None)
@given(st.dictionaries(st.sampled_from(FIELDS), ANYTHING, max_size=4) | HISTORY)
def test_any_object_is_a_request_or_names_its_wrong_field(changes: dict[str, Any]) -> None:
    refused: list[str] = []
    try:
        turn = turn_from(body(**changes))
    except InvalidField as refusal:
        refused.append(refusal.field.split(".")[0])
    if refused:
        assert refused[0] in FIELDS
        return
    assert turn.scope_paper_ids
    assert turn.question.strip()


def test_a_question_of_endless_length_is_refused_before_a_run() -> None:
    assert turn_from(body(user_message="a" * 32_000)).question == "a" * 32_000
    assert refused_field(body(user_message="a" * 32_001)) == "user_message"

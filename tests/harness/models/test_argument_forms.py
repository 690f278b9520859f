"""Arguments that are not quite JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from agents.testing import function_call
from hypothesis import given
from hypothesis import strategies as st

from harness.models.argument_forms import plain_arguments
from harness.tools.arguments import ArgumentsRefused
from tests.harness.runs import GULLS, limits, play, replies, search, step, submit

UNDERSTOOD = [
    ('{"query":"x","top_k":5}', {"query": "x", "top_k": 5}),
    ('{"query":"what\'s the \\"best\\" span?"}', {"query": 'what\'s the "best" span?'}),
    ('{"query":"增益 \\u589e\\u76ca"}', {"query": "增益 增益"}),
    ('{"query":"x","top_k":5,}', {"query": "x", "top_k": 5}),
    ("{'query': 'what\\'s new', 'top_k': None}", {"query": "what's new", "top_k": None}),
    ('"{\\"query\\":\\"x\\"}"', {"query": "x"}),
    ('```json\n{"query":"x"}\n```', {"query": "x"}),
    ('```\n{"query":"x"}\n```', {"query": "x"}),
    ('{"$text": "{\\"query\\":\\"x\\"}"}', {"query": "x"}),
    (json.dumps(json.dumps(json.dumps({"query": "x"}))), {"query": "x"}),
    ("{'query': 'x', 'deep': [True, False, -1, {'a': 0.5}]}", {"query": "x", "deep": [True, False, -1, {"a": 0.5}]}),
    ('{"query":"lone \\ud800"}', {"query": "lone \ufffd"}),
]
REFUSED = [
    *("", "   ", "null", "[]", "5", "true", '"x"', '{"query":"x"', '{"query":"a"}{"query":"b"}', '{"query":NaN}'),
    "{'query': 'a' 'b'}",
    "{'query': 'a', 'query': 'b'}",
    "{'query': b'a'}",
    "{'query': {'a', 'b'}}",
    "{'query': ('a', 'b')}",
    "{'query': x}",
    "{'query': __import__('os')}",
    "{'query': f'{1}'}",
    "{'query': 1e999}",
    "{'query': 'a\\d'}",
    "{1: 'a'}",
    "{**{'a': 1}}",
    '{"query": "cut',
    "{'query': 'cut",
    "[" * 100_000,
    "{'a':" * 5_000,
    '"' + "{" * 200_000 + '"',
    json.dumps(json.dumps(json.dumps(json.dumps(json.dumps({"query": "x"}))))),
]


@pytest.mark.parametrize(("raw", "values"), UNDERSTOOD)
def test_f27_a_form_with_one_reading_is_understood(raw: str, values: dict[str, Any]) -> None:
    assert json.loads(plain_arguments(raw)) == values


@pytest.mark.parametrize("raw", REFUSED)
def test_f27_anything_else_is_refused_with_a_short_reason(raw: str) -> None:
    with pytest.raises(ArgumentsRefused) as refused:
        plain_arguments(raw)
    assert len(str(refused.value)) < 200


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.text(max_size=6), JSON, max_size=4).filter(lambda value: value.keys() != {"$text"}))
def test_every_form_of_an_object_gives_the_object(value: dict[str, Any]) -> None:
    forms = [json.dumps(value), json.dumps(json.dumps(value)), json.dumps({"$text": json.dumps(value)}), repr(value)]
    forms.append(f"```json\n{json.dumps(value)}\n```")
    for form in forms:
        assert json.loads(plain_arguments(form)) == value


@given(st.text(max_size=40) | st.text("{}[]'\",:\\ntrue019 ", max_size=40))
def test_any_text_is_an_object_or_a_reason(raw: str) -> None:
    try:
        assert isinstance(json.loads(plain_arguments(raw)), dict)
    except ArgumentsRefused:
        return


@pytest.mark.parametrize("raw", ['{"qeury":"x"}', '{"query_text":null,"paper_ids":null}', '{"paper_ids": ["'])
async def test_f27_a_refused_call_is_answered_under_its_id_and_replayed_as_valid_json(raw: str) -> None:
    call = function_call("find_reading_locations", raw, call_id="odd")
    run = await play([step(call), step(submit("Hello!"))])
    assert run.reply("odd")["error"]["code"] == "invalid_tool_arguments"
    assert run.events.of("tool_started") == []
    [sent] = [item for item in run.model.calls[1].input if item.get("type") == "function_call"]
    assert isinstance(json.loads(sent["arguments"]), dict)
    assert "odd" in replies(run.model.calls[1])


async def test_f27_three_refusals_in_a_row_count_against_a_limit() -> None:
    calls = [step(function_call("find_reading_locations", "{", call_id=f"c{number}")) for number in range(9)]
    run = await play(calls, limits=limits())
    assert run.reason == "PROVIDER_TOOL_PROTOCOL_VIOLATION"
    assert len(run.model.calls) == 4
    assert run.response.control is not None
    assert "arguments" in run.response.control.message


async def test_a_form_that_is_understood_is_carried_out_and_replayed_as_json() -> None:
    odd = function_call("find_reading_locations", f"{{'paper_ids': ['{GULLS}'], 'query_text': 'recall'}}", call_id="d")
    run = await play([step(search()), step(odd), step(submit("Hello!"))])
    assert run.reply("d")["returned_count"] > 0
    sent = [item for item in run.model.calls[2].input if item.get("call_id") == "d" and "arguments" in item]
    assert json.loads(sent[0]["arguments"]) == {"paper_ids": [GULLS], "query_text": "recall"}


async def test_arguments_that_break_off_are_called_so() -> None:
    run = await play(
        [step(function_call("read_locations", '{"location_refs": ["lo', call_id="c")), step(submit("Hi!"))]
    )
    assert "break off" in run.reply("c")["error"]["message"]

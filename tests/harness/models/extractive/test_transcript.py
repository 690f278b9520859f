from __future__ import annotations

import json
from typing import Any

import pytest

from harness.models.extractive.transcript import read_transcript


def call(name: str, arguments: Any, reply: Any, call_id: str = "c1") -> list[dict[str, Any]]:
    return [
        {"type": "function_call", "name": name, "call_id": call_id, "arguments": json.dumps(arguments)},
        {"type": "function_call_output", "call_id": call_id, "output": reply},
    ]


SPAN = {"evidence_id": "ev_1", "number": 0, "page": 2, "text": "<paper_text>Gulls sleep.</paper_text>"}
ITEM = {"paper_id": "p1", "title": "Gulls", "location_ref": "passage_ref_1", "section": "1 Sleep", "spans": [SPAN]}


def test_the_last_message_before_any_call_is_the_question() -> None:
    read = read_transcript(
        [
            {"role": "user", "content": "first"},
            {"role": "assistant", "content": "answer"},
            {"role": "user", "content": [{"type": "input_text", "text": "second"}]},
            *call("read_locations", {}, "{}"),
            {"role": "user", "content": "a nudge"},
        ]
    )
    assert (read.question, read.earlier_questions) == ("second", ("first",))


def test_a_text_alone_is_the_question() -> None:
    assert read_transcript("gulls?").question == "gulls?"
    assert read_transcript([]).question == ""


def test_spans_are_read_without_their_marks_and_each_once() -> None:
    reply = json.dumps({"items": [ITEM, ITEM]})
    [span] = read_transcript([{"role": "user", "content": "q"}, *call("read_locations", {}, reply)]).spans()
    assert (span.evidence_id, span.text, span.title, span.section, span.page) == (
        "ev_1",
        "Gulls sleep.",
        "Gulls",
        "1 Sleep",
        2,
    )


def test_the_applications_note_is_no_question_and_gives_spans_and_focus() -> None:
    note = json.dumps(
        {
            "notice": "Note of the application",
            "evidence": [{"evidence_id": "ev_9", "paper_id": "p1", "title": "Gulls", "page": 1, "text": "Gulls."}],
            "focus_papers": [{"paper_id": "p7", "title": "Terns"}],
        }
    )
    read = read_transcript([{"role": "user", "content": note}, {"role": "user", "content": '{"is": "my question"}'}])
    assert read.question == '{"is": "my question"}'
    assert read.earlier_questions == ()
    assert [span.evidence_id for span in read.spans()] == ["ev_9"]
    assert read.focus_papers == ("p7",)


@pytest.mark.parametrize("reply", ["", "no json", "[1]", "null", '{"items": 3}', '{"items": [4, {"spans": "x"}]}'])
def test_a_reply_that_is_not_what_it_should_be_gives_nothing(reply: str) -> None:
    read = read_transcript([{"role": "user", "content": "q"}, *call("read_locations", {}, reply)])
    assert read.spans() == []


def test_a_call_without_a_reply_is_not_finished() -> None:
    items = [{"role": "user", "content": "q"}, call("read_locations", {}, "{}")[0]]
    assert read_transcript(items).calls == ()


def test_a_reply_in_parts_is_put_together() -> None:
    parts = [{"type": "input_text", "text": '{"items": '}, {"type": "input_text", "text": json.dumps([ITEM]) + "}"}]
    assert len(read_transcript([{"role": "user", "content": "q"}, *call("read_locations", {}, parts)]).spans()) == 1


def test_only_a_resolved_identity_opens_a_paper() -> None:
    match = {"paper_id": "p1", "title": "Gulls", "year": 2019}
    for status, count in (("resolved", 1), ("ambiguous", 0)):
        reply = json.dumps({"status": status, "matches": [match]})
        read = read_transcript([{"role": "user", "content": "q"}, *call("find_papers_by_identity", {}, reply)])
        assert len(read.papers()) == count

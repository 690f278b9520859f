"""The kinds of faults that a provider can play, each with what a run must come to."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any

from tests.stress.faulty_provider import Answer, Call, Fault, Reply, Situation, event_stream, reset

UNAVAILABLE, LIMITED_RATE = "PROVIDER_UNAVAILABLE", "PROVIDER_RATE_LIMITED"
PROTOCOL, TIMEOUT = "PROVIDER_PROTOCOL_INVALID", "PROVIDER_TIMEOUT"
VIOLATION = "PROVIDER_TOOL_PROTOCOL_VIOLATION"
CHAT_ALONE = ("chat",)
STREAM_ALONE = ("stream",)
NOT_STREAMED = ("chat", "responses")
CHAT_FORMS = ("chat", "stream")

IMPATIENT = {"request_seconds": 0.5}


def http(status: int, *, headers: dict[str, str] | None = None, **error: Any) -> Callable[[Situation], Answer]:
    """A status with an error object; the word KEY in it becomes the key, as providers that echo it do."""

    def answer(situation: Situation) -> Answer:
        text = json.dumps({"error": {"message": "no", **error}}).replace("KEY", situation.key)
        shown = (("content-type", "application/json"), *(headers or {}).items())
        return Answer(text.encode(), status, shown, counts=False)

    return answer


def body(content: bytes, kind: str = "application/json") -> Callable[[Situation], Answer]:
    """Another body than a reply."""
    return lambda _: Answer(content, headers=(("content-type", kind),), counts=False)


def says(**changes: Any) -> Callable[[Situation], Answer]:
    """The reply with other parts."""
    return lambda situation: situation.written(replace(situation.reply, **changes))


def says_only(**parts: Any) -> Callable[[Situation], Answer]:
    """Another reply altogether."""
    return lambda situation: situation.written(Reply(**parts))


def with_call(change: Callable[[Call], Call]) -> Callable[[Situation], Answer]:
    """The reply with its call changed."""
    return lambda situation: situation.written(
        replace(situation.reply, calls=tuple(change(call) for call in situation.reply.calls))
    )


def with_arguments(change: Callable[[str], object]) -> Callable[[Situation], Answer]:
    """The reply with its arguments written in another way."""
    return with_call(lambda call: replace(call, arguments=change(str(call.arguments))))


def with_payload(change: Callable[[dict[str, Any]], object], *, counts: bool = True) -> Callable[[Situation], Answer]:
    """The whole body changed."""

    def answer(situation: Situation) -> Answer:
        whole = situation.written()
        return Answer(json.dumps(change(json.loads(whole.content))).encode(), counts=counts)

    return answer


def _without_reply(payload: dict[str, Any]) -> dict[str, Any]:
    return {**payload, "choices": [], "output": None}


def _null_message(payload: dict[str, Any]) -> dict[str, Any]:
    return {**payload, "choices": [{"message": None}], "output": "nothing"}


def _again(situation: Situation) -> Answer:
    """The call under the id of the call before."""
    call_id = situation.earlier_ids[-1] if situation.earlier_ids else "call_1"
    return situation.written(replace(situation.reply, calls=(replace(situation.reply.calls[0], call_id=call_id),)))


def _beside_a_search(situation: Situation) -> Answer:
    search = Call("search_paper_candidates", json.dumps({"query_text": "nodes", "limit": 3}), "beside")
    return situation.written(replace(situation.reply, calls=(*situation.reply.calls, search)))


def _submits_beside(situation: Situation) -> Answer:
    draft = Call("submit_research_answer", json.dumps({"outcome": "answered", "markdown": "Hello."}), "draft")
    return situation.written(replace(situation.reply, calls=(*situation.reply.calls, draft)))


def _stream_of(change: Callable[[bytes], bytes], *, counts: bool = True) -> Callable[[Situation], Answer]:
    return lambda situation: Answer(
        change(situation.written().content), headers=(("content-type", "text/event-stream"),), counts=counts
    )


def _half(reply: Reply) -> Reply:
    return replace(reply, calls=tuple(replace(call, arguments=str(call.arguments)[:-5]) for call in reply.calls))


def _cut_stream(situation: Situation) -> Answer:
    """The stream without its finish reason, its usage and its end."""
    events = situation.written().content.split(b"\n\n")
    kept = [event for event in events if b"[DONE]" not in event and b'"finish_reason": null' in event]
    return Answer(
        b"".join(event + b"\n\n" for event in kept), headers=(("content-type", "text/event-stream"),), counts=False
    )


def _cut_json(situation: Situation) -> Answer:
    whole = situation.written()
    return replace(whole, content=whole.content[:-9], counts=False)


def _typed(kind: str | None) -> Callable[[Situation], Answer]:
    return lambda situation: replace(situation.written(), headers=(("content-type", kind),) if kind else ())


def _head(answer: Answer, length: int) -> bytes:
    lines = [f"HTTP/1.1 {answer.status} X", *(f"{name}: {value}" for name, value in answer.headers)]
    return "\r\n".join([*lines, f"content-length: {length}", "", ""]).encode()


async def _close(_: asyncio.StreamReader, __: asyncio.StreamWriter, ___: Situation) -> bool:
    return False


async def _reset(_: asyncio.StreamReader, writer: asyncio.StreamWriter, __: Situation) -> bool:
    reset(writer)
    return False


async def _close_in_body(_: asyncio.StreamReader, writer: asyncio.StreamWriter, situation: Situation) -> bool:
    answer = situation.written()
    writer.write(_head(answer, len(answer.content)) + answer.content[:20])
    await writer.drain()
    return False


async def _hang(reader: asyncio.StreamReader, _: asyncio.StreamWriter, __: Situation) -> bool:
    await reader.read()
    return False


async def _stall_in_body(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, situation: Situation) -> bool:
    answer = situation.written()
    writer.write(_head(answer, len(answer.content)) + answer.content[:20])
    await writer.drain()
    await reader.read()
    return False


async def _drip(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, situation: Situation) -> bool:
    answer = situation.written()
    writer.write(_head(answer, len(answer.content)))
    for byte in answer.content:
        writer.write(bytes([byte]))
        await writer.drain()
        if reader.at_eof():
            return False
        await asyncio.sleep(0.05)
    return True


async def _not_http(_: asyncio.StreamReader, writer: asyncio.StreamWriter, __: Situation) -> bool:
    writer.write(b"SSH-2.0-OpenSSH_9.6\r\n")
    await writer.drain()
    return False


async def _bad_chunks(_: asyncio.StreamReader, writer: asyncio.StreamWriter, __: Situation) -> bool:
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}")
    await writer.drain()
    return False


HTTP = [
    *(Fault(f"http_{status}", http(status)) for status in (408, 409, 429, 500, 502, 503, 504, 529)),
    Fault("always_429", http(429), ends=LIMITED_RATE, always=True),
    Fault("always_500", http(500), ends=UNAVAILABLE, always=True),
    Fault("always_529", http(529), ends=UNAVAILABLE, always=True),
    Fault("retry_after_seconds", http(429, headers={"retry-after": "0.01"})),
    Fault("retry_after_milliseconds", http(503, headers={"retry-after-ms": "5", "retry-after": "9999"})),
    Fault("retry_after_date", http(503, headers={"retry-after": format_datetime(datetime.now(UTC), usegmt=True)})),
    Fault("retry_after_odd", http(429, headers={"retry-after": "soon"})),
    Fault("retry_after_an_hour", http(429, headers={"retry-after": "3600"}), ends=LIMITED_RATE),
    Fault("quota_used_up", http(429, code="insufficient_quota"), ends=LIMITED_RATE),
    *(Fault(f"http_{status}", http(status), ends=PROTOCOL) for status in (302, 400, 405, 413, 418, 422)),
    Fault("key_refused", http(401, message="Incorrect API key provided: KEY", code="KEY"), ends=UNAVAILABLE),
    Fault("forbidden", http(403), ends=UNAVAILABLE),
    Fault("no_such_model", http(404, code="model_not_found"), ends=UNAVAILABLE),
    Fault("key_as_code", http(400, code="KEY", message="KEY"), ends=PROTOCOL),
    Fault("context_full", http(400, code="context_length_exceeded"), ends="RUN_CONTEXT_BUDGET_EXHAUSTED"),
    Fault("request_filtered", http(400, code="content_filter"), ends=PROTOCOL),
    Fault("parameter_refused", http(400, param="temperature")),
    Fault("parameter_named_in_words", http(422, message="Unsupported parameter: 'parallel_tool_calls'")),
]
CONNECTION = [
    Fault("closed", treats=_close),
    Fault("always_closed", treats=_close, ends=UNAVAILABLE, always=True),
    Fault("reset", treats=_reset),
    Fault("closed_in_body", treats=_close_in_body),
    Fault("always_closed_in_body", treats=_close_in_body, ends=UNAVAILABLE, always=True),
    Fault("not_http", treats=_not_http),
    Fault("bad_chunks", treats=_bad_chunks),
    Fault("hang", treats=_hang, ends=TIMEOUT, **IMPATIENT),
    Fault("stalled_body", treats=_stall_in_body, ends=TIMEOUT, wires=NOT_STREAMED, **IMPATIENT),
    Fault("dripping_body", treats=_drip, ends=TIMEOUT, **IMPATIENT),
    Fault("stalled_stream", treats=_stall_in_body, wires=STREAM_ALONE, stall_seconds=0.2),
    Fault("bad_gzip", lambda s: replace(s.written(), headers=(("content-encoding", "gzip"),), counts=False)),
]
BODY = [
    Fault("html_page", body(b"<html>Sign in</html>", "text/html"), ends=PROTOCOL),
    Fault("empty_body", body(b""), ends=PROTOCOL),
    Fault("json_list", body(b"[1, 2]"), ends=PROTOCOL),
    Fault("json_null", body(b"null"), ends=PROTOCOL),
    Fault("deep_nesting", body(b"[" * 200_000), ends=PROTOCOL),
    Fault("huge_body", body(b" " * (8 * 1024 * 1024 + 1)), ends=PROTOCOL),
    Fault("endless_object", body(b'{"a":' * 100_000), ends=PROTOCOL, always=True),
    Fault(
        "cut_json", lambda s: replace(s.written(), content=s.written().content[:-9], counts=False), wires=NOT_STREAMED
    ),
    Fault("latin_1", body('{"choices": "é"}'.encode("latin-1"))),
    Fault("byte_order_mark", lambda s: replace(s.written(), content=b"\xef\xbb\xbf" + s.written().content)),
    Fault(
        "wrong_content_type",
        lambda s: replace(s.written(), headers=(("content-type", "text/plain"),)),
        wires=NOT_STREAMED,
    ),
    Fault("no_content_type", lambda s: replace(s.written(), headers=()), wires=NOT_STREAMED),
    Fault("blank_lines_first", lambda s: replace(s.written(), content=b"\n\n\n" + s.written().content)),
    Fault("error_in_200", body(b'{"error": {"code": 429, "message": "slow down"}}')),
    Fault("error_text_in_200", body(b'{"error": "The model is overloaded."}')),
    Fault("error_object_in_200", body(b'{"object": "error", "message": "internal", "code": 500}')),
    Fault("error_in_choice", body(b'{"choices": [{"error": {"code": 502, "message": "upstream"}}]}')),
    Fault("odd_error_in_200", body(b'{"error": {"code": "odd"}}'), ends=PROTOCOL),
    Fault("no_choices", with_payload(_without_reply), wires=NOT_STREAMED),
    Fault("never_choices", with_payload(_without_reply), wires=NOT_STREAMED, ends=PROTOCOL, always=True),
    Fault("null_message", with_payload(_null_message), wires=NOT_STREAMED),
    Fault("no_usage", says(usage=None)),
    Fault("odd_usage", says(usage={"prompt_tokens": "many", "output_tokens": -3, "completion_tokens": True})),
    Fault("usage_without_end", says(usage={"prompt_tokens": 10**30, "input_tokens": 10**30})),
]
MODEL = [
    Fault("plain_text", says_only(text="The answer is 37M.", finish="stop")),
    Fault("thinking_text", says_only(text="<think>Secret plan.</think>It is 37M.", finish="stop")),
    Fault("thinking_beside_call", says(text="<think>Secret plan.")),
    Fault("reasoning_fields", says(more={"reasoning_content": "Secret plan.", "reasoning": "Secret plan."})),
    Fault("empty_reply", says_only(text="", finish="stop")),
    Fault("refusal", says_only(refusal="I cannot help.", finish="stop")),
    Fault("content_filter", says_only(finish="content_filter", text="")),
    Fault("cut_before_call", says_only(finish="length", text="")),
    Fault("cut_in_text", says_only(finish="length", text="First I would")),
    Fault("cut_in_arguments", lambda s: s.written(replace(_half(s.reply), finish="length"))),
    Fault("broken_arguments", lambda s: s.written(_half(s.reply))),
    Fault("encoded_twice", with_arguments(json.dumps)),
    Fault("python_dict", with_arguments(lambda raw: repr(json.loads(raw)))),
    Fault("fenced", with_arguments(lambda raw: f"```json\n{raw}\n```")),
    Fault("wrapped_text", with_arguments(lambda raw: json.dumps({"$text": raw}))),
    Fault("object_arguments", with_arguments(json.loads)),
    Fault("no_arguments", with_arguments(lambda _: None)),
    Fault("empty_arguments", with_arguments(lambda _: "")),
    Fault("not_a_number", with_arguments(lambda raw: raw[:-1] + ', "limit": NaN}')),
    Fault("doubled_key", with_arguments(lambda raw: raw[:-1] + ', "a": 1, "a": 2}')),
    Fault("unknown_argument", with_arguments(lambda raw: raw[:-1] + ', "qeury": "x"}')),
    Fault("two_objects", with_arguments(lambda raw: raw + raw)),
    Fault("lone_surrogate", with_arguments(lambda raw: raw[:-1] + ', "\\ud800": "\\udfff"}')),
    Fault("surrogate_in_text", says_only(text="It is \ud83d 37M.", finish="stop")),
    Fault("null_id", with_call(lambda call: replace(call, call_id=None))),
    Fault("blank_id", with_call(lambda call: replace(call, call_id=" "))),
    Fault("number_as_id", with_call(lambda call: replace(call, call_id=7))),
    Fault("reused_id", _again),
    Fault("same_call_twice", lambda s: s.written(replace(s.reply, calls=s.reply.calls * 2))),
    Fault("unknown_tool", with_call(lambda call: replace(call, name="open_sesame"))),
    Fault("private_tool", with_call(lambda call: replace(call, name="_protocol_repair"))),
    Fault("no_name", with_call(lambda call: replace(call, name=None))),
    Fault("odd_name", with_call(lambda call: replace(call, name="read\ud800 locations\n"))),
    Fault("several_calls", _beside_a_search),
    Fault("submission_beside", _submits_beside),
    Fault("no_finish_reason", says(finish=None)),
    Fault("unknown_finish_reason", says(finish="eos")),
    Fault("text_beside_call", says(text="Let me look at that.")),
    Fault("always_plain_text", says_only(text="It is 37M.", finish="stop"), ends=VIOLATION, always=True),
    Fault("always_unknown_tool", with_call(lambda call: replace(call, name="go")), ends=VIOLATION, always=True),
    Fault("always_broken", lambda s: s.written(_half(s.reply)), ends=VIOLATION, always=True),
    Fault("always_filtered", says_only(finish="content_filter", text=""), ends=VIOLATION, always=True),
]
STREAM = [
    Fault("no_end", _cut_stream, wires=STREAM_ALONE),
    Fault("never_an_end", _cut_stream, wires=STREAM_ALONE, ends=UNAVAILABLE, always=True),
    Fault("empty_stream", _stream_of(lambda _: b"", counts=False), wires=STREAM_ALONE),
    Fault("done_alone", _stream_of(lambda _: event_stream([]), counts=False), wires=STREAM_ALONE),
    Fault("error_event", _stream_of(lambda _: event_stream([{"error": {"code": 503}}]), counts=False),
          wires=STREAM_ALONE),
    Fault("comments", _stream_of(lambda raw: raw.replace(b"data: ", b": ping\n\ndata: ")), wires=STREAM_ALONE),
    Fault("carriage_returns", _stream_of(lambda raw: raw.replace(b"\n", b"\r\n")), wires=STREAM_ALONE),
    Fault("odd_events", _stream_of(lambda raw: b"data: {oops\n\ndata: 7\n\n" + raw), wires=STREAM_ALONE),
    Fault("huge_stream", _stream_of(lambda _: b": x\n" * (3 * 1024 * 1024), counts=False),
          wires=STREAM_ALONE, ends=PROTOCOL),
]  # fmt: skip


FAULTS: tuple[Fault, ...] = (*HTTP, *CONNECTION, *BODY, *MODEL, *STREAM)

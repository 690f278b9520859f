"""A provider on loopback that plays a six-call run and one fault at one of its calls.

It knows what to call next from the transcript alone, as a model does, so that whatever the fault brings about, the run
can go on to its answer.
"""

from __future__ import annotations

import asyncio
import json
import re
import socket
import struct
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

WireName = Literal["chat", "stream", "responses"]

USAGE = (100, 10)
_TAG = re.compile(r"</?paper_text>")


@dataclass(frozen=True)
class Call:
    """One call of a tool as the model writes it; `arguments` may be anything."""

    name: object
    arguments: object
    call_id: object = "call"


@dataclass(frozen=True)
class Reply:
    """What the model says at one call, before it is written in the form of an API."""

    calls: tuple[Call, ...] = ()
    text: str | None = None
    refusal: str | None = None
    finish: str | None = "tool_calls"
    usage: object = USAGE
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Answer:
    """One HTTP reply; `content` is the whole body unless the connection is treated otherwise."""

    content: bytes
    status: int = 200
    headers: tuple[tuple[str, str], ...] = (("content-type", "application/json"),)
    counts: bool = True
    """Whether the usage in it reaches the client."""


@dataclass(frozen=True)
class Situation:
    """What a fault may look at: the API, the reply that would be in order, and the ids of earlier calls."""

    wire: WireName
    reply: Reply
    earlier_ids: tuple[str, ...]
    key: str

    def written(self, reply: Reply | None = None) -> Answer:
        """A reply in the form of the API."""
        return written(self.wire, reply or self.reply)


Sent = Callable[[Situation], Answer]
Treated = Callable[[asyncio.StreamReader, asyncio.StreamWriter, Situation], Any]


@dataclass(frozen=True)
class Fault:
    """One kind of fault.

    `answers` gives another HTTP reply, `treats` does something else with the connection. `ends` is the reason code that
    the run must end with, None when it must reach its answer. A fault is played once at its call, or at every request
    from there on (`always`). `request_seconds` and `stall_seconds` shorten the client's patience.
    """

    name: str
    answers: Sent | None = None
    treats: Treated | None = None
    ends: str | None = None
    always: bool = False
    wires: tuple[WireName, ...] = ("chat", "stream", "responses")
    request_seconds: float = 30.0
    stall_seconds: float = 30.0


class FaultyProvider:
    """Plays one fault at one call of each run; `begin` says which."""

    def __init__(self, key: str) -> None:
        self._key = key
        self.open_connections = 0
        self.base_url = ""
        self.delivered = [0, 0]
        self.all_reported = True
        self.begin(None, 1)

    def begin(self, fault: Fault | None, position: int) -> None:
        """A new run with a fault at the call with this number."""
        self._fault = fault
        self._position = position
        self._call = 0
        self.played = False
        self._transcript = ""
        self.delivered = [0, 0]
        self.all_reported = True
        self.requests = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection of the client."""
        self.open_connections += 1
        try:
            while await self._answer(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self.open_connections -= 1
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        fields = dict(line.lower().split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
        body = json.loads(await reader.readexactly(int(fields["content-length"])))
        assert self._key in head, "the key is sent"
        self.requests += 1
        situation = self._situation(body)
        fault = self._fault
        if fault is None or self._call < self._position or (self.played and not fault.always):
            return await self.send(writer, situation.written())
        self.played = True
        if fault.treats is not None:
            return bool(await fault.treats(reader, writer, situation))
        assert fault.answers is not None
        return await self.send(writer, fault.answers(situation))

    async def send(self, writer: asyncio.StreamWriter, answer: Answer) -> bool:
        """Write a whole reply and count the usage that it reports."""
        self._count(answer)
        lines = [f"HTTP/1.1 {answer.status} X", *(f"{name}: {value}" for name, value in answer.headers)]
        writer.write("\r\n".join([*lines, f"content-length: {len(answer.content)}", "", ""]).encode() + answer.content)
        await writer.drain()
        return True

    def _count(self, answer: Answer) -> None:
        if not answer.counts:
            return
        text = answer.content.decode("utf-8", "replace")
        found = re.search(r'"(?:prompt|input)_tokens": (\d+), "(?:completion|output)_tokens": (\d+)', text)
        if found is not None:
            self.delivered[0] += int(found[1])
            self.delivered[1] += int(found[2])
        elif answer.status == 200:
            self.all_reported = False

    def _situation(self, body: Mapping[str, Any]) -> Situation:
        wire: WireName = "responses" if "input" in body else "stream" if body.get("stream") else "chat"
        items = body["input"] if wire == "responses" else body["messages"]
        transcript = json.dumps(items)
        if transcript != self._transcript:
            self._call += 1
        self._transcript = transcript
        results, ids = _results(items)
        reply = Reply(calls=(next_call(results, f"call_{self._call}"),))
        return Situation(wire, reply, tuple(ids), self._key)


@asynccontextmanager
async def faulty_provider(key: str) -> AsyncGenerator[FaultyProvider, None]:
    """The provider, listening."""
    provider = FaultyProvider(key)
    server = await asyncio.start_server(provider.serve, "127.0.0.1", 0)
    provider.base_url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    try:
        yield provider
    finally:
        server.close()


def next_call(results: Sequence[Mapping[str, Any]], call_id: str) -> Call:
    """Search, find, read, find again, read again, submit what was read word for word."""
    found = [result["locations"] for result in results if result.get("locations")]
    items = [result["items"][0] for result in results if result.get("items")]
    if not any(result.get("candidates") for result in results):
        return Call("search_paper_candidates", json.dumps({"query_text": "literature graph"}), call_id)
    papers = [result["candidates"][0]["paper_id"] for result in results if result.get("candidates")]
    if len(found) <= len(items) < 2:
        query = "unique paper nodes" if not items else "author nodes of the graph"
        return Call("find_reading_locations", json.dumps({"paper_ids": papers[:1], "query_text": query}), call_id)
    if len(items) < 2:
        read = {item["location_ref"] for item in items}
        unread = [line["location_ref"] for line in found[-1] if line["location_ref"] not in read]
        return Call("read_locations", json.dumps({"location_refs": unread[:1]}), call_id)
    spans = [item["spans"][0] for item in items]
    markdown = "\n\n".join(f"“{_TAG.sub('', span['text'])}” [[{span['evidence_id']}]]" for span in spans)
    return Call("submit_research_answer", json.dumps({"outcome": "answered", "markdown": markdown}), call_id)


def written(wire: WireName, reply: Reply) -> Answer:
    """A reply as the body of an API."""
    if wire == "responses":
        return Answer(json.dumps(_response(reply)).encode())
    payload = _completion(reply)
    if wire == "chat":
        return Answer(json.dumps(payload).encode())
    return Answer(event_stream(_chunks(payload)), headers=(("content-type", "text/event-stream"),))


def event_stream(events: Sequence[Any], *, done: bool = True, end: str = "\n") -> bytes:
    """Events as server-sent events."""
    lines = [json.dumps(event) for event in events] + ["[DONE]"] * done
    return "".join(f"data: {line}{end}{end}" for line in lines).encode()


def _completion(reply: Reply) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.text, **reply.more}
    if reply.refusal is not None:
        message["refusal"] = reply.refusal
    if reply.calls:
        message["tool_calls"] = [
            {"id": call.call_id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in reply.calls
        ]
    choice = {"index": 0, "message": message}
    if reply.finish is not None:
        choice["finish_reason"] = reply.finish
    return {"id": "c", "object": "chat.completion", "choices": [choice], "usage": _usage(reply, "prompt", "completion")}


def _chunks(payload: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A completion in chunks: the text, each call's head, its arguments in two pieces, the reason, the usage."""
    [choice] = payload["choices"]
    message = dict(choice["message"])
    calls = message.pop("tool_calls", [])
    deltas: list[dict[str, Any]] = [message]
    for index, call in enumerate(calls):
        arguments = call["function"]["arguments"]
        cut = len(arguments) // 2 if isinstance(arguments, str) else None
        pieces = [arguments] if cut is None else [arguments[:cut], arguments[cut:]]
        head = {**call, "index": index, "function": {"name": call["function"]["name"], "arguments": pieces[0]}}
        deltas.append({"tool_calls": [head]})
        deltas += [{"tool_calls": [{"index": index, "function": {"arguments": piece}}]} for piece in pieces[1:]]
    chunks = [{"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    if "finish_reason" in choice:
        chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]})
    return [*chunks, {"choices": [], "usage": payload["usage"]}]


def _response(reply: Reply) -> dict[str, Any]:
    output: list[dict[str, Any]] = []
    content: list[dict[str, Any]] = []
    if reply.text is not None:
        content.append({"type": "output_text", "text": reply.text})
    if reply.refusal is not None:
        content.append({"type": "refusal", "refusal": reply.refusal})
    if content:
        output.append({"type": "message", "role": "assistant", "content": content})
    output += [
        {"type": "function_call", "call_id": call.call_id, "name": call.name, "arguments": call.arguments}
        for call in reply.calls
    ]
    reasons = {"length": "max_output_tokens", "content_filter": "content_filter"}
    cut = reasons.get(reply.finish or "")
    ending = {"status": "incomplete", "incomplete_details": {"reason": cut}} if cut else {"status": "completed"}
    return {"id": "r", "object": "response", **ending, "output": output, "usage": _usage(reply, "input", "output")}


def _usage(reply: Reply, sent: str, made: str) -> object:
    if not isinstance(reply.usage, tuple):
        return reply.usage
    return {f"{sent}_tokens": reply.usage[0], f"{made}_tokens": reply.usage[1]}


def _results(items: Sequence[Mapping[str, Any]]) -> tuple[list[dict[str, Any]], list[str]]:
    """Tool results without those that report a fault, and the ids of all calls."""
    replies = [item for item in items if item.get("role") == "tool" or item.get("type") == "function_call_output"]
    parsed = [json.loads(item.get("content") or item.get("output") or "{}") for item in replies]
    ids = [item.get("tool_call_id") or item.get("call_id") or "" for item in replies]
    return [result for result in parsed if "error" not in result], ids


def reset(writer: asyncio.StreamWriter) -> None:
    """Close a connection so that the other side sees a reset."""
    sock = writer.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()

"""A provider of Chat Completions on loopback that answers as its script says."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Answer:
    """One HTTP reply; `hang` sends nothing at all, `stall` stops in the middle of the body."""

    status: int = 200
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = (("content-type", "application/json"),)
    hang: bool = False
    stall: bool = False
    drop: bool = False


@dataclass
class Provider:
    """Requests seen, and where to send them."""

    base_url: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    closed_early: asyncio.Event = field(default_factory=asyncio.Event)


def completion(
    *calls: tuple[str, dict[str, Any] | str],
    text: str | None = None,
    usage: tuple[int, int] | None = (100, 10),
    ids: Sequence[str | None] | None = None,
) -> Answer:
    """A chat completion with tool calls, or with text."""
    named = ids or [f"call_{name}_{number}" for number, (name, _) in enumerate(calls)]
    message = {
        "role": "assistant",
        "content": text,
        "tool_calls": [
            {
                "id": call_id,
                "type": "function",
                "function": {
                    "name": name,
                    "arguments": arguments if isinstance(arguments, str) else json.dumps(arguments),
                },
            }
            for call_id, (name, arguments) in zip(named, calls, strict=True)
        ],
    }
    payload: dict[str, Any] = {"id": "x", "object": "chat.completion", "choices": [{"index": 0, "message": message}]}
    if usage is not None:
        payload["usage"] = {
            "prompt_tokens": usage[0],
            "completion_tokens": usage[1],
            "total_tokens": sum(usage),
        }
    return Answer(body=json.dumps(payload).encode())


def failure(status: int, *, retry_after: str | None = None, **error: Any) -> Answer:
    """An error in the provider's usual form."""
    headers = [("content-type", "application/json")]
    if retry_after is not None:
        headers.append(("retry-after", retry_after))
    return Answer(status, json.dumps({"error": {"message": "no", **error}}).encode(), tuple(headers))


Script = Sequence[Answer | Callable[[dict[str, Any]], Answer]]


@asynccontextmanager
async def serving(script: Script) -> AsyncIterator[Provider]:
    """Serve the script, one answer a request; the last one is given again when the script is over."""
    provider = Provider("")

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await _answer(reader, writer, provider, script):
                pass
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    provider.base_url = f"http://127.0.0.1:{port}/v1"
    try:
        yield provider
    finally:
        server.close()


async def _answer(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, provider: Provider, script: Script
) -> bool:
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    headers = dict(line.lower().split(": ", 1) for line in head.split("\r\n")[1:] if line)
    body = json.loads(await reader.readexactly(int(headers["content-length"])))
    provider.headers.append(headers)
    provider.requests.append(body)
    provider.arrived.set()
    entry = script[min(len(provider.requests), len(script)) - 1]
    answer = entry(body) if callable(entry) else entry
    if answer.drop:
        return False
    if answer.hang:
        await reader.read()
        provider.closed_early.set()
        return False
    lines = [f"HTTP/1.1 {answer.status} X", *(f"{name}: {value}" for name, value in answer.headers)]
    lines.append(f"content-length: {len(answer.body) + answer.stall}")
    writer.write("\r\n".join([*lines, "", ""]).encode() + answer.body)
    await writer.drain()
    if answer.stall:
        await reader.read()
    return not answer.stall

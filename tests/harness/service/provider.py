"""A Chat Completions endpoint on loopback that answers from a script and sees what is done to it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

Call = tuple[str, dict[str, Any]]
Step = Callable[[list[dict[str, Any]]], Sequence[Call]]
"""From the messages so far to the tool calls of the next reply."""

PROMPT_TOKENS, COMPLETION_TOKENS = 100, 10


def wait_forever(_: list[dict[str, Any]]) -> Sequence[Call]:
    """A step whose reply never comes; the provider knows it by identity."""
    raise AssertionError


class ScriptedProvider:
    """Answers call after call with the next step; the last step repeats."""

    def __init__(self, *steps: Step) -> None:
        self.steps = steps
        self.requests: list[dict[str, Any]] = []
        self.open_connections = 0
        self.waiting = asyncio.Event()
        self.all_closed = asyncio.Event()

    async def serve_connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.open_connections += 1
        self.all_closed.clear()
        try:
            while await self._answer(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self.open_connections -= 1
            if not self.open_connections:
                self.all_closed.set()
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        fields = dict(line.lower().split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
        request = json.loads(await reader.readexactly(int(fields["content-length"])))
        self.requests.append({"head": head, **request})
        step = self.steps[min(len(self.requests), len(self.steps)) - 1]
        if step is wait_forever:
            self.waiting.set()
            await reader.read(1)  # returns when the other side closes
            return False
        body = json.dumps(self._completion(step(request["messages"]))).encode()
        writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
            + str(len(body)).encode()
            + b"\r\n\r\n"
            + body
        )
        await writer.drain()
        return True

    def _completion(self, calls: Sequence[Call]) -> dict[str, Any]:
        number = len(self.requests)
        tool_calls = [
            {
                "id": f"call_{number}_{index}",
                "type": "function",
                "function": {"name": name, "arguments": json.dumps(arguments)},
            }
            for index, (name, arguments) in enumerate(calls)
        ]
        return {
            "id": f"chatcmpl-{number}",
            "object": "chat.completion",
            "created": 1,
            "model": "scripted",
            "choices": [
                {
                    "index": 0,
                    "finish_reason": "tool_calls",
                    "message": {"role": "assistant", "content": None, "tool_calls": tool_calls},
                }
            ],
            "usage": {
                "prompt_tokens": PROMPT_TOKENS,
                "completion_tokens": COMPLETION_TOKENS,
                "total_tokens": PROMPT_TOKENS + COMPLETION_TOKENS,
            },
        }


def last_reply(messages: list[dict[str, Any]], key: str) -> Any:
    """The value of a key in the newest tool result that has it."""
    for message in reversed(messages):
        if message["role"] == "tool":
            result = json.loads(message["content"])
            if key in result:
                return result[key]
    raise AssertionError(f"no tool result has {key}")


@asynccontextmanager
async def providing(*steps: Step) -> AsyncGenerator[tuple[ScriptedProvider, str], None]:
    """The provider and its base URL."""
    provider = ScriptedProvider(*steps)
    server = await asyncio.start_server(provider.serve_connection, "127.0.0.1", 0)
    try:
        yield provider, f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    finally:
        server.close()
        await server.wait_closed()

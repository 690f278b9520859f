"""Streams over bare connections, for readers that are slow or go away."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from tests.harness.service.scripted import TOKEN, Service


async def open_stream(service: Service, request: dict[str, Any]) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A raw connection that has sent a request and read the head of its answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", service.port)
    content = json.dumps(request).encode()
    writer.write(
        b"POST /v1/research/stream HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer "
        + TOKEN.encode()
        + b"\r\nContent-Length: "
        + str(len(content)).encode()
        + b"\r\nConnection: close\r\n\r\n"
        + content
    )
    head = await reader.readuntil(b"\r\n\r\n")
    assert b" 200 " in head
    return reader, writer


async def read_chunk(reader: asyncio.StreamReader) -> bytes:
    """One chunk of HTTP/1.1 chunked coding (RFC 9112, 7.1); empty at the end."""
    size = int(await reader.readuntil(b"\r\n"), 16)
    return (await reader.readexactly(size + 2))[:-2]

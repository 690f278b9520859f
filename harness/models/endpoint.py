"""One address that speaks an API over HTTP: requests, retries, what comes back, and what that cost."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import httpx

from harness.errors import ProviderError
from harness.models.failures import (
    NO_QUOTA,
    broken_off,
    error_of,
    not_a_reply,
    stalled,
    status_failure,
    status_of,
    timed_out,
    unreachable,
)
from harness.models.retry import RETRIED_STATUSES, RetryPolicy, asked_wait_of
from harness.models.sse import EventReader
from harness.models.traits import CaptureSink
from harness.models.wire import ReplyInvalid, StreamBroken, Wire
from harness.recorder import without_key, without_secrets

MAX_REPLY_BYTES = 8 * 1024 * 1024
_END_OF_STREAM = "[DONE]"
_DRAIN_SECONDS = 0.5
"""How long the end of a stream may take once it is over; then the connection is not used again."""

_RENAMED = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
_REPLACED: Mapping[str, Any] = {"tool_choice": "auto"}
_LEFT_OUT = frozenset({"temperature", "parallel_tool_calls", "stream_options", "include", "store", "max_output_tokens"})
_QUOTED = re.compile(r"['\"`]([a-z_]+)['\"`]")


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds: for one request, and for silence in the middle of a stream."""

    request: float = 120.0
    stall: float = 60.0


@dataclass(frozen=True, slots=True)
class _Failure:
    """Why a request gave nothing, whether asking again can help, and how long the provider asks to wait."""

    error: ProviderError
    retried: bool
    asked_wait: float | None = None


@dataclass(frozen=True, slots=True)
class _ParameterRefused:
    """A parameter to do without from now on."""

    name: str


@dataclass(slots=True)
class _Received:
    """A reply as far as it came."""

    status: int
    headers: httpx.Headers
    content: bytearray = field(default_factory=bytearray)
    events: list[dict[str, Any]] | None = None
    ended: bool = False


class Endpoint:
    """Sends bodies to one address. Raises `ProviderError` for every failure of the provider.

    `refused` holds the parameters that the endpoint has refused; runs of one model may share it.
    """

    def __init__(
        self,
        address: httpx.URL,
        client: httpx.AsyncClient,
        wire: Wire,
        *,
        timing: Timing,
        retry: RetryPolicy,
        refused: set[str],
        api_key: str | None,
    ) -> None:
        self._address = address
        self._client = client
        self._wire = wire
        self._timing = timing
        self._retry = retry
        self._refused = refused
        self._api_key = api_key
        self._wasted = (0, 0)
        self.capture: CaptureSink = _nothing

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    @property
    def host(self) -> str:
        """The host that errors name."""
        return self._address.host

    def take_wasted(self) -> tuple[int, int]:
        """Prompt and completion tokens of replies that were of no use, since the last time this was asked."""
        wasted, self._wasted = self._wasted, (0, 0)
        return wasted

    async def reply_to(self, body: dict[str, Any]) -> dict[str, Any]:
        """The reply's payload, asked for again where that can help."""
        attempt = 0
        while True:
            attempt += 1
            made = await self._attempt(_adapted(body, self._refused), attempt)
            if isinstance(made, dict):
                return made
            if isinstance(made, _ParameterRefused):
                self._refused.add(made.name)
                continue
            wait = self._retry.wait_before(attempt + 1, made.asked_wait) if made.retried else None
            if wait is None:
                raise made.error
            await asyncio.sleep(wait)

    async def _attempt(self, body: dict[str, Any], attempt: int) -> dict[str, Any] | _Failure | _ParameterRefused:
        """One request: the payload, or why there is none."""
        host, timing = self.host, self._timing
        try:
            async with asyncio.timeout(timing.request):
                received = await self._send(body, attempt)
        except _Stalled as error:
            return self._failed(stalled(timing.stall, host=host), error, attempt, retried=True)
        except (TimeoutError, httpx.TimeoutException) as error:
            return self._failed(timed_out(timing.request, host=host), error, attempt, retried=False)
        except (httpx.TransportError, httpx.DecodingError) as error:
            return self._failed(unreachable(type(error).__name__, host=host), error, attempt, retried=True)
        except _TooLarge as error:
            return self._failed(not_a_reply(str(error), host=host), error, attempt, retried=False)
        made = self._understood(received, body)
        if not isinstance(made, dict):
            self._waste(_payload_of(received))
            return made
        try:
            self._wire.output_of(made)
        except ReplyInvalid as error:
            self._waste(made)
            return self._failed(not_a_reply(str(error), host=host), error, attempt, retried=True)
        return made

    def _understood(self, received: _Received, body: dict[str, Any]) -> dict[str, Any] | _Failure | _ParameterRefused:
        host = self.host
        payload = _payload_of(received)
        error = error_of(payload)
        if 200 <= received.status < 300 and not error:
            return self._assembled(received, payload)
        status = received.status if received.status >= 300 else status_of(error)
        refused = self._refused_parameter(status, error, body)
        if refused is not None:
            return refused
        retried = status in RETRIED_STATUSES and error.get("code") != NO_QUOTA
        failure = status_failure(status, without_key(payload, self._api_key), host=host)
        return _Failure(failure, retried=retried, asked_wait=asked_wait_of(received.headers))

    def _assembled(self, received: _Received, payload: object) -> dict[str, Any] | _Failure:
        host = self.host
        if received.events is not None:
            try:
                return self._wire.assembled(received.events, ended=received.ended)
            except StreamBroken:
                return _Failure(broken_off(host=host), retried=True)
            except ReplyInvalid as error:
                return _Failure(not_a_reply(str(error), host=host), retried=True)
        if not isinstance(payload, dict):
            begun = received.content.lstrip().startswith(b"{")  # an object that was cut or damaged, not some other page
            return _Failure(not_a_reply("the body is no JSON object", host=host), retried=begun)
        return cast("dict[str, Any]", payload)

    async def _send(self, body: dict[str, Any], attempt: int) -> _Received:
        request = self._client.build_request("POST", self._address, json=body)
        self.capture(
            "model.request",
            attempt,
            {"method": "POST", "url": _shown(self._address), "headers": without_secrets(request.headers), "body": body},
        )
        response = await self._client.send(request, stream=True)
        received = _Received(response.status_code, response.headers)
        try:
            await self._receive(response, received)
        finally:
            await response.aclose()
            self.capture(
                "model.response",
                attempt,
                {
                    "status_code": response.status_code,
                    "headers": without_secrets(response.headers),
                    "body": without_key(received.content.decode("utf-8", "replace"), self._api_key),
                },
            )
        return received

    async def _receive(self, response: httpx.Response, received: _Received) -> None:
        chunks = response.aiter_bytes()
        reader: EventReader | None = None
        if response.is_success and "text/event-stream" in response.headers.get("content-type", ""):
            reader, received.events = EventReader(), []
        while (chunk := await self._next(chunks, streamed=reader is not None)) is not None:
            received.content += chunk
            if len(received.content) > MAX_REPLY_BYTES:
                message = f"the body is longer than {MAX_REPLY_BYTES} bytes"
                raise _TooLarge(message)
            if reader is None or received.events is None:
                continue
            for data in reader.feed(chunk):
                if data == _END_OF_STREAM:
                    received.ended = True
                elif isinstance(event := _json(data), dict):
                    received.events.append(cast("dict[str, Any]", event))
            if received.ended:
                await _drain(chunks)
                return

    async def _next(self, chunks: AsyncIterator[bytes], *, streamed: bool) -> bytes | None:
        limit = asyncio.timeout(self._timing.stall if streamed else None)
        try:
            async with limit:
                return await anext(chunks, None)
        except TimeoutError as error:
            if limit.expired():
                raise _Stalled from error
            raise

    def _failed(self, failure: ProviderError, cause: BaseException, attempt: int, *, retried: bool) -> _Failure:
        self.capture("model.error", attempt, {"error": type(cause).__name__, "message": str(failure)})
        failure.__cause__ = cause
        return _Failure(failure, retried=retried)

    def _waste(self, payload: object) -> None:
        usage = self._wire.usage_of(payload)
        self._wasted = (self._wasted[0] + usage.input_tokens, self._wasted[1] + usage.output_tokens)

    def _refused_parameter(self, status: int, error: dict[str, Any], body: dict[str, Any]) -> _ParameterRefused | None:
        """The parameter that a model does not take, when it can do without."""
        if status not in {400, 422}:
            return None
        for name in [str(error.get("param")), *_QUOTED.findall(str(error.get("message")))]:
            known = name in _LEFT_OUT or name in _RENAMED or (name in _REPLACED and body.get(name) != _REPLACED[name])
            if known and name in body and name not in self._refused:
                return _ParameterRefused(name)
        return None


class _TooLarge(Exception):
    """A reply over `MAX_REPLY_BYTES`."""


class _Stalled(Exception):
    """Silence in the middle of a stream."""


def _payload_of(received: _Received) -> object:
    """The body as JSON; of a stream the event that reports an error, else the last one that reports usage."""
    if received.events is None:
        return _json(bytes(received.content))
    for event in received.events:
        if error_of(event):
            return event
        if event.get("type") == "response.failed":
            return event["response"]
    return next((event for event in reversed(received.events) if event.get("usage")), None)


def _adapted(body: dict[str, Any], refused: set[str]) -> dict[str, Any]:
    adapted = dict(body)
    for name in refused & body.keys():
        value = adapted.pop(name)
        other = _RENAMED.get(name)
        if other is not None and other not in refused:
            adapted[other] = value
        elif name in _REPLACED:
            adapted[name] = _REPLACED[name]
    return adapted


async def _drain(chunks: AsyncIterator[bytes]) -> None:
    try:
        async with asyncio.timeout(_DRAIN_SECONDS):
            async for _ in chunks:
                pass
    except (TimeoutError, httpx.TransportError):
        return


def _json(content: bytes | str) -> object:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def _shown(address: httpx.URL) -> str:
    """The address without user, password and query, which may hold keys."""
    return str(address.copy_with(userinfo=b"", query=None))


def _nothing(kind: str, attempt: int, payload: Mapping[str, Any]) -> None:
    """Record nothing."""

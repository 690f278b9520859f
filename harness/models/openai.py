"""A model behind an OpenAI-compatible Chat Completions endpoint.

It speaks HTTP itself: address and key come from the caller alone, and no environment variable, proxy setting or netrc
file can send a paper's words elsewhere.
"""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import AsyncIterator, Mapping
from functools import cache
from typing import Any, cast

import httpx
from agents import ModelResponse, ModelSettings, Tool
from agents.agent_output import AgentOutputSchemaBase
from agents.handoffs import Handoff
from agents.items import TResponseInputItem, TResponseStreamEvent
from agents.models.interface import Model, ModelTracing

from harness.errors import ProviderError
from harness.models.capture import CaptureSink
from harness.models.chat_wire import ReplyInvalid, output_of, request_body, usage_of
from harness.models.failures import error_of, not_a_completion, status_failure, timed_out, unreachable
from harness.models.retry import RETRIED_STATUSES, RetryPolicy
from harness.recorder import without_secrets

MAX_REPLY_BYTES = 8 * 1024 * 1024
CONNECT_SECONDS = 10.0
BAD_REQUEST = 400

_REPLACEMENTS: Mapping[str, Mapping[str, Any]] = {
    "max_tokens": {"max_tokens": None, "max_completion_tokens": "max_tokens"},
    "temperature": {"temperature": None},
    "parallel_tool_calls": {"parallel_tool_calls": None},
}
"""Parameters that some models refuse, and what is sent in their place: None drops it, a name moves its value."""


def chat_model(
    model: str,
    *,
    base_url: str,
    api_key: str | None,
    timeout_seconds: float = 120.0,
    retry: RetryPolicy | None = None,
    proxy: str | None = None,
) -> ChatCompletionsModel:
    """A model for one run; `base_url` with or without `/chat/completions`, `timeout_seconds` for one request."""
    address = httpx.URL(base_url.rstrip("/").removesuffix("/chat/completions") + "/chat/completions")
    headers = {"authorization": f"Bearer {api_key}"} if api_key else {}
    client = httpx.AsyncClient(
        headers=headers,
        timeout=httpx.Timeout(timeout_seconds, connect=min(CONNECT_SECONDS, timeout_seconds)),
        verify=_tls() if address.scheme == "https" else False,  # a plain address has no certificate to check
        trust_env=False,
        proxy=proxy,
    )
    return ChatCompletionsModel(model, address, client, timeout_seconds=timeout_seconds, retry=retry or RetryPolicy())


class ChatCompletionsModel(Model):
    """One endpoint and model; `close` releases the client. Raises `ProviderError` for every failure of the provider."""

    def __init__(
        self, model: str, address: httpx.URL, client: httpx.AsyncClient, *, timeout_seconds: float, retry: RetryPolicy
    ) -> None:
        self._model = model
        self._address = address
        self._client = client
        self._timeout = timeout_seconds
        self._retry = retry
        self._capture: CaptureSink = _nothing
        self._refused: set[str] = set()

    def capture_into(self, sink: CaptureSink) -> None:
        """Report requests and responses to `sink`, secrets removed."""
        self._capture = sink

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def get_response(
        self,
        system_instructions: str | None,
        input: str | list[TResponseInputItem],  # noqa: A002 - the SDK calls by these names
        model_settings: ModelSettings,
        tools: list[Tool],
        output_schema: AgentOutputSchemaBase | None,  # noqa: ARG002
        handoffs: list[Handoff],  # noqa: ARG002
        tracing: ModelTracing,  # noqa: ARG002
        *,
        previous_response_id: str | None,  # noqa: ARG002
        conversation_id: str | None,  # noqa: ARG002
        prompt: Any | None,  # noqa: ARG002
    ) -> ModelResponse:
        """One completion, asked for again where that can help."""
        body = request_body(self._model, system_instructions, input, tools, model_settings)
        payload = await self._complete(body)
        try:
            output = output_of(payload)
        except ReplyInvalid as error:
            raise not_a_completion(str(error), host=self._address.host) from error
        return ModelResponse(output=output, usage=usage_of(payload), response_id=None)

    def stream_response(self, *args: Any, **kwargs: Any) -> AsyncIterator[TResponseStreamEvent]:
        """Not offered: an unchecked word of a model must not reach the user."""
        message = "this model answers whole replies only"
        raise NotImplementedError(message)

    async def _complete(self, body: dict[str, Any]) -> dict[str, Any]:
        attempt = 0
        while True:
            attempt += 1
            failure, retry_after = await self._attempt(_adapted(body, self._refused), attempt)
            if isinstance(failure, dict):
                return failure
            if isinstance(failure, _ParameterRefused):
                self._refused.add(failure.name)
                continue
            wait = self._retry.wait_before(attempt + 1, retry_after) if failure.retried else None
            if wait is None:
                raise failure.error
            await asyncio.sleep(wait)

    async def _attempt(
        self, body: dict[str, Any], attempt: int
    ) -> tuple[dict[str, Any] | _Failure | _ParameterRefused, str | None]:
        """One request: the payload, or why there is none, and the Retry-After header."""
        host = self._address.host
        try:
            async with asyncio.timeout(self._timeout):
                response, content = await self._send(body, attempt)
        except (TimeoutError, httpx.ReadTimeout, httpx.WriteTimeout, httpx.PoolTimeout) as error:
            return self._failed(timed_out(self._timeout, host=host), error, attempt, retried=False), None
        except (httpx.TransportError, httpx.DecodingError) as error:
            return self._failed(unreachable(type(error).__name__, host=host), error, attempt, retried=True), None
        except _TooLarge as error:
            return self._failed(not_a_completion(str(error), host=host), error, attempt, retried=False), None
        payload = _json(content)
        if response.is_success:
            return self._accepted(payload), None
        refused = self._refused_parameter(response.status_code, payload, body)
        if refused is not None:
            return refused, None
        error = status_failure(response.status_code, payload, host=host)
        return _Failure(error, retried=response.status_code in RETRIED_STATUSES), response.headers.get("retry-after")

    def _accepted(self, payload: object) -> dict[str, Any] | _Failure:
        host = self._address.host
        error = error_of(payload)
        if error:
            code = error.get("code")
            status = code if isinstance(code, int) and code >= BAD_REQUEST else BAD_REQUEST
            return _Failure(status_failure(status, payload, host=host), retried=status in RETRIED_STATUSES)
        if not isinstance(payload, dict):
            return _Failure(not_a_completion("the body is no JSON object", host=host), retried=False)
        return cast("dict[str, Any]", payload)

    async def _send(self, body: dict[str, Any], attempt: int) -> tuple[httpx.Response, bytes]:
        request = self._client.build_request("POST", self._address, json=body)
        self._capture(
            "model.request",
            attempt,
            {"method": "POST", "url": _shown(self._address), "headers": without_secrets(request.headers), "body": body},
        )
        response = await self._client.send(request, stream=True)
        try:
            content = await _content(response)
        finally:
            await response.aclose()
        self._capture(
            "model.response",
            attempt,
            {
                "status_code": response.status_code,
                "headers": without_secrets(response.headers),
                "body": content.decode("utf-8", "replace"),
            },
        )
        return response, content

    def _failed(self, failure: ProviderError, cause: BaseException, attempt: int, *, retried: bool) -> _Failure:
        self._capture("model.error", attempt, {"error": type(cause).__name__, "message": str(failure)})
        failure.__cause__ = cause
        return _Failure(failure, retried=retried)

    def _refused_parameter(self, status: int, payload: object, body: dict[str, Any]) -> _ParameterRefused | None:
        """The parameter that a model does not take, when it can be left out."""
        name = error_of(payload).get("param") if status == BAD_REQUEST else None
        if not isinstance(name, str) or name in self._refused or name not in _REPLACEMENTS or name not in body:
            return None
        return _ParameterRefused(name)


class _Failure:
    """Why a request gave nothing, and whether asking again can help."""

    def __init__(self, error: ProviderError, *, retried: bool) -> None:
        self.error = error
        self.retried = retried


class _ParameterRefused:
    """A parameter to leave out from now on."""

    def __init__(self, name: str) -> None:
        self.name = name


class _TooLarge(Exception):
    """A reply over `MAX_REPLY_BYTES`."""


@cache
def _tls() -> ssl.SSLContext:
    """Certificates are read once; doing so costs more than the rest of a run."""
    return httpx.create_ssl_context(trust_env=False)


async def _content(response: httpx.Response) -> bytes:
    content = bytearray()
    async for chunk in response.aiter_bytes():
        content += chunk
        if len(content) > MAX_REPLY_BYTES:
            message = f"the body is longer than {MAX_REPLY_BYTES} bytes"
            raise _TooLarge(message)
    return bytes(content)


def _adapted(body: dict[str, Any], refused: set[str]) -> dict[str, Any]:
    adapted = dict(body)
    for name in refused:
        for key, source in _REPLACEMENTS[name].items():
            if source is None:
                adapted.pop(key, None)
            else:
                adapted[key] = body.get(source)
    return adapted


def _json(content: bytes) -> object:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def _shown(address: httpx.URL) -> str:
    """The address without user, password and query, which may hold keys."""
    return str(address.copy_with(userinfo=b"", query=None))


def _nothing(kind: str, attempt: int, payload: Mapping[str, Any]) -> None:
    """Record nothing."""

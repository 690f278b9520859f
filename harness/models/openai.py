"""A model behind any OpenAI-compatible endpoint, Chat Completions or Responses.

It speaks HTTP itself: address and key come from the caller alone, and no environment variable, proxy setting or netrc
file can send a paper's words elsewhere.
"""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator
from functools import cache
from typing import Any

import httpx
from agents import ModelResponse, ModelSettings, Tool
from agents.agent_output import AgentOutputSchemaBase
from agents.handoffs import Handoff
from agents.items import TResponseInputItem, TResponseStreamEvent
from agents.models.interface import Model, ModelTracing

from harness.models.chat_wire import ChatWire
from harness.models.endpoint import Endpoint, Timing
from harness.models.providers import ProviderProfile, profile_for
from harness.models.responses_wire import ResponsesWire
from harness.models.retry import RetryPolicy
from harness.models.traits import CaptureSink
from harness.models.wire import Wire

CONNECT_SECONDS = 10.0


def provider_model(
    model: str,
    *,
    base_url: str,
    api_key: str | None,
    profile: ProviderProfile | None = None,
    timing: Timing | None = None,
    retry: RetryPolicy | None = None,
    refused: set[str] | None = None,
    proxy: str | None = None,
) -> ProviderModel:
    """A model for one run.

    `base_url` is the API's root or its full address; `profile` is chosen by it where none is given. `refused` may be
    shared by all runs of one model, so that a parameter it does not take is tried once.
    """
    profile = profile or profile_for(base_url)
    timing = timing or Timing()
    address = profile.address(base_url)
    client = httpx.AsyncClient(
        headers={profile.key_header: profile.key_prefix + api_key} if api_key else {},
        timeout=httpx.Timeout(timing.request, connect=min(CONNECT_SECONDS, timing.request)),
        verify=_tls() if address.scheme == "https" else False,  # a plain address has no certificate to check
        trust_env=False,
        proxy=proxy,
    )
    wire: Wire = ResponsesWire(profile) if profile.api == "responses" else ChatWire(profile)
    endpoint = Endpoint(
        address,
        client,
        wire,
        timing=timing,
        retry=retry or RetryPolicy(),
        refused=set() if refused is None else refused,
        api_key=api_key,
    )
    return ProviderModel(model, endpoint, wire)


class ProviderModel(Model):
    """One endpoint and model; `close` releases the client. Raises `ProviderError` for every failure of the provider."""

    def __init__(self, model: str, endpoint: Endpoint, wire: Wire) -> None:
        self._model = model
        self._endpoint = endpoint
        self._wire = wire

    def capture_into(self, sink: CaptureSink) -> None:
        """Report requests and responses to `sink`, secrets removed."""
        self._endpoint.capture = sink

    async def close(self) -> None:
        """Close the connections."""
        await self._endpoint.close()

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
        """One reply, asked for again where that can help."""
        body = self._wire.request_body(self._model, system_instructions, input, tools, model_settings)
        payload = await self._endpoint.reply_to(body)
        return ModelResponse(output=self._wire.output_of(payload), usage=self._wire.usage_of(payload), response_id=None)

    def take_wasted(self) -> tuple[int, int]:
        """Prompt and completion tokens of replies that were of no use, since the last time this was asked."""
        return self._endpoint.take_wasted()

    def stream_response(self, *args: Any, **kwargs: Any) -> AsyncIterator[TResponseStreamEvent]:
        """Not offered: an unchecked word of a model must not reach the user."""
        message = "this model answers whole replies only"
        raise NotImplementedError(message)


@cache
def _tls() -> ssl.SSLContext:
    """Certificates are read once; doing so costs more than the rest of a run."""
    return httpx.create_ssl_context(trust_env=False)

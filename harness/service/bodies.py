"""Bodies of the service's own answers: how it is, and why it refused."""

from __future__ import annotations

from typing import Literal

from harness.service.settings import ProviderDescription, ServiceSettings
from harness.wire import WireModel

CONTRACT_VERSION = "1.1"
"""Version of the wire contract: the second number grows with additions; nothing goes or changes within the first."""

CONTRACT_HEADER = "Paperledger-Contract"
"""Response header that carries the contract version."""


class ProviderBody(WireModel):
    """The model provider, without anything secret."""

    scope: str
    provider: str
    api_style: str | None
    api_base_url: str | None
    model: str
    has_api_key: bool

    @classmethod
    def of(cls, provider: ProviderDescription) -> ProviderBody:
        """What may be told about a provider."""
        return cls(
            scope=provider.scope,
            provider=provider.provider,
            api_style=provider.api_style,
            api_base_url=provider.public_base_url(),
            model=provider.model,
            has_api_key=provider.has_api_key,
        )


class HealthBody(WireModel):
    """`GET /health`: the process is alive. `contract_version` is an addition."""

    status: Literal["ok"] = "ok"
    harness: str = "agents_sdk"
    provider: ProviderBody
    transport: Literal["ndjson-stream"] = "ndjson-stream"
    max_completion_tokens: int
    contract_version: str = CONTRACT_VERSION

    @classmethod
    def of(cls, settings: ServiceSettings) -> HealthBody:
        """The health of a process with these settings."""
        return cls(
            provider=ProviderBody.of(settings.provider), max_completion_tokens=settings.ceilings.max_completion_tokens
        )


class ReadyBody(WireModel):
    """`GET /ready`: whether the corpus can answer, part by part; reasons may name hosts and files and are not told."""

    status: Literal["ready", "not_ready"]
    parts: dict[str, Literal["ok", "unavailable"]]


class CancelBody(WireModel):
    """`POST /v1/research/runs/{run_id}/cancel`: the run is ending; its own stream or object tells how it ended."""

    run_id: str
    state: Literal["cancelling"] = "cancelling"


class RefusalBody(WireModel):
    """Why a request was refused; 401 has `error` alone, 422 names the `field`."""

    error: str
    message: str | None = None
    field: str | None = None


class FailureBody(WireModel):
    """500 of `/v1/research/turn`: no result could be made."""

    error: Literal["harness_failed"] = "harness_failed"
    error_type: str
    message: str

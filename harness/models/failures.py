"""What a provider's failure means for a run. Messages never hold keys, headers or the provider's own words."""

from __future__ import annotations

import re
from typing import Any, cast

from harness.errors import ProviderError, ReasonCode

_IDENTIFIER = re.compile(r"\A[A-Za-z0-9_.-]{1,64}\Z")
_TOO_LONG = re.compile(
    r"context[_ ](?:length|window)|maximum context|too many (?:input )?tokens|prompt is too long", re.IGNORECASE
)


def status_failure(status: int, body: object, *, host: str) -> ProviderError:
    """The failure behind an HTTP status that is no success."""
    error = error_of(body)
    named = _named(error)
    if status == 429:
        return ProviderError(
            f"The provider at {host} limits the rate of calls (HTTP 429{named}).",
            reason_code=ReasonCode.PROVIDER_RATE_LIMITED,
            hint="Try again later, or use another model.",
        )
    if status in {401, 403}:
        return ProviderError(
            f"The provider at {host} refused the key (HTTP {status}{named}).",
            reason_code=ReasonCode.PROVIDER_UNAVAILABLE,
            hint="Check PAPERLEDGER_MODEL_API_KEY.",
        )
    if status == 404:
        return ProviderError(
            f"The provider at {host} knows no such model or address (HTTP 404{named}).",
            reason_code=ReasonCode.PROVIDER_UNAVAILABLE,
            hint="Check PAPERLEDGER_MODEL and PAPERLEDGER_MODEL_BASE_URL.",
        )
    if status in {400, 413, 422} and _TOO_LONG.search(f"{error.get('code')} {error.get('message')}"):
        return ProviderError(
            f"The transcript no longer fits into the model's context (HTTP {status}{named}).",
            reason_code=ReasonCode.RUN_CONTEXT_BUDGET_EXHAUSTED,
            hint="Ask a narrower question, or use a model with a longer context.",
        )
    if status >= 500 or status in {408, 409}:
        return ProviderError(
            f"The provider at {host} could not answer (HTTP {status}{named}).",
            reason_code=ReasonCode.PROVIDER_UNAVAILABLE,
            hint="Try again later.",
        )
    return ProviderError(
        f"The provider at {host} did not accept the request (HTTP {status}{named}).",
        reason_code=ReasonCode.PROVIDER_PROTOCOL_INVALID,
        hint="Check that the endpoint speaks Chat Completions with tools.",
    )


def not_a_completion(reason: str, *, host: str) -> ProviderError:
    """A reply that is no chat completion."""
    return ProviderError(
        f"The provider at {host} sent something that is no chat completion: {reason}.",
        reason_code=ReasonCode.PROVIDER_PROTOCOL_INVALID,
        hint="Check PAPERLEDGER_MODEL_BASE_URL.",
    )


def unreachable(kind: str, *, host: str) -> ProviderError:
    """No connection, or one that broke."""
    return ProviderError(
        f"The provider at {host} cannot be reached ({kind}).",
        reason_code=ReasonCode.PROVIDER_UNAVAILABLE,
        hint="Check PAPERLEDGER_MODEL_BASE_URL and that the endpoint is running.",
    )


def timed_out(seconds: float, *, host: str) -> ProviderError:
    """No complete reply within the time of one call."""
    return ProviderError(
        f"The provider at {host} did not answer within {seconds:g} s.",
        reason_code=ReasonCode.PROVIDER_TIMEOUT,
        hint="Raise PAPERLEDGER_MODEL_TIMEOUT_SECONDS, or use a faster model.",
    )


def error_of(body: object) -> dict[str, Any]:
    """The `error` object of a body, empty where there is none."""
    outer = cast("dict[str, Any]", body) if isinstance(body, dict) else {}
    inner = outer.get("error")
    return cast("dict[str, Any]", inner) if isinstance(inner, dict) else {}


def _named(error: dict[str, Any]) -> str:
    """The provider's own code, when it is a plain identifier."""
    for key in ("code", "type"):
        value = error.get(key)
        if isinstance(value, str) and _IDENTIFIER.match(value):
            return f", {value}"
    return ""

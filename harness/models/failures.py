"""What a provider's failure means for a run. Messages never hold keys, headers or the provider's own words."""

from __future__ import annotations

import re
from typing import Any

from harness.errors import ProviderError, ReasonCode
from harness.models.wire import as_dict, as_dicts

_IDENTIFIER = re.compile(r"[A-Za-z]{2,32}(?:[_.][A-Za-z]{1,32}){0,6}|\d{1,6}")
"""Words joined by `_` or `.`, or a short number: no key has this form, and no piece of one that is worth anything."""

_FILTERED = re.compile(r"content[_ ](?:filter|policy)|ResponsibleAI", re.IGNORECASE)
_RATE = re.compile(r"rate[_ ]?limit|too[_ ]many[_ ]requests", re.IGNORECASE)
_PASSING = re.compile(r"overloaded|unavailable|server[_ ]error|internal|timeout|timed out|capacity", re.IGNORECASE)
NO_QUOTA = "insufficient_quota"
"""The code of a 429 that no waiting helps."""

_TOO_LONG = re.compile(
    r"context[_ ](?:length|window)|maximum context|too many (?:input )?tokens|prompt is too long", re.IGNORECASE
)


def status_failure(status: int, body: object, *, host: str) -> ProviderError:
    """The failure behind an HTTP status that is no success."""
    error = error_of(body)
    named = _named(error)
    if status == 429 and error.get("code") == NO_QUOTA:
        return ProviderError(
            f"The account at {host} has no quota left (HTTP 429{named}).",
            reason_code=ReasonCode.PROVIDER_RATE_LIMITED,
            hint="Raise the account's quota, or use another model.",
        )
    if status == 429:
        return ProviderError(
            f"The provider at {host} limits the rate of calls (HTTP 429{named}).",
            reason_code=ReasonCode.PROVIDER_RATE_LIMITED,
            hint="Try again later, or use another model.",
        )
    if status in {400, 403} and _FILTERED.search(f"{error.get('code')} {error.get('type')} {error.get('message')}"):
        return ProviderError(
            f"The content filter of the provider at {host} refused the request (HTTP {status}{named}).",
            reason_code=ReasonCode.PROVIDER_PROTOCOL_INVALID,
            hint="Ask in other words, or use a model without such a filter.",
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
        hint="Check that the endpoint speaks this API with tools, and which model is named.",
    )


def not_a_reply(reason: str, *, host: str) -> ProviderError:
    """A reply that the API does not know."""
    return ProviderError(
        f"The provider at {host} sent something that is no reply of a model: {reason}.",
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


def broken_off(*, host: str) -> ProviderError:
    """A stream that ended before its reply did."""
    return ProviderError(
        f"The provider at {host} broke off its stream before the reply was complete.",
        reason_code=ReasonCode.PROVIDER_UNAVAILABLE,
        hint="Try again later.",
    )


def stalled(seconds: float, *, host: str) -> ProviderError:
    """A stream in which nothing came any more."""
    return ProviderError(
        f"The provider at {host} stopped in the middle of its stream for {seconds:g} s.",
        reason_code=ReasonCode.PROVIDER_TIMEOUT,
        hint="Raise PAPERLEDGER_MODEL_STALL_SECONDS, or use a faster model.",
    )


def error_of(body: object) -> dict[str, Any]:
    """The error object of a body, of its first choice or of a stream's event; empty where there is none."""
    outer = as_dict(body)
    if outer.get("type") == "error" or outer.get("object") == "error":
        return as_dict(outer.get("error")) or outer
    choices = as_dicts(outer.get("choices"))
    inner = outer.get("error") or (choices[0].get("error") if choices else None)
    return {"message": inner} if isinstance(inner, str) else as_dict(inner)


def status_of(error: dict[str, Any]) -> int:
    """The HTTP status that an error in a body stands for; 400 where it does not say."""
    for key in ("status", "code"):
        value = error.get(key)
        number = int(value) if isinstance(value, str) and value.isdecimal() and len(value) == 3 else value
        if isinstance(number, int) and not isinstance(number, bool) and 400 <= number < 600:
            return number
    words = f"{error.get('code')} {error.get('type')} {error.get('message')}"
    if _RATE.search(words):
        return 429
    return 503 if _PASSING.search(words) else 400


def _named(error: dict[str, Any]) -> str:
    """The provider's own code, when it is a plain identifier."""
    for key in ("code", "type"):
        value = error.get(key)
        if isinstance(value, str) and _IDENTIFIER.fullmatch(value):
            return f", {value}"
    return ""

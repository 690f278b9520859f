"""When a provider is asked again, and after how long."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

RETRIED_STATUSES = frozenset({408, 409, 429, 500, 502, 503, 504, 529})


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """At most `attempts` requests a call, waiting longer each time; `longest_wait` bounds what a provider may ask for.

    Waits are seconds. `spread` gives 0 to 1 and shortens a wait by up to half, so that many runs do not come back at
    the same moment.
    """

    attempts: int = 4
    first_wait: float = 0.5
    longest_backoff: float = 8.0
    longest_wait: float = 30.0
    spread: Callable[[], float] = random.random

    def wait_before(self, attempt: int, asked: float | None = None) -> float | None:
        """Seconds to wait before request number `attempt` (from 2); None when there is to be none.

        `asked` is what the provider asks for.
        """
        if attempt > self.attempts:
            return None
        if asked is not None:
            return asked if asked <= self.longest_wait else None
        backoff = min(self.longest_backoff, self.first_wait * 2 ** (attempt - 2))
        return backoff * (1 - self.spread() / 2)


def asked_wait_of(headers: Mapping[str, str]) -> float | None:
    """Seconds that a reply asks to wait: `retry-after-ms` where it is given, else `retry-after`."""
    try:
        return max(0.0, float(headers["retry-after-ms"]) / 1000)
    except (KeyError, ValueError):
        return asked_wait(headers.get("retry-after"))


def asked_wait(retry_after: str | None) -> float | None:
    """Seconds that a Retry-After header asks for (RFC 9110, 10.2.3: seconds or a date); None where it says neither."""
    if retry_after is None:
        return None
    try:
        return max(0.0, float(retry_after))
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(retry_after)
    except (ValueError, OverflowError):
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())

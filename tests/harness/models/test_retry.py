from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from harness.models.retry import RetryPolicy, asked_wait, asked_wait_of

STEADY = RetryPolicy(attempts=10, spread=lambda: 0.0)


def test_waits_double_up_to_a_ceiling() -> None:
    assert [STEADY.wait_before(attempt) for attempt in range(2, 9)] == [0.5, 1, 2, 4, 8, 8, 8]


def test_waits_are_spread_by_up_to_half() -> None:
    assert RetryPolicy(spread=lambda: 1.0).wait_before(2) == 0.25


def test_the_last_attempt_is_not_followed_by_a_wait() -> None:
    assert STEADY.wait_before(10) is not None
    assert STEADY.wait_before(11) is None


def test_what_the_provider_asks_for_is_kept_or_given_up() -> None:
    assert STEADY.wait_before(2, 7) == 7
    assert STEADY.wait_before(2, 31) is None
    assert STEADY.wait_before(2, None) == 0.5


def test_milliseconds_are_finer_than_seconds() -> None:
    assert asked_wait_of({"retry-after-ms": "250", "retry-after": "1"}) == 0.25
    assert asked_wait_of({"retry-after-ms": "soon", "retry-after": "1"}) == 1
    assert asked_wait_of({}) is None


@pytest.mark.parametrize("value", [None, "", "soon", "Mon", "\u00b2", "Mon, 01 Jan 299999999999001 00:00:00 GMT"])
def test_headers_that_say_nothing(value: str | None) -> None:
    assert asked_wait(value) is None


def test_a_date_is_counted_from_now() -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=20), usegmt=True)
    assert 15 < (asked_wait(later) or 0) <= 20
    assert asked_wait("Mon, 01 Jan 2001 00:00:00 -0000") == 0


def test_negative_seconds_mean_now() -> None:
    assert asked_wait("-5") == 0

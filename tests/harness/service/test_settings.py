"""Settings that must not be, and what may be told about the provider."""

from __future__ import annotations

from typing import Any

import pytest

from harness.service.errors import InvalidServiceSettings
from harness.service.settings import ProviderDescription, ServiceSettings
from tests.harness.service.scripted import PROVIDER, TOKEN, settings


@pytest.mark.parametrize(
    "changes",
    [
        {"tokens": ("",)},
        {"tokens": (" ",)},
        {"tokens": ("two words",)},
        {"tokens": ("tökén",)},
        {"tokens": ("line\n",)},
        {"tokens": ("a", "b", "c")},
        {"no_auth": True},
        {"max_runs": 0},
        {"max_body_bytes": 0},
        {"heartbeat_seconds": 0},
        {"body_timeout_seconds": -1},
        {"write_timeout_seconds": 0},
        {"max_backlog_bytes": 0},
    ],
)
def test_settings_that_would_open_or_break_the_service_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(InvalidServiceSettings) as caught:
        settings(**changes)
    assert caught.value.code == "invalid_service_settings"


def test_settings_do_not_show_their_tokens() -> None:
    assert TOKEN not in repr(settings())


@pytest.mark.parametrize(
    ("service_settings", "words", "closed"),
    [
        (ServiceSettings(provider=PROVIDER), "every request is refused", True),
        (ServiceSettings(provider=PROVIDER, no_auth=True), "every program of this machine", False),
        (settings(), "token is required", False),
    ],
)
def test_start_up_says_who_may_call(service_settings: ServiceSettings, words: str, closed: bool) -> None:
    assert words in service_settings.access_notice()
    assert service_settings.closed is closed


@pytest.mark.parametrize(
    ("address", "told"),
    [
        (None, None),
        ("http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1"),
        ("https://user:sk-secret@api.example.org/v1?key=sk-secret#sk-secret", "https://api.example.org/v1"),
    ],
)
def test_the_provider_address_is_told_without_secrets(address: str | None, told: str | None) -> None:
    assert ProviderDescription(provider="p", model="m", api_base_url=address).public_base_url() == told

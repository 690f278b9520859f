from __future__ import annotations

from pathlib import Path

import pytest

from harness.errors import UnknownProvider
from harness.models.providers import profile_for, profiles

MODELS = Path(__file__).parents[3] / "docs" / "models.md"


@pytest.mark.parametrize(
    ("base_url", "name"),
    [
        ("https://api.openai.com/v1", "openai"),
        ("https://my-resource.openai.azure.com/openai/v1/", "azure"),
        ("https://api.deepseek.com", "deepseek"),
        ("http://localhost:11434/v1", "ollama"),
        ("http://localhost:8080/v1", "compatible"),
        ("https://notapi.openai.com.example.org/v1", "compatible"),
        ("https://evilapi.openai.com/v1", "compatible"),
    ],
)
def test_the_address_chooses_the_profile(base_url: str, name: str) -> None:
    assert profile_for(base_url).name == name


def test_a_profile_and_an_api_can_be_named() -> None:
    profile = profile_for("http://localhost:8080/v1", name="llama_cpp", api="responses", stream=True)
    assert (profile.name, profile.api, profile.stream) == ("llama_cpp", "responses", True)
    assert not profile.parallel_tool_calls


def test_an_unknown_profile_is_refused_with_those_that_exist() -> None:
    with pytest.raises(UnknownProvider) as refused:
        profile_for("http://localhost/v1", name="gpt")
    assert "compatible" in refused.value.hint


@pytest.mark.parametrize(
    ("base_url", "address"),
    [
        ("http://h/v1", "http://h/v1/chat/completions"),
        ("http://h/v1/", "http://h/v1/chat/completions"),
        ("http://h/v1/chat/completions", "http://h/v1/chat/completions"),
        ("http://h/v1/responses", "http://h/v1/responses"),
        ("http://h/v1?api-version=2", "http://h/v1/chat/completions?api-version=2"),
    ],
)
def test_an_address_may_name_its_api(base_url: str, address: str) -> None:
    assert str(profile_for(base_url).address(base_url)) == address


def test_every_profile_is_documented() -> None:
    text = MODELS.read_text(encoding="utf-8")
    for profile in profiles().values():
        assert f"| `{profile.name}` |" in text
        assert profile.note

"""In what endpoints differ that speak the OpenAI APIs: one table of data, `providers.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Any, Literal, get_args

import httpx

from harness.errors import UnknownProvider

Api = Literal["chat", "responses"]

PATHS: Mapping[Api, str] = {"chat": "/chat/completions", "responses": "/responses"}
"""Where an API stands below the base URL."""

COMPATIBLE = "compatible"
"""The table that every other one starts from, and what an unknown address gets."""


@dataclass(frozen=True, slots=True)
class ProviderProfile:
    """One endpoint's ways.

    * `hosts`: addresses that choose this profile, each a host (and everything below it) or a host with its port.
    * `api`: Chat Completions or Responses.
    * `key_header`, `key_prefix`: how the key is sent.
    * `output_limit`: what Chat Completions calls the limit of a completion; Responses always says `max_output_tokens`.
    * `temperature`, `parallel_tool_calls`: whether the parameter is sent at all.
    * `tool_choice`: the word for "call some tool", or `auto` where a call cannot be forced.
    * `strict_tools`: `off` sends `strict: false` with each tool, `unset` sends nothing.
    * `stream`: whether replies are asked for as server-sent events; `stream_usage`: whether usage is then asked for.
    * `reasoning_field`: the field of a message in which its reasoning must be sent back, empty for none.
    """

    name: str
    hosts: tuple[str, ...]
    api: Api
    key_header: str
    key_prefix: str
    output_limit: str
    temperature: bool
    tool_choice: str
    parallel_tool_calls: bool
    strict_tools: Literal["off", "unset"]
    stream_usage: bool
    reasoning_field: str
    note: str
    stream: bool = False

    def address(self, base_url: str) -> httpx.URL:
        """Where requests go; `base_url` is the API's root or the full address."""
        url = httpx.URL(base_url)
        return url.copy_with(path=_root(url.path) + PATHS[self.api])


@cache
def profiles() -> Mapping[str, ProviderProfile]:
    """Every profile by name."""
    tables = tomllib.loads(resources.files("harness.models").joinpath("providers.toml").read_text(encoding="utf-8"))
    return {name: _profile(name, {**tables[COMPATIBLE], **table}) for name, table in tables.items()}


def profile_for(
    base_url: str, *, name: str | None = None, api: Api | None = None, stream: bool | None = None
) -> ProviderProfile:
    """The profile called `name`, else the one of the address; `api` and `stream` overrule what it says.

    An address that ends in an API's own path chooses that API. Raises `UnknownProvider`.
    """
    known = profiles()
    if name is not None and name not in known:
        message = f"There is no provider profile `{name}`."
        raise UnknownProvider(message, hint=f"Known profiles: {', '.join(known)}.")
    profile = known[name] if name is not None else _of_address(base_url)
    path = httpx.URL(base_url).path.rstrip("/")
    named = next((key for key in get_args(Api) if path.endswith(PATHS[key])), None)
    chosen = replace(profile, api=api or named or profile.api)
    return chosen if stream is None else replace(chosen, stream=stream)


def _of_address(base_url: str) -> ProviderProfile:
    url = httpx.URL(base_url)
    for profile in profiles().values():
        if any(_matches(url, host) for host in profile.hosts):
            return profile
    return profiles()[COMPATIBLE]


def _matches(url: httpx.URL, host: str) -> bool:
    name, _, port = host.partition(":")
    if port and url.port != int(port):
        return False
    return url.host == name or url.host.endswith(f".{name}")


def _root(path: str) -> str:
    root = path.rstrip("/")
    for known in PATHS.values():
        root = root.removesuffix(known)
    return root


def _profile(name: str, table: Mapping[str, Any]) -> ProviderProfile:
    fields: dict[str, Any] = {**table, "name": name, "hosts": tuple(table["hosts"])}
    return ProviderProfile(**fields)

"""Tokens, and this machine alone without them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st
from starlette.datastructures import Headers

from harness.service.access import check_local, is_loopback, token_accepted
from harness.service.app import create_app
from harness.service.errors import ForeignCaller
from harness.service.settings import ServiceSettings
from tests.harness.service.scripted import PROVIDER, TOKEN, ScriptedRunner, StubCorpus, body, in_process, settings

OLD_TOKEN = "the-token-before"
ROUTES = [("POST", "/v1/research/stream"), ("POST", "/v1/research/turn"), ("GET", "/openapi.json"), ("GET", "/no/such")]
OPEN_ROUTES = [("GET", "/health"), ("GET", "/ready")]
LOCAL = ServiceSettings(provider=PROVIDER, no_auth=True)


@pytest.mark.parametrize(
    "authorization",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        "Bearer wrong",
        f"Bearer {TOKEN}x",
        f"Bearer {TOKEN[:-1]}",
        f"Basic {TOKEN}",
        TOKEN,
        "Bearer \xe9",
        f"Bearer {TOKEN} {TOKEN}",
    ],
)
@pytest.mark.parametrize("route", ROUTES)
async def test_without_the_token_nothing_is_answered(route: tuple[str, str], authorization: str | None) -> None:
    headers = {} if authorization is None else {"Authorization": authorization.encode("latin-1")}
    client, runner = in_process(settings())
    response = await client.request(*route, json=body(), headers=headers)  # type: ignore[arg-type]
    assert response.status_code == 401
    assert response.json() == {"error": "unauthorized"}
    assert response.headers["www-authenticate"] == "Bearer"
    assert runner.turns == []


@pytest.mark.parametrize("token", [TOKEN, OLD_TOKEN])
async def test_both_tokens_hold_while_one_replaces_the_other(token: str) -> None:
    client, _ = in_process(settings(tokens=(TOKEN, OLD_TOKEN)))
    response = await client.post("/v1/research/turn", json=body(), headers={"Authorization": f"bearer {token}"})
    assert response.status_code == 200


@pytest.mark.parametrize("route", OPEN_ROUTES)
async def test_a_load_balancer_needs_no_token(route: tuple[str, str]) -> None:
    client, _ = in_process(settings())
    assert (await client.request(*route)).status_code == 200


@pytest.mark.parametrize("route", ROUTES + OPEN_ROUTES)
async def test_a_service_without_any_token_refuses_everything(route: tuple[str, str]) -> None:
    client, runner = in_process(ServiceSettings(provider=PROVIDER))
    response = await client.request(*route, headers={"Authorization": "Bearer "})
    assert response.status_code == 401
    assert runner.turns == []


@pytest.mark.parametrize(
    "base_url", ["http://127.0.0.1:8091", "http://localhost:8091", "http://[::1]:8091", "http://LocalHost"]
)
async def test_without_tokens_this_machine_may_ask(base_url: str) -> None:
    client, _ = in_process(LOCAL, base_url=base_url)
    origin = base_url.rstrip("/")
    assert (await client.post("/v1/research/turn", json=body(), headers={"Origin": origin})).status_code == 200
    assert (await client.post("/v1/research/turn", json=body())).status_code == 200


@pytest.mark.parametrize("route", ROUTES + OPEN_ROUTES)
@pytest.mark.parametrize(
    ("headers", "caller"),
    [
        ({"Host": "papers.example.org"}, "127.0.0.1"),
        ({"Host": "127.0.0.1.example.org:8091"}, "127.0.0.1"),
        ({"Host": "127.0.0.1@example.org"}, "127.0.0.1"),
        ({"Host": ""}, "127.0.0.1"),
        ({"Origin": "https://example.org"}, "127.0.0.1"),
        ({"Origin": "http://127.0.0.1:3000"}, "127.0.0.1"),
        ({"Origin": "https://127.0.0.1:8091"}, "127.0.0.1"),
        ({"Origin": "null"}, "127.0.0.1"),
        ({}, "192.0.2.7"),
    ],
)
async def test_without_tokens_foreign_pages_and_machines_are_refused_everywhere(
    route: tuple[str, str], headers: dict[str, str], caller: str
) -> None:
    client, runner = in_process(LOCAL, caller=caller)
    response = await client.request(*route, headers=headers)
    assert response.status_code == 403
    assert response.json()["error"] == "forbidden"
    assert runner.turns == []


async def test_a_websocket_needs_the_token_too() -> None:
    app = create_app(settings(), runner=ScriptedRunner(), corpus=StubCorpus())
    sent: list[Any] = []

    async def receive() -> dict[str, str]:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message)

    await app({"type": "websocket", "path": "/v1/research/stream", "headers": [], "scheme": "ws"}, receive, send)
    assert sent == [{"type": "websocket.close", "code": 1008}]


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.1", "[::1]", "::1", "localhost", "LOCALHOST"])
def test_addresses_of_this_machine(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "", "localhost.example.org", "10.0.0.1", "127.1", "2130706433"])
def test_addresses_of_elsewhere(host: str) -> None:
    assert not is_loopback(host)


@examples(deadline=None)
@given(st.text(max_size=40))
def test_no_other_header_passes_for_a_token(header: str) -> None:
    assert token_accepted(header, (TOKEN,)) == (header.strip().split(None, 1)[1:] == [TOKEN])


@pytest.mark.parametrize("host", ["localhost:1@evil.example", "[::1", "[::1]x", "localhost:80:80", "localhost:x"])
def test_a_host_in_no_proper_form_is_foreign(host: str) -> None:
    with pytest.raises(ForeignCaller):
        check_local(Headers({"host": host}), scheme="http", client_host="127.0.0.1")

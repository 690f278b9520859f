"""Who may call: service tokens, or this machine alone."""

from __future__ import annotations

import hmac
import ipaddress
import re
from collections.abc import Iterable

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from harness.service.errors import ForeignCaller, RequestRefused, Unauthorized
from harness.service.settings import ServiceSettings

OPEN_PATHS = frozenset({"/health", "/ready"})
"""Asked by load balancers, which hold no token; they tell nothing about papers or users."""


def is_loopback(host: str) -> bool:
    """Whether a host name or address (without port) means this machine."""
    bare = host.removeprefix("[").removesuffix("]")
    if bare.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(bare).is_loopback
    except ValueError:
        return False


_AUTHORITY = re.compile(r"(?P<host>\[[^\[\]@]*\]|[^\[\]:@]*)(?::\d*)?")


def _host_name(authority: str) -> str:
    """The host of `host[:port]`; empty for any other form, such as one with user info before the real host."""
    match = _AUTHORITY.fullmatch(authority)
    return "" if match is None else match["host"]


def token_accepted(authorization: str | None, tokens: Iterable[str]) -> bool:
    """Whether the header carries one of the tokens; takes the same time wherever they differ."""
    scheme, _, given = (authorization or "").partition(" ")
    candidate = given.strip().encode("latin-1", "replace")
    matches = [hmac.compare_digest(candidate, token.encode()) for token in tokens]
    return scheme.lower() == "bearer" and any(matches)


def check_local(headers: Headers, *, scheme: str, client_host: str | None) -> None:
    """Refuse callers that are not programs or pages of this machine. Raises `ForeignCaller`.

    Host defeats DNS rebinding, Origin a foreign page whose browser runs here.
    """
    host = headers.get("host", "")
    if client_host is not None and not is_loopback(client_host):
        raise ForeignCaller("without a token this service answers its own machine only")
    if not is_loopback(_host_name(host)):
        raise ForeignCaller("the Host header does not name this machine")
    origin = headers.get("origin")
    if origin is not None and origin.lower() != f"{scheme}://{host}".lower():
        raise ForeignCaller("the Origin header names another site")


class AccessGate:
    """ASGI middleware in front of every route."""

    def __init__(self, app: ASGIApp, settings: ServiceSettings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer with the refusal."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        try:
            self._check(scope)
        except RequestRefused as refusal:
            await self._refuse(refusal, scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        if self._settings.no_auth:
            client = scope.get("client")
            check_local(headers, scheme=scope["scheme"], client_host=client[0] if client else None)
            return
        if self._settings.closed:
            raise Unauthorized("the service has no token")
        if scope["path"] in OPEN_PATHS:
            return
        if not token_accepted(headers.get("authorization"), self._settings.tokens):
            raise Unauthorized("no or wrong token")

    @staticmethod
    async def _refuse(refusal: RequestRefused, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        response = JSONResponse(refusal.body(), status_code=refusal.status, headers=refusal.headers())
        await response(scope, receive, send)


class ContractHeader:
    """ASGI middleware that writes the contract version into every response."""

    def __init__(self, app: ASGIApp, *, name: str, version: str) -> None:
        self._app = app
        self._header = (name.lower().encode("latin-1"), version.encode("latin-1"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on, with one header more."""

        async def send_with_header(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message["headers"], self._header]}
            await send(message)

        await self._app(scope, receive, send_with_header)

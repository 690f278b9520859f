"""How one service process behaves; built by the command line, never read from the environment here."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit, urlunsplit

from harness.service.errors import InvalidServiceSettings
from harness.turn import RunLimits

_TOKEN = re.compile(r"[!-~]+")


@dataclass(frozen=True, slots=True)
class ProviderDescription:
    """What `/health` tells about the model provider; user info in the address is left out."""

    provider: str
    model: str
    scope: str = "default"
    api_style: str | None = None
    api_base_url: str | None = None
    has_api_key: bool = False

    def public_base_url(self) -> str | None:
        """The address without user info, query and fragment, which may hold secrets."""
        if self.api_base_url is None:
            return None
        parts = urlsplit(self.api_base_url)
        return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """Settings of the service. Without tokens and without `no_auth` every request is refused.

    `tokens`: one or two service tokens (two while one replaces the other), printable ASCII without spaces.
    `ceilings`: what a request's `run_limits` and `max_completion_tokens` are capped by, and their defaults.
    `stop_grace_seconds`: how long a cancelled run may take to end by itself before its task is cancelled.
    `write_timeout_seconds`: a reader that takes nothing for so long has gone away.
    `max_backlog_bytes`: progress lines kept for a slow reader of one run; more are counted and dropped.
    """

    provider: ProviderDescription
    tokens: tuple[str, ...] = field(default=(), repr=False)
    no_auth: bool = False
    max_runs: int = 8
    max_body_bytes: int = 1_048_576
    ceilings: RunLimits = field(default_factory=RunLimits)
    heartbeat_seconds: float = 10.0
    body_timeout_seconds: float = 30.0
    write_timeout_seconds: float = 60.0
    stop_grace_seconds: float = 0.5
    drain_seconds: float = 30.0
    max_backlog_bytes: int = 262_144

    def __post_init__(self) -> None:
        if len(self.tokens) > 2:
            raise InvalidServiceSettings("at most two service tokens are accepted", hint="Drop the oldest one.")
        if not all(_TOKEN.fullmatch(token) for token in self.tokens):
            raise InvalidServiceSettings(
                "a service token is blank or holds spaces or characters outside ASCII",
                hint="Use a long random token such as `openssl rand -hex 32` prints.",
            )
        if self.tokens and self.no_auth:
            raise InvalidServiceSettings("tokens and no-auth exclude each other", hint="Choose one of them.")
        positive = {
            "max_runs": self.max_runs,
            "max_body_bytes": self.max_body_bytes,
            "heartbeat_seconds": self.heartbeat_seconds,
            "body_timeout_seconds": self.body_timeout_seconds,
            "write_timeout_seconds": self.write_timeout_seconds,
            "max_backlog_bytes": self.max_backlog_bytes,
        }
        for name, value in positive.items():
            if value <= 0:
                raise InvalidServiceSettings(f"{name} must be above 0, not {value}")

    @property
    def closed(self) -> bool:
        """Whether every request is refused for want of a token."""
        return not self.tokens and not self.no_auth

    def access_notice(self) -> str:
        """One sentence for start-up: who may call."""
        if self.closed:
            return "No service token is set: every request is refused with 401. Set one, or use no-auth on loopback."
        if self.no_auth:
            return "No token is asked for: every program of this machine may ask in any user's name."
        return "A service token is required."

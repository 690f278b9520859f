"""Calls of a Qdrant server: one client for all threads, bounded patience, typed errors, and never a word of the key.

Every write names its points by id, so a call whose answer was lost can be made again.
"""

from __future__ import annotations

import random
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from pydantic import SecretStr
from qdrant_client import QdrantClient

from index.errors import IndexUnauthorized, ServerRefused, ServerUnavailable
from index.server_faults import CLIENT_ERRORS, LONGEST_WORDS, Fault, read_fault

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Where a server is and how it is spoken to.

    `url` is http(s), with the port (6333 when it names none). `timeout_seconds` bounds one call. `ca_file` holds the
    certificates to trust instead of the system's. With `grpc_port`, points travel over gRPC on that port.
    """

    url: str
    api_key: SecretStr | None = None
    timeout_seconds: int = 20
    ca_file: Path | None = None
    grpc_port: int | None = None

    @property
    def label(self) -> str:
        """Host and port, as errors name the server; user info and path are left out."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.hostname}:{parts.port or 6333}"


@dataclass(frozen=True, slots=True)
class Patience:
    """How often a call is tried, and how long it waits between: doubling pauses, or what the server asks for.

    No pause begins that would end later than `deadline_seconds` after the first try.
    """

    attempts: int = 5
    first_pause_seconds: float = 0.2
    deadline_seconds: float = 30.0
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)


class ServerCalls:
    """Makes calls of one server; safe from several threads."""

    def __init__(self, address: ServerAddress, patience: Patience | None = None) -> None:
        self.label = address.label
        self._secret = address.api_key.get_secret_value() if address.api_key is not None else ""
        self._patience = patience or Patience()
        self._closed = False
        # given as a header, because the client's own parameter for it warns on stderr about plain HTTP
        headers = {"api-key": self._secret} if self._secret else None
        trusted: dict[str, Any] = {}
        if address.ca_file is not None:
            trusted["verify"] = ssl.create_default_context(cafile=address.ca_file)
        self._client = QdrantClient(
            url=address.url,
            timeout=address.timeout_seconds,
            headers=headers,
            prefer_grpc=address.grpc_port is not None,
            grpc_port=address.grpc_port or 6334,
            check_compatibility=False,
            **trusted,
        )

    def call(self, what: str, request: Callable[[QdrantClient], Result]) -> Result:
        """The result of `request`; `what` completes "the server did not ...".

        Raises IndexUnauthorized, ServerRefused (a status that another try would not change), ServerUnavailable.
        """
        patience = self._patience
        started = patience.clock()
        pause = patience.first_pause_seconds
        attempt = 0
        while True:
            if self._closed:
                message = f"the connection to the Qdrant server {self.label} is closed"
                raise ServerUnavailable(message)
            attempt += 1
            try:
                return request(self._client)
            except CLIENT_ERRORS as error:
                fault = read_fault(error)
            wait = fault.wait_seconds
            if wait is None:
                wait = pause * random.uniform(0.5, 1.5)  # noqa: S311 - spreads retries, secures nothing
            late = patience.clock() - started + wait > patience.deadline_seconds
            if not fault.worth_retrying or attempt >= patience.attempts or late:
                raise self._error(what, fault, attempt)
            patience.sleep(wait)
            pause *= 2

    def close(self) -> None:
        """Close the connections; later calls raise ServerUnavailable, closing twice does nothing."""
        if not self._closed:
            self._closed = True
            self._client.close()

    def _error(self, what: str, fault: Fault, attempts: int) -> ServerUnavailable | ServerRefused | IndexUnauthorized:
        tried = f" ({attempts} tries)" if attempts > 1 else ""
        asked = f" (it asks to wait {fault.wait_seconds:.0f} s)" if fault.wait_seconds is not None else ""
        # the key goes before the text is cut: half a key is a secret as well
        words = fault.text.replace(self._secret, "(key)") if self._secret else fault.text
        message = f"the Qdrant server {self.label} did not {what}{tried}: {words[:LONGEST_WORDS]}{asked}"
        if fault.unauthorized:
            return IndexUnauthorized(message)
        if fault.status is not None and not fault.worth_retrying:
            return ServerRefused(message, status=fault.status)
        return ServerUnavailable(message)

"""What can go wrong between us and a Qdrant server, read from the client's exceptions: is it worth another try?"""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import grpc
import httpx
from pydantic import BaseModel, ValidationError
from qdrant_client.common.client_exceptions import QdrantException, ResourceExhaustedResponse
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

_RETRIED_STATUS = frozenset({408, 429, 500, 502, 503, 504})
_UNAUTHORIZED = frozenset({401, 403})
LONGEST_WORDS = 300
"""Characters of the server's own words that an error holds."""

CLIENT_ERRORS = (
    ResponseHandlingException,
    UnexpectedResponse,
    QdrantException,
    grpc.RpcError,
    ValueError,  # a 200 whose body is no JSON or no UTF-8, or a Retry-After that the client cannot read
    RecursionError,  # JSON that is nested too deep
    AssertionError,  # the client asserts that a reply holds a result
)
"""Everything that the client lets out of a call; of programming errors only what a reply can bring about as well."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What one failed call says.

    `text` is for people and holds words of the server, uncut; `status` is the HTTP status where there was a reply;
    `wait_seconds` is what the server asked for.
    """

    text: str
    worth_retrying: bool = False
    status: int | None = None
    wait_seconds: float | None = None

    @property
    def unauthorized(self) -> bool:
        """Whether the key, or what it may do, is the reason."""
        return self.status in _UNAUTHORIZED


def read_fault(error: Exception, *, now: datetime | None = None) -> Fault:
    """What one of `CLIENT_ERRORS` means; `now` is the time from which a Retry-After date counts."""
    match error:
        case UnexpectedResponse():
            return _of_status(error, now or datetime.now(UTC))
        case ResourceExhaustedResponse():
            return _too_many(max(0.0, float(error.retry_after_s)))
        case QdrantException():  # the client could not read the Retry-After of a 429
            return _too_many(None)
        case ResponseHandlingException():
            return _of_transport(error.source)
        case grpc.RpcError():
            return _of_grpc(error)
        case _:
            return Fault("its reply is not one of Qdrant's; is something else answering at that address?")


def _too_many(wait_seconds: float | None) -> Fault:
    return Fault("429 too many requests", worth_retrying=True, status=429, wait_seconds=wait_seconds)


def _of_status(error: UnexpectedResponse, now: datetime) -> Fault:
    status = error.status_code or 0
    words = _words_of(error.content)
    text = f"{status} {error.reason_phrase}".strip() + (f": {words}" if words else "")
    return Fault(text, status in _RETRIED_STATUS, status, _retry_after(error.headers, now))


class _Status(BaseModel):
    error: str


class _ErrorBody(BaseModel):
    status: _Status


def _words_of(content: bytes) -> str:
    """What Qdrant says in an error; other bodies (a proxy's page) are left out."""
    try:
        return _ErrorBody.model_validate_json(content).status.error
    except ValidationError:
        return ""


def _retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds of a Retry-After header (RFC 9110, 10.2.3): a number or a date."""
    given = headers.get("retry-after")
    if given is None:
        return None
    if given.isascii() and given.strip().isdigit():
        return float(given)
    try:
        until = parsedate_to_datetime(given)
    except (ValueError, OverflowError):
        return None
    return max(0.0, (until if until.tzinfo else until.replace(tzinfo=UTC)).timestamp() - now.timestamp())


def _of_transport(source: Exception) -> Fault:
    match source:
        case httpx.TimeoutException():
            return Fault("no answer in time", worth_retrying=True)
        case httpx.TransportError() if _certificate_problem(source):
            return Fault(f"its certificate is not trusted: {source}")
        case httpx.TransportError():
            return Fault(f"the connection failed: {str(source) or type(source).__name__}", worth_retrying=True)
        case _:
            return Fault("its reply is not one of Qdrant's; is something else answering at that address?")


def _certificate_problem(error: BaseException) -> bool:
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return True
        cause = cause.__cause__ or cause.__context__
    return False


_GRPC_STATUS = {
    grpc.StatusCode.UNAVAILABLE: 503,
    grpc.StatusCode.DEADLINE_EXCEEDED: 504,
    grpc.StatusCode.RESOURCE_EXHAUSTED: 429,
    grpc.StatusCode.INTERNAL: 500,
    grpc.StatusCode.UNAUTHENTICATED: 401,
    grpc.StatusCode.PERMISSION_DENIED: 403,
    grpc.StatusCode.NOT_FOUND: 404,
    grpc.StatusCode.ALREADY_EXISTS: 409,
}


def _of_grpc(error: grpc.RpcError) -> Fault:
    """A gRPC status as the HTTP status that REST gives for the same."""
    code = error.code() if isinstance(error, grpc.Call) else grpc.StatusCode.UNKNOWN
    words = (error.details() or "") if isinstance(error, grpc.Call) else ""
    status = _GRPC_STATUS.get(code, 400)
    return Fault(f"{code.name}: {words}", status in _RETRIED_STATUS, status)

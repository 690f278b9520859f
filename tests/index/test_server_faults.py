from __future__ import annotations

import json
import ssl
from datetime import UTC, datetime

import grpc
import httpx
import pytest
from pydantic import TypeAdapter, ValidationError
from qdrant_client.common.client_exceptions import QdrantException, ResourceExhaustedResponse
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

from index.server_faults import CLIENT_ERRORS, read_fault

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def reply(status: int, body: bytes = b"", **headers: str) -> UnexpectedResponse:
    named = {name.replace("_", "-").encode(): value.encode("latin-1") for name, value in headers.items()}
    return UnexpectedResponse(status, httpx.codes.get_reason_phrase(status), body, httpx.Headers(list(named.items())))


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
def test_what_may_pass_is_worth_another_try(status: int) -> None:
    fault = read_fault(reply(status))
    assert fault.worth_retrying
    assert fault.status == status
    assert fault.text.startswith(str(status))


@pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 409, 422])
def test_what_will_not_pass_is_not(status: int) -> None:
    fault = read_fault(reply(status))
    assert not fault.worth_retrying
    assert fault.unauthorized == (status in {401, 403})


def test_the_words_of_qdrant_are_told_and_those_of_others_left_out() -> None:
    said = json.dumps({"status": {"error": "Wrong input: no such vector" + "!" * 500}, "time": 0}).encode()
    assert read_fault(reply(400, said)).text.startswith("400 Bad Request: Wrong input: no such vector!")
    assert read_fault(reply(502, b"<html>a proxy's page")).text == "502 Bad Gateway"
    assert read_fault(reply(502, b'{"status":"ok"}')).text == "502 Bad Gateway"
    assert read_fault(reply(502, b"\xff\xfe")).text == "502 Bad Gateway"


@pytest.mark.parametrize(
    ("given", "seconds"),
    [
        ("7", 7.0),
        ("Sun, 01 Mar 2026 12:00:30 GMT", 30.0),
        ("Sun, 01 Mar 2026 12:00:30 -0000", 30.0),
        ("Sun, 01 Mar 2026 11:00:00 GMT", 0.0),
        ("soon", None),
        ("-3", None),
        ("\u00b2", None),
        ("Mon, 01 Jan 299999999999001 00:00:00 GMT", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(given: str, seconds: float | None) -> None:
    assert read_fault(reply(503, retry_after=given), now=NOW).wait_seconds == seconds


def test_a_busy_server_is_read_from_the_clients_own_errors_too() -> None:
    busy = read_fault(ResourceExhaustedResponse("", 4))
    assert (busy.worth_retrying, busy.status, busy.wait_seconds) == (True, 429, 4.0)
    assert read_fault(ResourceExhaustedResponse("", -5)).wait_seconds == 0.0, "no pause is negative"
    odd = read_fault(QdrantException("Retry-After header value is not a valid integer"))
    assert (odd.worth_retrying, odd.status, odd.wait_seconds) == (True, 429, None)


def certificate_error() -> httpx.ConnectError:
    error = httpx.ConnectError("certificate verify failed")
    error.__cause__ = ssl.SSLCertVerificationError("self-signed certificate")
    return error


@pytest.mark.parametrize(
    ("source", "retried", "said"),
    [
        (httpx.ConnectError("refused"), True, "the connection failed: refused"),
        (httpx.RemoteProtocolError("peer closed"), True, "the connection failed: peer closed"),
        (httpx.ReadError(""), True, "the connection failed: ReadError"),
        (httpx.ReadTimeout("timed out"), True, "no answer in time"),
        (certificate_error(), False, "its certificate is not trusted"),
        (RuntimeError("client has been closed"), False, "not one of Qdrant's"),
    ],
)
def test_faults_of_the_connection(source: Exception, retried: bool, said: str) -> None:
    fault = read_fault(ResponseHandlingException(source))
    assert (fault.worth_retrying, fault.status) == (retried, None)
    assert said in fault.text


def validation_error() -> ValidationError:
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(int).validate_python("x")
    return caught.value


@pytest.mark.parametrize(
    "error",
    [
        ResponseHandlingException(validation_error()),
        json.JSONDecodeError("not JSON", "", 0),
        AssertionError("Search returned None"),
        UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"),
        validation_error(),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_reply_that_is_not_qdrants_is_not_asked_for_again(error: Exception) -> None:
    assert isinstance(error, CLIENT_ERRORS)
    fault = read_fault(error)
    assert not fault.worth_retrying
    assert "not one of Qdrant's" in fault.text


class Status(grpc.RpcError, grpc.Call):
    """A gRPC error as a stub raises it."""

    def __init__(self, code: grpc.StatusCode, details: str | None) -> None:
        self._code, self._details = code, details

    def code(self) -> grpc.StatusCode:
        return self._code

    def details(self) -> str | None:
        return self._details

    def initial_metadata(self) -> None: ...
    def trailing_metadata(self) -> None: ...
    def is_active(self) -> bool:
        return False

    def time_remaining(self) -> None: ...
    def cancel(self) -> bool:
        return False

    def add_callback(self, callback: object) -> bool:
        return False


@pytest.mark.parametrize(
    ("code", "status", "retried"),
    [
        (grpc.StatusCode.UNAVAILABLE, 503, True),
        (grpc.StatusCode.DEADLINE_EXCEEDED, 504, True),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, 429, True),
        (grpc.StatusCode.UNAUTHENTICATED, 401, False),
        (grpc.StatusCode.PERMISSION_DENIED, 403, False),
        (grpc.StatusCode.NOT_FOUND, 404, False),
        (grpc.StatusCode.INVALID_ARGUMENT, 400, False),
    ],
)
def test_a_grpc_status_reads_like_the_http_status_of_the_same(
    code: grpc.StatusCode, status: int, retried: bool
) -> None:
    fault = read_fault(Status(code, "words"))
    assert (fault.status, fault.worth_retrying) == (status, retried)
    assert fault.text == f"{code.name}: words"


def test_a_grpc_error_without_a_status() -> None:
    assert read_fault(Status(grpc.StatusCode.UNKNOWN, None)).text == "UNKNOWN: "
    assert read_fault(grpc.RpcError()).text == "UNKNOWN: "

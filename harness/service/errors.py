"""Why the service refuses a request or a configuration.

HarnessError
├── RequestRefused             carries the HTTP status; nothing was started
│   ├── Unauthorized           401 unauthorized: no token, a wrong one, or none configured
│   ├── ForeignCaller          403 forbidden: without tokens only this machine's own pages and programs may call
│   ├── BodyTooSlow            408 body_too_slow: the body did not arrive in time
│   ├── MalformedBody          400 invalid_request: not a JSON object
│   ├── BodyTooLarge           413 body_too_large
│   ├── InvalidField           422 invalid_request: `field` names what is wrong
│   ├── NoSuchRun              404 no_such_run: this user has no such run going on in this process
│   ├── AlreadyRunning         409 already_running: the same request of the same user
│   ├── TooManyRuns            429 too_many_runs: try again after `retry_after` seconds
│   └── ShuttingDown           503 shutting_down
└── InvalidServiceSettings     invalid_service_settings: the service must not start like this
"""

from __future__ import annotations

from harness.errors import HarnessError


class RequestRefused(HarnessError):
    """A request that was turned away before any run began."""

    code = "request_refused"
    status = 400
    retry_after: int | None = None

    def body(self) -> dict[str, str]:
        """The JSON object of the response."""
        return {"error": self.code, "message": str(self)}

    def headers(self) -> dict[str, str]:
        """Response headers that belong to this refusal."""
        return {} if self.retry_after is None else {"Retry-After": str(self.retry_after)}


class Unauthorized(RequestRefused):
    """No token, a wrong one, or a service without any; the response does not say which."""

    code = "unauthorized"
    status = 401
    hint = "Send `Authorization: Bearer <service token>`."

    def body(self) -> dict[str, str]:
        """Exactly the object that existing clients know."""
        return {"error": self.code}

    def headers(self) -> dict[str, str]:
        """The scheme to use (RFC 9110, 11.6.1)."""
        return {"WWW-Authenticate": "Bearer"}


class ForeignCaller(RequestRefused):
    """Without tokens, only programs and pages of this machine may call; Host and Origin tell."""

    code = "forbidden"
    status = 403
    hint = "Call the loopback address, or start the service with a token."


class BodyTooSlow(RequestRefused):
    """The request body did not arrive in time."""

    code = "body_too_slow"
    status = 408

    def headers(self) -> dict[str, str]:
        """What may still arrive of the body is not read."""
        return {"Connection": "close"}


class MalformedBody(RequestRefused):
    """The body is not a JSON object in UTF-8."""

    code = "invalid_request"
    status = 400


class BodyTooLarge(RequestRefused):
    """The body is larger than the service reads."""

    code = "body_too_large"
    status = 413

    def headers(self) -> dict[str, str]:
        """The rest of the body is not read."""
        return {"Connection": "close"}


class InvalidField(RequestRefused):
    """A field is missing or wrong; `field` is its dotted path, empty for the object as a whole."""

    code = "invalid_request"
    status = 422

    def __init__(self, message: str, *, field: str) -> None:
        super().__init__(message)
        self.field = field

    def body(self) -> dict[str, str]:
        """The JSON object of the response, with the field."""
        return {**super().body(), "field": self.field}


class NoSuchRun(RequestRefused):
    """This user has no run with this id going on here; somebody else's run and none at all are answered alike."""

    code = "no_such_run"
    status = 404

    def __init__(self) -> None:
        super().__init__("no such run of this user goes on")


class AlreadyRunning(RequestRefused):
    """This user's request with this id is running."""

    code = "already_running"
    status = 409


class TooManyRuns(RequestRefused):
    """Every place for a run is taken."""

    code = "too_many_runs"
    status = 429
    retry_after = 5


class ShuttingDown(RequestRefused):
    """The service is ending and starts no more runs."""

    code = "shutting_down"
    status = 503
    retry_after = 5


class InvalidServiceSettings(HarnessError):
    """The service must not start with these settings."""

    code = "invalid_service_settings"

"""Errors of the harness.

HarnessError
├── InvalidTurnRequest         invalid_request: a field of a turn request is missing or wrong (`field` names it)
├── RunEnded                   a run ended without an accepted answer; `reason_code` says why
│   ├── RunLimited             a limit was reached
│   ├── RunCancelled           RUN_CANCELLED
│   └── RunFailed              provider, corpus or internal failure
├── ProviderError              the model provider failed; carries the reason code that a run reports
├── RecordUnreadable           record_unreadable: a folder holds no record of a run
└── UnknownProvider            settings_invalid: no provider profile of that name

Tool faults are no exceptions: they are results that the model can act on (see `tools`).
"""

from __future__ import annotations

from enum import StrEnum


class ReasonCode(StrEnum):
    """Why a run ended without an accepted answer."""

    RUN_DEADLINE_EXCEEDED = "RUN_DEADLINE_EXCEEDED"
    RUN_MODEL_CALL_LIMIT_EXCEEDED = "RUN_MODEL_CALL_LIMIT_EXCEEDED"
    RUN_TOKEN_BUDGET_EXHAUSTED = "RUN_TOKEN_BUDGET_EXHAUSTED"  # noqa: S105 - no password, a budget of tokens
    RUN_CONTEXT_BUDGET_EXHAUSTED = "RUN_CONTEXT_BUDGET_EXHAUSTED"
    RUN_SUBMISSION_LIMIT_EXCEEDED = "RUN_SUBMISSION_LIMIT_EXCEEDED"
    RUN_CANCELLED = "RUN_CANCELLED"
    PROVIDER_TIMEOUT = "PROVIDER_TIMEOUT"
    PROVIDER_UNAVAILABLE = "PROVIDER_UNAVAILABLE"
    PROVIDER_RATE_LIMITED = "PROVIDER_RATE_LIMITED"
    PROVIDER_PROTOCOL_INVALID = "PROVIDER_PROTOCOL_INVALID"
    PROVIDER_TOOL_PROTOCOL_VIOLATION = "PROVIDER_TOOL_PROTOCOL_VIOLATION"
    CORPUS_UNAVAILABLE = "CORPUS_UNAVAILABLE"
    CORPUS_AUTHENTICATION_FAILED = "CORPUS_AUTHENTICATION_FAILED"
    CORPUS_CONTRACT_VIOLATION = "CORPUS_CONTRACT_VIOLATION"
    INTERNAL_UNEXPECTED = "INTERNAL_UNEXPECTED"


class HarnessError(Exception):
    """Root of the package's errors: `code` is stable, `str(error)` is for people, `hint` says what to do next."""

    code = "harness_error"
    hint = ""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        if hint is not None:
            self.hint = hint


class InvalidTurnRequest(HarnessError):
    """A field of a turn request is missing or wrong; nothing was started."""

    code = "invalid_request"

    def __init__(self, message: str, *, field: str, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.field = field


class RunEnded(HarnessError):
    """A run ended without an accepted answer."""

    code = "run_ended"

    def __init__(self, message: str, *, reason_code: ReasonCode, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.reason_code = reason_code


class RunLimited(RunEnded):
    """A limit of the run was reached."""

    code = "run_limited"


class RunCancelled(RunEnded):
    """The caller cancelled the run or went away."""

    code = "run_cancelled"


class RunFailed(RunEnded):
    """Provider, corpus or our own code failed."""

    code = "run_failed"


class ProviderError(HarnessError):
    """The model provider failed; the message never holds a key or a header."""

    code = "provider_error"

    def __init__(self, message: str, *, reason_code: ReasonCode, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.reason_code = reason_code


class UnknownProvider(HarnessError):
    """No provider profile has that name."""

    code = "settings_invalid"


class RecordUnreadable(HarnessError):
    """A folder holds no record of a run that can be replayed."""

    code = "record_unreadable"
    hint = "Name the folder of one run, which `paperledger ask --record DIR` writes below DIR."

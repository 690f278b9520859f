"""Errors of the corpus gateway.

GatewayError
├── InvalidCorpusRequest       invalid_corpus_request: empty scope, too many references, a malformed value
├── CorpusUnauthorized         corpus_unauthorized: the token was refused
├── CorpusUnavailable          corpus_unavailable: store, index or remote corpus cannot be reached
│   └── ContractMismatch       index_contract_mismatch: the index was built under another contract
├── LibraryInUse               library_in_use: another process owns the embedded index
├── PaperNotReady              paper_not_ready: publishing needs a searchable paper
└── CorpusContractViolation    corpus_contract_violation: a remote corpus answered against its contract
"""

from __future__ import annotations


class GatewayError(Exception):
    """Root of the package's errors: `code` is stable, `str(error)` is for people, `hint` says what to do next."""

    code = "gateway_error"
    hint = ""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        if hint is not None:
            self.hint = hint


class InvalidCorpusRequest(GatewayError):
    """The request is refused as it stands; repeating it cannot help."""

    code = "invalid_corpus_request"
    hint = "Correct the named field."


class CorpusUnauthorized(GatewayError):
    """The corpus refused the token."""

    code = "corpus_unauthorized"
    hint = "Check PAPERLEDGER_CORPUS_TOKEN."


class CorpusUnavailable(GatewayError):
    """Store, index or remote corpus cannot be reached; the same call may succeed later."""

    code = "corpus_unavailable"
    hint = "Run `paperledger doctor`."


class ContractMismatch(CorpusUnavailable):
    """The index was built under another contract than the one in force; the message names both."""

    code = "index_contract_mismatch"
    hint = "Use the release that made this library, or add the papers to a new one."


class LibraryInUse(GatewayError):
    """Another process owns the embedded index of this library; the message names its PID."""

    code = "library_in_use"
    hint = "Stop that process, or ask the running service."


class PaperNotReady(GatewayError):
    """Publishing needs a searchable paper."""

    code = "paper_not_ready"
    hint = "Wait until the paper is ready, or see why it failed with `paperledger papers`."


class CorpusContractViolation(GatewayError):
    """A remote corpus answered with something that its contract does not allow."""

    code = "corpus_contract_violation"
    hint = "Compare its answers with docs/contracts."

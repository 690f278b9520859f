"""The one table of exit codes, and which error leads to which."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """What a command's exit status says."""

    DONE = 0
    SOME_FAILED = 1
    WRONG_USE = 2
    NOT_AVAILABLE = 3
    REFUSED = 4
    INTERNAL = 5


EXIT_MEANINGS = {
    ExitCode.DONE: "done",
    ExitCode.SOME_FAILED: "some items failed, or a run ended without an accepted answer",
    ExitCode.WRONG_USE: "wrong use: an argument, a setting or an id is not right",
    ExitCode.NOT_AVAILABLE: "not available: library in use, server or model not reached, schema out of date",
    ExitCode.REFUSED: "refused: a password, a token or a permission",
    ExitCode.INTERNAL: "internal error",
}

_BY_ERROR_CODE = {
    "parser_unavailable": ExitCode.NOT_AVAILABLE,
    "password_required": ExitCode.REFUSED,
    "password_wrong": ExitCode.REFUSED,
    "paper_not_found": ExitCode.WRONG_USE,
    "location_not_found": ExitCode.WRONG_USE,
    "schema_out_of_date": ExitCode.NOT_AVAILABLE,
    "store_unavailable": ExitCode.NOT_AVAILABLE,
    "library_in_use": ExitCode.NOT_AVAILABLE,
    "index_in_use": ExitCode.NOT_AVAILABLE,
    "library_not_found": ExitCode.NOT_AVAILABLE,
    "corpus_unavailable": ExitCode.NOT_AVAILABLE,
    "index_unavailable": ExitCode.NOT_AVAILABLE,
    "index_contract_mismatch": ExitCode.NOT_AVAILABLE,
    "index_contract_malformed": ExitCode.NOT_AVAILABLE,
    "index_rebuild_running": ExitCode.NOT_AVAILABLE,
    "index_operation_running": ExitCode.NOT_AVAILABLE,
    "lease_lost": ExitCode.NOT_AVAILABLE,
    "index_unauthorized": ExitCode.REFUSED,
    "index_idf_scope_unsupported": ExitCode.NOT_AVAILABLE,
    "provider_error": ExitCode.NOT_AVAILABLE,
    "corpus_unauthorized": ExitCode.REFUSED,
    "invalid_corpus_request": ExitCode.WRONG_USE,
    "invalid_request": ExitCode.WRONG_USE,
    "address_in_use": ExitCode.NOT_AVAILABLE,
    "invalid_service_settings": ExitCode.WRONG_USE,
    "settings_invalid": ExitCode.WRONG_USE,
    "file_unusable": ExitCode.NOT_AVAILABLE,
    "file_forbidden": ExitCode.REFUSED,
    "secret_unreadable": ExitCode.WRONG_USE,
    "record_unreadable": ExitCode.WRONG_USE,
    "nothing_to_add": ExitCode.WRONG_USE,
    "bibliography_unreadable": ExitCode.WRONG_USE,
    "evaluation_data_missing": ExitCode.WRONG_USE,
    "evaluation_data_malformed": ExitCode.WRONG_USE,
    "evaluation_package_missing": ExitCode.NOT_AVAILABLE,
}

_BY_REASON_CODE = {
    "PROVIDER_TIMEOUT": ExitCode.NOT_AVAILABLE,
    "PROVIDER_UNAVAILABLE": ExitCode.NOT_AVAILABLE,
    "PROVIDER_RATE_LIMITED": ExitCode.NOT_AVAILABLE,
    "CORPUS_UNAVAILABLE": ExitCode.NOT_AVAILABLE,
    "CORPUS_AUTHENTICATION_FAILED": ExitCode.REFUSED,
    "INTERNAL_UNEXPECTED": ExitCode.INTERNAL,
}


def exit_code_of_error(code: str) -> ExitCode:
    """The exit code of a typed error's `code`; an error without an entry means that an item failed."""
    return _BY_ERROR_CODE.get(code, ExitCode.SOME_FAILED)


def exit_code_of_reason(reason_code: str) -> ExitCode:
    """The exit code of a run that ended with a reason code instead of an accepted answer."""
    return _BY_REASON_CODE.get(reason_code, ExitCode.SOME_FAILED)

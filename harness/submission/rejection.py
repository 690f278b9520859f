"""What the model is told about a rejected submission."""

from __future__ import annotations

from typing import Any

from harness.submission.draft import Rejection, Violation, ViolationCode

MAX_BLOCK_CHARACTERS = 240
MAX_BLOCK_CHARACTERS_IN_ALL = 6_000
MAX_LISTED = 40

_NEXT = (
    "Repair only the listed blocks, keep the rest of the answer as it is, and call submit_research_answer again, "
    "alone. Where a span is missing, read it first; what no span supports has to go."
)


def rejection_message(rejection: Rejection) -> dict[str, Any]:
    """The tool result of a rejected submission: JSON types only.

    `violations` are at most 40, in the order of the blocks; block texts are cut to 240 characters, to fewer where
    they are many (6,000 in all). `omitted` counts the rest.
    `unknown_evidence` lists every id that no span has.
    """
    listed = rejection.violations[:MAX_LISTED]
    unknown = [
        marker
        for item in rejection.violations
        if item.code is ViolationCode.UNKNOWN_EVIDENCE
        for marker in item.markers
    ]
    message: dict[str, Any] = {
        "accepted": False,
        "error": {
            "code": "SUBMISSION_REJECTED",
            "message": f"The submission breaks {len(rejection.violations)} rule(s): {', '.join(_codes(rejection))}.",
            "next_action": _NEXT,
        },
        "violations": [_listed(item, _room(len(listed))) for item in listed],
    }
    if unknown:
        message["unknown_evidence"] = list(dict.fromkeys(unknown))
    if len(rejection.violations) > len(listed):
        message["omitted"] = len(rejection.violations) - len(listed)
    return message


def _codes(rejection: Rejection) -> list[str]:
    return list(dict.fromkeys(item.code.value for item in rejection.violations))


def _room(count: int) -> int:
    return min(MAX_BLOCK_CHARACTERS, MAX_BLOCK_CHARACTERS_IN_ALL // max(1, count))


def _listed(violation: Violation, room: int) -> dict[str, Any]:
    item: dict[str, Any] = {"code": violation.code.value, "message": violation.message}
    if violation.block is not None:
        item["block"] = violation.block
        item["block_text"] = _cut(violation.block_text or "", room)
    if violation.markers:
        item["markers"] = list(violation.markers)
    return item


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else text[: room - 1] + "…"

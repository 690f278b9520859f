"""Rules about the submission as a whole: its outcome, its length, whether it cites at all."""

from __future__ import annotations

from collections.abc import Iterator

from harness.submission.draft import (
    MAX_MARKDOWN_CHARACTERS,
    MAX_SHORT_OUTCOME_CHARACTERS,
    OUTCOMES,
    Violation,
    ViolationCode,
)
from harness.submission.parsed import Submission
from harness.submission.roles import Role

CONTENT_OUTCOMES = frozenset({"answered", "partial"})


def known_outcome(submission: Submission) -> Iterator[Violation]:
    """OUTCOME_INVALID: one of the four outcomes."""
    if submission.draft.outcome not in OUTCOMES:
        yield Violation(ViolationCode.OUTCOME_INVALID, f"Use one of these outcomes: {', '.join(OUTCOMES)}.")


def markdown_length(submission: Submission) -> Iterator[Violation]:
    """MARKDOWN_REQUIRED, MARKDOWN_TOO_LONG, SHORT_OUTCOME_TOO_LONG; lengths are code points."""
    length = len(submission.text)
    if not submission.text.strip():
        yield Violation(ViolationCode.MARKDOWN_REQUIRED, "Write the answer in `markdown`; it is empty.")
    elif length > MAX_MARKDOWN_CHARACTERS:
        yield Violation(
            ViolationCode.MARKDOWN_TOO_LONG,
            f"The answer has {length} characters; keep it within {MAX_MARKDOWN_CHARACTERS}.",
        )
    short = submission.draft.outcome in {"abstained", "needs_clarification"}
    if short and length > MAX_SHORT_OUTCOME_CHARACTERS:
        yield Violation(
            ViolationCode.SHORT_OUTCOME_TOO_LONG,
            f"An answer with outcome {submission.draft.outcome} has at most {MAX_SHORT_OUTCOME_CHARACTERS} characters, "
            f"this one has {length}. Say only what is missing or ask one question; with cited content use `partial`.",
        )


def content_is_cited(submission: Submission) -> Iterator[Violation]:
    """CITATION_REQUIRED: an answer with content cites at least one span that is in the ledger."""
    if submission.draft.outcome not in CONTENT_OUTCOMES:
        return
    states_content = any(block.needs_evidence or block.role is Role.CODE for block in submission.blocks)
    tried = any(
        block.markers or block.faults for block in submission.blocks
    )  # then the marker rules name what is wrong
    if states_content and not tried:
        yield Violation(
            ViolationCode.CITATION_REQUIRED,
            "The answer states content but cites no span that this run has read. Read locations and cite their spans "
            "as [[ev_...]], or submit with outcome `abstained`.",
        )

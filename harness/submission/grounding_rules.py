"""Rules that tie every statement to a span: claims carry markers, quotations stand in what is cited."""

from __future__ import annotations

from collections.abc import Iterator

from harness.submission.blocks import BlockKind
from harness.submission.draft import Violation, ViolationCode
from harness.submission.form_rules import CONTENT_OUTCOMES
from harness.submission.parsed import DraftBlock, Submission
from harness.submission.quantities import Reading, quantities
from harness.submission.quotes import MIN_QUOTED_WORDS, holds, normalised, quotations
from harness.submission.roles import Role, words


def cited_claims(submission: Submission) -> Iterator[Violation]:
    """UNCITED_CLAIM: every claim carries a marker, or belongs to a cited formula.

    An abstention or a question back states no content; a claim of it with a measured number that the question does not
    hold is content all the same.
    """
    has_content = submission.draft.outcome in CONTENT_OUTCOMES
    asked = {reading for item in quantities(submission.question) for reading in item.readings}
    for block in submission.blocks:
        if not block.needs_evidence or block.rests_on or block.faults:
            continue
        if has_content or _states_a_finding(block, asked):
            yield Violation(ViolationCode.UNCITED_CLAIM, _what_to_do(block), block.block.index, block.block.text)


def _what_to_do(block: DraftBlock) -> str:
    if block.block.kind is BlockKind.CODE:
        return "This code block holds prose, which cannot be cited there. Write it as text with its marker."
    return (
        "This block states content without a marker. Add the [[ev_...]] of the span that supports it, or leave it out."
    )


def _states_a_finding(block: DraftBlock, asked: set[Reading]) -> bool:
    return any(
        (item.unit or item.value.denominator != 1) and asked.isdisjoint(item.readings)
        for item in quantities(block.source)
    )


def metadata_agrees_with_results(submission: Submission) -> Iterator[Violation]:
    """METADATA_NOT_IN_RESULT: facts of the catalogue without a marker are those of the results."""
    for block in submission.blocks:
        if block.role is Role.FALSE_CATALOGUE:
            yield Violation(
                ViolationCode.METADATA_NOT_IN_RESULT,
                "This block states titles, authors, years, venues, ids or counts that no search of this run returned. "
                "Give them as search_paper_candidates shows them, or leave them out.",
                block.block.index,
                block.block.text,
            )


def quoted_words_are_in_evidence(submission: Submission) -> Iterator[Violation]:
    """QUOTE_NOT_IN_EVIDENCE: four or more words in quotation marks stand in a cited span of their block.

    Titles of papers and sections, and words of the question, may be quoted freely. A question back that cites
    nothing quotes what it asks about.
    """
    for block in submission.blocks:
        if not block.needs_evidence or (submission.draft.outcome == "needs_clarification" and not block.rests_on):
            continue
        for quotation in _false_quotations(submission, block):
            yield Violation(
                ViolationCode.QUOTE_NOT_IN_EVIDENCE,
                f"“{quotation}” is not in the spans that this block cites. Quote word by word, cite the span that "
                "holds the words, or say it without quotation marks.",
                block.block.index,
                block.block.text,
                block.rests_on,
            )


def _false_quotations(submission: Submission, block: DraftBlock) -> Iterator[str]:
    texts = [entry.text for entry in submission.evidence_of(block.rests_on)]
    for start, end in quotations(block.prose):
        quotation = _without_markers(block, start, end)
        if len(words(quotation)) < MIN_QUOTED_WORDS:
            continue
        if not any(holds(text, quotation) for text in texts) and not _is_free(submission, quotation):
            yield quotation


def _without_markers(block: DraftBlock, start: int, end: int) -> str:
    text = block.source[start:end]
    for marker in reversed(block.markers):
        if start <= marker.start and marker.end <= end:
            text = text[: marker.start - start] + text[marker.end - start :]
    return text


def _is_free(submission: Submission, quotation: str) -> bool:
    whole = normalised(quotation).strip(" .,;:!?")
    names = [name for entry in submission.ledger for name in (entry.title, entry.section or "")]
    names += [card.title for card in submission.papers]
    return any(whole == normalised(name).strip(" .,;:!?") for name in names) or holds(submission.question, quotation)

"""The judge: every rule over one parsed submission, and what can be saved when the attempts are used up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from corpus_gateway.wire import PaperCard
from harness.ledger import EvidenceLedger
from harness.submission import (
    contradiction,
    coverage,
    derived,
    form_rules,
    grounding_rules,
    marker_rules,
    number_rule,
    text_rules,
)
from harness.submission.draft import (
    OUTCOMES,
    AcceptedAnswer,
    Draft,
    Rejection,
    UnsupportedBlock,
    Violation,
)
from harness.submission.parsed import Submission, parse_submission
from harness.submission.rendering import accepted
from harness.submission.salvaging import with_dependants, without_blocks

Rule = Callable[[Submission], Iterable[Violation]]

RULES: tuple[Rule, ...] = (
    form_rules.known_outcome,
    form_rules.markdown_length,
    form_rules.content_is_cited,
    marker_rules.known_inputs,
    marker_rules.plain_fields,
    marker_rules.well_formed_markers,
    marker_rules.known_evidence,
    marker_rules.citable_evidence,
    text_rules.no_handwritten_sources,
    text_rules.no_numeric_citations,
    text_rules.no_internal_text,
    grounding_rules.cited_claims,
    grounding_rules.quoted_words_are_in_evidence,
    derived.derived_values_hold,
    number_rule.numbers_are_in_evidence,
    contradiction.claims_agree_with_evidence,
    grounding_rules.metadata_agrees_with_results,
    coverage.named_papers_are_covered,
)
"""All rules; each sees the whole submission. A new rule is one function here and one name in ViolationCode.

SUBMISSION_NOT_ALONE is judged before there is a draft to parse (`harness.tools.invocation`): nothing of a mixed batch
is carried out."""

MAX_SALVAGE_ROUNDS = 4


def judge(
    draft: Draft,
    ledger: EvidenceLedger,
    *,
    tool_names: frozenset[str],
    question: str = "",
    papers: Sequence[PaperCard] = (),
    result_counts: frozenset[int] = frozenset(),
    located_papers: frozenset[str] = frozenset(),
) -> AcceptedAnswer | Rejection:
    """Accept a draft, or name every rule that it breaks.

    `tool_names` must not appear in the answer. `question` may be quoted and sets the language of the source list.
    `papers` are the cards that this run's searches returned and `result_counts` the numbers of papers they told: such
    facts need no marker. `located_papers` are the papers in which places were found.
    """
    submission = parse_submission(
        draft,
        ledger,
        tool_names=tool_names,
        question=question,
        papers=papers,
        result_counts=result_counts,
        located_papers=located_papers,
    )
    violations = _violations(submission)
    return Rejection(violations) if violations else accepted(submission)


def salvage(
    draft: Draft,
    ledger: EvidenceLedger,
    *,
    tool_names: frozenset[str],
    question: str = "",
    papers: Sequence[PaperCard] = (),
    result_counts: frozenset[int] = frozenset(),
    located_papers: frozenset[str] = frozenset(),
) -> AcceptedAnswer | None:
    """What holds of a draft that was rejected for the last time, as a partial answer; None where nothing cited holds.

    Every block with a violation goes to `unsupported_blocks` with its codes. What remains is judged again, so an
    answer saved this way breaks no rule either.
    """
    if draft.outcome not in OUTCOMES:
        return None
    held = parse_submission(draft, ledger, tool_names=tool_names)
    proved = [item for item in draft.derived_values if derived.holds_computed(item, held)]
    draft = draft.model_copy(update={"outcome": "partial", "derived_values": proved})
    removed: list[UnsupportedBlock] = []
    for _ in range(MAX_SALVAGE_ROUNDS):
        submission = parse_submission(
            draft,
            ledger,
            tool_names=tool_names,
            question=question,
            papers=papers,
            result_counts=result_counts,
            located_papers=located_papers,
        )
        violations = _violations(submission)
        if any(item.block is None for item in violations):
            return None
        if not violations:
            cited = any(block.needs_evidence and block.rests_on for block in submission.blocks)
            return accepted(submission, unsupported=tuple(removed)) if cited else None
        broken = frozenset(item.block for item in violations if item.block is not None)
        gone = with_dependants(submission, broken)
        removed += [_unsupported(submission, violations, index) for index in sorted(gone)]
        draft = draft.model_copy(update={"markdown": without_blocks(submission, gone)})
    return None


def _violations(submission: Submission) -> tuple[Violation, ...]:
    found = [violation for rule in RULES for violation in rule(submission)]
    return tuple(sorted(found, key=lambda item: -1 if item.block is None else item.block))


def _unsupported(submission: Submission, violations: Iterable[Violation], index: int) -> UnsupportedBlock:
    codes = tuple(dict.fromkeys(item.code for item in violations if item.block == index))
    table = submission.blocks[index].block.table
    if not codes:  # a row that goes with its header row
        codes = tuple(
            dict.fromkeys(
                item.code
                for item in violations
                if item.block is not None and submission.blocks[item.block].block.table == table
            )
        )
    return UnsupportedBlock(submission.blocks[index].block.text, codes)

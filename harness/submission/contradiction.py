"""CLAIM_CONTRADICTS_EVIDENCE: a claim that says the opposite of the only cited sentence about the same thing.

Only certain patterns count: the same content, nothing conditional about it, and one negation more or less, one
direction turned round, or the two sides of a comparison exchanged. Everything else is left to the reader; the patterns
are held to a precision of at least 0.98 on labelled pairs (`evals/contradictions`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from harness.submission.draft import Violation, ViolationCode
from harness.submission.parsed import DraftBlock, Submission
from harness.submission.polarity import MIN_CONTENT, Sentence, Statement, read_sentences
from harness.submission.quotes import long_quotations

COVERED = 0.6
"""A sentence that holds this share of a claim's content may be what the claim rests on."""

_BEYOND = 1 / 3
"""At most this share of a sentence's content may be beyond the claim, whose own content it holds whole."""


def claims_agree_with_evidence(submission: Submission) -> Iterator[Violation]:
    """CLAIM_CONTRADICTS_EVIDENCE, for each claim block whose cited spans are all known."""
    for block in submission.blocks:
        entries = submission.evidence_of(block.rests_on)
        if not block.needs_evidence or not entries or len(entries) < len(block.rests_on):
            continue
        opposed = contradicted_by(_own_words(block), [entry.text for entry in entries])
        if opposed is not None:
            yield Violation(
                ViolationCode.CLAIM_CONTRADICTS_EVIDENCE,
                f"The cited span says the opposite: “{_shortened(opposed)}”. State what the span states, or cite the "
                "span that supports the claim.",
                block.block.index,
                block.block.text,
                block.rests_on,
            )


def contradicted_by(claim: str, spans: Sequence[str]) -> str | None:
    """The sentence of the spans that a claim contradicts with certainty, None where there is none."""
    held = [sentence for span in spans for sentence in read_sentences(span)]
    for stated in read_sentences(claim):
        for form in stated.forms:
            about = [sentence for sentence in held if _is_about(form, sentence)]
            if about and all(_opposes(form, sentence) for sentence in about):
                return about[0].text
    return _opposed_in_chinese(claim, spans)


def _opposes(claim: Statement, sentence: Sentence) -> bool:
    """Whether a form of the sentence says the opposite, and none says the same."""
    agrees = any(_comparable(claim, form) and _says_the_same(claim, form) for form in sentence.forms)
    return not agrees and any(_opposed(claim, form) for form in sentence.forms)


def _says_the_same(claim: Statement, held: Statement) -> bool:
    same = claim.negations == held.negations and claim.directions == held.directions
    return same and not _exchanged(claim, held)


def _is_about(claim: Statement, sentence: Sentence) -> bool:
    """Whether a sentence, as a whole, may be what the claim rests on."""
    if len(claim.content) < MIN_CONTENT:
        return False
    return len(claim.content & sentence.forms[0].content) >= COVERED * len(claim.content)


def _opposed(claim: Statement, held: Statement) -> bool:
    if not _comparable(claim, held):
        return False
    if claim.directions == held.directions and not _exchanged(claim, held):
        return abs(claim.negations - held.negations) == 1 and min(claim.negations, held.negations) == 0
    if claim.negations != held.negations or claim.negations > 0:
        return False
    turned = _turned(claim, held)
    if turned is None or bool(claim.left) != bool(held.left):
        return False
    if not _compares(claim, held):
        return turned
    exchanged = _exchanged(claim, held)
    aligned = bool(claim.left & held.left) and bool(_compared_with(claim) & _compared_with(held))
    return turned != exchanged if exchanged or aligned else False


def _comparable(claim: Statement, held: Statement) -> bool:
    """Whether two statements are about the same, in the same conditions, and certain enough to be held together."""
    if not (claim.certain and held.certain) or min(len(claim.content), len(held.content)) < MIN_CONTENT:
        return False
    close = claim.content <= held.content and len(held.content - claim.content) <= _BEYOND * len(held.content)
    same_conditions = claim.conditions == held.conditions and claim.numbers <= held.numbers
    return close and same_conditions


def _compares(claim: Statement, held: Statement) -> bool:
    return bool(claim.left and claim.right and held.left and held.right)


def _exchanged(claim: Statement, held: Statement) -> bool:
    """Whether the sides of a comparison stand the other way round."""
    if not _compares(claim, held):
        return False
    here, there = _compared_with(claim), _compared_with(held)
    here, there = here - there, there - here
    return bool(here and there) and here <= held.left and there <= claim.left


def _compared_with(statement: Statement) -> frozenset[str]:
    return statement.right - statement.left


def _turned(claim: Statement, held: Statement) -> bool | None:
    """Whether exactly one direction is turned round and none else differs; None where that is not clear."""
    here, there = claim.signs, held.signs
    if here.keys() != there.keys() or any(len(signs) > 1 for signs in (*here.values(), *there.values())):
        return None
    if len(claim.directions) != len(held.directions):
        return None
    differing = [family for family in here if here[family] != there[family]]
    if len(differing) > 1:
        return None
    return len(differing) == 1


_CHINESE_PAIRS = (
    ("增加", "减少"),
    ("提高", "降低"),
    ("上升", "下降"),
    ("高于", "低于"),
    ("优于", "劣于"),
    ("大于", "小于"),
    ("多于", "少于"),
    ("快于", "慢于"),
    ("正相关", "负相关"),
    ("没有", ""),
    ("并未", ""),
    ("不会", "会"),
    ("不能", "能"),
    ("不是", "是"),
)
_CHINESE_SENTENCE = re.compile(r"[^。！？；\n]+")
_MIN_CHINESE = 6


def _opposed_in_chinese(claim: str, spans: Sequence[str]) -> str | None:
    """A Chinese sentence that is the claim word for word, but for one word of a pair."""
    if re.search(r"[㐀-鿿]", claim) is None:
        return None
    held = {_bare(sentence): sentence for span in spans for sentence in _CHINESE_SENTENCE.findall(span)}
    for part in _CHINESE_SENTENCE.findall(claim):
        bare = _bare(part)
        if len(bare) < _MIN_CHINESE or bare in held:
            continue
        for first, second in _CHINESE_PAIRS:
            for here, there in ((first, second), (second, first)):
                turned = _turned_once(bare, here, there)
                found = next((sentence for other, sentence in held.items() if other in turned), None)
                if found is not None:
                    return found
    return None


def _turned_once(text: str, here: str, there: str) -> set[str]:
    if not here:
        return {text[:at] + there + text[at:] for at in range(1, len(text))}
    return {text[: match.start()] + there + text[match.end() :] for match in re.finditer(here, text)}


def _bare(text: str) -> str:
    return re.sub(r"[^\w%.]", "", text).strip(".")


def _own_words(block: DraftBlock) -> str:
    text = block.prose
    for start, end in reversed(long_quotations(block.prose, block.source)):
        text = text[:start] + " " + text[end:]
    return re.sub(r"\A(?:\s*(?:>|[-+*]\s|\d{1,9}[.)]\s))*", "", text.replace("￼", " "))


def _shortened(text: str) -> str:
    return text if len(text) <= 200 else text[:199] + "…"

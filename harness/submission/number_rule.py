"""NUMBER_NOT_IN_EVIDENCE: every number of a claim, with its unit, stands in a span that its block cites."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from corpus_gateway.wire import PaperCard
from harness.ledger import EvidenceEntry
from harness.submission.blocks import BlockKind
from harness.submission.derived import Computed, computed_values
from harness.submission.draft import Violation, ViolationCode
from harness.submission.languages import number_language
from harness.submission.number_text import number_text
from harness.submission.numeric_citations import numeric_citations
from harness.submission.parsed import DraftBlock, Submission
from harness.submission.protected import ProtectedKind
from harness.submission.quantities import Quantity, Reading, quantities
from harness.submission.quotes import long_quotations
from harness.submission.units import PERCENT, UNIT, unit_of

_DECREASE = re.compile(
    r"\b(?:decreas|declin|drop|fell|fall|reduc|lower|less|loss|lost|minus|negative|below|shrink|shrank|worse|"
    r"down|degrad|deteriorat|gesunken|sank|weniger|unter)|下降|减少|降低|负|低于",
    re.IGNORECASE,
)
_CONTRAST = re.compile(
    r"\b(?:not|no|nor|rather|instead|unlike|whereas|but|contrary|than|versus|vs|asked|question|claimed|suggested|"
    r"assumed|nicht|sondern|statt)\b|n['’]t\b|不|而|并非",
    re.IGNORECASE,
)
_PART = "/"
"""What stands for a counted thing where a number is one of the two of a fraction."""

_MAX_STRUCTURAL = 10
"""In formulas and code, whole numbers below this are exponents, indices and factors as often as findings."""


def numbers_are_in_evidence(submission: Submission) -> Iterator[Violation]:
    """NUMBER_NOT_IN_EVIDENCE: a number of a claim block that no cited span of that block contains.

    Pass: list numbering, references (`Table 3`), ordinals and names; years of cited papers; numbers inside titles and
    inside verbatim quotations; computed numbers that `derived_values` proves; and a number of the question that is
    set against the evidence's number of the same unit.
    """
    computed = computed_values(submission)
    language = number_language(" ".join(block.prose for block in submission.blocks))
    asked = _readings_of(quantities(submission.question, number_language(submission.question)))
    for block in submission.blocks:
        if not block.needs_evidence or not block.rests_on:
            continue
        entries = submission.evidence_of(block.rests_on)
        if len(entries) < len(block.rests_on):
            continue  # the marker rules name the id that is not known
        stated = _Stated(submission, block, entries, language)
        missing = stated.missing(computed, asked)
        if missing:
            named = ", ".join(f"“{quantity.written}”" for quantity in missing)
            yield Violation(
                ViolationCode.NUMBER_NOT_IN_EVIDENCE,
                f"{named}: not in the spans that this block cites. Give numbers with their unit as a span states them "
                "and cite that span; a number that you computed belongs into `derived_values`.",
                block.block.index,
                block.block.text,
                block.rests_on,
            )


@dataclass(frozen=True, slots=True)
class _Held:
    """The quantities of some texts by value, and the units and counted things that stand anywhere in them."""

    by_value: dict[Fraction, list[tuple[str, str]]]
    shares: frozenset[Fraction]
    mentioned: frozenset[str]

    def states(self, quantity: Quantity, mentioned: frozenset[str], *, signed: bool) -> bool:
        """Whether a quantity of a claim is among them. `mentioned` are the units of the claim's surroundings."""
        if any(self._holds(reading, quantity.counted, mentioned, signed=signed) for reading in quantity.readings):
            return True
        if quantity.parts and all(self._stands_alone(part) for part in quantity.parts):
            return True
        share = _share(quantity)
        return share is not None and share in self.shares

    def _stands_alone(self, value: Fraction) -> bool:
        """Whether a bare number stands in the texts other than as a part of a fraction."""
        return any(not unit and noun != _PART for unit, noun in self.by_value.get(value, ()))

    def _holds(self, reading: Reading, counted: str, mentioned: frozenset[str], *, signed: bool) -> bool:
        values = [reading.value] if signed or reading.value < 0 else [reading.value, -reading.value]
        return any(
            _same_unit(reading.unit, unit, mentioned, self.mentioned) and _same_thing(counted, noun)
            for value in values
            for unit, noun in self.by_value.get(value, ())
        )


def _same_unit(claimed: str, held: str, near_claim: frozenset[str], near_held: frozenset[str]) -> bool:
    if claimed == held:
        return True
    if not held:
        return claimed in near_held
    return not claimed and held in near_claim


def _same_thing(claimed: str, held: str) -> bool:
    return not claimed or held in {"", _PART, claimed}


def _share(quantity: Quantity) -> Fraction | None:
    """What `half`, `3/4` and `75%` say alike, None for numbers that are no shares."""
    if quantity.unit == PERCENT:
        return quantity.value / 100
    written_as_fraction = (quantity.is_word or quantity.parts) and not quantity.unit and 0 < quantity.value < 1
    return quantity.value if written_as_fraction else None


class _Stated:
    """One claim block: its quantities, and what its spans hold."""

    def __init__(
        self, submission: Submission, block: DraftBlock, entries: Sequence[EvidenceEntry], language: str
    ) -> None:
        self._block = block
        self._text = _claimed_text(submission, block)
        self._quantities = quantities(self._text, language)
        header = _header_of(submission, block)
        self._mentioned = _units_in(number_text(f"{header} {self._text}"))
        self._held = _held_by(tuple(entry.text for entry in entries))
        self._years = _years(entries, submission.papers)
        self._structural = _structural_numbers(block, language)

    def missing(self, computed: Sequence[Computed], asked: frozenset[Reading]) -> list[Quantity]:
        """The quantities that nothing accounts for, in the order of the text."""
        plain = number_text(self._text)
        signed = _DECREASE.search(self._text) is None
        supported = [item for item in self._quantities if self._held.states(item, self._mentioned, signed=signed)]
        enumerated = _enumerators(plain)
        return [
            item
            for item in self._quantities
            if item not in supported
            and not (item.value in self._years and not item.unit)
            and not self._is_structural(item)
            and item.start not in enumerated
            and not _counts_itself(item, plain)
            and not any(value.accounts_for(item, self._block.rests_on) for value in computed)
            and not self._answers_the_question(item, supported, asked)
        ]

    def _is_structural(self, item: Quantity) -> bool:
        small = not item.unit and item.value.denominator == 1 and abs(item.value) < _MAX_STRUCTURAL
        return small and item.value in self._structural

    def _answers_the_question(self, item: Quantity, supported: Iterable[Quantity], asked: frozenset[Reading]) -> bool:
        if not any(reading in asked for reading in item.readings) or _CONTRAST.search(self._text) is None:
            return False
        return any(other.unit == item.unit and other.value != item.value for other in supported)


_SMALL_BRACKETS = re.compile(r"\[\s*[-+]?\d(?:\s*[,;]\s*[-+]?\d)*\s*\]")
"""Indices, intervals and rows of an array: single digits in square brackets, structure as often as findings."""

_CONTAINER = re.compile(r"\A(?:\s*(?:>|[-+*]\s|\d{1,9}[.)]\s))*(?:\[[ xX]\]\s)?")
_LISTED = re.compile(r"\A\s*(?:\*{1,2}|_{1,2})?\s*\(?\d{1,2}[.)、](?!\d)")


def _claimed_text(submission: Submission, block: DraftBlock) -> str:
    """The block's own words: without list markers, citation markers, HTML, quotations and titles of papers."""
    hidden = [(marker.start, marker.end) for marker in block.markers]
    hidden += numeric_citations(block.prose)  # NUMERIC_CITATION names them
    hidden += [match.span() for match in _SMALL_BRACKETS.finditer(block.source)]
    hidden += [(span.start, span.end) for span in block.protected if span.kind is ProtectedKind.HTML]
    hidden += long_quotations(block.prose, block.source)  # QUOTE_NOT_IN_EVIDENCE judges them
    text = block.source
    last = len(text) + 1
    for start, end in sorted(hidden, reverse=True):
        if end > last:
            continue
        last = start
        inside = text[start:end]
        keep = inside if inside.lower().startswith(("<sup", "</sup", "<sub", "</sub")) else " "
        text = text[:start] + keep + text[end:]
    text = _LISTED.sub(" ", _CONTAINER.sub("", text), count=1)
    return _without_titles(text, submission)


def _without_titles(text: str, submission: Submission) -> str:
    names = {entry.title for entry in submission.ledger} | {entry.section or "" for entry in submission.ledger}
    for card in submission.papers:
        names |= {card.title, card.doi or "", card.arxiv_id or "", card.filename or "", card.venue or ""}
    for name in sorted((name for name in names if re.search(r"\d", name) and len(name) > 3), key=len, reverse=True):
        signs = (sign if sign.isalnum() else rf"\\?{re.escape(sign)}" for sign in " ".join(name.split()))
        pattern = "".join(r"\s+" if sign == rf"\\?{re.escape(' ')}" else sign for sign in signs)
        text = re.sub(rf"(?<!\w){pattern}(?!\w)", " ", text, flags=re.IGNORECASE)
    return text


def _header_of(submission: Submission, block: DraftBlock) -> str:
    return " ".join(
        other.block.text
        for other in submission.blocks
        if block.block.table is not None
        and other.block.table == block.block.table
        and other.block.kind is BlockKind.TABLE_HEADER
    )


@lru_cache(maxsize=1024)
def _held_by(texts: tuple[str, ...]) -> _Held:
    by_value: dict[Fraction, list[tuple[str, str]]] = defaultdict(list)
    mentioned: frozenset[str] = frozenset()
    shares: set[Fraction] = set()
    for text in texts:
        mentioned |= _units_in(number_text(text))
        for quantity in quantities(text, number_language(text)):
            for reading in quantity.readings:
                by_value[reading.value].append((reading.unit, quantity.counted))
            share = _share(quantity)
            shares |= set() if share is None else {share}
            for part in quantity.parts:
                by_value[part].append(("", _PART))
    return _Held(dict(by_value), frozenset(shares), mentioned)


_UNIT_WORD = re.compile(rf"(?<![^\W\d_])(?:{UNIT})(?![^\W_])")


def _units_in(plain: str) -> frozenset[str]:
    """Units that stand in a text; a single letter is one only in brackets, as in a table's header, or behind digits."""
    return frozenset(
        unit_of(match.group())
        for match in _UNIT_WORD.finditer(plain)
        if len(match.group()) > 1 or not match.group().isalpha() or _stands_as_unit(plain, match)
    )


def _stands_as_unit(plain: str, match: re.Match[str]) -> bool:
    before, after = plain[: match.start()].rstrip()[-1:], plain[match.end() : match.end() + 1]
    return (before in "([" and after in ")]" and before != "" and after != "") or before.isdigit()


def _readings_of(items: Iterable[Quantity]) -> frozenset[Reading]:
    return frozenset(reading for item in items for reading in item.readings)


def _years(entries: Sequence[EvidenceEntry], papers: Sequence[PaperCard]) -> frozenset[Fraction]:
    cited = {entry.paper_id for entry in entries}
    return frozenset(Fraction(card.year) for card in papers if card.paper_id in cited and card.year is not None)


def _structural_numbers(block: DraftBlock, language: str) -> frozenset[Fraction]:
    protected = " ".join(
        block.source[span.start : span.end]
        for span in block.protected
        if span.kind in {ProtectedKind.MATHS, ProtectedKind.CODE}
    )
    return frozenset(item.value for item in quantities(protected, language)) if protected else frozenset()


_OWN_COUNT = re.compile(
    r"\A\s(?:[^\W\d_][\w-]*\s){0,2}?(?:ways|aspects|reasons|points|respects|parts|sides|contributions|findings|"
    r"components|categories|kinds|types|groups|approaches|things|results|conclusions|themes|differences|limitations)\b",
    re.IGNORECASE,
)
_POINTING_BACK = re.compile(r"\b(?:the|these|those|its|their|all|both|other|die|diese|alle)\s\Z", re.IGNORECASE)
_MAX_OWN_COUNT = 10


def _counts_itself(item: Quantity, plain: str) -> bool:
    """Whether a small number in words counts what the answer itself lists (`three findings`) or points back to."""
    if not item.is_word or item.unit or item.counted or not 1 < item.value <= _MAX_OWN_COUNT:
        return False
    following = plain[item.start + len(item.written) :][:60]
    return (
        _OWN_COUNT.match(following) is not None
        or _POINTING_BACK.search(plain[: item.start], max(0, item.start - 12)) is not None
    )


def _enumerators(plain: str) -> set[int]:
    """Offsets of the numbers of `(1) ... (2) ...`, where they count from one."""
    found = [(match.start(1), int(match.group(1))) for match in re.finditer(r"(?<!\w)\((\d{1,2})\)", plain)]
    first = found[0][1] if found else 0  # the first may have been taken off as the block's list number
    counting = [number for _, number in found] == list(range(first, first + len(found)))
    return {start for start, _ in found} if counting and (first == 2 or (first == 1 and len(found) > 1)) else set()

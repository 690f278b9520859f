"""Computed numbers: `derived_values` of a draft, each proved from inputs that stand in their spans.

Inputs and results in percent count as shares of one (`3.5%` is 0.035). A result in percent is compared as it stands
where the formula itself multiplies by 100, and plain numbers of percent inputs are used where the formula itself
divides by 100. Any other number of a formula is an input or one of the few in `CONSTANTS`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from harness.submission.draft import DerivedInput, DerivedValue, Violation, ViolationCode
from harness.submission.formula import Formula, FormulaError, parse_formula
from harness.submission.languages import number_language
from harness.submission.parsed import Submission
from harness.submission.quantities import Quantity, Reading, quantities, quantity_of
from harness.submission.units import PERCENT

CONSTANTS = frozenset(
    map(Fraction, (*range(13), 24, 30, 52, 60, 100, 360, 365, 1000, 1024, 3600, 86_400, 1_000_000, 1_000_000_000))
) | {Fraction(1, 2)}
"""Numbers that a formula may hold without a span: counts of averages, units of time, powers of ten."""

_HUNDRED = Fraction(100)
_PERCENT_UNITS = frozenset({PERCENT, "pp"})


@dataclass(frozen=True, slots=True)
class Computed:
    """A computed number that holds, and the spans of its inputs."""

    quantity: Quantity
    evidence_ids: frozenset[str]

    def accounts_for(self, stated: Quantity, cited: Sequence[str]) -> bool:
        """Whether a number of a block is this one; the block has to cite at least one of the inputs' spans."""
        same = any(reading in self.quantity.readings for reading in stated.readings) or (
            stated.unit in {"", self.quantity.unit}
            and stated.value == self.quantity.value
            and _PERCENT_UNITS.isdisjoint({self.quantity.unit})
        )
        return same and not self.evidence_ids.isdisjoint(cited)


class _NotDerived(Exception):
    """Why a computed number does not hold: `code`, and what is wrong."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def computed_values(submission: Submission) -> tuple[Computed, ...]:
    """The computed numbers of a draft that hold."""
    return tuple(value for item in submission.draft.derived_values if (value := _computed(item, submission)))


def holds_computed(item: DerivedValue, submission: Submission) -> bool:
    """Whether a computed number holds."""
    return _computed(item, submission) is not None


def derived_values_hold(submission: Submission) -> Iterator[Violation]:
    """DERIVED_VALUE_INVALID: every computed number of the draft follows from inputs that their spans state."""
    for item in submission.draft.derived_values:
        if any(given.evidence_id not in submission.ledger for given in item.inputs):
            continue  # UNKNOWN_EVIDENCE names it
        try:
            _proved(item, submission)
        except (_NotDerived, FormulaError) as error:
            yield Violation(
                ViolationCode.DERIVED_VALUE_INVALID,
                f"The computed value “{item.value}{' ' + item.unit if item.unit else ''}” does not hold: "
                f"{error.code}, {error}. Mend it, or leave the number out.",
            )


def _computed(item: DerivedValue, submission: Submission) -> Computed | None:
    try:
        quantity = _proved(item, submission)
    except (_NotDerived, FormulaError):
        return None
    return Computed(quantity, frozenset(given.evidence_id for given in item.inputs))


def _proved(item: DerivedValue, submission: Submission) -> Quantity:
    stated = quantity_of(f"{item.value} {item.unit}" if item.unit and item.unit not in item.value else item.value)
    stated = stated or quantity_of(item.value)
    if stated is None:
        raise _NotDerived("VALUE_NOT_A_NUMBER", "`value` is one number, as it stands in the text")
    formula = parse_formula(item.formula)
    shares: dict[str, Fraction] = {}
    plain: dict[str, Fraction] = {}
    for given in item.inputs:
        reading = _input_in_span(given, submission)
        plain[given.name] = reading.value
        shares[given.name] = reading.value / 100 if reading.unit in _PERCENT_UNITS else reading.value
    _check_parts(formula, shares)
    if not any(_equal(result, stated) for result in _results(formula, shares, plain, stated)):
        raise _NotDerived("RESULT_DIFFERS", "the formula does not give it at the digits that are stated")
    return stated


def _input_in_span(given: DerivedInput, submission: Submission) -> Reading:
    """The reading of an input that its span holds; the unit may be left out in `value`."""
    wanted = quantity_of(given.value)
    entry = submission.ledger.get(given.evidence_id)
    if wanted is None or entry is None:
        raise _NotDerived("INPUT_NOT_A_NUMBER", f"input `{given.name}` has no number as its value")
    for held in quantities(entry.text, number_language(entry.text)):
        readings = (*held.readings, *(Reading(part, "") for part in held.parts))
        for reading in readings:
            for asked in wanted.readings:
                if reading.value == asked.value and asked.unit in {"", reading.unit}:
                    return reading
                if not reading.unit and reading.value == asked.value and asked.unit == PERCENT and "%" in entry.text:
                    return asked
    raise _NotDerived("INPUT_NOT_IN_SPAN", f"input `{given.name}` = {given.value} is not in its span")


def _check_parts(formula: Formula, values: Mapping[str, Fraction]) -> None:
    if not formula.names:
        raise _NotDerived("NO_INPUTS", "the formula uses no input; numbers come from spans")
    foreign = [number for number in formula.numbers if number not in CONSTANTS]
    if foreign:
        raise _NotDerived("CONSTANT_WITHOUT_SPAN", f"the number {float(foreign[0]):g} is no input; give it as one")
    result = formula.evaluate(values)
    for name in sorted(formula.names):
        if all(_without_effect(formula, values, name, change, result) for change in (Fraction(7, 5), Fraction(13, 9))):
            raise _NotDerived("INPUT_WITHOUT_EFFECT", f"input `{name}` does not change the result")


def _without_effect(
    formula: Formula, values: Mapping[str, Fraction], name: str, change: Fraction, result: Fraction
) -> bool:
    moved = {**values, name: values[name] * change if values[name] else change}
    try:
        return formula.evaluate(moved) == result
    except FormulaError:
        return False


def _results(
    formula: Formula, shares: Mapping[str, Fraction], plain: Mapping[str, Fraction], stated: Quantity
) -> Iterator[Fraction]:
    """What the formula gives, in the unit in which the value is stated."""
    result = formula.evaluate(shares)
    converts = any(
        step == _HUNDRED and after != "%" for step, after in zip(formula.steps, (*formula.steps[1:], ""), strict=True)
    )
    if stated.unit == "pp" and shares == plain:
        yield result  # points of a score, not of a percentage
    elif stated.unit not in _PERCENT_UNITS:
        yield result
        if converts or "%" in formula.steps:
            yield formula.evaluate(plain)
    elif not converts:
        yield result * 100
    else:
        yield result
        if formula.with_number(_HUNDRED, Fraction(1)).evaluate(shares) * 100 == formula.evaluate(plain):
            yield formula.evaluate(plain)  # 100 stands for the whole, as in `100 - a`


def _equal(result: Fraction, stated: Quantity) -> bool:
    """Equal at the digits that are stated: at most half of one unit of the last one apart."""
    return any(abs(result - reading.value) * 2 <= stated.quantum for reading in stated.readings)

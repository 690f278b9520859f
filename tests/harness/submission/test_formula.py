from __future__ import annotations

import contextlib
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.submission.formula import Formula, FormulaError, parse_formula

VALUES = {"a": Fraction(3), "b": Fraction(5), "zero": Fraction(0), "β": Fraction(2), "rate.x": Fraction(1, 2)}


@pytest.mark.parametrize(
    ("formula", "result"),
    [
        ("a + b * 2", 13),
        ("(a + b) * 2", 16),
        ("b - a - 1", 1),
        ("12 / a / 2", 2),
        ("-a ^ 2", -9),
        ("2 ^ a ^ 2", 512),
        ("a ^ -1", Fraction(1, 3)),
        ("50% * b", Fraction(5, 2)),
        ("b%", Fraction(1, 20)),
        ("--a", 3),
        ("+a", 3),
        ("a × b ÷ 3 − 1", 4),
        ("a ** 2", 9),
        ("β · rate.x", 1),
        (".5 * 1.5", Fraction(3, 4)),
        ("2 ^ 64", 2**64),
    ],
)
def test_formulas_are_evaluated_exactly(formula: str, result: Fraction) -> None:
    assert parse_formula(formula).evaluate(VALUES) == result


@pytest.mark.parametrize(
    ("formula", "code"),
    [
        ("", "FORMULA_SYNTAX"),
        ("a +", "FORMULA_SYNTAX"),
        ("(a", "FORMULA_SYNTAX"),
        ("a b", "FORMULA_SYNTAX"),
        ("a)", "FORMULA_SYNTAX"),
        ("__import__('os')", "FORMULA_SYNTAX"),
        ("a; b", "FORMULA_SYNTAX"),
        ("a if b else 1", "FORMULA_SYNTAX"),
        ("(" * 33 + "a" + ")" * 33, "FORMULA_SYNTAX"),
        ("a" + "+1" * 200, "FORMULA_SYNTAX"),
        ("c", "FORMULA_UNKNOWN_NAME"),
        ("a / zero", "DIVISION_BY_ZERO"),
        ("zero ^ -1", "DIVISION_BY_ZERO"),
        ("a ^ 65", "EXPONENT_OUT_OF_RANGE"),
        ("a ^ rate.x", "EXPONENT_OUT_OF_RANGE"),
        ("a ^ 64 ^ 64", "EXPONENT_OUT_OF_RANGE"),
        ("((b ^ 64) ^ 64) ^ 64", "VALUE_OUT_OF_RANGE"),
        ("*".join(["10^64"] * 7), "VALUE_OUT_OF_RANGE"),
    ],
)
def test_what_is_no_formula_or_has_no_value_is_named(formula: str, code: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse_formula(formula).evaluate(VALUES)
    assert caught.value.code == code


def test_a_nesting_of_32_is_read_and_400_characters_are() -> None:
    assert parse_formula("(" * 32 + "a" + ")" * 32).evaluate(VALUES) == 3
    assert parse_formula(("a" + "+1" * 200)[:399]).evaluate(VALUES) == 202


def test_a_formula_knows_its_names_and_numbers() -> None:
    formula = parse_formula("100 * (b - a) / a")
    assert (formula.names, formula.numbers) == (frozenset({"a", "b"}), (Fraction(100),))
    assert formula.with_number(Fraction(100), Fraction(1)).evaluate(VALUES) == Fraction(2, 3)
    assert Formula((Fraction(1),), frozenset(), (Fraction(1),)).evaluate({}) == 1


@given(st.text(alphabet="ab 0123456789.+-*/^%()", max_size=40))
def test_any_text_gives_a_number_or_a_named_error(text: str) -> None:
    result: Fraction | None = None
    with contextlib.suppress(FormulaError):
        result = parse_formula(text).evaluate(VALUES)
    assert result is None or isinstance(result, Fraction)

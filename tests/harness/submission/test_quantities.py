# ruff: noqa: E501 - a table of writings, a row each
from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.submission.languages import number_language
from harness.submission.quantities import quantities, quantity_of


def read(text: str, language: str = "en") -> list[tuple[str, str]]:
    """Value and unit of each quantity; values as they print."""
    return [(str(item.value), item.unit) for item in quantities(text, language)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,234 and 1 234 and 1'234 and 1\u2009234 birds", [("1234", "")] * 4),
        ("1.234.567 and 1.234,5", [("1234567", ""), ("2469/2", "")]),
        ("3.5% or 3.5 % or 3.5 percent or 3.5 per cent or ３．５％", [("7/2", "%")] * 5),
        ("$3.5\\%$ and 3.5\\%", [("7/2", "%")] * 2),
        ("2 percentage points, 2 pp", [("2", "pp")] * 2),
        ("3.0 x 10^-4, 3e-4, 3×10⁻⁴, $3 \\times 10^{-4}$, 3 × 10<sup>-4</sup>, 3 · 10^-4", [("3/10000", "")] * 5 + [("3", ""), ("1/10000", "")]),
        ("10^{-9} and 2^10 and 10^3", [("1/1000000000", ""), ("1024", ""), ("1000", "")]),
        ("37M, 37 million, 3700万, 0.37亿", [("37000000", "")] * 4),
        ("5K and 5 thousand and 2bn", [("5000", ""), ("5000", ""), ("2000000000", "")]),
        ("twelve, thirty-seven, two hundred and five, two million", [("12", ""), ("37", ""), ("205", ""), ("2000000", "")]),
        ("one third, two-thirds, half of them, 1/3, ½", [("1/3", ""), ("2/3", ""), ("1/2", ""), ("1/3", ""), ("1/2", "")]),
        ("one of the birds, zero", []),
        ("one hour and one million", [("1", "h"), ("1000000", "")]),
        ("twice, 2x, 2 ×, two times, 2-fold", [("2", "x")] * 5),
        ("−5 %, -5 %, (–5%)", [("-5", "%")] * 3),
        ("3–5%, 3 - 5 %, 3-5", [("3", ""), ("5", "%"), ("3", ""), ("5", "%"), ("3", ""), ("5", "")]),
        ("5 ms, 5 milliseconds, 5-ms, 5ms的", [("5", "ms")] * 4),
        ("5 μs and 5 \u00b5s and $5 \\mu s$", [("5", "us")] * 3),
        ("5 MW, 5 mW", [("5", "mw"), ("5", "")]),
        ("$5.2 million, €30, 30 €", [("5200000", "$"), ("30", "€"), ("30", "€")]),
        ("百分之三十五, 三成以上, 三分之二, 三百二十个, 二十四层", [("35", "%"), ("30", "%"), ("2/3", ""), ("320", ""), ("24", "")]),
        ("一些鸟, 统一, 第三章, 成功", []),
        ("zwölf Vögel und dreißig", [("12", ""), ("30", "")]),
        ("GPT-2, F1, 3D, H100, CIFAR-10, β₂, H₂O, R² and b_2", []),
        ("1st, 2nd, 21st, Table 3, Figures 2 and 3, Sec. 4.2, pp. 3–5, Eq. (5), § 7", []),
        ("Table 3, 37 gulls", [("37", "")]),
        ("Table 3%", [("3", "%")]),
        ("$\\beta _ { 2 } = 0 . 9 8$ and $\\epsilon = 10 ^ { - 9 }$", [("49/50", ""), ("1/1000000000", "")]),
        ("layers 1,2,3 and 0,98", [("1", ""), ("2", ""), ("3", ""), ("49/50", "")]),
        ("3\u200b5 and **37**% and 3\u00ad7", [("35", ""), ("37", "%"), ("37", "")]),
        ("0.5±0.3, <5%, ~7, .5", [("1/2", ""), ("3/10", ""), ("5", "%"), ("7", ""), ("1/2", "")]),
        ("1e999999 or 10^999999", []),
    ],
)  # fmt: skip
def test_numbers_in_every_writing(text: str, expected: list[tuple[str, str]]) -> None:
    assert read(text) == expected


def test_a_point_and_a_comma_mean_what_the_language_says() -> None:
    english = quantities("1.234 and 1,234")
    assert [len(item.readings) for item in english] == [1, 1]
    german = quantities("1.234 und 1,234 und 3,5", "de")
    assert [[str(reading.value) for reading in item.readings] for item in german] == [
        ["617/500", "1234"],
        ["1234", "617/500"],
        ["7/2"],
    ]


@pytest.mark.parametrize(
    ("text", "quantum"),
    [("3.50", Fraction(1, 100)), ("37", Fraction(1)), ("1.2M", Fraction(100_000)), ("3.0e-4", Fraction(1, 100_000))],
)
def test_the_last_digit_counts_one_quantum(text: str, quantum: Fraction) -> None:
    assert quantities(text)[0].quantum == quantum


@pytest.mark.parametrize(
    ("text", "counted"), [("24-layer model", "layer"), ("24 unique layers", "layer"), ("24 birds", ""), ("24%", "")]
)
def test_what_is_counted_is_known_for_a_few_things(text: str, counted: str) -> None:
    assert quantities(text)[0].counted == counted


@pytest.mark.parametrize(("text", "whole"), [("37 %", True), ("about 37", False), ("37 and 38", False), ("-5", True)])
def test_a_value_is_one_number_and_nothing_else(text: str, whole: bool) -> None:
    assert (quantity_of(text) is not None) is whole


@given(st.integers(0, 10**12), st.sampled_from([",", " ", "'", "\u202f", ""]))
def test_every_whole_number_is_read_back_from_its_thousands(number: int, separator: str) -> None:
    assert [item.value for item in quantities(f"{number:,}".replace(",", separator))] == [number]


@given(st.decimals(0, 10**6, places=3), st.integers(-12, 12))
def test_scientific_notation_is_exact(mantissa: object, power: int) -> None:
    assert quantities(f"{mantissa}e{power}")[0].value == Fraction(str(mantissa)) * Fraction(10) ** power


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    for item in quantities(text):
        assert item.readings
        assert item.quantum > 0


def test_the_language_of_numbers_is_english_unless_another_is_plain() -> None:
    assert number_language("985.957 letters, 3 per cent, item e") == "en"
    assert number_language("1.234 Vögel und die Möwen") == "de"
    assert number_language("召回率 und") == "zh"

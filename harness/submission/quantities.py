"""Numbers with their units, read from prose: what a claim states, and what a span holds.

A number may be written in several ways (`1,234`, `1 234`, `1.2 × 10^3`, `37M`, `twelve`, `3.5万`); each is read to
exact values, without rounding. Where a writing has more than one meaning (`1.234` in a German text), a quantity carries
all of its readings. Names (`GPT-2`, `F1`, `3D`), ordinals and references (`Table 3`) are no quantities.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from harness.submission.number_text import number_text
from harness.submission.number_words import HAN_NUMBER, WORD_NUMBER, han_value, word_value
from harness.submission.units import (
    COUNTED,
    PERCENT,
    SCALE_SYMBOL,
    SCALE_WORD,
    UNIT,
    counted_of,
    scale_of,
    unit_of,
)

MAX_EXPONENT = 400
"""Powers of ten beyond this are no number of any paper; they are not computed."""

_COMMA_LANGUAGES = frozenset({"de", "fr", "es", "it", "pt", "ru"})


@dataclass(frozen=True, slots=True)
class Reading:
    """One meaning of a written number: its exact value and the one name of its unit, empty without one."""

    value: Fraction
    unit: str


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in a text.

    `written` is the number with its unit, `start` its offset in `number_text`. `quantum` is one unit of its last digit.
    `counted` names the counted thing behind it where that is one of a closed list. `is_word` tells that it is written
    in letters. `parts` are the two numbers of a fraction (`3/4`), which may also be two numbers side by side.
    """

    written: str
    start: int
    readings: tuple[Reading, ...]
    quantum: Fraction
    counted: str = ""
    is_word: bool = False
    parts: tuple[Fraction, ...] = ()

    @property
    def unit(self) -> str:
        """The unit of the first reading."""
        return self.readings[0].unit

    @property
    def value(self) -> Fraction:
        """The value of the first reading."""
        return self.readings[0].value


_DIGITS = (
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d])"  # 1,234.5
    r"|\d{1,3}(?:\.\d{3})+,\d+(?!\d)|\d{1,3}(?:\.\d{3}){2,}(?![\d.])"  # 1.234,5 and 1.234.567
    r"|(?<!\d\s)\d{1,3}(?:[ '’]\d{3})+(?:[.,]\d+)?(?![\d'’]|\s\d)"  # 1 234 and 1'234
    r"|\d+(?:\.\d+)?,\d+(?![\d,])"  # 3,5
    r"|\d+\.\d+|\d+|(?<![\d\w])\.\d+"
)
_FRACTION = re.compile(r"(?<![\w/.,])(?P<upper>\d{1,4})/(?P<lower>[1-9]\d{0,3})(?![\w/]|[.,]\d)")
_EXPONENT = r"\s?[×x✕*]\s?10\s?(?:\^|\*\*)\s?(?P<power>[-+–]?\d{1,6})|\s?[×x✕]\s?10(?P<flat>[-+–]\d{1,3})(?!\d)"
_E_NOTATION = r"[eE](?P<e>[-+–]?\d{1,6})(?![\w])"
_UNSPACED = "㐀-鿿぀-ヿ가-힣"
_NO_LETTER = rf"(?![^\W_{_UNSPACED}])"
_TAIL = (
    rf"(?:(?P<symbol>{SCALE_SYMBOL}){_NO_LETTER}|[\s-]?(?P<scale>{SCALE_WORD}){_NO_LETTER})?"
    rf"(?:[\s-]?(?![×x✕]\s?\d)(?P<unit>{UNIT}){_NO_LETTER})?"
)
_FOLLOWING = re.compile(rf"[\s-]?(?:[^\W\d_][\w-]*\s){{0,2}}?(?P<noun>{COUNTED})(?!\w)", re.IGNORECASE)
_CURRENCY = r"(?P<currency>[€£¥$]|US\$)\s?"
_NUMBER = re.compile(
    rf"(?:{_CURRENCY})?(?P<digits>{_DIGITS})(?:{_EXPONENT}|{_E_NOTATION}|(?P<base>(?<=10)|(?<=\b2))\^(?P<raised>[-+–]?\d{{1,6}}))?"
    rf"(?P<tail>{_TAIL})"
)
_WORD = re.compile(rf"(?P<word>(?i:{WORD_NUMBER}))(?P<tail>{_TAIL})")
_HAN = re.compile(rf"(?P<han>{HAN_NUMBER})(?P<tail>(?P<unit>成|{UNIT})?)")
_SIGN = re.compile(r"(?:(?<=\A)|(?<=[\s(\[{=<>≤≥≈~,;:/|+±“\"]))[-–]\Z")
_NAME_BEFORE = re.compile(rf"[^\W\d_{_UNSPACED}]\w*\Z|[^\W\d_]*[A-Z][A-Za-z]*[-–]\Z|[^\W\d_][_@#]\Z|\^[-+]?\Z")
_LETTER_AFTER = re.compile(rf"[^\W\d_{_UNSPACED}]|-?(?:st|nd|rd|th)\b|_")
_REFERENCE_BEFORE = re.compile(
    r"(?:\b(?:section|sec\.?|chapter|table|tab\.|figure|fig\.?|equation|eq\.?|algorithm|alg\.|appendix|step|phase|stage|"
    r"page|p\.|theorem|lemma|definition|example|footnote|no\.|nr\.|volume|vol\.|issue|part|version|abschnitt|kapitel|"
    r"tabelle|abbildung|abb\.|gleichung|seite|s\.|schritt)|§|第|图|表)\s*\(?(?:\d+(?:\.\d+)*\s?[-–]\s?)?\Z"
    r"|\b(?:sections|secs\.|chapters|tables|figures|figs\.?|equations|eqs\.|algorithms|appendices|steps|pages|pp\.|theorems|"
    r"lemmas|abschnitte|tabellen|abbildungen|seiten)\s*\(?(?:[A-Z]?\d+(?:\.\d+)*[a-z]?\s*(?:,|–|-|and|und|to|bis|&)+\s*){0,8}\Z",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def quantities(text: str, language: str = "en") -> tuple[Quantity, ...]:
    """The quantities of a text in its order. `language` (ISO 639-1) says how a comma and a point are read."""
    plain = number_text(text)
    fractions = [*_in_fractions(plain)]
    without = _FRACTION.sub(lambda match: " " * len(match.group()), plain)
    found = [*fractions, *_in_digits(without, language), *_in_words(plain), *_in_han(plain)]
    return tuple(sorted(found, key=lambda quantity: quantity.start))


def quantity_of(written: str) -> Quantity | None:
    """The one quantity that a short text is nothing but, None where it is anything else."""
    found = quantities(written.strip())
    plain = number_text(written.strip()).strip()
    whole = len(found) == 1 and (found[0].written in {plain, plain.lstrip("+~≈ ")})
    return found[0] if whole else None


def _in_fractions(plain: str) -> Iterator[Quantity]:
    for match in _FRACTION.finditer(plain):
        upper, lower = int(match["upper"]), int(match["lower"])
        reading = Reading(Fraction(upper, lower), "")
        parts = (Fraction(upper), Fraction(lower))
        yield Quantity(match.group(), match.start(), (reading,), Fraction(1, lower), parts=parts)


def _in_digits(plain: str, language: str) -> Iterator[Quantity]:
    for match in _NUMBER.finditer(plain):
        before = plain[max(0, match.start() - 80) : match.start()]
        after = plain[match.end() : match.end() + 8]
        sure = match["currency"] or unit_of(match["unit"] or "") == PERCENT
        named = not sure and _NAME_BEFORE.search(before) is not None
        if named or (_LETTER_AFTER.match(after) and not match["tail"]):
            continue
        if not match["unit"] and not match["symbol"] and not match["scale"] and _REFERENCE_BEFORE.search(before):
            continue
        sign = _SIGN.search(before)
        yield from _readings(match, language, negative=sign is not None, following=plain[match.end() :][:60])


def _readings(match: re.Match[str], language: str, *, negative: bool, following: str) -> Iterator[Quantity]:
    exponent = _power_of_ten(match)
    if abs(exponent) > MAX_EXPONENT:
        return
    factor = Fraction(10) ** exponent
    digits = match["digits"]
    values = _base_power(match) if match["raised"] else _values_of(digits, language)
    if match["raised"] and not values:
        return
    if not values:  # numbers with commas between them that are no thousands
        parts = re.split(r"[,.]", digits) if digits.count(".") == 0 else [digits]
        for part in parts:
            yield Quantity(part, match.start(), (Reading(Fraction(part), ""),), Fraction(1))
        return
    sign = -1 if negative else 1
    noun = _FOLLOWING.match(following)
    readings = [
        Reading(sign * value * factor * scale, unit) for value in values for scale, unit in _scales_and_units(match)
    ]
    decimals = 0 if match["raised"] else _decimals(digits, values[0])
    quantum = Fraction(10) ** -decimals * factor * _scales_and_units(match)[0][0]
    written = ("-" if negative else "") + match.group().strip()
    counted = counted_of(noun["noun"]) if noun and not match["unit"] else ""
    yield Quantity(written, match.start(), tuple(readings), quantum, counted)


def _power_of_ten(match: re.Match[str]) -> int:
    written = match["power"] or match["flat"] or match["e"]
    return int(written.replace("–", "-")) if written else 0


def _base_power(match: re.Match[str]) -> list[Fraction]:
    exponent = int(match["raised"].replace("–", "-"))
    base = Fraction(match["digits"].replace(",", ""))
    return [base**exponent] if abs(exponent) <= MAX_EXPONENT else []


def _scales_and_units(match: re.Match[str]) -> list[tuple[Fraction, str]]:
    unit = unit_of(match["currency"] or match["unit"] or "")
    symbol, word = match["symbol"], match["scale"]
    if word:
        return [(scale_of(word), unit)]
    if symbol is None:
        return [(Fraction(1), unit)]
    return [(scale_of(symbol), unit), *([(Fraction(1), unit_of(symbol))] if not unit and unit_of(symbol) else [])]


def _values_of(digits: str, language: str) -> list[Fraction]:
    """The values that written digits may have; none where commas only divide numbers."""
    comma_is_decimal = language in _COMMA_LANGUAGES
    bare = re.sub(r"[ '’]", "", digits)
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", bare) and not bare.startswith("0,"):
        values = [Fraction(bare.replace(",", ""))]
        if comma_is_decimal and bare.count(",") == 1 and "." not in bare:
            values.append(Fraction(bare.replace(",", ".")))
        return values
    if re.fullmatch(r"\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}", bare):
        return [Fraction(bare.replace(".", "").replace(",", "."))]
    if "," in bare:
        decimal = comma_is_decimal or bare.startswith("0,") or digits != bare
        return [Fraction(bare.replace(",", "."))] if decimal and bare.count(",") == 1 and "." not in bare else []
    values = [Fraction(bare)]
    if comma_is_decimal and re.fullmatch(r"[1-9]\d{0,2}\.\d{3}", bare):
        values.append(Fraction(bare.replace(".", "")))
    return values


def _decimals(digits: str, value: Fraction) -> int:
    if value.denominator == 1 and re.search(r"[.,]0+\Z", digits) is None:
        return 0
    return len(re.split(r"[.,]", digits)[-1])


def _in_words(plain: str) -> Iterator[Quantity]:
    for match in _WORD.finditer(plain):
        following = plain[match.end() :][:60]
        word = match["word"].lower()
        unit = unit_of(match["unit"] or "") or ("x" if word in {"twice", "thrice"} else "")
        scale = scale_of(match["scale"]) if match["scale"] else Fraction(1)
        if word in {"one", "zero"} and not unit and scale == 1:
            continue  # a pronoun as often as a number
        if match["symbol"]:
            continue
        noun = _FOLLOWING.match(following)
        counted = counted_of(noun["noun"]) if noun and not unit else ""
        value = word_value(match["word"]) * scale
        yield Quantity(
            match.group().strip(), match.start(), (Reading(value, unit),), Fraction(1), counted, is_word=True
        )


def _in_han(plain: str) -> Iterator[Quantity]:
    for match in _HAN.finditer(plain):
        before, after = plain[max(0, match.start() - 1) : match.start()], plain[match.end() : match.end() + 2]
        if before in {"第", "之"} or before.isdigit():
            continue
        value, in_percent = han_value(match["han"])
        unit = PERCENT if in_percent else unit_of(match["unit"] or "")
        if match["unit"] == "成" or (not in_percent and after.startswith("成") and len(match["han"]) == 1):
            value, unit = 10 * value, PERCENT
        yield Quantity(match.group(), match.start(), (Reading(value, unit),), Fraction(1), is_word=True)

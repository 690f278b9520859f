"""Numbers written in words: English up to millions, the small German ones, and Chinese numerals."""

from __future__ import annotations

import re
from fractions import Fraction

_UNITS = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
eighteen nineteen
"""
_TENS = "ten twenty thirty forty fifty sixty seventy eighty ninety"
_GERMAN_UNITS = "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf"

_SMALL = {word: 10 * count for count, word in enumerate(_TENS.split(), start=1)} | {
    word: count for count, word in enumerate(_UNITS.split())
}
_GERMAN = {word: count for count, word in enumerate(_GERMAN_UNITS.split()) if count > 1} | {
    "zwanzig": 20,
    "dreißig": 30,
    "vierzig": 40,
    "fünfzig": 50,
    "hundert": 100,
    "tausend": 1000,
}
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_PARTS = {
    "half": 2,
    "halves": 2,
    "third": 3,
    "thirds": 3,
    "quarter": 4,
    "quarters": 4,
    "fifth": 5,
    "fifths": 5,
    "sixth": 6,
    "sixths": 6,
    "eighth": 8,
    "eighths": 8,
    "tenth": 10,
    "tenths": 10,
}
_OTHER = {"dozen": 12, "twice": 2, "thrice": 3}

_ANY = "|".join(sorted((*_SMALL, *_SCALES), key=len, reverse=True))
_COUNT = "|".join(sorted(_SMALL, key=len, reverse=True))
WORD_NUMBER = (
    rf"(?<![\w-])(?:(?:{_COUNT})[\s-](?:{'|'.join(_PARTS)})|(?:one\s)?half(?=\s(?:of|the)\b)"
    rf"|(?:{_COUNT})(?:(?:[\s-]|\sand\s)(?:{_ANY}))*"
    rf"|{'|'.join((*_OTHER, *sorted(_GERMAN, key=len, reverse=True)))})(?![\w])"
)
"""Regular expression of a number in words, to be matched without regard to case."""

_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_HAN_TENS = {"十": 10, "百": 100, "千": 1000}
_MYRIADS = {"万": 10_000, "亿": 100_000_000}
_HAN = "[零〇一二两三四五六七八九十百千万亿]"
_MEASURE = "个层种倍篇项次名类组条步秒天年月位台张轮"
HAN_NUMBER = (
    rf"百分之{_HAN}+(?:点{_HAN}+)?|{_HAN}+分之{_HAN}+|[一二三四五六七八九](?=成[^为功立长员果就分本熟])"
    rf"|[二两三四五六七八九][十百千万亿]{_HAN}*|[一十百]{_HAN}{{2,}}|十[一二三四五六七八九]"
    rf"|[二两三四五六七八九十](?=[{_MEASURE}])"
)
"""Regular expression of a Chinese numeral where it is certain to be one."""


def word_value(written: str) -> Fraction:
    """The value of what `WORD_NUMBER` matched."""
    words = re.split(r"[\s-]+", written.lower())
    if words[-1] in _PARTS:
        count = _SMALL.get(words[0], 1)
        return Fraction(count, _PARTS[words[-1]])
    if len(words) == 1 and words[0] in _OTHER | _GERMAN:
        return Fraction((_OTHER | _GERMAN)[words[0]])
    total, group = 0, 0
    for word in words:
        if word == "hundred":
            group = max(group, 1) * 100
        elif word in _SCALES:
            total, group = total + max(group, 1) * _SCALES[word], 0
        elif word != "and":
            group += _SMALL[word]
    return Fraction(total + group)


def han_value(written: str) -> tuple[Fraction, bool]:
    """The value of what `HAN_NUMBER` matched, and whether it is given in percent (`百分之三十`)."""
    if written.startswith("百分之"):
        whole, _, decimals = written[3:].partition("点")
        digits = "".join(str(_DIGITS.get(char, 0)) for char in decimals)
        return Fraction(_han_integer(whole)) + (Fraction(int(digits), 10 ** len(digits)) if digits else 0), True
    if "分之" in written:
        lower, _, upper = written.partition("分之")
        return Fraction(_han_integer(upper), max(1, _han_integer(lower))), False
    return Fraction(_han_integer(written)), False


def _han_integer(text: str) -> int:
    if all(char in _DIGITS for char in text):
        return int("".join(str(_DIGITS[char]) for char in text))
    total, section, digit = 0, 0, 0
    for char in text:
        if char in _DIGITS:
            digit = _DIGITS[char]
        elif char in _HAN_TENS:
            section, digit = section + (digit or 1) * _HAN_TENS[char], 0
        else:
            total, section, digit = total + (section + digit or 1) * _MYRIADS[char], 0, 0
    return total + section + digit

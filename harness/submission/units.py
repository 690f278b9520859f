"""Units, scales and counted things: the closed lists by which two numbers are held to mean the same."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

PERCENT = "%"

_UNITS = {
    PERCENT: "% percent pct per\\ cent Prozent pour\\ cent",
    "pp": "percentage\\ points? %\\ points? points? pp ppt Prozentpunkten?",
    "‰": "‰ per\\ mille Promille",
    "ns": "ns nanoseconds?",
    "us": "μs us microseconds?",
    "ms": "ms msec milliseconds?",
    "s": "s secs? seconds? Sekunden? 秒",
    "min": "mins? minutes? Minuten? 分钟",
    "h": "h hrs? hours? Stunden? 小时",
    "day": "days? Tagen? Tage 天",
    "week": "weeks? Wochen?",
    "month": "months? Monaten? Monate 个月",
    "year": "years? yrs? Jahren? Jahre",
    "nm": "nm nanomet(?:er|re)s?",
    "um": "μm um micromet(?:er|re)s? microns?",
    "mm": "mm millimet(?:er|re)s?",
    "cm": "cm centimet(?:er|re)s?",
    "m": "m met(?:er|re)s? 米",
    "km": "km kilomet(?:er|re)s? 公里",
    "mg": "mg milligrams?",
    "ug": "μg ug micrograms?",
    "g": "g grams?",
    "kg": "kg kilograms? 公斤",
    "t": "tonnes?",
    "ml": "ml mL millilit(?:er|re)s?",
    "l": "L lit(?:er|re)s?",
    "hz": "Hz",
    "khz": "kHz",
    "mhz": "MHz",
    "ghz": "GHz",
    "w": "W watts?",
    "kw": "kW",
    "mw": "MW",
    "kwh": "kWh",
    "v": "V volts?",
    "mv": "mV",
    "a": "A amperes?",
    "j": "J joules?",
    "kj": "kJ",
    "ev": "eV",
    "mev": "MeV",
    "gev": "GeV",
    "n": "N newtons?",
    "pa": "Pa",
    "kpa": "kPa",
    "mpa": "MPa",
    "°c": "°C ℃ degrees\\ Celsius",
    "°f": "°F degrees\\ Fahrenheit",
    "°": "° degrees?",
    "k": "K kelvin",
    "mol": "mol moles?",
    "mm/l": "mM",
    "db": "dB decibels?",
    "bit": "bits?",
    "byte": "B bytes?",
    "kb": "kB KB kilobytes?",
    "mb": "MB MiB megabytes?",
    "gb": "GB GiB gigabytes?",
    "tb": "TB TiB terabytes?",
    "flop": "FLOPs? FLOPS",
    "px": "px pixels?",
    "dpi": "dpi",
    "x": "x × ✕ times fold Mal 倍",
    "€": "€ EUR euros?",
    "$": "\\$ USD dollars?",
    "£": "£ GBP pounds?",
    "¥": "¥ CNY JPY yuan yen 元",
    "oclock": "[ap]\\.?m\\.? o'clock Uhr",
}

_COUNTED = {
    "layer": "layers? blocks? 层",
    "head": "heads?",
    "epoch": "epochs?",
    "step": "steps? iterations? updates?",
    "token": "tokens?",
    "parameter": "parameters? params? weights? 参数",
    "gpu": "gpus?",
    "paper": "papers? articles? publications? 篇",
    "page": "pages?",
    "participant": "participants? patients? subjects? people persons? respondents?",
    "image": "images? pictures? photos?",
    "language": "languages?",
    "dataset": "datasets? data\\ sets?",
    "task": "tasks?",
    "neighbour": "neighbou?rs?",
}

_SCALES = {
    Fraction(100): "hundred hundert 百",
    Fraction(1_000): "k K thousand tausend 千",
    Fraction(10_000): "万 萬",
    Fraction(1_000_000): "M mn mio million millions Millionen Mio\\. 百万 百萬",
    Fraction(10_000_000): "千万",
    Fraction(100_000_000): "亿 億",
    Fraction(1_000_000_000): "B bn billion billions Milliarden? Mrd\\. milliards? 十亿",
    Fraction(1_000_000_000_000): "T trillion trillions 万亿",
}


def _forms(words: str) -> list[str]:
    return [re.sub(r"\\ ", r"[\\s-]?", form) for form in re.findall(r"(?:\\ |\S)+", words)]


def _pattern(forms: list[str]) -> str:
    return "|".join(sorted(forms, key=len, reverse=True))


def _letters_of(form: str) -> bool:
    return re.fullmatch(r"[A-Za-zμ.]{1,5}[?]?", form) is not None


_UNIT_FORMS = [(form, unit) for unit, words in _UNITS.items() for form in _forms(words)]
_EXACT_UNITS = [(re.compile(form), unit) for form, unit in _UNIT_FORMS if _letters_of(form) and not form.endswith("?")]
_WORD_UNITS = [(re.compile(form, re.IGNORECASE), unit) for form, unit in _UNIT_FORMS]
_COUNTED_FORMS = [(re.compile(form, re.IGNORECASE), noun) for noun, words in _COUNTED.items() for form in _forms(words)]
_SCALE_FORMS = [(form, scale) for scale, words in _SCALES.items() for form in _forms(words)]

UNIT = _pattern([form if _letters_of(form) else f"(?i:{form})" for form, _ in _UNIT_FORMS])
"""Regular expression of a unit behind a number; symbols are case-sensitive (`mW`, `MW`), words are not."""

SCALE_SYMBOL = r"[kKMBT]|bn|mn"
SCALE_WORD = _pattern([form for form, _ in _SCALE_FORMS if re.fullmatch(r"[kKMBT]|bn|mn", form) is None])
COUNTED = _pattern([form for words in _COUNTED.values() for form in _forms(words)])


@lru_cache(maxsize=4096)
def unit_of(written: str) -> str:
    """The unit's one name; empty for what is no unit. Symbols as they are written come before words."""
    text = re.sub(r"\s+", " ", written.strip())
    for form, unit in (*_EXACT_UNITS, *_WORD_UNITS):
        if form.fullmatch(text):
            return unit
    return ""


def scale_of(written: str) -> Fraction:
    """What a scale word or symbol multiplies by. Raises `KeyError` for anything else."""
    text = written.strip()
    for form, scale in _SCALE_FORMS:
        if re.fullmatch(form, text) or (len(text) > 2 and re.fullmatch(form, text, re.IGNORECASE)):
            return scale
    raise KeyError(written)


def counted_of(written: str) -> str:
    """The counted thing's one name (`params` and `weights` are one), empty where it is none of the list."""
    for form, noun in _COUNTED_FORMS:
        if form.fullmatch(written):
            return noun
    return ""

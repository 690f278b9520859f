"""Quotations: text between quotation marks, and whether a span really holds it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

MIN_QUOTED_WORDS = 4

_UNSPACED = "[぀-ヿ㐀-鿿가-힣豈-﫿　-〿]"
_WORD = rf"(?!{_UNSPACED})[^\W_]"

_PAIRS = {"“": "”", "„": "“”", "«": "»", "»": "«", "「": "」", "『": "』", "‟": "”"}
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−﹣－"), "-")
_MARKS = dict.fromkeys(map(ord, '"“”„‟«»″＂「」『』'), "'") | dict.fromkeys(map(ord, "‘’‚‛′`´"), "'")


def quotations(text: str) -> list[tuple[int, int]]:
    """Ranges of what stands between quotation marks, without the marks; marks inside a quotation stay part of it."""
    found: list[tuple[int, int]] = []
    at = 0
    while at < len(text):
        end = _closing(text, at)
        if end is None:
            at += 1
            continue
        found.append((at + 1, end))
        at = end + 1
    return found


def _closing(text: str, at: int) -> int | None:
    opening = text[at]
    if opening == '"':
        if at and text[at - 1].isdigit():
            return None  # inches, or seconds of arc
        end = text.find('"', at + 1)
        return end if end >= 0 else None
    closers = _PAIRS.get(opening)
    if not closers:
        return None
    depth = 1
    for position in range(at + 1, len(text)):
        if text[position] in closers:
            depth -= 1
            if depth == 0:
                return position
        elif text[position] == opening:
            depth += 1
    return None


def normalised(text: str) -> str:
    """Form in which quotations are compared.

    NFKC and case folding; characters of no width, emphasis and escapes dropped; quotation marks and dashes unified;
    white space single, and gone beside characters of scripts that write none, dashes, brackets and before punctuation.
    """
    text = unicodedata.normalize("NFKC", text)
    text = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text)
    text = "".join(char for char in text if unicodedata.category(char) != "Cf")
    text = text.casefold().translate(_DASHES).translate(_MARKS)
    text = re.sub(r"[*_$]", "", text)
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(rf"(?<={_UNSPACED}) | (?={_UNSPACED})", "", text)
    return re.sub(r" ?(-) ?| (?=[,.;:!?%)\]}])|(?<=[(\[{]) ", r"\1", text)


def holds(span: str, quotation: str) -> bool:
    """Whether a span's text holds a quotation word by word.

    An ellipsis and an insertion in square brackets divide the quotation into parts that must come in this order.
    Punctuation at its end may be the writer's.
    """
    text = normalised(span)
    at = 0
    for part in _parts(quotation):
        found = _bounded(part).search(text, at)
        if found is None:
            return False
        at = found.end()
    return True


def _bounded(part: str) -> re.Pattern[str]:
    """The part as whole words and whole numbers: `3` is not found in `37` or `3.5`."""
    before = (rf"(?<!{_WORD})" if re.match(_WORD, part) else "") + (r"(?<!\d[.,])" if part[0].isdigit() else "")
    after = (rf"(?!{_WORD})" if re.match(_WORD, part[-1]) else "") + (r"(?![.,]\d)" if part[-1].isdigit() else "")
    return re.compile(before + re.escape(part) + after)


def _parts(quotation: str) -> Iterable[str]:
    whole = normalised(quotation)
    for part in re.split(r"\.{3,}|…|\[[^\]\d]*\]", whole):
        trimmed = part.strip(" ").rstrip(".,;:!?").strip(" ")
        if trimmed:
            yield trimmed

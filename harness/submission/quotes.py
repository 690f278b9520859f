"""Quotations: text between quotation marks, and whether a span really holds it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from harness.submission.roles import words

MIN_QUOTED_WORDS = 4

_UNSPACED = "[぀-ヿ㐀-鿿가-힣豈-﫿　-〿]"
_WORD = rf"(?!{_UNSPACED})[^\W_]"

_PAIRS = {"“": "”", "„": "“”", "«": "»", "»": "«", "「": "」", "『": "』", "‟": "”"}
_MARK = re.compile("[" + "".join({*_PAIRS, *"".join(_PAIRS.values()), '"'}) + "]")
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−﹣－"), "-")
_MARKS = dict.fromkeys(map(ord, '"“”„‟«»″＂「」『』'), "'") | dict.fromkeys(map(ord, "‘’‚‛′`´"), "'")


def quotations(text: str) -> list[tuple[int, int]]:
    """Ranges of what stands between quotation marks, without the marks; marks inside a quotation stay part of it."""
    pairs: list[tuple[int, int]] = []
    opened: dict[str, list[int]] = {mark: [] for mark in _PAIRS}
    straight: int | None = None
    for match in _MARK.finditer(text):
        at, mark = match.start(), match.group()
        if mark == '"':
            if straight is not None:
                pairs.append((straight, at))
                straight = None
            elif not (at and text[at - 1].isdigit()):  # no inches or seconds of arc
                straight = at
            continue
        start = _opening_of(mark, opened)
        if start is not None:
            pairs.append((start, at))
            for positions in opened.values():
                while positions and positions[-1] >= start:
                    positions.pop()
        elif mark in opened:
            opened[mark].append(at)
    return _outermost(pairs)


def _opening_of(mark: str, opened: dict[str, list[int]]) -> int | None:
    """Where the nearest open quotation begins that this mark closes."""
    starts = [positions[-1] for opening, positions in opened.items() if positions and mark in _PAIRS[opening]]
    return max(starts, default=None)


def _outermost(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    covered = -1
    for start, end in sorted(pairs, key=lambda pair: (pair[0], -pair[1])):
        if end > covered:
            found.append((start + 1, end))
            covered = end
    return found


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


def long_quotations(prose: str, source: str) -> list[tuple[int, int]]:
    """Ranges of quotations of four words or more. `prose` is the block, `source` the same with nothing masked."""
    return [(start, end) for start, end in quotations(prose) if len(words(source[start:end])) >= MIN_QUOTED_WORDS]


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

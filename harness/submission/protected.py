"""Stretches of a block that are not prose: code spans, formulas and raw HTML. Markers do not work inside them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

MASK = "￼"
"""Stands for one hidden character, so that masked text keeps its offsets; line ends stay."""


class ProtectedKind(StrEnum):
    """Why a stretch is not prose."""

    CODE = "code"
    MATHS = "maths"
    HTML = "html"


@dataclass(frozen=True, slots=True)
class Protected:
    """text[start:end] of the scanned text, delimiters included."""

    kind: ProtectedKind
    start: int
    end: int


def protected_spans(text: str) -> tuple[Protected, ...]:
    """Code spans (CommonMark's rule), `$..$` and `$$..$$` (Pandoc's rule for dollars), LaTeX brackets and HTML tags.

    `text` is the source of one block, or one cell of a table row.
    """
    found: list[Protected] = []
    at = 0
    while (match := _START.search(text, at)) is not None:
        span = _span_at(text, match.start())
        if span is not None:
            found.append(span)
            at = span.end
        else:
            at = match.end()
    return tuple(found)


def masked(text: str, spans: Iterable[Protected], *kinds: ProtectedKind) -> str:
    """The text with protected stretches hidden, only those of `kinds` where some are named."""
    for span in spans:
        if not kinds or span.kind in kinds:
            hidden = re.sub(r"[^\n]", MASK, text[span.start : span.end])
            text = text[: span.start] + hidden + text[span.end :]
    return text


_START = re.compile(r"(?:\\\[){2}|\\.|`+|\${1,2}|<", re.DOTALL)
_HTML = re.compile(
    r"<(?:!--.*?-->|/?[A-Za-z][A-Za-z0-9-]*(?:\s[^<>]*)?/?>|[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*>|\?.*?\?>|![A-Z][^>]*>)",
    re.DOTALL,
)
_INLINE_DOLLARS = re.compile(r"\$(?=\S)(?:\\.|[^$\\])*?(?<=\S)\$(?!\d)", re.DOTALL)
FORMULA_SIGNS = re.compile(r"[\\=^_+]")
"""What tells a formula between `\\[` and `\\]` from escaped brackets around words."""


def _span_at(text: str, at: int) -> Protected | None:
    match text[at]:
        case "`":
            return _code_span(text, at)
        case "$" if text.startswith("$$", at):
            return _delimited(text, at, "$$")
        case "$":
            return _matched(_INLINE_DOLLARS, ProtectedKind.MATHS, text, at)
        case "<":
            return _matched(_HTML, ProtectedKind.HTML, text, at)
        case _ if text.startswith("\\(", at):
            return _delimited(text, at, "\\)")
        case _ if text.startswith("\\[", at) and not text.startswith(("\\[[", "\\[\\["), at):
            span = _delimited(text, at, "\\]")
            # escaped brackets around plain words or numbers are no formula
            return span if span and FORMULA_SIGNS.search(text, at + 2, span.end - 2) else None
        case _:
            return None


def _delimited(text: str, at: int, closing: str) -> Protected | None:
    end = text.find(closing, at + 2)
    return None if end < 0 else Protected(ProtectedKind.MATHS, at, end + len(closing))


def _matched(pattern: re.Pattern[str], kind: ProtectedKind, text: str, at: int) -> Protected | None:
    match = pattern.match(text, at)
    return None if match is None else Protected(kind, at, match.end())


def _code_span(text: str, at: int) -> Protected | None:
    ticks = re.compile(r"`+").match(text, at)
    assert ticks is not None
    for closing in re.compile(r"`+").finditer(text, ticks.end()):
        if len(closing.group()) == len(ticks.group()):
            return Protected(ProtectedKind.CODE, at, closing.end())
    return None

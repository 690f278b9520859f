"""Bracketed numbers: which of them stand as citations, and which are intervals, arrays or indices."""

from __future__ import annotations

import re

_BRACKETED = re.compile(
    r"(?P<open>[\[［【]{1,2})\s*(?P<body>\d{1,3}(?:\s*[,;，、;–—-]\s*\d{1,3})*)\s*(?P<close>[\]］】]{1,2})"
)
_CONTEXT = 48
_INDEXED = re.compile(r"(?:(?<![^\W_])[^\W\d_]{1,2}|[A-Za-z]\w*[_\d]|\})\Z")
_OPERATOR_BEFORE = re.compile(r"(?:[=<>≤≥∈∉∪∩×·+*/^~≈]|\\in|:=)\s*\Z")
_OPERATOR_AFTER = re.compile(r"\s*(?:[=<>≤≥∈∪∩×·*/^~≈+]|\\(?:cup|cap|times))")
_KIND_WORD = re.compile(
    r"(?:interval|intervals|range|ranges|ranging|between|array|arrays|vector|vectors|list|lists|matrix|tuple|set|shape|size|"
    r"bounds|values|value|indices|index|coordinates?|scale|token|tokens|output|input|within|over|"
    r"intervall|bereich|vektor|liste|menge|区间|范围|数组|向量|列表|取值|值域|在)\s*(?:of|from|is|are|von)?\s*\Z",
    re.IGNORECASE,
)
_VALUE_IN = re.compile(
    r"(?:\b[^\W\d_]|\d|values?|lies?|lie|is|are|be|falls?|numbers?|integers?|uniform(?:ly)?|sampled|drawn|scores?|scaled?|clipped|normali[sz]ed)"
    r"\s+(?:in|to|into|from|on|im)\s*\Z",
    re.IGNORECASE,
)


def numeric_citations(prose: str) -> list[tuple[int, int]]:
    """Ranges of bracketed numbers that stand as citations in a text whose code and formulas are masked."""
    return [match.span() for match in _BRACKETED.finditer(prose) if _is_citation(prose, match)]


def _is_citation(prose: str, match: re.Match[str]) -> bool:
    numbers = [int(number) for number in re.findall(r"\d+", match["body"])]
    if 0 in numbers or numbers != sorted(set(numbers)):
        return False
    if len(match["open"]) != len(match["close"]):
        return False  # a row of a matrix
    before = prose[max(0, match.start() - _CONTEXT) : match.start()]
    after = prose[match.end() : match.end() + _CONTEXT]
    if len(match["open"]) == 1 and _INDEXED.search(before):
        return False
    if _OPERATOR_BEFORE.search(before) or _OPERATOR_AFTER.match(after) or _KIND_WORD.search(before):
        return False
    return not (len(numbers) == 2 and _VALUE_IN.search(before))

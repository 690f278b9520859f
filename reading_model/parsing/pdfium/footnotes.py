"""Footnotes: small type at the foot of a column, with a mark or under a short rule."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reading_model.parsing.pdfium.graphics import Rule
from reading_model.parsing.pdfium.lines import TextLine

SMALL = 0.94  # of the body size
MAX_APART = 8  # lines without a mark
_MARK = re.compile(r"^(?:[*∗†‡§¶#✉⋆]+|\d{1,2}(?=[^\d.,]|$)|[a-z](?=\s))")


def footnote_start(lines: Sequence[TextLine], rules: Sequence[Rule], body_size: float, page_height: float) -> int:
    """Where the footnotes of a column (lines from top to bottom) begin; its length where it has none."""
    start = len(lines)
    while start and lines[start - 1].size < SMALL * body_size and lines[start - 1].top > 0.45 * page_height:
        start -= 1
    if 0 < start < len(lines) and _stands_apart(lines, start, body_size):
        return start
    for index in range(start, len(lines)):
        line = lines[index]
        over = lines[index - 1].bottom if index else 0.0
        if _is_marked(line) or any(_heads(rule, line, over) for rule in rules):
            return index
    return len(lines)


def _stands_apart(lines: Sequence[TextLine], start: int, body_size: float) -> bool:
    """A few lines of clearly smaller type, well below the text."""
    few = len(lines) - start <= MAX_APART
    small = all(line.size < 0.88 * body_size for line in lines[start:])
    return few and small and lines[start].top - lines[start - 1].bottom > body_size


def _is_marked(line: TextLine) -> bool:
    """A raised or symbolic mark at the start."""
    first = line.words[0]
    raised = first.size < 0.85 * line.size or first.base < line.base - 0.15 * line.size
    return (raised or not first.text[0].isalnum()) and _MARK.match(line.text) is not None


def _heads(rule: Rule, line: TextLine, over: float) -> bool:
    """Whether a short rule stands right above the line, at its left."""
    short = rule.width < 200 and abs(rule.x0 - line.x0) < 1.6 * line.size
    return short and -1 < line.top - rule.y < 1.2 * line.size and rule.y > over - 2


def footnotes_in(lines: Sequence[TextLine]) -> list[list[TextLine]]:
    """The lines of single footnotes."""
    notes: list[list[TextLine]] = []
    for line in lines:
        if notes and not _is_marked(line):
            notes[-1].append(line)
        else:
            notes.append([line])
    return notes

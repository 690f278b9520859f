"""Marks of notes: raised figures, letters and signs that send a reader to a note."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from reading_model.documents import BlockType
from reading_model.parsing.pdfium.lines import TextLine, spell_out
from reading_model.parsing.pdfium.words import Word

OPERATOR = "\u2217"
"""The asterisk operator, with which TeX prints the asterisk of a note."""
RAISED = 0.15  # em over the line
_SIGNS = re.compile(r"[\d,;*\u2217†‡§¶#‖]+$")
_RAISED_MARKS = re.compile(r"(?:\d{1,3}|[a-z]|[*†‡§¶#‖]+)(?:[,;]?(?:\d{1,3}|[a-z](?![a-z])|[*†‡§¶#‖]+))*[,;]?$")
_ONE_MARK = re.compile(r"\d{1,3}|[a-z]|([*†‡§¶#‖])\1*")
_FULL_SIZE = re.compile(r"(?<=[^\W\d_]{2})[†‡¶*]+$")
_AFTER_A_VALUE = re.compile(r"(?<=[^\W_])\u2217+\s*$")


def is_raised(word: Word, line: TextLine) -> bool:
    """Whether a word stands above the baseline of its line in smaller type."""
    return word.size < 0.85 * line.size and word.base < line.base - RAISED * line.size


def printed_text(line: TextLine, kind: BlockType) -> tuple[str, list[float], list[int]]:
    """As `spell_out`, with the asterisks of notes as `*`.

    An asterisk operator is one where it is raised among other signs of notes, and in a table also where it ends a cell
    behind a letter or digit. Between operands and in formulas it stays.
    """
    text, edges, starts = spell_out(line.words)
    if OPERATOR not in text or kind is BlockType.FORMULA:
        return text, edges, starts
    if kind is BlockType.TABLE:
        text = _AFTER_A_VALUE.sub(lambda match: match.group().replace(OPERATOR, "*"), text)
    for word, start in zip(line.words, starts, strict=True):
        if is_raised(word, line) and _SIGNS.match(word.text):
            end = start + len(word.text)
            text = text[:start] + text[start:end].replace(OPERATOR, "*") + text[end:]
    return text, edges, starts


def marks_in(line: TextLine, text: str, starts: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Where in a line's text the marks of notes may be: raised ones, and daggers and asterisks that end a word."""
    for word, start in zip(line.words, starts, strict=True):
        spelled = text[start : start + len(word.text)]
        if is_raised(word, line):
            if _RAISED_MARKS.match(spelled):
                for mark in _ONE_MARK.finditer(spelled):
                    yield start + mark.start(), start + mark.end()
            continue
        ending = _FULL_SIZE.search(spelled)
        if ending:
            for mark in _ONE_MARK.finditer(spelled, ending.start()):
                yield start + mark.start(), start + mark.end()

"""Passages: the units of search, runs of whole paragraphs of one section.

A passage has about 450 token estimates (non-space characters / 4), at least 120 and at most 800 where the section
allows it. Tables and figures end a passage, but parsers put them where they stand on the page: one that cuts a
sentence, or leaves less than the minimum before it, does not. Notes at the foot of the page end their passage.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from reading_model.composition import PARAGRAPH_BREAK, Piece, whole
from reading_model.cutting import Cutter
from reading_model.documents import BlockType
from reading_model.models import Element
from reading_model.sections import FURNITURE
from reading_model.text import line_separator

TARGET = 450
LEAST = 120
MOST = 800

FLOATS = frozenset({BlockType.TABLE, BlockType.FIGURE, BlockType.CHART})
"""What has a location of its own and stands where the page has room for it."""

_ENDED = re.compile(r"[.!?:;…。！？：；؟۔।][\"'”’»)\]}」』）】]*$")
_OPENS_NOTHING = frozenset(")],;0123456789")
_OPENING = "([{\"'“‘«„"


@dataclass(frozen=True, slots=True)
class _Unit:
    """Pieces that stay together: a paragraph, or one that a float or a page cuts in two."""

    pieces: tuple[Piece, ...]
    tokens: int
    after_float: bool
    is_note: bool


def token_estimate(text: str) -> int:
    """Non-space characters / 4, rounded up."""
    return math.ceil(len("".join(text.split())) / 4)


def plan_passages(elements: Iterable[Element], floats: frozenset[int]) -> list[tuple[Piece, ...]]:
    """The passages of one section, in reading order, each as the pieces of its text.

    `elements` are the section's without its heading; `floats` are the ordinals that belong to a table or figure
    location (captions and notes among them) and so to no passage.
    """
    groups: list[list[_Unit]] = []
    size = 0
    for unit in _glued(_units(elements, floats)):
        if not groups or _starts_new(unit, size):
            groups.append([])
            size = 0
        groups[-1].append(unit)
        size += unit.tokens
    _merge_rest(groups)
    return [_ordered(group) for group in groups]


def _starts_new(unit: _Unit, size: int) -> bool:
    if size + unit.tokens > MOST:
        return True
    if size < LEAST or unit.is_note:
        return False
    # with this unit the passage would be further from the target than without it
    return unit.after_float or size + unit.tokens - TARGET > TARGET - size


def _merge_rest(groups: list[list[_Unit]]) -> None:
    if len(groups) < 2 or groups[-1][0].after_float:
        return
    rest = sum(unit.tokens for unit in groups[-1])
    before = sum(unit.tokens for unit in groups[-2])
    if rest < LEAST and before + rest <= MOST:
        groups[-2].extend(groups.pop())


def _ordered(group: Sequence[_Unit]) -> tuple[Piece, ...]:
    text = [piece for unit in group if not unit.is_note for piece in unit.pieces]
    return (*text, *(piece for unit in group if unit.is_note for piece in unit.pieces))


def _units(elements: Iterable[Element], floats: frozenset[int]) -> Iterator[_Unit]:
    after_float = False
    for element in elements:
        if element.ordinal in floats:
            after_float = True
            continue
        if element.type in FURNITURE or not element.text.strip():
            continue
        is_note = element.type is BlockType.FOOTNOTE
        for piece in _pieces(element):
            yield _Unit((piece,), token_estimate(piece.text), after_float and not is_note, is_note)
            after_float = after_float and is_note


def _pieces(element: Element) -> list[Piece]:
    piece = whole(element)
    if token_estimate(piece.text) <= MOST:
        return [piece]
    # as long as the target allows at four characters a token; blanks only make a piece smaller
    cuts = Cutter(element.text).pieces(piece.start, piece.end, TARGET * 4)
    return [
        Piece(element, start, end, PARAGRAPH_BREAK if index == 0 else _between(element.text, cuts[index - 1][1], start))
        for index, (start, end) in enumerate(cuts)
    ]


def _between(text: str, end: int, start: int) -> str:
    return text[end:start] or ""


def _glued(units: Iterable[_Unit]) -> Iterator[_Unit]:
    """Join a paragraph to the one that goes on with its sentence; notes between them come after both."""
    held: _Unit | None = None
    notes: list[_Unit] = []
    for unit in units:
        if unit.is_note:
            notes.append(unit)
        elif held is not None and _continues(held, unit):
            joiner = line_separator(held.pieces[-1].text, unit.pieces[0].text)
            pieces = (*held.pieces, replace(unit.pieces[0], joiner=joiner), *unit.pieces[1:])
            held = replace(held, pieces=pieces, tokens=held.tokens + unit.tokens)
        else:
            if held is not None:
                yield held
            yield from notes
            notes = []
            held = unit
    if held is not None:
        yield held
    yield from notes


def _continues(before: _Unit, after: _Unit) -> bool:
    one, other = before.pieces[-1], after.pieces[0]
    if one.element is other.element or before.tokens + after.tokens > MOST:
        return False
    if one.element.type is not BlockType.PARAGRAPH or other.element.type is not BlockType.PARAGRAPH:
        return False
    return sentence_goes_on(one.text, other.text)


def sentence_goes_on(before: str, after: str) -> bool:
    """Whether a paragraph ends within a sentence that the next one goes on with."""
    return _ENDED.search(before) is None and (before.endswith(",") or _goes_on(after.lstrip(_OPENING)[:1]))


def _goes_on(first: str) -> bool:
    """Whether a text that begins so goes on with a sentence: small letters, and those of scripts without case."""
    return first in _OPENS_NOTHING or (first.isalpha() and not first.isupper() and not first.istitle())

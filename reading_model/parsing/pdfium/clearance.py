"""Rectangles that hold a line's own ink and no other: what a viewer marks on the page are these words alone.

pdfium gives for a rectangle all characters whose ink it touches, so a descender of the line above, a large operator
or a neighbour's exponent that reaches into a line's height would be read with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from reading_model.parsing.pdfium.frame import Frame
from reading_model.parsing.pdfium.lines import TextLine
from reading_model.parsing.pdfium.words import SLACK, Clearance, Letter, Word

ASCENT = 0.8  # em of a line's rectangle over its baseline
DESCENT = 0.25
MIDDLE = 0.27  # em over the baseline: half the height of a small letter

Ink = NDArray[np.float64]


def mark_clearance(ink: Ink, frame: Frame, lines: Sequence[TextLine]) -> None:
    """Set the clearance of the words of lines whose rectangle touches other ink, or misses some of their own.

    `ink` holds x0, y0, x1, y1 of each character of the page; rows without extent (blanks) count for nothing.
    """
    if not len(ink) or not lines:
        return
    x0, y0, x1, y1 = frame.box(ink[:, 0], ink[:, 1], ink[:, 2], ink[:, 3])  # pyright: ignore[reportArgumentType] - it is arithmetic alone
    boxes: Ink = np.column_stack((x0, y0, x1, y1))
    painted = (boxes[:, 2] > boxes[:, 0]) & (boxes[:, 3] > boxes[:, 1])
    owner = np.full(len(boxes), -1)
    for number, line in enumerate(lines):
        for word in line.words:
            word.printed = number
            for source in word.sources:
                owner[source.start : source.stop] = number
    order = np.flatnonzero(painted)
    order = order[np.argsort(boxes[order, 1])]
    tops = boxes[order, 1]
    tallest = float(np.max(boxes[order, 3] - tops, initial=0.0))
    for number, line in enumerate(lines):
        upper, lower = line.base - ASCENT * line.size, line.base + DESCENT * line.size
        first, last = np.searchsorted(tops, (upper - tallest, lower))
        near = order[first:last]
        foreign = near[owner[near] != number]
        held = boxes[foreign]
        touching = held[(held[:, 3] > upper) & (held[:, 0] < line.x1) & (held[:, 2] > line.x0)]
        if len(touching) or _leaves(line, boxes, painted, upper, lower):
            _mark(line, boxes, painted, touching)


def _own(word: Word, boxes: Ink, painted: NDArray[np.bool_]) -> Ink:
    return np.concatenate([boxes[s.start : s.stop][painted[s.start : s.stop]] for s in word.sources])


def _leaves(line: TextLine, boxes: Ink, painted: NDArray[np.bool_], upper: float, lower: float) -> bool:
    """Whether ink of the line lies wholly over or under its rectangle."""
    if all(word.base == line.base for word in line.words):
        return False
    own = np.concatenate([_own(word, boxes, painted) for word in line.words])
    return bool(np.any(own[:, 3] <= upper) or np.any(own[:, 1] >= lower))


def _mark(line: TextLine, boxes: Ink, painted: NDArray[np.bool_], foreign: Ink) -> None:
    middle = line.base - MIDDLE * line.size
    for index, word in enumerate(line.words):
        own = _own(word, boxes, painted)
        word.clearance = _between(foreign, (word.x0, word.x1), own, middle)
        if not word.clearance.is_free:
            word.letters = [_letter(foreign, own, min(pair), max(pair), middle) for pair in pairwise(word.edges)]
        after = line.words[index + 1] if index + 1 < len(line.words) else word
        start, end = min(word.x1, after.x1), max(word.x0, after.x0)
        if start < end:
            word.gap_clearance = _between(foreign, (start, end), own[:0], middle)


def _letter(foreign: Ink, own: Ink, x0: float, x1: float, middle: float) -> Letter:
    """A letter; ink that overlaps its height is left at a side where it overlaps its width in part only."""
    middles = (own[:, 0] + own[:, 2]) / 2
    own = own[(middles >= x0) & (middles <= x1)]
    clearance = _between(foreign, (x0, x1), own, middle)
    if clearance.is_free or not len(own):
        return Letter(x0, x1, clearance)
    for left, _, right, _ in foreign[(foreign[:, 0] < x1) & (foreign[:, 2] > x0)].tolist():
        if right + 2 * SLACK < clearance.right and left < clearance.left:
            x0 = max(x0, right + SLACK)
        elif left - 2 * SLACK > clearance.left and right > clearance.right:
            x1 = min(x1, left - SLACK)
    return Letter(x0, x1, _between(foreign, (x0, x1), own, middle)) if x0 < x1 else Letter(x0, x0, clearance)


def _between(foreign: Ink, reach: tuple[float, float], own: Ink, middle: float) -> Clearance:
    """The free height over a stretch: each piece of other ink is left above or below, whichever its own ink allows."""
    top = float(np.max(own[:, 1], initial=-np.inf))
    bottom = float(np.min(own[:, 3], initial=np.inf))
    above, below = -np.inf, np.inf
    for _, y0, _, y1 in foreign[(foreign[:, 0] < reach[1]) & (foreign[:, 2] > reach[0])].tolist():
        over, under = y1 < bottom, y0 > top
        if over and under:
            over = y0 + y1 < 2 * middle
        if over:
            above = max(above, y1)
        elif under:
            below = min(below, y0)
        else:
            above, below = np.inf, -np.inf
    left, right = float(np.min(own[:, 0], initial=np.inf)), float(np.max(own[:, 2], initial=-np.inf))
    return Clearance(top, bottom, float(above), float(below), left, right)


@dataclass(frozen=True, slots=True)
class Stretch:
    """text[start:end] of a line, which one rectangle from `upper` to `lower` holds (points of the frame)."""

    start: int
    end: int
    x0: float
    x1: float
    upper: float
    lower: float


@dataclass(slots=True)
class _Unit:
    """A word, or a letter of one that is not clear as a whole; `gap` is of the space before it."""

    start: int
    end: int
    x0: float
    x1: float
    clearance: Clearance | None
    gap: Clearance | None


def stretches(line: TextLine, starts: Sequence[int], length: int) -> list[Stretch]:
    """The stretches of a line, whose words begin at `starts` in its text of `length` characters.

    A line that nothing reaches into is one stretch with the rectangle of its font size.
    """
    upper, lower = line.base - ASCENT * line.size, line.base + DESCENT * line.size
    if all(word.clearance is None for word in line.words):
        return [Stretch(0, length, line.x0, line.x1, upper, lower)]
    units = _units(line, starts, length)
    cuts: list[tuple[int, Clearance | None]] = []
    first = 0
    held = units[0].clearance
    for index, unit in enumerate(units[1:], start=1):
        joined = _joined(_joined(held, unit.gap), unit.clearance)
        if joined is not None and index > first and not joined.is_free:
            cuts.append((index, held))
            first, joined = index, unit.clearance
        held = joined
    cuts.append((len(units), held))
    found: list[Stretch] = []
    first = 0
    for end, holds in cuts:
        if end < len(units):
            _part(units[end - 1], units[end])
        found.append(Stretch(*_extent(units[first:end]), *_height(holds, upper, lower)))
        first = end
    return found


def _units(line: TextLine, starts: Sequence[int], length: int) -> list[_Unit]:
    units: list[_Unit] = []
    gap: Clearance | None = None
    for word, start in zip(line.words, starts, strict=True):
        if word.letters:
            for index, letter in enumerate(word.letters):
                before = None if index else gap
                place = start + index
                units.append(_Unit(place, place + 1, letter.x0, letter.x1, letter.clearance, before))
        else:
            units.append(_Unit(start, start + len(word.text), word.x0, word.x1, word.clearance, gap))
        gap = word.gap_clearance
    # a hyphen that only broke a word is no longer in the text
    units = [unit for unit in units if unit.start < length]
    units[-1].end = length
    return units


def _part(left: _Unit, right: _Unit) -> None:
    """Let the ends on both sides of a cut touch no ink of the other side, as far as they touch their own."""
    if left.clearance is None or right.clearance is None or left.x0 > right.x0:
        return
    left.x1 = min(left.x1, max(right.clearance.left - SLACK, left.clearance.left + 2 * SLACK))
    right.x0 = max(right.x0, min(left.clearance.right + SLACK, right.clearance.right - 2 * SLACK))


def _extent(units: Sequence[_Unit]) -> tuple[int, int, float, float]:
    return units[0].start, units[-1].end, min(unit.x0 for unit in units), max(unit.x1 for unit in units)


def _joined(one: Clearance | None, other: Clearance | None) -> Clearance | None:
    if one is None or other is None:
        return one or other
    return one.joined(other)


def _height(held: Clearance | None, upper: float, lower: float) -> tuple[float, float]:
    if held is None:
        return upper, lower
    if not held.is_free:
        # other ink lies over the word: its own is touched in any case
        return min(upper, held.bottom - SLACK), max(lower, held.top + SLACK)
    start = max(held.above + SLACK, min(upper, held.bottom - 2 * SLACK))
    end = min(held.below - SLACK, max(lower, held.top + 2 * SLACK))
    if start + SLACK > end:
        # scripts that stand wholly over or under the line's own height
        start, end = max(held.above + SLACK, min(start, held.top)), min(held.below - SLACK, max(end, held.bottom))
    return start, end

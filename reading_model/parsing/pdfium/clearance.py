"""Rectangles that hold a line's own ink and no other: what a viewer marks on the page are these words alone.

pdfium gives for a rectangle all characters whose ink it touches, so a descender of the line above, a large operator
or a neighbour's exponent that reaches into a line's height would be read with it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from reading_model.parsing.pdfium.frame import Frame
from reading_model.parsing.pdfium.lines import TextLine
from reading_model.parsing.pdfium.page_content import RawPage
from reading_model.parsing.pdfium.pieces import is_blank
from reading_model.parsing.pdfium.words import SLACK, Clearance, Letter, Word

ASCENT = 0.8  # em of a line's rectangle over its baseline
DESCENT = 0.25
MIDDLE = 0.27  # em over the baseline: half the height of a small letter

Ink = NDArray[np.float64]
_Box = tuple[float, float, float, float]


def mark_clearance(page: RawPage, frame: Frame, lines: Sequence[TextLine]) -> None:
    """Set the clearance of the words of lines whose rectangle touches other ink, or misses some of their own.

    Blanks count for nothing, although pdfium gives those of fonts that are not embedded the box of their font.
    """
    if not len(page.ink) or not lines:
        return
    boxes: Ink = np.column_stack(frame.columns(page.ink))
    painted = (boxes[:, 2] > boxes[:, 0]) & (boxes[:, 3] > boxes[:, 1]) & ~is_blank(page.codes)
    owner = _owners(lines, len(boxes))
    reach = np.array(
        [(line.x0, line.base - ASCENT * line.size, line.x1, line.base + DESCENT * line.size) for line in lines]
    )
    order = np.flatnonzero(painted)
    order = order[np.argsort(boxes[order, 1])]
    touching = _touching(boxes, order, owner, reach)
    leaving = _leaving(boxes[order], owner[order], reach)
    for number, line in enumerate(lines):
        foreign = touching.get(number)
        if foreign is None and (number not in leaving or all(word.base == line.base for word in line.words)):
            continue
        _mark(line, boxes, painted, [] if foreign is None else _rows(boxes[foreign]))


def _owners(lines: Sequence[TextLine], count: int) -> NDArray[np.int64]:
    """The number of the line that holds each character, -1 where none does; words learn the number of theirs."""
    owner = np.full(count, -1)
    for number, line in enumerate(lines):
        for word in line.words:
            word.printed = number
            for source in (word.source, *word.accents):
                owner[source.start : source.stop] = number
    return owner


def _touching(
    boxes: Ink, order: NDArray[np.int64], owner: NDArray[np.int64], reach: Ink
) -> dict[int, NDArray[np.int64]]:
    """For each line that ink of others touches, its characters; `order` holds the painted ones from top to bottom."""
    tops = boxes[order, 1]
    tallest = float(np.max(boxes[order, 3] - tops, initial=0.0))
    first, last = np.searchsorted(tops, reach[:, 1] - tallest), np.searchsorted(tops, reach[:, 3])
    counts = np.maximum(last - first, 0)
    line = np.repeat(np.arange(len(reach)), counts)
    before = np.cumsum(counts) - counts
    near = order[np.arange(len(line)) + np.repeat(first - before, counts)]
    held, wanted = boxes[near], reach[line]
    touches = (owner[near] != line) & (held[:, 3] > wanted[:, 1])
    touches &= (held[:, 0] < wanted[:, 2]) & (held[:, 2] > wanted[:, 0])
    line, near = line[touches], near[touches]
    numbers, starts = np.unique(line, return_index=True)
    return dict(zip(numbers.tolist(), np.split(near, starts[1:]), strict=True)) if len(numbers) else {}


def _leaving(boxes: Ink, owner: NDArray[np.int64], reach: Ink) -> frozenset[int]:
    """Lines some of whose ink lies wholly over or under their rectangle."""
    own = owner >= 0
    wanted = reach[owner[own]]
    outside = (boxes[own, 3] <= wanted[:, 1]) | (boxes[own, 1] >= wanted[:, 3])
    return frozenset(owner[own][outside].tolist())


def _rows(boxes: Ink) -> list[_Box]:
    return list(map(tuple, boxes.tolist()))


def _own(word: Word, boxes: Ink, painted: NDArray[np.bool_]) -> list[_Box]:
    own: list[_Box] = []
    for source in (word.source, *word.accents):
        stretch = slice(source.start, source.stop)
        own.extend(_rows(boxes[stretch][painted[stretch]]))
    return own


def _mark(line: TextLine, boxes: Ink, painted: NDArray[np.bool_], foreign: Sequence[_Box]) -> None:
    middle = line.base - MIDDLE * line.size
    for index, word in enumerate(line.words):
        own = _own(word, boxes, painted)
        word.clearance = _between(foreign, (word.x0, word.x1), own, middle)
        if not word.clearance.is_free:
            word.letters = [_letter(foreign, own, min(pair), max(pair), middle) for pair in pairwise(word.edges)]
        after = line.words[index + 1] if index + 1 < len(line.words) else word
        start, end = min(word.x1, after.x1), max(word.x0, after.x0)
        if start < end:
            word.gap_clearance = _between(foreign, (start, end), (), middle)


def _letter(foreign: Sequence[_Box], own: Sequence[_Box], x0: float, x1: float, middle: float) -> Letter:
    """A letter; ink that overlaps its height is left at a side where it overlaps its width in part only."""
    own = [box for box in own if x0 <= (box[0] + box[2]) / 2 <= x1]
    clearance = _between(foreign, (x0, x1), own, middle)
    if clearance.is_free or not own:
        return Letter(x0, x1, clearance)
    for left, _, right, _ in [box for box in foreign if box[0] < x1 and box[2] > x0]:
        if right + 2 * SLACK < clearance.right and left < clearance.left:
            x0 = max(x0, right + SLACK)
        elif left - 2 * SLACK > clearance.left and right > clearance.right:
            x1 = min(x1, left - SLACK)
    return Letter(x0, x1, _between(foreign, (x0, x1), own, middle)) if x0 < x1 else Letter(x0, x0, clearance)


def _between(foreign: Sequence[_Box], reach: tuple[float, float], own: Sequence[_Box], middle: float) -> Clearance:
    """The free height over a stretch: each piece of other ink is left above or below, whichever its own ink allows."""
    top = max([box[1] for box in own], default=-math.inf)
    bottom = min([box[3] for box in own], default=math.inf)
    above, below = -math.inf, math.inf
    for x0, y0, x1, y1 in foreign:
        if x0 >= reach[1] or x1 <= reach[0]:
            continue
        over, under = y1 < bottom, y0 > top
        if over and under:
            over = y0 + y1 < 2 * middle
        if over:
            above = max(above, y1)
        elif under:
            below = min(below, y0)
        else:
            above, below = math.inf, -math.inf
    left = min([box[0] for box in own], default=math.inf)
    right = max([box[2] for box in own], default=-math.inf)
    return Clearance(top, bottom, above, below, left, right)


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

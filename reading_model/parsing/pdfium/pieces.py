"""Where words begin and end among a page's characters: stretches that touch, on one baseline."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reading_model.parsing.pdfium.frame import Frame
from reading_model.parsing.pdfium.page_content import Font, RawPage

WORD_GAP = 0.17  # em between characters that makes two words; TeX stretches spaces down to about 0.2
SPACED_GAP = 0.05  # em where pdfium has put a space of its own making: tight lines, but not an accent's offset
BACK = 0.6  # em by which a character may be set back over the one before it
HYPHEN_MARKS = frozenset({0x02, 0xFFFE})  # pdfium's mark for a hyphen at the end of a line
BLANKS = frozenset({0x09, 0x0A, 0x0D, 0x20, 0xA0, 0x3000, 0x202F, 0x205F, *range(0x2000, 0x200B)})
ACCENTS = {
    "`": "\u0300", "´": "\u0301", "ˆ": "\u0302", "˜": "\u0303", "¯": "\u0304", "˘": "\u0306", "˙": "\u0307",
    "¨": "\u0308", "˚": "\u030a", "˝": "\u030b", "ˇ": "\u030c", "¸": "\u0327", "˛": "\u0328",
}  # fmt: skip
NEGATION = "\u0338"
MAPS_TO = "↦"  # TeX sets it as a bar and an arrow
_SYMBOL_FONT = re.compile(r"CMSY\d")
_SYMBOLS = {0x27: ord("≃"), 0x36: ord(NEGATION), 0x37: ord(MAPS_TO)}
"""Signs of TeX's symbol font (cmsy) whose glyph names pdfium does not know, so that it gives their codes."""
_STROKE = 0x36

_HYPHENS = np.array(sorted(HYPHEN_MARKS))
_IS_BLANK = np.zeros(max(BLANKS) + 2, np.bool_)
_IS_BLANK[sorted(BLANKS)] = True
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class Piece(NamedTuple):
    """Characters without a gap: their text, their extents along the line, the first one's run and their indices.

    `edges` holds where each character starts and where the last one ends. `ascending`: they only go up.
    """

    text: str
    edges: array[float]
    ends: array[float]
    run: int
    source: range
    ascending: bool


@dataclass(frozen=True, slots=True)
class _Characters:
    """The printed characters of a page that belong to the wanted runs, as parallel arrays.

    `x0` and `x1` run along the frame. `parted`: a blank with an extent, or a character of another run that is left
    out, lies before it; `spaced`: one without extent.
    """

    index: Ints
    code: Ints
    run: Ints
    x0: Floats
    x1: Floats
    parted: Bools
    spaced: Bools

    def near(self, at: slice, size: float | Floats) -> Bools:
        """Whether the characters touch those before them, in type of `size`."""
        before = slice(at.start - 1, at.stop - 1)
        x0, x1, left, right = self.x0[at], self.x1[at], self.x0[before], self.x1[before]
        allowed = np.where(self.spaced[at], SPACED_GAP, WORD_GAP) * size
        ahead, behind = x0 - right, left - x1
        back = -BACK * size
        near = ((back < ahead) & (ahead < allowed)) | ((back < behind) & (behind < allowed))
        return near | ((x0 == left) & (x1 == right))

    def is_near(self, at: int, size: float) -> bool:
        """The same for one character."""
        x0, x1, left, right = self.x0.item(at), self.x1.item(at), self.x0.item(at - 1), self.x1.item(at - 1)
        allowed = (SPACED_GAP if self.spaced.item(at) else WORD_GAP) * size
        near = -BACK * size < x0 - right < allowed or -BACK * size < left - x1 < allowed
        return near or (x0 == left and x1 == right)


def is_blank(codes: Ints) -> Bools:
    """Which code points are those of blanks."""
    return _IS_BLANK[np.minimum(codes, len(_IS_BLANK) - 1)]


def pieces_of(page: RawPage, frame: Frame, bases: Sequence[float], left_out: frozenset[int]) -> Iterator[Piece]:
    """The pieces of a page in stream order, without the runs that are left out; `bases` are the runs' baselines."""
    characters = _wanted(page, frame, left_out)
    if not len(characters.index):
        return
    text = _text(page, characters)
    # arrays, because these positions are the bulk of what is kept of a document until its blocks are made
    x0, x1 = array("d", characters.x0.tobytes()), array("d", characters.x1.tobytes())
    x0.append(0.0)
    runs, sources = characters.run.tolist(), characters.index.tolist()
    turns = np.concatenate(([0], np.cumsum(characters.x0[1:] <= characters.x0[:-1]))).tolist()
    starts = _Cutting(page, bases, characters, text).starts()
    for start, stop in zip(starts, [*starts[1:], len(x1)], strict=True):
        last = stop - 1
        ascending = turns[start] == turns[last] and x0[last] < x1[last]
        source = range(sources[start], sources[last] + 1)
        edges = x0[start : stop + 1]
        edges[-1] = x1[last]
        yield Piece(text[start:stop], edges, x1[start:stop], runs[start], source, ascending)


def _wanted(page: RawPage, frame: Frame, left_out: frozenset[int]) -> _Characters:
    kept_runs = np.ones(len(page.runs) + 1, np.bool_)
    kept_runs[[*left_out, -1]] = False  # NO_RUN is the last one
    kept = kept_runs[page.run_of] & ~is_blank(page.codes)
    boxes = page.boxes
    extended = ~kept & ((boxes[:, 2] > boxes[:, 0]) | (boxes[:, 3] > boxes[:, 1]))
    index = np.flatnonzero(kept)
    extended_before = np.cumsum(extended)[index]
    x0, _, x1, _ = frame.columns(boxes[index])
    return _Characters(
        index,
        page.codes[index],
        page.run_of[index],
        x0,
        x1,
        np.diff(extended_before, prepend=0) > 0,
        np.diff(index, prepend=-1) > 1,
    )


def _text(page: RawPage, characters: _Characters) -> str:
    """The characters, one code point each."""
    codes = np.where(np.isin(characters.code, _HYPHENS), ord("-"), characters.code)
    symbols = _symbol_runs(page)
    if np.any(symbols):
        in_symbols = symbols[characters.run]
        for code, sign in _SYMBOLS.items():
            codes[in_symbols & (characters.code == code)] = sign
    return codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")


def _symbol_runs(page: RawPage) -> Bools:
    fonts: dict[Font, bool] = {}
    for run in page.runs:
        if run.font not in fonts:
            fonts[run.font] = _SYMBOL_FONT.match(run.font.name) is not None
    return np.array([fonts[run.font] for run in page.runs], np.bool_)


class _Cutting:
    """Finds where pieces start. A piece keeps the size and baseline of its first character's run.

    Within a run all gaps are judged at once; only where the run changes is one character looked at by itself, and where
    a run goes on in a piece of another size, the run is judged again by that size.
    """

    def __init__(self, page: RawPage, bases: Sequence[float], characters: _Characters, text: str) -> None:
        self._characters = characters
        self._text = text
        self._sizes = [run.size or 1.0 for run in page.runs]
        self._true_sizes = [run.size for run in page.runs]
        self._bases = bases
        self._runs: list[int] = characters.run.tolist()
        sizes = np.array(self._sizes)[characters.run]
        # a stroke is set before the sign that it strikes out, and belongs to nothing before it
        struck = _symbol_runs(page)[characters.run] & (characters.code == _STROKE)
        self._always = characters.parted | struck
        gaps = self._always.copy()
        gaps[1:] |= ~characters.near(slice(1, len(sizes)), sizes[1:])
        changes = np.zeros(len(gaps), np.bool_)
        changes[1:] = characters.run[1:] != characters.run[:-1]
        self._changes = np.flatnonzero(changes).tolist()
        self._gaps = np.flatnonzero(gaps & ~changes).tolist()

    def starts(self) -> list[int]:
        """The place of each piece's first character."""
        count = len(self._runs)
        gaps = iter([*self._gaps, count])
        gap = next(gaps)
        while gap == 0:
            gap = next(gaps)
        starts = [0]
        for change, end in zip([0, *self._changes], [*self._changes, count], strict=True):
            run = self._runs[change]
            first = self._runs[starts[-1]]
            if change and not self._goes_on(change, first, run):
                starts.append(change)
            elif self._sizes[first] != self._sizes[run]:
                judged = self._first_gap(change + 1, end, self._sizes[first])
                while gap < min(judged + 1, end):
                    gap = next(gaps)
                if judged < end:
                    starts.append(judged)
            while gap < end:
                starts.append(gap)
                gap = next(gaps)
        return starts

    def _goes_on(self, at: int, first: int, run: int) -> bool:
        """Whether a character of another run than the one before it goes on with the piece that `first` began."""
        size = self._sizes[first]
        if self._always[at]:
            return False
        is_accent = self._text[at] in ACCENTS or self._text[at - 1] in ACCENTS
        if abs(self._bases[run] - self._bases[first]) > (0.5 if is_accent else 0.1) * size:
            return False
        return 0.55 < self._true_sizes[run] / size < 1.8 and self._characters.is_near(at, size)

    def _first_gap(self, start: int, end: int, size: float) -> int:
        """The first character from `start` on that does not touch the one before it in type of `size`, or `end`."""
        if start >= end:
            return end
        gaps = self._always[start:end] | ~self._characters.near(slice(start, end), size)
        place = int(np.argmax(gaps))
        return start + place if gaps[place] else end

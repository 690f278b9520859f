"""From characters to words: runs of characters that touch, with an edge for each character."""

from __future__ import annotations

import unicodedata
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise

from reading_model.parsing.pdfium.frame import Frame, quarter
from reading_model.parsing.pdfium.page_content import Font, RawPage, Run
from reading_model.parsing.pdfium.pieces import ACCENTS, MAPS_TO, NEGATION, Piece, pieces_of
from reading_model.text import trace_edges

NOWHERE = range(0)
SLACK = 0.02  # points between a rectangle and the ink beside it: positions are kept to a hundredth


@dataclass(frozen=True, slots=True)
class Clearance:
    """What a rectangle over some words has to hold, and what it can leave out, as positions on the page.

    Their own ink goes from `left` to `right`. To touch it a rectangle begins above `bottom` and ends below `top`. Ink
    of other lines reaches down to `above` and up to `below`.
    """

    top: float
    bottom: float
    above: float
    below: float
    left: float
    right: float

    def joined(self, other: Clearance) -> Clearance:
        """What holds for both."""
        return Clearance(
            max(self.top, other.top),
            min(self.bottom, other.bottom),
            max(self.above, other.above),
            min(self.below, other.below),
            min(self.left, other.left),
            max(self.right, other.right),
        )

    @property
    def is_free(self) -> bool:
        """Whether a rectangle can touch all of the words and nothing else."""
        room = 4 * SLACK
        return self.above + room < min(self.bottom, self.below) and self.below - room > max(self.top, self.above)


@dataclass(frozen=True, slots=True)
class Letter:
    """One letter of a word that cannot be kept clear as a whole: how far its rectangle may reach to both sides."""

    x0: float
    x1: float
    clearance: Clearance


@dataclass(slots=True, eq=False)
class Word:
    """Characters that touch, on one baseline. `edges[i]` and `edges[i + 1]` enclose character i (descending for RTL).

    Coordinates are of the page's frame; `size` in points, `run` is the index of the first character's text run,
    `source` and `accents` are the page's characters that it came from, `printed` its line's number on the page.
    `clearance` and `gap_clearance` (for the space after it) are set where ink of other lines reaches into its line, or
    its own out of it; `letters` where no rectangle keeps the whole word clear.
    """

    text: str
    edges: Sequence[float]
    x0: float
    x1: float
    base: float
    size: float
    font: Font
    run: int
    rtl: bool = False
    source: range = NOWHERE
    accents: tuple[range, ...] = ()
    printed: int = -1
    clearance: Clearance | None = None
    gap_clearance: Clearance | None = None
    letters: Sequence[Letter] = ()

    def forget_source(self) -> None:
        """Let go of what is not needed once the page's lines are made."""
        self.source, self.accents = NOWHERE, ()

    @property
    def top(self) -> float:
        """The height of a capital, from baseline and size: ink would differ from letter to letter."""
        return self.base - 0.75 * self.size

    @property
    def bottom(self) -> float:
        """Where a descender ends."""
        return self.base + 0.22 * self.size


def words_of(page: RawPage, frame: Frame, skipped_runs: frozenset[int]) -> list[Word]:
    """The words that run along the frame, in stream order."""
    turns = {angle: quarter(angle) for angle in {run.angle for run in page.runs}}
    others = {index for index, run in enumerate(page.runs) if turns[run.angle] != frame.angle}
    bases = frame.baselines(page.runs)
    pieces = pieces_of(page, frame, bases, skipped_runs | others)
    found = [_word(page.runs[piece.run], piece, bases[piece.run]) for piece in pieces]
    words = [word for word in found if word is not None]
    return _with_accents(words)


def _with_accents(words: list[Word]) -> list[Word]:
    """Accents that the stream holds apart from their letters are put on the letters that they stand over."""
    accents = [word for word in words if word.text in ACCENTS or word.text == NEGATION]
    if not accents:
        return words
    placed: set[int] = set()
    for accent in accents:
        host = next((word for word in words if word is not accent and _put(accent, word)), None)
        if host is not None:
            host.accents = (*host.accents, accent.source, *accent.accents)
            placed.add(id(accent))
    return [word for word in words if id(word) not in placed]


def _put(accent: Word, word: Word) -> bool:
    """Put the accent on the letter of the word that it stands over; False where there is none."""
    if abs(accent.base - word.base) > 0.4 * word.size or accent.x1 < word.x0 or accent.x0 > word.x1 or word.rtl:
        return False
    mark = (accent.text, accent.x0, accent.x1)
    for index, letter in enumerate(word.text):
        fits = not letter.isalnum() if accent.text == NEGATION else letter.isalpha()
        if fits and _overlap(mark, (letter, word.edges[index], word.edges[index + 1])) > 0.5:
            composed = unicodedata.normalize("NFC", _dotted(letter) + ACCENTS.get(accent.text, accent.text))
            if len(composed) == 1:
                word.text = word.text[:index] + composed + word.text[index + 1 :]
                return True
    return False


def _dotted(letter: str) -> str:
    """Accents stand on dotless letters in print and on dotted ones in Unicode."""
    return {"ı": "i", "ȷ": "j"}.get(letter, letter)


def other_angles(page: RawPage, frame: Frame) -> list[int]:
    """Directions other than the frame's in which text runs on the page; slanted text is left out."""
    return sorted(set(map(quarter, {run.angle for run in page.runs})) - {frame.angle, -1})


_Character = tuple[str, float, float]


def _word(run: Run, piece: Piece, base: float) -> Word | None:
    text = piece.text
    if piece.ascending and text.isascii() and text.isprintable():
        edges = piece.edges
        return Word(text, edges, edges[0], edges[-1], base, run.size, run.font, piece.run, source=piece.source)
    characters = list(zip(text, piece.edges, piece.ends, strict=False))
    if not text.isascii():
        characters = _compose_accents(characters)
        text = "".join(character for character, _, _ in characters)
    rtl = not text.isascii() and is_rtl(text)
    if rtl:
        characters = _unfold_ligatures(characters)
        text = "".join(character for character, _, _ in characters)
    edges = _edges(characters, rtl=rtl)
    text, edges = trace_edges(text, edges)
    if not text or text.isspace():
        return None
    x0, x1 = min(edges[0], edges[-1]), max(edges[0], edges[-1])
    return Word(text, array("d", edges), x0, x1, base, run.size, run.font, piece.run, rtl, piece.source)


def _edges(characters: list[_Character], *, rtl: bool) -> list[float]:
    """One edge before each character and one after the last; characters that share a box share its width."""
    if not rtl:
        edges = [character[1] for character in characters]
        edges.append(characters[-1][2])
        if all(left < right for left, right in pairwise(edges)):
            return edges
    shared: list[float] = []
    index, count = 0, len(characters)
    while index < count:
        _, x0, x1 = characters[index]
        share = 1
        while index + share < count and characters[index + share][1:] == (x0, x1):
            share += 1
        start, width = (x1, x0 - x1) if rtl else (x0, x1 - x0)
        shared.extend(start + width * step / share for step in range(share))
        index += share
    shared.append(characters[-1][1] if rtl else characters[-1][2])
    return _monotonic(shared, rtl=rtl)


def _monotonic(edges: list[float], *, rtl: bool) -> list[float]:
    """Kerning may set a letter back over the one before it; edges never turn round."""
    for index in range(1, len(edges)):
        before, here = edges[index - 1], edges[index]
        if (here > before) if rtl else (here < before):
            edges[index] = before
    return edges


def _unfold_ligatures(characters: list[_Character]) -> list[_Character]:
    """pdfium turns the letters of a right-to-left ligature round with the line; letters that share a box turn back."""
    out: list[_Character] = []
    for _, group in groupby(characters, key=lambda character: character[1:]):
        out.extend(reversed(list(group)))
    return out


def _compose_accents(characters: list[_Character]) -> list[_Character]:
    """Accents that TeX sets as glyphs of their own over a letter, before or after it, become combining marks."""
    out: list[_Character] = []
    index = 0
    while index < len(characters):
        here = characters[index]
        if here[0] == MAPS_TO and index + 1 < len(characters) and characters[index + 1][0] == "→":
            out.append((MAPS_TO, here[1], characters[index + 1][2]))
            index += 2
            continue
        mark = ACCENTS.get(here[0])
        after = characters[index + 1] if mark and index + 1 < len(characters) else None
        if mark and after and after[0].isalpha() and _overlap(here, after) > 0.5:
            out.extend([(_dotted(after[0]), after[1], after[2]), (mark, after[1], after[2])])
            index += 2
            continue
        if mark and out and out[-1][0].isalpha() and _overlap(here, out[-1]) > 0.5:
            out.append((mark, out[-1][1], out[-1][2]))
        else:
            out.append(here)
        index += 1
    return out


def _overlap(one: _Character, other: _Character) -> float:
    """The overlap as a share of the narrower of the two."""
    narrower = min(one[2] - one[1], other[2] - other[1])
    return (min(one[2], other[2]) - max(one[1], other[1])) / narrower if narrower > 0 else 0.0


def is_rtl(text: str) -> bool:
    """Whether the first strongly directed character runs right to left."""
    for character in text:
        direction = _direction(character)
        if direction:
            return direction < 0
    return False


@lru_cache(maxsize=4096)
def _direction(character: str) -> int:
    kind = unicodedata.bidirectional(character)
    return -1 if kind in ("R", "AL") else 1 if kind == "L" else 0

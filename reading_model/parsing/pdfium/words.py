"""From characters to words: runs of characters that touch, with an edge for each character."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby, pairwise

from reading_model.parsing.pdfium.frame import Frame, quarter
from reading_model.parsing.pdfium.raw import Font, RawPage, Run
from reading_model.text import trace_edges

WORD_GAP = 0.17  # em between characters that makes two words; TeX stretches spaces down to about 0.2
SLACK = 0.02  # points between a rectangle and the ink beside it: positions are kept to a hundredth
SPACED_GAP = 0.05  # em where pdfium has put a space of its own making: tight lines, but not an accent's offset
HYPHEN_MARKS = frozenset({0x02, 0xFFFE})  # pdfium's mark for a hyphen at the end of a line
_SPACES = frozenset({0x09, 0x0A, 0x0D, 0x20, 0xA0, 0x3000, 0x202F, 0x205F, *range(0x2000, 0x200B)})
_ACCENTS = {
    "`": "\u0300", "´": "\u0301", "ˆ": "\u0302", "˜": "\u0303", "¯": "\u0304", "˘": "\u0306", "˙": "\u0307",
    "¨": "\u0308", "˚": "\u030a", "˝": "\u030b", "ˇ": "\u030c", "¸": "\u0327", "˛": "\u0328",
}  # fmt: skip
_NEGATION = "\u0338"
_SYMBOL_FONT = re.compile(r"CMSY\d")
_MAPS_TO = "↦"  # TeX sets it as a bar and an arrow
_SYMBOLS = {0x27: ord("≃"), 0x36: ord(_NEGATION), 0x37: ord(_MAPS_TO)}
"""Signs of TeX's symbol font (cmsy) whose glyph names pdfium does not know, so that it gives their codes."""


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
    `sources` are the page's characters that it came from, `printed` the number of its line on the page. `clearance`
    and `gap_clearance` (for the space after it) are set where ink of other lines reaches into its line, or its own out
    of it; `letters` where no rectangle keeps the whole word clear.
    """

    text: str
    edges: list[float]
    x0: float
    x1: float
    base: float
    size: float
    font: Font
    run: int
    rtl: bool = False
    sources: list[range] = field(default_factory=list[range])
    printed: int = -1
    clearance: Clearance | None = None
    gap_clearance: Clearance | None = None
    letters: list[Letter] = field(default_factory=list["Letter"])

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
    angles = [quarter(run.angle) for run in page.runs]
    others = {index for index, angle in enumerate(angles) if angle != frame.angle}
    words: list[Word] = []
    for run_index, characters, source in _pieces(page, frame, skipped_runs | others):
        word = _word(page.runs[run_index], run_index, characters, frame)
        if word is not None:
            word.sources.append(source)
            words.append(word)
    return _with_accents(words)


def _with_accents(words: list[Word]) -> list[Word]:
    """Accents that the stream holds apart from their letters are put on the letters that they stand over."""
    accents = [word for word in words if word.text in _ACCENTS or word.text == _NEGATION]
    if not accents:
        return words
    placed: set[int] = set()
    for accent in accents:
        host = next((word for word in words if word is not accent and _put(accent, word)), None)
        if host is not None:
            host.sources.extend(accent.sources)
            placed.add(id(accent))
    return [word for word in words if id(word) not in placed]


def _put(accent: Word, word: Word) -> bool:
    """Put the accent on the letter of the word that it stands over; False where there is none."""
    if abs(accent.base - word.base) > 0.4 * word.size or accent.x1 < word.x0 or accent.x0 > word.x1 or word.rtl:
        return False
    mark = (accent.text, accent.x0, accent.x1)
    for index, letter in enumerate(word.text):
        fits = not letter.isalnum() if accent.text == _NEGATION else letter.isalpha()
        if fits and _overlap(mark, (letter, word.edges[index], word.edges[index + 1])) > 0.5:
            composed = unicodedata.normalize("NFC", _dotted(letter) + _ACCENTS.get(accent.text, accent.text))
            if len(composed) == 1:
                word.text = word.text[:index] + composed + word.text[index + 1 :]
                return True
    return False


def _dotted(letter: str) -> str:
    """Accents stand on dotless letters in print and on dotted ones in Unicode."""
    return {"ı": "i", "ȷ": "j"}.get(letter, letter)


def other_angles(page: RawPage, frame: Frame) -> list[int]:
    """Directions other than the frame's in which text runs on the page; slanted text is left out."""
    return sorted({quarter(run.angle) for run in page.runs} - {frame.angle, -1})


_Character = tuple[str, float, float]


def _pieces(page: RawPage, frame: Frame, skipped_runs: frozenset[int]) -> Iterator[tuple[int, list[_Character], range]]:
    """Stretches of characters without a gap: the first one's run, characters with their edges, and their indices."""
    runs, boxes, run_of = page.runs, page.boxes, page.run_of
    symbols = {index for index, run in enumerate(runs) if _SYMBOL_FONT.match(run.font.name)}
    bases = [frame.point(run.x, run.y)[1] for run in runs]
    straight = frame.angle == 0
    current: list[_Character] = []
    first = last = -1
    start = stop = 0
    size = base = 0.0
    left = right = 0.0
    spaced = False
    for index, code in enumerate(page.codes):
        run = run_of[index]
        box = boxes[index]
        if run < 0 or code in _SPACES or run in skipped_runs:
            if box[2] > box[0] or box[3] > box[1]:
                if current:
                    yield first, current, range(start, stop)
                    current = []
            else:
                spaced = True
            continue
        x0, x1 = (box[0], box[2]) if straight else _along(frame, box)
        if current:
            if run != last:
                accent = chr(code) in _ACCENTS or current[-1][0] in _ACCENTS
                shift = 0.5 if accent else 0.1
                broken = abs(bases[run] - base) > shift * size
                broken = broken or not 0.55 < runs[run].size / size < 1.8
            else:
                broken = False
            allowed = (SPACED_GAP if spaced else WORD_GAP) * size
            near = -0.6 * size < x0 - right < allowed or -0.6 * size < left - x1 < allowed
            # a stroke is set before the sign that it strikes out, and belongs to nothing before it
            struck = run in symbols and _SYMBOLS.get(code) == ord(_NEGATION)
            if broken or struck or not (near or (x0 == left and x1 == right)):
                yield first, current, range(start, stop)
                current = []
        if not current:
            first, size, base = run, runs[run].size or 1.0, bases[run]
            start = index
        last, spaced, stop = run, False, index + 1
        left, right = x0, x1
        sign = "-" if code in HYPHEN_MARKS else chr(_SYMBOLS.get(code, code) if run in symbols else code)
        current.append((sign, x0, x1))
    if current:
        yield first, current, range(start, stop)


def _along(frame: Frame, box: tuple[float, float, float, float]) -> tuple[float, float]:
    x0, _, x1, _ = frame.box(*box)
    return x0, x1


def _word(run: Run, run_index: int, characters: list[_Character], frame: Frame) -> Word | None:
    text = "".join(character for character, _, _ in characters)
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
    base = frame.point(run.x, run.y)[1]
    x0, x1 = min(edges[0], edges[-1]), max(edges[0], edges[-1])
    return Word(text, edges, x0, x1, base, run.size, run.font, run_index, rtl)


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
        if here[0] == _MAPS_TO and index + 1 < len(characters) and characters[index + 1][0] == "→":
            out.append((_MAPS_TO, here[1], characters[index + 1][2]))
            index += 2
            continue
        mark = _ACCENTS.get(here[0])
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

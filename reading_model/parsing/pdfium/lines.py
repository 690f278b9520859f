"""From words to lines: pieces of text on one baseline that belong together, in reading direction."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from reading_model.parsing.pdfium.page_content import Font
from reading_model.parsing.pdfium.words import Word

JOIN_GAP = 1.1  # em: a wider gap parts columns, cells, or a number from its heading
STRETCHED_GAP = 3.0  # em
PIECE_GAP = 0.06  # em between pieces of one word that the stream holds apart
SCRIPT_GAP = 0.16  # em between a letter and its sub- or superscript
STACKED = 0.3  # em by which a script may stand over the one before it; stacked scripts are two words
LABEL_GAP = 2.6  # em: between a hanging number or bullet and its text
TIGHT_GAP = 0.62  # em: gaps up to here never part columns


@dataclass(slots=True, eq=False)
class TextLine:
    """Words on one baseline, sorted for reading. Coordinates are of the page's frame."""

    words: list[Word]
    x0: float = 0.0
    x1: float = 0.0
    base: float = 0.0
    size: float = 0.0
    top: float = 0.0
    bottom: float = 0.0
    text: str = ""
    bold: bool = False
    italic: bool = False
    mono: bool = False
    fonts: dict[Font, int] = field(default_factory=dict[Font, int])

    def measure(self) -> TextLine:
        """Set extent, dominant size, baseline and style from the words."""
        words = self.words
        self.x0 = min([word.x0 for word in words])
        self.x1 = max([word.x1 for word in words])
        sizes: dict[float, int] = {}
        fonts: dict[Font, int] = {}
        for word in words:
            length = len(word.text)
            sizes[word.size] = sizes.get(word.size, 0) + length
            fonts[word.font] = fonts.get(word.font, 0) + length
        self.fonts = fonts
        self.size = size = max(sizes, key=lambda size: (sizes[size], size))
        bases: dict[float, int] = {}
        for word in words:
            if word.size >= 0.85 * size:
                base = round(word.base, 1)
                bases[base] = bases.get(base, 0) + len(word.text)
        self.base = max(bases, key=lambda base: (bases[base], base))
        self.top, self.bottom = self.base - 0.75 * size, self.base + 0.22 * size
        total = sum(fonts.values())
        self.bold = sum([count for font, count in fonts.items() if font.bold]) > 0.85 * total
        self.italic = sum([count for font, count in fonts.items() if font.italic]) > 0.6 * total
        self.mono = sum([count for font, count in fonts.items() if font.mono]) > 0.6 * total
        self.text = _text_of(words)
        return self

    @property
    def width(self) -> float:
        """Extent along the baseline, points."""
        return self.x1 - self.x0


def _text_of(words: Sequence[Word]) -> str:
    """The text of words in reading order, as `spell_out` gives it."""
    parts = [words[0].text] if words else []
    for before, word in pairwise(words):
        if not _touches(before, word):
            parts.append(" ")
        parts.append(word.text)
    return "".join(parts)


def spell_out(words: Sequence[Word]) -> tuple[str, list[float], list[int]]:
    """The text of words in reading order, the edges of its characters, and the place in it where each word starts.

    A space lies between the words that it parts.
    """
    parts: list[str] = []
    edges: list[float] = []
    starts: list[int] = []
    before: Word | None = None
    for word in words:
        if before is not None:
            if _touches(before, word):
                reach = edges.pop()
                if word.edges[0] < reach and not word.rtl and not before.rtl:
                    starts.append(len(edges))
                    parts.append(word.text)
                    edges.extend(max(reach, edge) for edge in word.edges)
                    before = word
                    continue
            else:
                parts.append(" ")
        starts.append(len(edges))
        parts.append(word.text)
        edges.extend(word.edges)
        before = word
    return "".join(parts), edges, starts


def _touches(before: Word, word: Word) -> bool:
    """Whether no space parts two words: pieces of one word, or a sub- or superscript at its base.

    A raised number after a word of letters is a citation or a footnote mark and keeps its distance.
    """
    size = max(before.size, word.size)
    gap = max(word.x0 - before.x1, before.x0 - word.x1)
    if not -STACKED * size < gap < SCRIPT_GAP * size:
        return False
    shift = word.base - before.base
    if abs(shift) < 0.08 * size and min(before.size, word.size) > 0.8 * size:
        return gap < PIECE_GAP * size
    raised = shift < 0
    if word.size < before.size or (word.size == before.size and not raised):
        return not (raised and before.text[-3:].isalpha() and len(before.text) >= 3)
    return not word.text[0].isalnum()


def line_of(words: Iterable[Word]) -> TextLine:
    """A line of these words, which are put into reading order."""
    return TextLine(_reading_order(sorted(words, key=lambda word: word.x0))).measure()


def _printed_line(words: Iterable[Word]) -> TextLine:
    """A line of these words, put in order as on a printed line."""
    return TextLine(_printed_order(words)).measure()


def _printed_order(words: Iterable[Word]) -> list[Word]:
    """Reading order; of a raised and a lowered script over each other, the one set first comes first."""
    return _reading_order(_stacked(sorted(words, key=lambda word: word.x0)))


def _stacked(words: list[Word]) -> list[Word]:
    for index in range(len(words) - 1):
        one, other = words[index], words[index + 1]
        if other.run < one.run and abs(one.base - other.base) > STACKED * max(one.size, other.size):
            shared = min(one.x1, other.x1) - max(one.x0, other.x0)
            if shared > 0.5 * min(one.x1 - one.x0, other.x1 - other.x0):
                words[index], words[index + 1] = other, one
    return words


def _reading_order(words: list[Word]) -> list[Word]:
    """From left to right, or for a right-to-left line from the right with its left-to-right runs turned back."""
    if not any(word.rtl for word in words):
        return words
    if sum(len(w.text) if w.rtl else -len(w.text) for w in words) < 0:
        return words
    out: list[Word] = []
    pending: list[Word] = []
    for word in reversed(words):
        if word.rtl or not any(character.isalnum() for character in word.text):
            out.extend(reversed(pending))
            pending = []
            out.append(word)
        else:
            pending.append(word)
    out.extend(reversed(pending))
    return out


def lines_of(words: Sequence[Word], gutters: Sequence[tuple[float, float]] = ()) -> list[TextLine]:
    """The lines of a page, sorted from top to bottom; words never join over a gutter with more than a tight gap."""
    groups: list[list[Word]] = []
    for word in words:
        if groups and _continues(groups[-1][-1], word, gutters):
            groups[-1].append(word)
        else:
            groups.append([word])
    lines = _justified(_merged([_printed_line(group) for group in groups], gutters), gutters)
    lines = _numbered(lines, gutters)
    lines.sort(key=lambda line: (line.base, line.x0))
    return lines


def _continues(before: Word, word: Word, gutters: Sequence[tuple[float, float]]) -> bool:
    big = max(before.size, word.size)
    small = min(before.size, word.size)
    gap = word.x0 - before.x1 if word.x0 >= before.x0 else before.x0 - word.x1
    if not -0.5 * big < gap < _allowed(before.x1, word.x0, big, gutters):
        return False
    shift = abs(before.base - word.base)
    if shift < 0.12 * big:
        return small > 0.62 * big or min(len(before.text), len(word.text)) <= 3 or gap < 0.2 * big
    return shift < 0.55 * big and small <= 0.82 * big and gap < 0.35 * big


def _allowed(left: float, right: float, size: float, gutters: Sequence[tuple[float, float]]) -> float:
    for start, end in gutters:
        if left <= start + 1.5 and right >= end - 1.5:
            return TIGHT_GAP * size
    return JOIN_GAP * size


def _merged(lines: list[TextLine], gutters: Sequence[tuple[float, float]]) -> list[TextLine]:
    """Join pieces of one printed line that the stream holds apart."""
    lines = sorted(lines, key=lambda line: (line.base, line.x0))
    out: list[TextLine] = []
    for line in lines:
        partner = None
        for other in reversed(out[-24:]):
            if line.base - other.base > max(line.size, other.size):
                break
            if _adjoins(other, line, gutters):
                partner = other
                break
        if partner is None:
            out.append(line)
        else:
            partner.words = _printed_order([*partner.words, *line.words])
            partner.measure()
    return out


def _justified(lines: list[TextLine], gutters: Sequence[tuple[float, float]]) -> list[TextLine]:
    """Join over a gap that justification has stretched: the lines above and below run through it."""
    lines = sorted(lines, key=lambda line: (line.base, line.x0))
    gone: set[int] = set()
    for index, line in enumerate(lines):
        right = _right_neighbour(lines, index, gone)
        if id(line) in gone or right is None or _parted(line, right, gutters):
            continue
        if _runs_through(lines, index, line.x1, right.x0):
            right.words = _printed_order([*line.words, *right.words])
            right.measure()
            gone.add(id(line))
    return [line for line in lines if id(line) not in gone]


def _right_neighbour(lines: Sequence[TextLine], index: int, gone: set[int]) -> TextLine | None:
    line = lines[index]
    for other in lines[index + 1 : index + 8]:
        if other.base - line.base > 0.1 * line.size:
            return None
        same = abs(other.size - line.size) < 0.1 * line.size and id(other) not in gone
        if same and 0 < other.x0 - line.x1 < STRETCHED_GAP * line.size:
            return other
    return None


def _parted(left: TextLine, right: TextLine, gutters: Sequence[tuple[float, float]]) -> bool:
    return any(left.x1 <= start + 1.5 and right.x0 >= end - 1.5 for start, end in gutters)


def _runs_through(lines: Sequence[TextLine], index: int, start: float, end: float) -> bool:
    """Whether a line next above or below covers the gap, and none next to it breaks off there."""
    line = lines[index]
    through = 0
    for other in [*lines[max(0, index - 10) : index], *lines[index + 1 : index + 12]]:
        distance = abs(other.base - line.base)
        if not 0.5 * line.size < distance < 1.7 * line.size or abs(other.size - line.size) > 0.1 * line.size:
            continue
        if other.x0 < start - line.size and other.x1 > end + line.size:
            through += 1
        elif other.x1 > start - 2 * line.size and other.x0 < end + 2 * line.size and other.x1 - other.x0 > 0:
            return False
    return through > 0


_EQUATION_NUMBER = re.compile(r"^\([A-Z]?\.?\d{1,3}(?:\.\d{1,3})?[a-z]?\)$")
MAX_FORMULA_WORDS = 14


def _numbered(lines: list[TextLine], gutters: Sequence[tuple[float, float]]) -> list[TextLine]:
    """Numbers of formulas, which stand at the margin, join the formula on their height."""
    out: list[TextLine] = [line for line in lines if not _EQUATION_NUMBER.match(line.text)]
    for number in lines:
        if not _EQUATION_NUMBER.match(number.text):
            continue
        left = [line for line in out if abs(line.base - number.base) < 0.6 * number.size and line.x1 < number.x0]
        host = max(left, key=lambda line: line.x1, default=None)
        crosses = host is not None and any(host.x1 <= start + 1.5 and number.x0 >= end - 1.5 for start, end in gutters)
        if host is None or crosses or len(host.words) > MAX_FORMULA_WORDS:
            out.append(number)
        else:
            host.words.extend(number.words)
            host.measure()
    return out


_LABEL = re.compile(r"^(?:\[?\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[\].)]{1,2}|\d{1,2}(?:\.\d{1,2})+\.?|[•‣◦▪●○■–—\uf0b7])$")


def _adjoins(one: TextLine, other: TextLine, gutters: Sequence[tuple[float, float]]) -> bool:
    left, right = (one, other) if one.x0 <= other.x0 else (other, one)
    big, small = max(one.size, other.size), min(one.size, other.size)
    gap = right.x0 - left.x1
    shift = abs(one.base - other.base)
    if shift < 0.2 * big and small > 0.66 * big:
        allowed = _allowed(left.x1, right.x0, big, gutters)
        if allowed > TIGHT_GAP * big and _LABEL.match(left.text):
            allowed = LABEL_GAP * big
        return -0.5 * big < gap < allowed
    if small > 0.82 * big or shift > 0.6 * big:
        return False
    script = one if one.size < other.size else other
    host = other if script is one else one
    inside = host.x0 - 0.3 * big < script.x0 and script.x1 < host.x1 + script.width + 0.3 * big
    return len(script.text) <= 12 and inside and gap < 0.35 * big

"""Captions of tables and figures: how they begin, and which lines they go on for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reading_model.parsing.pdfium.graphics import Rule
from reading_model.parsing.pdfium.lines import TextLine
from reading_model.parsing.pdfium.words import Word

_LABEL = re.compile(
    r"^(?P<kind>supplementary\s+figure|supplementary\s+table|figure|fig\.?|table|tab\.|abbildung|abb\.|tabelle|tableau|"
    r"scheme|chart|algorithm|listing|图|表|図)\s*(?P<number>[A-Z]?\d{1,3}(?:[.\-]\d{1,3})*[a-z]?|[IVX]{1,5})"
    r"(?P<end>\s*[.:|：]|\s*$|\s+\(|\s+|(?=[^\w]))",
    re.IGNORECASE,
)
_TABLES = ("table", "tab.", "tabelle", "tableau", "表", "supplementary table")


@dataclass(slots=True, eq=False)
class Caption:
    """The lines of a caption, and whether it belongs to a table."""

    lines: list[TextLine]
    of_table: bool
    continued: bool = False

    @property
    def x0(self) -> float:
        """Left end, points."""
        return min(line.x0 for line in self.lines)

    @property
    def x1(self) -> float:
        """Right end, points."""
        return max(line.x1 for line in self.lines)

    @property
    def top(self) -> float:
        """Upper end, points."""
        return min(line.top for line in self.lines)

    @property
    def bottom(self) -> float:
        """Lower end, points."""
        return max(line.bottom for line in self.lines)


def captions_of(
    lines: Sequence[TextLine], rules: Sequence[Rule], gutters: Sequence[tuple[float, float]], body_size: float
) -> list[Caption]:
    """The captions among a page's lines (sorted from top to bottom); none goes on under a rule."""
    found: list[Caption] = []
    taken: set[int] = set()
    for index, line in enumerate(lines):
        match = _LABEL.match(line.text)
        if match is None or id(line) in taken or not _is_label(line, match, body_size):
            continue
        if _runs_on(lines[:index], line):
            continue
        kind = match.group("kind").lower()
        caption = Caption([line], kind.startswith(_TABLES), "continued" in line.text[:40].lower())
        _collect(caption, lines[index + 1 :], rules, gutters)
        taken.update(map(id, caption.lines))
        found.append(caption)
    return found


def _is_label(line: TextLine, match: re.Match[str], body_size: float) -> bool:
    """A label is followed by a mark, set bold or small, or stands alone; "Table 4 shows" is text."""
    end = match.group("end").strip()
    if end in (".", ":", "|", "：") or match.end() == len(line.text):
        return True
    if line.size < 0.95 * body_size:
        return True
    if end == "(":
        return len(line.text) < 40
    return line.words[0].font.bold and not _is_all_bold_prose(line.words)


def _is_all_bold_prose(words: Sequence[Word]) -> bool:
    return len(words) > 3 and words[2].text.islower() and words[2].text in ("shows", "show", "lists", "gives", "and")


def _runs_on(above: Sequence[TextLine], line: TextLine) -> bool:
    """Whether the label stands in the middle of a sentence that the line above begins."""
    for other in reversed(above[-12:]):
        gap = line.base - other.base
        if gap > 1.5 * line.size:
            return False
        if gap < 0.5 * line.size or min(line.x1, other.x1) - max(line.x0, other.x0) < 0.5 * line.width:
            continue
        same = abs(other.size - line.size) < 0.05 * line.size and abs(other.x0 - line.x0) < 1.5 * line.size
        whole = other.text.rstrip()[-1:] not in ".:!?" and other.width > 0.8 * line.width
        return same and whole and not line.words[0].font.bold and other.words[-1].font == line.words[0].font
    return False


def _is_row(line: TextLine, lines: Sequence[TextLine], gutters: Sequence[tuple[float, float]]) -> bool:
    """Whether two further pieces stand on the line's height in its column, as in a row of a table."""
    pieces = 0
    for other in lines:
        if other is line or abs(other.base - line.base) > 0.3 * line.size:
            continue
        left, right = (line, other) if line.x0 < other.x0 else (other, line)
        apart = any(left.x1 <= start + 1.5 and right.x0 >= end - 1.5 for start, end in gutters)
        pieces += not apart and 0.5 * line.size < right.x0 - left.x1
    return pieces >= 2


def _collect(
    caption: Caption, below: Sequence[TextLine], rules: Sequence[Rule], gutters: Sequence[tuple[float, float]]
) -> None:
    """Add the lines that go on with the caption."""
    first = caption.lines[0]
    pitch = 0.0
    for line in below:
        last = caption.lines[-1]
        gap = line.base - last.base
        if gap > 1.55 * first.size:
            return
        if gap < 0.35 * first.size:
            label = _LABEL.match(last.text) if len(caption.lines) == 1 else None
            if label and label.end() == len(last.text) and 0 <= line.x0 - last.x1 < 2.5 * first.size:
                caption.lines.append(line)
            continue
        overlap = min(line.x1, caption.x1) - max(line.x0, caption.x0)
        if overlap < 0.5 * min(line.width, caption.x1 - caption.x0):
            continue
        if abs(line.size - first.size) > 0.07 * first.size or (pitch and gap > pitch + 1.2):
            return
        if any(last.base < rule.y < line.base and rule.x0 < line.x1 and line.x0 < rule.x1 for rule in rules):
            return
        narrow = line.width < 0.6 * (caption.x1 - caption.x0)
        if caption.of_table and narrow and _is_row(line, below, gutters):
            return
        if _LABEL.match(line.text) or (line.bold and not last.bold and not first.bold):
            return
        centred = abs((line.x0 + line.x1) - (caption.x0 + caption.x1)) < 2 * first.size
        if line.x0 < caption.x0 - 1.5 * first.size and not centred:
            return
        pitch = pitch or gap
        caption.lines.append(line)

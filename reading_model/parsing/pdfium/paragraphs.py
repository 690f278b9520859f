"""From the lines of a column to paragraphs, list items and formulas; paragraphs that go on in the next column."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from reading_model.documents import BlockType
from reading_model.parsing.pdfium.draft import Draft, draft
from reading_model.parsing.pdfium.lines import TextLine
from reading_model.text import HYPHENS, is_cjk

_BULLET = re.compile(r"^(?:[•‣◦▪●○■□–—∗*⋆➢➤►\uf0b7\uf0a7]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)])\s+\S")
_SENTENCE_END = re.compile(r"[.!?:。！？：؟][\"'”’)\]]*(?:\s?\d{1,3}(?:[,–-]\d{1,3})*)?$")
MAX_FRAGMENT = 40  # characters
_SECTION = re.compile(r"^\d{1,2}(?:\.\d{1,2})*\.?\s+[^\W\d_]")
_WORD = re.compile(r"[^\W\d_]{3,}")
_MATH = re.compile(r"[=<>≤≥≈∼≃≡∑∏∫∈∉⊂⊆∪∩→←↦∇∂√±×·⟨⟩‖∥∞∀∃∝]|[\U0001d400-\U0001d7ff]")
_EQUATION_NUMBER = re.compile(r"\(\d{1,3}(?:\.\d{1,3})?[a-z]?\)$")


@dataclass(frozen=True, slots=True)
class Measures:
    """A column's left and right margin, its usual distance between baselines, and its usual size, in points."""

    left: float
    right: float
    pitch: float
    size: float

    @property
    def width(self) -> float:
        """Distance between the margins."""
        return self.right - self.left


def measure(lines: Sequence[TextLine], body_size: float) -> Measures:
    """The measures of one column (at least one line)."""
    usual = [line for line in lines if abs(line.size - body_size) < 0.08 * body_size] or list(lines)
    lefts = Counter(round(line.x0 / 2) for line in usual)
    place = max(lefts, key=lambda x: (lefts[x], -x))
    left = median(line.x0 for line in usual if round(line.x0 / 2) == place)
    if lefts[place] < 0.3 * len(usual):
        left = min(line.x0 for line in usual)
    right = max(line.x1 for line in usual)
    gaps = [
        b.base - a.base
        for a, b in pairwise(usual)
        if 0.7 * a.size < b.base - a.base < 2.2 * a.size and abs(a.size - b.size) < 0.1 * a.size
    ]
    pitch = median(gaps) if gaps else 1.25 * body_size
    return Measures(left, right, pitch, body_size)


def paragraphs(lines: Sequence[TextLine], page: int, body_size: float) -> list[Draft]:
    """The blocks of one column, in order: paragraphs, list items and formulas."""
    if not lines:
        return []
    column = measure(lines, body_size)
    groups: list[list[TextLine]] = []
    for index, line in enumerate(lines):
        after = lines[index + 1] if index + 1 < len(lines) else None
        if groups and not _breaks(groups[-1], line, after, column):
            groups[-1].append(line)
        else:
            groups.append([line])
    drafts = [draft(_kind(group, column), page, group) for group in groups]
    return _joined_formulas(drafts, column)


def _breaks(group: list[TextLine], line: TextLine, after: TextLine | None, column: Measures) -> bool:
    """Whether `line` begins a new block after the lines of `group`."""
    before = group[-1]
    if abs(line.base - before.base) < 0.35 * before.size:
        return False
    big = max(line.size, before.size)
    if abs(line.size - before.size) > 0.08 * big and min(len(line.text), len(before.text)) > 3:
        return True
    pitch = column.pitch * max(1.0, big / column.size)
    if line.base - before.base > 1.32 * pitch + 0.5 and line.base - before.base > 1.3 * big:
        return True
    if line.base < before.base - big:
        return True
    stands_out = line.bold or line.size > 1.05 * column.size
    if stands_out and (_SECTION.match(line.text) or line.base - before.base > 1.42 * big):
        return True
    if line.bold != before.bold and len(line.text) > 2 and len(before.text) > 2:
        return True
    if _is_formula(line, column) != _is_formula(before, column):
        return True
    return _begins(group, line, after, column)


def _begins(group: list[TextLine], line: TextLine, after: TextLine | None, column: Measures) -> bool:
    """Whether the line's indent, marker, or the short line before it show a new paragraph."""
    before, em = group[-1], line.size
    if _BULLET.match(line.text) and (line.x0 <= group[0].x0 + 0.5 * em or not _BULLET.match(group[0].text)):
        return (
            _SENTENCE_END.search(before.text) is not None
            or line.x0 > column.left + 0.5 * em
            or _BULLET.match(group[0].text) is not None
        )
    first = group[0]
    hanging = len(group) > 1 and group[1].x0 > first.x0 + 0.6 * em
    if hanging and line.x0 < before.x0 - 0.6 * em:
        return True
    indented = line.x0 - before.x0 > 0.6 * em and line.x0 - column.left < 4 * em
    if indented and abs(before.x0 - column.left) < 0.6 * em and len(group) > 1:
        return True
    if (
        indented
        and len(group) == 1
        and (after is None or abs(after.x0 - line.x0) > 0.5 * em)
        and _SENTENCE_END.search(before.text)
    ):
        return True
    short = before.x1 < column.right - max(2.5 * em, 0.12 * column.width)
    return short and _SENTENCE_END.search(before.text) is not None and not line.text[0].islower()


def _kind(group: list[TextLine], column: Measures) -> BlockType:
    if all(_is_formula(line, column) for line in group):
        return BlockType.FORMULA
    if all(line.mono for line in group) and len(group) > 1:
        return BlockType.CODE
    if _BULLET.match(group[0].text):
        return BlockType.LIST
    return BlockType.PARAGRAPH


def _is_formula(line: TextLine, column: Measures) -> bool:
    """Set apart from the margin, with mathematics and hardly a word."""
    if line.x0 < column.left + 0.9 * line.size or any(map(is_cjk, line.text[:20])):
        return False
    words = _WORD.findall(line.text)
    if len(words) > 3 or sum(map(len, words)) > 0.35 * len(line.text):
        return False
    return bool(_MATH.search(line.text) or _EQUATION_NUMBER.search(line.text))


def _joined_formulas(drafts: list[Draft], column: Measures) -> list[Draft]:
    """A formula's lines stand at odd distances: neighbours are one, with fragments such as limits and exponents."""
    out: list[Draft] = []
    for item in drafts:
        before = out[-1] if out else None
        if before and _is_one_formula(before, item, column):
            before.type = BlockType.FORMULA
            before.lines.extend(item.lines)
            before.measure()
        else:
            out.append(item)
    return out


def _is_one_formula(before: Draft, item: Draft, column: Measures) -> bool:
    formulas = [draft for draft in (before, item) if draft.type is BlockType.FORMULA]
    if not formulas or item.top - before.bottom > 1.2 * formulas[0].lines[0].size:
        return False
    return len(formulas) == 2 or _is_fragment(before if formulas[0] is item else item, column)


def _is_fragment(item: Draft, column: Measures) -> bool:
    """A few signs without a word, set apart from the margin."""
    text = item.text
    apart = all(line.x0 > column.left + 0.9 * line.size for line in item.lines)
    return apart and len(text) <= MAX_FRAGMENT and not _WORD.search(text) and not any(map(is_cjk, text))


def continues(before: Draft, after: Draft) -> bool:
    """Whether `after`, which heads the next column, goes on with the paragraph that `before` ends in."""
    if before.page != after.page or after.type is not BlockType.PARAGRAPH:
        return False
    if before.type not in (BlockType.PARAGRAPH, BlockType.LIST):
        return False
    last, first = before.lines[-1], after.lines[0]
    if abs(last.size - first.size) > 0.05 * last.size or last.bold != first.bold:
        return False
    if _SENTENCE_END.search(last.text):
        return False
    if last.text[-1] in HYPHENS or first.text[0].islower() or is_cjk(first.text[0]):
        return True
    reaches = last.x1 > max(line.x1 for line in before.lines) - 1.5 * last.size
    indented = len(after.lines) > 1 and first.x0 > after.lines[1].x0 + 0.6 * first.size
    return reaches and not indented

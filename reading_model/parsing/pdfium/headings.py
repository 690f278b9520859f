"""Which blocks are headings, and at which level."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reading_model.documents import BlockType
from reading_model.parsing.pdfium.draft import Draft
from reading_model.parsing.pdfium.lines import TextLine
from reading_model.parsing.pdfium.raw import Bookmark

MAX_LENGTH = 180  # characters
MAX_LINES = 4
NAMED = frozenset(
    [
        "abstract",
        "introduction",
        "background",
        "methods",
        "method",
        "results",
        "discussion",
        "conclusion",
        "conclusions",
        "references",
        "bibliography",
        "acknowledgements",
        "acknowledgments",
        "acknowledgement",
        "limitations",
        "appendix",
        "summary",
        "摘要",
        "参考文献",
        "謝辞",
        "致谢",
    ]
)
"""Headings that need no number to stand at the top level."""

_NUMBER = re.compile(r"^((?:\d{1,2}|[A-Z])(?:\.\d{1,2}){0,4})\.?\s+(?=\S*[^\W\d_])")
_ROMAN = re.compile(r"^[IVX]{1,5}\.\s+(?=[^\W\d_])")
_LETTERS = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class Outline:
    """Bookmark titles in comparable form, with their depth."""

    depths: dict[str, int]

    @classmethod
    def of(cls, bookmarks: Sequence[Bookmark]) -> Outline:
        """The outline of a document; titles without letters are dropped."""
        depths: dict[str, int] = {}
        for mark in bookmarks:
            key = comparable(mark.title)
            if len(key) >= 3:
                depths.setdefault(key, mark.depth)
        return cls(depths)

    def depth(self, text: str) -> int | None:
        """The depth of the bookmark with this title, its number aside; None where there is none."""
        return self.depths.get(comparable(text)) or self.depths.get(comparable(without_number(text)))


def comparable(text: str) -> str:
    """Letters and digits only, case folded."""
    return "".join(character for character in text.casefold() if character.isalnum())


def without_number(text: str) -> str:
    """The heading without its section number."""
    return _NUMBER.sub("", _ROMAN.sub("", text, count=1), count=1)


def number_depth(text: str) -> int | None:
    """1 for `3 Methods`, 2 for `3.1 Data`, None without a section number."""
    match = _NUMBER.match(text)
    if match:
        number = match.group(1)
        if number.isdigit() and int(number) > 40:
            return None
        return number.count(".") + 1
    return 1 if _ROMAN.match(text) else None


def is_heading(item: Draft, gap_above: float, body_size: float, outline: Outline) -> bool:
    """Whether a block reads and looks like a heading; `gap_above` is the free space over it, in points."""
    text = item.text
    if item.type not in (BlockType.PARAGRAPH, BlockType.LIST) or not _may_be_heading(item, text):
        return False
    size = max(line.size for line in item.lines)
    if outline.depth(text) is not None and size >= 0.95 * body_size:
        return True
    if comparable(without_number(text)) in NAMED and (_stands_out(item.lines, body_size) or number_depth(text)):
        return size >= 0.9 * body_size
    numbered = number_depth(text) is not None
    if text.endswith((".", ",", ";")) and not numbered:
        return False
    if size >= 1.1 * body_size:
        return numbered or text[0].isupper() or not text[0].isascii()
    bold = all(line.bold for line in item.lines)
    if numbered:
        return (bold or _is_capitals(text) or _is_small_bold(item.lines)) and size >= 0.95 * body_size
    apart = gap_above > 0.55 * body_size
    return (bold or _is_capitals(text)) and apart and size >= 0.95 * body_size and text[0].isupper() and len(text) < 110


def _may_be_heading(item: Draft, text: str) -> bool:
    if len(item.lines) > MAX_LINES or len(text) > MAX_LENGTH or any(line.mono for line in item.lines):
        return False
    letters = len(_LETTERS.findall(text))
    return letters >= 2 and letters >= 0.5 * len(text.replace(" ", ""))


def _stands_out(lines: Sequence[TextLine], body_size: float) -> bool:
    return all(line.bold for line in lines) or lines[0].size >= 1.1 * body_size or _is_capitals(lines[0].text)


def _is_small_bold(lines: Sequence[TextLine]) -> bool:
    """A heading of which only the words are bold, not the number."""
    words = [word for word in lines[0].words if _LETTERS.search(word.text)]
    return bool(words) and all(word.font.bold for word in words)


def _is_capitals(text: str) -> bool:
    letters = [character for character in text if character.isalpha()]
    return len(letters) >= 4 and all(character.isupper() for character in letters)


@dataclass(frozen=True, slots=True)
class Style:
    """What headings of one level share."""

    size: float
    bold: bool
    capitals: bool


def style_of(item: Draft) -> Style:
    """The look of a heading."""
    size = round(max(line.size for line in item.lines) * 2) / 2
    return Style(size, any(line.bold for line in item.lines), _is_capitals(item.text))


def set_levels(headings: Sequence[Draft], outline: Outline) -> None:
    """Set levels: by bookmark, by section number, and by look where a heading has neither."""
    by_style: dict[Style, list[int]] = {}
    pending: list[Draft] = []
    shallowest = min(outline.depths.values(), default=1)
    for item in headings:
        depth = outline.depth(item.text)
        number = number_depth(item.text)
        if number is not None:
            item.level = number
        elif depth is not None:
            item.level = depth - shallowest + 1
        elif comparable(item.text) in NAMED:
            item.level = 1
        else:
            pending.append(item)
            continue
        by_style.setdefault(style_of(item), []).append(item.level)
    known = {style: min(levels) for style, levels in by_style.items()}
    ranks = sorted(
        {style_of(item) for item in pending} | set(known), key=lambda s: (-s.size, not s.capitals, not s.bold)
    )
    for item in pending:
        style = style_of(item)
        item.level = known.get(style) or _rank(style, ranks, known)


def _rank(style: Style, ranks: list[Style], known: dict[Style, int]) -> int:
    """One below the nearest larger style whose level is known, else its place among the styles."""
    place = ranks.index(style)
    for larger in reversed(ranks[:place]):
        if larger in known:
            return min(known[larger] + 1, 6)
    below = [known[other] for other in ranks[place:] if other in known]
    if below:
        return max(1, min(below) - 1) if place else 1
    return min(place + 1, 6)

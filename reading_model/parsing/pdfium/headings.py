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
IMRAD = frozenset(
    {"introduction", "background", "methods", "method", "materialsandmethods", "methodsandmaterials", "results"}
    | {"patientsandmethods", "resultsanddiscussion", "discussion", "conclusion", "conclusions"}
)
"""The sections of an experimental paper; where they have no numbers, other headings of their look lie below them."""
BACK_MATTER = frozenset(
    {"authorcontributions", "supportinginformation", "supplementalinformation", "competinginterests", "funding"}
    | {"conflictofinterest", "conflictsofinterest", "conflictofinterests", "dataavailability", "abbreviations"}
    | {"authorscontributions", "authordetails", "grantdisclosures"}
)
"""Headings at the end of a paper, which may stand below another one."""
NAMED = (
    IMRAD
    | BACK_MATTER
    | frozenset(
        {
            "abstract",
            "references",
            "bibliography",
            "acknowledgements",
            "acknowledgments",
            "acknowledgement",
            "limitations",
        }
        | {"appendix", "summary", "relatedwork", "摘要", "概要", "参考文献", "謝辞", "致谢"}
    )
)
"""Headings that need no number to stand at the top level."""
_STATEMENT = re.compile(
    r"^(?:definition|theorem|lemma|proposition|corollary|remark|example|proof|claim|assumption|conjecture|notation|"
    r"exercise|hypothesis|bemerkung|beispiel|satz|korollar|beweis|behauptung|aufgabe|übungsaufgabe|lösung|定理|定義|"
    r"補題|命題|引理|定义)(?:\s*\d|\s*[.:(]|$)",
    re.IGNORECASE,
)
_CONTENTS = frozenset(["contents", "tableofcontents", "inhaltsverzeichnis", "inhalt", "目次", "目录"])
_LEADERS = re.compile(r"(?:\. ?){5,}|…{2,}")

_NUMBER = re.compile(r"^((?:\d{1,2}|[A-H](?=\.\d|\.?\s+[^\W\d_a-zß-ÿ]))(?:\.\d{1,2}){0,4})\.?\s+(?=\S*[^\W\d_])")
_ROMAN = re.compile(r"^[IVX]{1,5}\.\s+(?=[^\W\d_]{3})")
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
    return "".join(filter(str.isalnum, text.casefold()))


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
    if _STATEMENT.match(text):
        return False
    if item.type not in (BlockType.PARAGRAPH, BlockType.LIST) or not _may_be_heading(item, text):
        return False
    size = max(line.size for line in item.lines)
    if outline.depth(text) is not None and size >= 0.95 * body_size:
        return True
    if comparable(without_number(text)) in NAMED and (_stands_out(item.lines, body_size) or number_depth(text)):
        return size >= 0.7 * body_size
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
    main = {style_of(item) for item in headings if comparable(item.text) in IMRAD}
    shallowest = min(outline.depths.values(), default=1)
    for item in headings:
        depth = outline.depth(item.text)
        number = number_depth(item.text)
        if number is not None:
            item.level = number
        elif depth is not None:
            item.level = depth - shallowest + 1
        elif comparable(item.text) in NAMED and not (comparable(item.text) in BACK_MATTER and _is_lesser(item, main)):
            item.level = 1
        else:
            pending.append(item)
            continue
        by_style.setdefault(style_of(item), []).append(item.level)
    known = {style: min(levels) for style, levels in by_style.items()}
    for style in _section_styles(headings):
        known[style] = 2
    ranks = sorted(
        {style_of(item) for item in pending} | set(known), key=lambda s: (-s.size, not s.capitals, not s.bold)
    )
    for item in pending:
        style = style_of(item)
        item.level = known.get(style) or _rank(style, ranks, known)


def _is_lesser(item: Draft, main: set[Style]) -> bool:
    """Whether a heading looks smaller than every main section of the paper."""
    style = style_of(item)
    return bool(main) and all(style.size < other.size or (other.capitals and not style.capitals) for other in main)


def _section_styles(headings: Sequence[Draft]) -> list[Style]:
    """Looks that the sections of an experimental paper share with the headings below them."""
    names: dict[Style, int] = {}
    for item in headings:
        if comparable(item.text) in IMRAD:
            names[style_of(item)] = names.get(style_of(item), 0) + 1
    return [style for style, count in names.items() if count >= 3]


def contents_pages(drafts: Sequence[Draft]) -> set[int]:
    """Pages that hold a table of contents: their lines name headings and are none."""
    leaders: dict[int, int] = {}
    pages: set[int] = set()
    for item in drafts:
        if comparable(item.text) in _CONTENTS:
            pages.add(item.page)
        leaders[item.page] = leaders.get(item.page, 0) + sum(bool(_LEADERS.search(line.text)) for line in item.lines)
    return pages | {page for page, count in leaders.items() if count >= 4}


def is_contents_title(text: str) -> bool:
    """Whether a heading announces a table of contents."""
    return comparable(text) in _CONTENTS


def opens_the_text(text: str) -> bool:
    """Whether a heading ends the lines on authors and affiliations under a title."""
    return comparable(without_number(text)) in NAMED or number_depth(text) is not None


def is_running_text(item: Draft) -> bool:
    """Whether a block is longer than anything between a title and the text, or a bulleted list."""
    if item.type is BlockType.LIST:
        return item.text.startswith("•")
    return item.type is BlockType.PARAGRAPH and len(item.lines) > 6 and len(item.text) > 450


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

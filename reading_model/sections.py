"""The section tree: which headings open a section, how deep it lies, and which elements it holds.

Numbers decide where headings carry them, because parsers often give all headings one level: `2.1` lies under `2`, a
lettered appendix stands at the top. In a numbered paper an unnumbered heading stays inside the section it stands in,
unless it names a part that papers keep at the top (References, Acknowledgements, ...), or the parser has it at the top
and its levels agree with the numbers and differ between unnumbered headings. Without numbers the parser's levels
count. A section holds the elements from its heading to the next heading of any level.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from reading_model.documents import BlockType
from reading_model.models import Element, Section

FRONT_MATTER = "Front matter"
WHOLE_TEXT = "Full text"
REFERENCES = "References"
ABSTRACT = "Abstract"
PATH_SEPARATOR = " > "

FURNITURE = frozenset({BlockType.HEADER, BlockType.FOOTER, BlockType.PAGE_NUMBER, BlockType.ASIDE})
"""Printed on the page, but no part of the text."""

_NUMBER = re.compile(
    r"(?:(?:section|chapter|kapitel|abschnitt)\s+)?(\d{1,2}(?:\.\d{1,2})*)(\.?)(?=[\s:：、．]|$)\W*(\S.*)?", re.I
)
_ROMAN = re.compile(r"([IVX]{1,5})\.\s+(?=\S)")
_APPENDIX = re.compile(r"(?:(?i:appendix|anhang|附录|付録)\s+)?([A-Z])((?:\.\d{1,2})*)[.:]?\s+(?=[^\sa-zà-ÿ])")
_INLINE_ABSTRACT = re.compile(r"\s*(?:abstract|summary|zusammenfassung|摘\s?要|要\s?旨|概要)\s*[-—–:.：]", re.I)
_SENTENCE = re.compile(r"[a-zà-ÿ].*[.]$")
_TOP = frozenset(
    title.strip()
    for title in """
    abstract|summary|introduction|references|bibliography|literature cited|works cited|literatur|literaturverzeichnis
    acknowledgments|acknowledgements|acknowledgment|acknowledgement|danksagung|conclusion|conclusions|discussion
    limitations|ethics statement|ethical considerations|broader impact|broader impacts|impact statement|appendix
    appendices|keywords|funding|author contributions|data availability|data availability statement|code availability
    competing interests|conflict of interest|conflict of interests|conflicts of interest|supplementary material
    supporting information|supplemental information|additional information and declarations|abbreviations
    additional information|declarations|statements
    zusammenfassung|参考文献|致谢|摘要|附录|謝辞|概要|付録|結論|结论
    """.strip()
    .replace("\n", "|")
    .split("|")
)
_HOLDERS = frozenset(
    ("additional information and declarations", "additional information", "declarations", "statements")
)
"""Parts that hold such parts of a paper as else stand at the top, where these have a deeper level."""
_REFERENCE_TITLES = frozenset(
    ("references", "bibliography", "literature cited", "works cited", "literatur", "literaturverzeichnis", "参考文献")
)
_ABSTRACT_TITLES = frozenset(("abstract", "summary", "zusammenfassung", "摘要", "概要", "要旨"))
_OPENING = re.compile(r"(?:1|I)\.?\s|introduction\b|einleitung\b|einführung\b|引言|序論|はじめに|绪论", re.I)


@dataclass(frozen=True, slots=True)
class Outline:
    """Sections in reading order, and for each element the ordinal of its section (None for page furniture)."""

    sections: tuple[Section, ...]
    section_of: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class _Start:
    """A section opens at an element; `depth` 1 is the top."""

    element: int
    title: str
    depth: int


def outline(elements: Sequence[Element]) -> Outline:
    """The section tree of a document's elements. Every element but page furniture lies in exactly one section."""
    running = [element for element in elements if element.type not in FURNITURE]
    if not running:
        return Outline((), (None,) * len(elements))
    starts = _starts(running)
    if not starts or starts[0].element > running[0].ordinal:
        title = FRONT_MATTER if starts else WHOLE_TEXT
        starts.insert(0, _Start(running[0].ordinal, title, 1))
    return _placed(starts, elements)


def is_references(title: str) -> bool:
    """Whether a heading opens the list of references."""
    return _plain(title) in _REFERENCE_TITLES


def is_abstract(title: str) -> bool:
    """Whether a heading opens the abstract."""
    return _plain(title) in _ABSTRACT_TITLES


def _starts(running: Sequence[Element]) -> list[_Start]:
    headings = [element for element in running if element.type is BlockType.HEADING and element.text.strip()]
    first = _first_heading(headings)
    depths = _Depths(any(_number_of(heading.text) is not None for heading in headings), told=_are_told(headings))
    starts: list[_Start] = []
    in_references = False
    for element in running:
        if element.type is BlockType.HEADING and element.ordinal >= first and element.text.strip():
            if _is_sentence(element.text):
                continue
            title = " ".join(element.text.split())
            starts.append(_Start(element.ordinal, title, depths.of(title, element.level or 1)))
            in_references = is_references(title)
        elif element.type is BlockType.REFERENCE and not in_references:
            starts.append(_Start(element.ordinal, REFERENCES, depths.of(REFERENCES, 1)))
            in_references = True
        elif not starts and element.type is BlockType.PARAGRAPH and _INLINE_ABSTRACT.match(element.text):
            starts.append(_Start(element.ordinal, ABSTRACT, depths.of(ABSTRACT, 1)))
    return starts


def _first_heading(headings: Sequence[Element]) -> int:
    """The first element that may open a section: before the abstract or introduction of the first page stand authors,
    dates and labels in large type."""
    for heading in headings:
        if is_abstract(heading.text) or _OPENING.match(heading.text):
            return heading.ordinal if heading.page == headings[0].page else 0
    return 0


def _is_sentence(text: str) -> bool:
    """Whether a line that starts with a number is a sentence (`3.5 percent of all lookups failed.`) and no heading."""
    match = _NUMBER.match(text)
    return match is not None and _SENTENCE.match(match[3] or "") is not None


def _number_of(text: str) -> tuple[int, ...] | None:
    match = _NUMBER.match(text)
    return None if match is None else tuple(int(part) for part in match[1].split("."))


def _are_told(headings: Sequence[Element]) -> bool:
    """Whether the levels of unnumbered headings tell something beside numbered ones: they differ, and numbers agree."""
    numbered = [(_number_of(heading.text), heading.level) for heading in headings]
    agree = all(level == len(number) for number, level in numbered if number is not None)
    others = {
        heading.level
        for heading in headings
        if not (_number_of(heading.text) or _APPENDIX.match(heading.text) or is_top_level(heading.text))
    }
    return agree and len(others) > 1


class _Depths:
    """How deep the next heading lies, given those before it. `told`: the parser's levels tell the top ones."""

    def __init__(self, numbered: bool, *, told: bool) -> None:
        self._numbered = numbered
        self._told = told
        self._holder: int | None = None
        self._roman = False
        self._last_number_depth: int | None = None
        self._letter = "@"  # the character before A

    def of(self, title: str, level: int) -> int:
        number = _number_of(title)
        if number is not None:
            return self._remember(len(number))
        if is_top_level(title):
            self._last_number_depth = None
            if self._holder is not None and level > self._holder and not is_references(title):
                return level
            self._holder = level if _plain(title) in _HOLDERS else None
            return 1
        if not self._numbered and _ROMAN.match(title):
            self._roman = True
            return self._remember(1)
        lettered = _APPENDIX.match(title)
        if lettered is not None and self._roman:
            return self._remember(2)
        if lettered is not None and self._is_appendix(lettered):
            self._letter = lettered[1]
            return self._remember(1 + lettered[2].count("."))
        if self._last_number_depth is not None:
            return self._remember(1) if self._told and level == 1 else self._last_number_depth + 1
        return max(1, level)

    def _remember(self, depth: int) -> int:
        self._last_number_depth = depth
        return depth

    def _is_appendix(self, match: re.Match[str]) -> bool:
        if match[2] or not match[0].startswith(match[1]):
            return True
        # a bare letter may begin any heading (`A Study of ...`): it counts in numbered papers, and in its turn
        return self._numbered and ord(match[1]) == ord(self._letter) + 1


def is_top_level(title: str) -> bool:
    """Whether papers keep a part of this name at the top, numbered or not."""
    return _plain(title) in _TOP


def _plain(title: str) -> str:
    return " ".join(title.split()).strip(" .:：").lower()


def _placed(starts: Sequence[_Start], elements: Sequence[Element]) -> Outline:
    sections: list[Section] = []
    section_of: list[int | None] = [None] * len(elements)
    open_: list[Section] = []
    for ordinal, start in enumerate(starts):
        end = starts[ordinal + 1].element if ordinal + 1 < len(starts) else len(elements)
        held = [element for element in elements[start.element : end] if element.type not in FURNITURE]
        for element in held:
            section_of[element.ordinal] = ordinal
        while open_ and open_[-1].level >= start.depth:
            open_.pop()
        section = Section(
            ordinal=ordinal,
            title=start.title,
            level=len(open_) + 1,
            path=PATH_SEPARATOR.join([*(outer.title for outer in open_), start.title]),
            parent=open_[-1].ordinal if open_ else None,
            page=held[0].page,
            page_end=max(element.page_end for element in held),
            first_element=start.element,
            end_element=end,
        )
        sections.append(section)
        # the depth that was asked for decides what lies under it, also where a level was left out above it
        open_.append(replace(section, level=start.depth))
    return Outline(tuple(sections), tuple(section_of))

"""Labels of figures, tables and sections, and the places in the text that mention them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class Labelled(StrEnum):
    """What carries a label that the text refers to."""

    FIGURE = "figure"
    TABLE = "table"
    SECTION = "section"


@dataclass(frozen=True, slots=True)
class Label:
    """For instance Figure 3, Table B.1, Section 4.2; `number` is in capitals without a final full stop."""

    kind: Labelled
    number: str


@dataclass(frozen=True, slots=True)
class Mention:
    """text[start:end] names `label`; in a list (`Tables 1 and 2`) the range runs from the word to this number."""

    label: Label
    start: int
    end: int


_WORDS = {
    Labelled.FIGURE: r"(?<![^\W_])(?:figures?|figs?\.?|abbildung(?:en)?|abb\.)|[图圖図]",
    Labelled.TABLE: r"(?<![^\W_])(?:tables?|tabs?\.|tabellen?)|表",
    Labelled.SECTION: r"(?<![^\W_])(?:sections?|sects?\.|secs?\.|abschnitte?)|§§?",
}
_ONE = r"(?:[A-Z]\.?)?\d{1,3}(?:\.\d{1,2})*"
_KINDS = "|".join(f"(?P<{kind.value}>{words})" for kind, words in _WORDS.items())
_MENTION = re.compile(
    rf"(?:{_KINDS})\s?(?P<numbers>{_ONE}[a-z]?(?:\s?(?:,|and|&|und|or|,\s?and|–|-|to)\s?{_ONE}[a-z]?)*)"
    rf"(?![A-Za-z0-9%])",
    re.IGNORECASE,
)
_NUMBER = re.compile(_ONE, re.IGNORECASE)
_RANGE = re.compile(r"\s?(?:–|-|to)\s?", re.IGNORECASE)
_CAPTION = re.compile(rf"\s*(?:{_KINDS})\s?(?P<numbers>{_ONE}|[IVX]{{1,5}}\b)", re.IGNORECASE)
_HEADING = re.compile(r"\s*(\d{1,2}(?:\.\d{1,2})*|[A-Z](?:\.\d{1,2})*)\.?\s")
_LONGEST_RANGE = 20
_CONTINUED = re.compile(r"\bcont(?:inued|inuation|['’]d|\.)|fortsetzung|续|続", re.IGNORECASE)
_LABEL_LINE = 40


def caption_label(caption: str) -> Label | None:
    """The label at the start of a caption (`Table 2: ...`)."""
    match = _CAPTION.match(caption)
    return None if match is None else Label(_kind(match), match["numbers"].upper())


def is_continued(caption: str) -> bool:
    """Whether a caption says that its table or figure began on another page."""
    return _CONTINUED.search(caption[:_LABEL_LINE]) is not None


def heading_label(title: str) -> Label | None:
    """The label of a numbered heading (`3.1 Data` is Section 3.1)."""
    match = _HEADING.match(title)
    return None if match is None else Label(Labelled.SECTION, match[1])


def mentions(text: str) -> Iterator[Mention]:
    """Mentions in order. Lists and ranges (`Figs. 2-4`) mention each of their members."""
    for match in _MENTION.finditer(text):
        kind = _kind(match)
        start, offset = match.start(), match.start("numbers")
        previous: re.Match[str] | None = None
        for number in _NUMBER.finditer(match["numbers"]):
            end = offset + number.end()
            if previous is not None and _RANGE.fullmatch(match["numbers"], previous.end(), number.start()):
                for between in _between(previous.group(), number.group()):
                    yield Mention(Label(kind, between), start, end)
            yield Mention(Label(kind, number.group().upper()), start, end)
            previous = number


def _kind(match: re.Match[str]) -> Labelled:
    return next(kind for kind in Labelled if match[kind.value] is not None)


def _between(first: str, last: str) -> list[str]:
    if not (first.isdigit() and last.isdigit()) or not 1 < int(last) - int(first) <= _LONGEST_RANGE:
        return []
    return [str(number) for number in range(int(first) + 1, int(last))]

"""In-text citations and the entries of the list of references that they name.

A citation counts only where exactly one entry fits: an entry's number in brackets (`[3, 5-7]`), or the first author's
surname with the year (`Ammar et al., 2018`, `Lo and Wang (2020)`). What could name two entries names none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

_NUMBER = re.compile(r"\s*(?:\[(\d{1,3})\]|\((\d{1,3})\)|(\d{1,3})[.)])\s")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}[a-z]?(?![\d–-])")
_GROUP = re.compile(r"\[\s*(\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*)\s*\]")
_STEP = re.compile(r"(\d{1,3})(?:\s*[–-]\s*(\d{1,3}))?")
_NAME = r"[^\W\d_a-zß-ÿ][^\W\d_]*(?:['’-][^\W\d_]+)*"
_AUTHORS = re.compile(
    rf"(?P<first>{_NAME})(?:\s+(?P<others>et\s+al\.?)|\s+(?:and|und|&)\s+(?P<second>{_NAME}))?"
    rf"(?:,\s*|\s+\(|,?\s+)(?P<year>(?:19|20)\d{{2}}[a-z]?)(?!\d)"
)
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_LONGEST_RANGE = 30
_MOST_NUMBERED = 0.6


@dataclass(frozen=True, slots=True)
class Citation:
    """text[start:end] names the entry at `entry` (its position among the references)."""

    entry: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class References:
    """The entries of a list of references, by number and by the first author's surname with the year."""

    texts: tuple[str, ...]
    by_number: Mapping[int, int] = field(default_factory=dict[int, int])
    by_author: Mapping[tuple[str, str], tuple[int, ...]] = field(default_factory=dict[tuple[str, str], tuple[int, ...]])

    @classmethod
    def of(cls, texts: Sequence[str]) -> References:
        """The entries with these texts, in order. Numbers count where most entries have one and none comes twice."""
        numbers = {index: int(next(filter(None, match.groups()))) for index, match in _numbered(texts)}
        unique = len(set(numbers.values())) == len(numbers) >= _MOST_NUMBERED * len(texts)
        by_author: dict[tuple[str, str], tuple[int, ...]] = {}
        for index, text in enumerate(texts):
            for key in _keys(text):
                by_author[key] = (*by_author.get(key, ()), index)
        by_number = {number: index for index, number in numbers.items()} if unique else {}
        return cls(tuple(texts), by_number, by_author)


def citations(text: str, references: References) -> list[Citation]:
    """The citations of a text, in order; each entry once."""
    found = sorted([*_by_number(text, references), *_by_author(text, references)], key=lambda item: item.start)
    first: dict[int, Citation] = {}
    for citation in found:
        first.setdefault(citation.entry, citation)
    return list(first.values())


def _numbered(texts: Sequence[str]) -> Iterator[tuple[int, re.Match[str]]]:
    for index, text in enumerate(texts):
        match = _NUMBER.match(text)
        if match is not None:
            yield index, match


def _keys(entry: str) -> Iterator[tuple[str, str]]:
    """The first author's surname with each year that the entry may be of: the first, or one with a letter."""
    match = _NUMBER.match(entry)
    surname = _surname(entry[match.end() :] if match else entry)
    years: list[str] = _YEAR.findall(entry)
    if surname is not None and years:
        for year in {years[0], *(year for year in years if year[-1].isalpha())}:
            yield surname, year


def _surname(entry: str) -> str | None:
    """The last word of the first author's name that is no initial: names stand in either order."""
    author = re.split(r",|;|\.\s|\(|\s(?:and|und|&)\s", entry, maxsplit=1)[0]
    words = [word for word in _WORD.findall(author) if len(word) > 1 and not word.isupper()]
    return words[-1].casefold() if words else None


def _by_number(text: str, references: References) -> Iterator[Citation]:
    if not references.by_number:
        return
    for match in _GROUP.finditer(text):
        numbers = [number for step in _STEP.finditer(match[1]) for number in _steps(step)]
        # an interval or an index in brackets names numbers that no entry has
        if numbers and all(number in references.by_number for number in numbers):
            for number in numbers:
                yield Citation(references.by_number[number], match.start(), match.end())


def _steps(step: re.Match[str]) -> list[int]:
    first, last = int(step[1]), int(step[2] or step[1])
    return list(range(first, last + 1)) if first <= last <= first + _LONGEST_RANGE else [0]


def _by_author(text: str, references: References) -> Iterator[Citation]:
    for match in _AUTHORS.finditer(text):
        fitting = references.by_author.get((match["first"].casefold(), match["year"]), ())
        if match["second"] is not None:
            fitting = tuple(
                index for index in fitting if match["second"].casefold() in references.texts[index].casefold()
            )
        if len(fitting) == 1:
            yield Citation(fitting[0], match.start(), match.end())

"""An entry of a bibliography, whatever form it was written in."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields

from reading_model.models import PaperMetadata

_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(\S+)", re.IGNORECASE)
_PARAGRAPHS = re.compile(r"\n\s*\n")
_NOT_KEY = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class BibliographyEntry:
    """What a bibliography says of one work. Unknown stays None; `files` are the paths that it names, as written.

    Names of authors are in the order given name, family name.
    """

    key: str
    title: str | None = None
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str | None = None
    doi: str | None = None
    arxiv_id: str | None = None
    abstract: str | None = None
    files: tuple[str, ...] = ()

    def given(self) -> dict[str, object]:
        """The fields of PaperMetadata that this entry knows."""
        values = {item.name: getattr(self, item.name) for item in fields(self) if item.name not in {"key", "files"}}
        return {name: value for name, value in values.items() if value not in (None, ())}


def one_line(text: str) -> str | None:
    """The text with its white space as single spaces; None when nothing is left."""
    return " ".join(text.split()) or None


def paragraphs(text: str) -> str | None:
    """The text as paragraphs of one line, a blank line between two; None when nothing is left."""
    found = (one_line(part) for part in _PARAGRAPHS.split(text))
    return "\n\n".join(part for part in found if part) or None


def year_of(text: str) -> int | None:
    """The first year from 1500 to 2099 that stands in a date."""
    found = _YEAR.search(text)
    return None if found is None else int(found[1])


def arxiv_of_doi(doi: str | None) -> str | None:
    """The arXiv number that a DOI of arXiv names."""
    found = _ARXIV_DOI.search(doi or "")
    return None if found is None else found[1]


def with_keys(papers: Iterable[PaperMetadata]) -> Iterator[tuple[str, PaperMetadata]]:
    """Citation keys: family name of the first author, year, first long word of the title; distinct by a number."""
    used: set[str] = set()
    for paper in papers:
        family = paper.authors[0].split()[-1:] if paper.authors else []
        word = next((word for word in (paper.title or "").split() if len(word) > 3), "")
        stem = "".join(map(_plain, (*family, str(paper.year or ""), word))) or "paper"
        key, number = stem, 1
        while key in used:
            number += 1
            key = f"{stem}-{number}"
        used.add(key)
        yield key, paper


def _plain(word: str) -> str:
    letters = unicodedata.normalize("NFKD", word).casefold()
    return _NOT_KEY.sub("", letters.encode("ascii", "ignore").decode())

"""Comparing the clues that name a paper: DOI, arXiv id, title, filename, authors, year."""

from __future__ import annotations

import html
import unicodedata

import regex

from corpus_gateway.wire import PaperCard, PaperIdentity

_DOI = regex.compile(r"10\.\d{4,9}/\S+", regex.IGNORECASE)
_ARXIV_FORM = regex.compile(r"^.*(?:arxiv:|/(?:abs|pdf)/)|\.pdf$", regex.IGNORECASE)
_ARXIV_VERSION = regex.compile(r"v\d+$")
_TEX = regex.compile(r"\\[A-Za-z]+\s*|[{}$\\^_]")


def names_nothing(clues: PaperIdentity) -> bool:
    """Whether no clue is given at all."""
    return not any(
        (clues.paper_id, clues.title, clues.filename, clues.doi, clues.arxiv_id, clues.authors, clues.year is not None)
    )


def matches(clues: PaperIdentity, card: PaperCard) -> bool:
    """Whether every clue given holds for the paper; of the authors named, one has to be among its authors."""
    pairs = (
        (clues.paper_id, card.paper_id, str),
        (clues.title, card.title, comparable_title),
        (clues.filename, card.filename, str.casefold),
        (clues.doi, card.doi, comparable_doi),
    )
    if any(wanted and (held is None or form(wanted) != form(held)) for wanted, held, form in pairs):
        return False
    if clues.arxiv_id and not same_arxiv(clues.arxiv_id, card.arxiv_id):
        return False
    if clues.authors and not any(names_author(wanted, card.authors) for wanted in clues.authors):
        return False
    return clues.year is None or clues.year == card.year


def comparable_title(title: str) -> str:
    """Letters and digits of a title, without case, punctuation, TeX commands and HTML entities."""
    plain = _TEX.sub("", html.unescape(title))
    return " ".join(regex.findall(r"[\p{L}\p{M}\p{N}]+", unicodedata.normalize("NFKC", plain).casefold()))


def comparable_doi(doi: str) -> str:
    """The bare DOI in lower case, without URL form and trailing punctuation."""
    found = _DOI.search(doi)
    return (found.group() if found else doi).rstrip(".,;:)]}>\"'").lower()


def same_arxiv(wanted: str, held: str | None) -> bool:
    """Whether an arXiv id names the held one: versions must agree where one is asked for."""
    if held is None:
        return False
    wanted_id, held_id = _bare_arxiv(wanted), _bare_arxiv(held)
    if _ARXIV_VERSION.search(wanted_id):
        return wanted_id == held_id
    return wanted_id == _ARXIV_VERSION.sub("", held_id)


def _bare_arxiv(value: str) -> str:
    return _ARXIV_FORM.sub("", value.strip()).lower()


def names_author(wanted: str, authors: list[str]) -> bool:
    """Whether a name (or a part of it) is among the authors, whatever the case."""
    needle = " ".join(wanted.casefold().split())
    return bool(needle) and any(needle in " ".join(name.casefold().split()) for name in authors)

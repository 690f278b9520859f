"""Whether clues name a paper of which only the card is known; forms are compared as the index compares them."""

from __future__ import annotations

from collections.abc import Callable

from corpus_gateway.wire import PaperCard, PaperIdentity
from index.identities import (
    ArxivNumber,
    comparable_arxiv,
    comparable_doi,
    comparable_filename,
    comparable_title,
    names_author,
)


def names_nothing(clues: PaperIdentity) -> bool:
    """Whether no clue is given at all; a blank one is none."""
    texts = (clues.paper_id, clues.title, clues.filename, clues.doi, clues.arxiv_id, *clues.authors)
    return clues.year is None and not any(text and text.strip() for text in texts)


def matches(clues: PaperIdentity, card: PaperCard) -> bool:
    """Whether every clue given holds for the paper; of the authors named, one has to be among its authors."""
    names = [name for name in clues.authors if name.strip()]
    return (
        _fits(clues.paper_id, card.paper_id, str)
        and _fits(clues.title, card.title, comparable_title)
        and _fits(clues.filename, card.filename, comparable_filename)
        and _fits(clues.doi, card.doi, comparable_doi)
        and _fits_arxiv(clues.arxiv_id, card.arxiv_id)
        and (not names or any(names_any(name, card.authors) for name in names))
        and (clues.year is None or clues.year == card.year)
    )


def names_any(wanted: str, authors: list[str]) -> bool:
    """Whether a name is that of one of the authors."""
    return any(names_author(wanted, held) for held in authors)


def _fits(wanted: str | None, held: str | None, form: Callable[[str], str | None]) -> bool:
    if not wanted or not wanted.strip():
        return True
    comparable = form(wanted)
    return bool(comparable) and held is not None and comparable == form(held)


def _fits_arxiv(wanted: str | None, held: str | None) -> bool:
    if not wanted or not wanted.strip():
        return True
    asked, known = comparable_arxiv(wanted), comparable_arxiv(held or "")
    return _is_version(asked, known) if asked and known else False


def _is_version(asked: ArxivNumber, known: ArxivNumber) -> bool:
    """A version counts where it is asked for: another one is another text."""
    return asked.number == known.number and asked.version in {None, known.version}

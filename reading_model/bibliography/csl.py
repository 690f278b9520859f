"""CSL-JSON, the form of Zotero and of citation processors (https://citeproc-js.readthedocs.io/en/latest/csl-json)."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from reading_model.bibliography.entry import (
    BibliographyEntry,
    arxiv_of_doi,
    one_line,
    paragraphs,
    with_keys,
    year_of,
)
from reading_model.bibliography.names import divided
from reading_model.errors import BibliographyUnreadable
from reading_model.models import PaperMetadata

_TAG = re.compile(r"</?(?:i|b|u|em|strong|sub|sup|sc|span|p|jats:[a-z-]+)\b[^<>]*>", re.IGNORECASE)
_ARXIV = re.compile(r"arxiv:\s*(\S+)", re.IGNORECASE)
_GIVEN_FIRST = ("given", "dropping-particle", "non-dropping-particle", "family", "suffix")


def read_csl(text: str) -> list[BibliographyEntry]:
    """The items of a CSL-JSON file, in their order. Raises BibliographyUnreadable, naming the item that is wrong."""
    try:
        content: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        message = f"the file is no JSON: {error}"
        raise BibliographyUnreadable(message) from error
    if isinstance(content, dict):
        content = cast("dict[str, Any]", content).get("items", content)
    if not isinstance(content, list):
        message = "CSL-JSON is a list of items"
        raise BibliographyUnreadable(message)
    return [_entry(number, item) for number, item in enumerate(cast("list[Any]", content), start=1)]


def write_csl(papers: Iterable[tuple[PaperMetadata, str]]) -> str:
    """Papers as CSL-JSON. The kind of a publication is not known: `article`, with a venue `article-journal`."""
    items = [_item(key, paper) for key, paper in with_keys(metadata for metadata, _ in papers)]
    return json.dumps(items, ensure_ascii=False, indent=2) + "\n"


def _entry(number: int, item: Any) -> BibliographyEntry:
    if not isinstance(item, dict):
        message = f"item {number} is no object"
        raise BibliographyUnreadable(message)
    values = cast("dict[str, Any]", item)
    doi = one_line(_text(values, "DOI"))
    arxiv = _ARXIV.search(" ".join(_text(values, name) for name in ("number", "archive_location", "note", "archive")))
    return BibliographyEntry(
        key=_text(values, "id") or str(number),
        title=one_line(_text(values, "title")),
        authors=tuple(name for person in _persons(number, values) if (name := _name(person))),
        year=_year(values.get("issued")),
        venue=one_line(_text(values, "container-title")),
        doi=doi,
        arxiv_id=arxiv[1] if arxiv is not None else arxiv_of_doi(doi),
        abstract=paragraphs(_text(values, "abstract")),
    )


def _text(values: Mapping[str, Any], name: str) -> str:
    value = values.get(name)
    if isinstance(value, list) and value:  # Crossref gives titles as lists
        value = cast("list[object]", value)[0]
    return html.unescape(_TAG.sub("", str(value))) if isinstance(value, str | int) else ""


def _persons(number: int, values: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    persons: Any = values.get("author", [])
    if not isinstance(persons, list) or not all(isinstance(person, dict) for person in cast("list[Any]", persons)):
        message = f"the authors of item {number} are no list of names"
        raise BibliographyUnreadable(message)
    return cast("list[dict[str, Any]]", persons)


def _name(person: Mapping[str, Any]) -> str | None:
    literal = _text(person, "literal") or _text(person, "name")
    return one_line(literal or " ".join(_text(person, part) for part in _GIVEN_FIRST))


def _year(issued: Any) -> int | None:
    if not isinstance(issued, dict):
        return None
    date = cast("dict[str, Any]", issued)
    return year_of(json.dumps(date.get("date-parts") or date.get("raw") or date.get("literal") or ""))


def _item(key: str, paper: PaperMetadata) -> dict[str, Any]:
    values: dict[str, Any] = {
        "id": key,
        "type": "article-journal" if paper.venue else "article",
        "title": _escaped(paper.title),
        "author": [_person(name) for name in paper.authors],
        "issued": {"date-parts": [[paper.year]]} if paper.year is not None else None,
        "container-title": _escaped(paper.venue),
        "DOI": paper.doi,
        "number": f"arXiv:{paper.arxiv_id}" if paper.arxiv_id else None,
        "abstract": _escaped(paper.abstract),
    }
    return {name: value for name, value in values.items() if value}


def _person(name: str) -> dict[str, str]:
    parts = divided(name)
    person = {
        "family": " ".join(parts.last),
        "given": " ".join(parts.first),
        "non-dropping-particle": " ".join(parts.von),
    }
    person = {part: value for part, value in person.items() if value}
    # one word, a comma, or anything else that would not come back as it is
    whole = len(person) < 2 or parts.jr or _name(person) != name
    return {"literal": _escaped(name) or ""} if whole else person


def _escaped(text: str | None) -> str | None:
    """Processors read tags in CSL-JSON, so a sign that would be one is written as a character reference."""
    return None if text is None else text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

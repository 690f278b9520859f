"""Bibliographic facts of a model: what the parser found, completed from the text where it says so itself."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reading_model.documents import BlockType, ParsedMetadata, Sourced
from reading_model.models import Element, PaperMetadata, Section
from reading_model.sections import is_abstract

_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_FIRST_PAGE = "first_page"


def paper_metadata(found: ParsedMetadata, elements: Sequence[Element], sections: Sequence[Section]) -> PaperMetadata:
    """Metadata with the source of each known field; what is not known stays None."""
    title = found.title or _title(elements)
    abstract = found.abstract or _abstract(elements, sections)
    year = None if found.year is None else _YEAR.search(found.year.value)
    known = {
        "title": title,
        "authors": found.authors[0] if found.authors else None,
        "year": found.year if year is not None else None,
        "venue": found.venue,
        "doi": found.doi,
        "arxiv_id": found.arxiv_id,
        "abstract": abstract,
    }
    return PaperMetadata(
        title=_value(title),
        authors=tuple(author.value for author in found.authors),
        year=None if year is None else int(year[1]),
        venue=_value(found.venue),
        doi=_value(found.doi),
        arxiv_id=_value(found.arxiv_id),
        abstract=_value(abstract),
        sources={name: item.source for name, item in known.items() if item is not None},
    )


def _value(item: Sourced | None) -> str | None:
    return None if item is None else item.value


def _title(elements: Sequence[Element]) -> Sourced | None:
    for element in elements:
        if element.type is BlockType.TITLE and element.text.strip():
            return Sourced(" ".join(element.text.split()), _FIRST_PAGE)
    return None


def _abstract(elements: Sequence[Element], sections: Sequence[Section]) -> Sourced | None:
    section = next((section for section in sections if is_abstract(section.title)), None)
    if section is None:
        return None
    text = "\n\n".join(
        element.text.strip()
        for element in elements[section.first_element : section.end_element]
        if element.section == section.ordinal and element.type is BlockType.PARAGRAPH
    )
    return Sourced(text, _FIRST_PAGE) if text else None

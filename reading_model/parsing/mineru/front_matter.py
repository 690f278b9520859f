"""Title, authors and arXiv number of a MinerU result, where the first page states them plainly."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reading_model.documents import Block, BlockType, ParsedMetadata, Sourced

_FIRST_PAGE = "first_page"
_ARXIV = re.compile(r"\barXiv:\s?(\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+(?:\.[A-Z]{2})?/\d{7}(?:v\d+)?)")
_DOI = re.compile(r"(?:doi:\s?|doi\.org/)(10\.\d{4,9}/[^\s\"<>]*[^\s\"<>.,;)])", re.IGNORECASE)
_MARKS = re.compile(r"(?:\d+(?:\s*,\s*\d+)*|[*†‡§¶∗⋆♯♠♣♥♦])+")
_SEPARATOR = re.compile(r"\s*(?:,|;|、|\band\b|&)\s*")
_NAME = re.compile(
    r"(?:[A-Z][\w.'’\-]*|Mc\w+)(?:\s(?:[A-Z][\w.'’\-]*|de|da|del|della|van|von|der|den|la|le|bin|al)){1,3}"
)
_TOO_MANY = 3  # words without particles: more are two names with nothing between them
_INSTITUTION = re.compile(
    r"universi|institut|laborator|college|school|center|centre|hospital|academy|inc\b|research|department|google|city",
    re.IGNORECASE,
)


def metadata_of(blocks: Sequence[Block]) -> ParsedMetadata:
    """What the first page states; authors only where every name stands apart from the next, else none at all."""
    title = next((block for block in blocks if block.type is BlockType.TITLE), None)
    arxiv = _first(_ARXIV, blocks)
    doi = _first(_DOI, blocks)
    return ParsedMetadata(
        title=None if title is None else Sourced(" ".join(title.text.split()), _FIRST_PAGE),
        authors=tuple(Sourced(name, _FIRST_PAGE) for name in _authors(title, blocks)),
        arxiv_id=None if arxiv is None else Sourced(arxiv, _FIRST_PAGE),
        doi=None if doi is None else Sourced(doi, _FIRST_PAGE),
    )


def _first(pattern: re.Pattern[str], blocks: Sequence[Block]) -> str | None:
    """The identifier in the margins or the front of the first page; one in the text belongs to another paper."""
    marginal = {BlockType.HEADER, BlockType.FOOTER, BlockType.ASIDE, BlockType.PAGE_NUMBER}
    for block in blocks:
        if block.page == 1 and block.type in marginal:
            match = pattern.search(block.text)
            if match is not None:
                return match[1]
    return None


def _authors(title: Block | None, blocks: Sequence[Block]) -> list[str]:
    if title is None or title.ordinal + 1 >= len(blocks):
        return []
    block = blocks[title.ordinal + 1]
    if block.type is not BlockType.PARAGRAPH or block.page != title.page:
        return []
    rows = [block.text[line.start : line.end] for line in block.lines] or [block.text]
    names: list[str] = []
    for part in _SEPARATOR.split(_rows_joined(rows)):
        name = _MARKS.sub("", part).strip()
        if not name:
            continue
        words = [word for word in name.split() if word[:1].isupper()]
        if not _NAME.fullmatch(name) or len(words) > _TOO_MANY or _INSTITUTION.search(name):
            return []
        names.append(name)
    return names if len(names) > 1 else []


def _rows_joined(rows: Sequence[str]) -> str:
    """Rows of names as one list; the end of a row that ends with a whole name parts it from the next."""
    return ", ".join(row.strip().rstrip(",") for row in rows)

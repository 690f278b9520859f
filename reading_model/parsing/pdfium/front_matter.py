"""Title, authors, abstract and identifiers, as the first page and the PDF's own metadata state them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from reading_model.documents import Block, BlockType, ParsedMetadata, Sourced
from reading_model.parsing.pdfium.authors import author_names
from reading_model.parsing.pdfium.draft import Draft
from reading_model.parsing.pdfium.headings import NAMED, comparable, is_contents_title

FIRST_PAGE, PDF_INFO = "first_page", "pdf_info"
TITLE_SHARE = 0.62  # of the page: titles stand in the upper part
_LABELS = re.compile(
    r"^(?:(?:original |invited |mini[- ]?)?(?:research|review|short|technical)?[ -]*(?:article|paper|report|note)s?"
    r"|letters?|research|reviews?|r evi ew|open access|editorial|commentary|correspondence|replication\b.*|preprint"
    r"|computational science|case (?:report|study)|original (?:article|paper|research)|communications?|perspective"
    r"|methods?|software|proceedings)$",
    re.IGNORECASE,
)
_DOI = re.compile(r"\b(10\.\d{4,9}/[^\s\"<>|]+)", re.IGNORECASE)
_ARXIV = re.compile(r"\barxiv:\s?(\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+(?:\.[A-Z]{2})?/\d{7}(?:v\d+)?)", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(19[5-9]\d|20\d\d)(?!\d)")
_YEAR_CONTEXT = re.compile(
    r"(?:©|\(c\)|copyright|published|accepted|volume|vol\.|proceedings|conference|arxiv|\d{1,2}\.\d{4,}|"
    r"january|february|march|april|may|june|july|august|september|october|november|december|年)",
    re.IGNORECASE,
)


def mark_title(drafts: Sequence[Draft], body_size: float, page_height: float) -> Draft | None:
    """Find the title among the first page's drafts and set its type; None where nothing stands out."""
    candidates = [d for d in drafts if d.type is BlockType.PARAGRAPH and _may_be_title(d, page_height)]
    if not candidates:
        return None
    best = max(candidates, key=lambda d: (round(d.lines[0].size, 1), d.lines[0].bold, -d.top))
    if best.lines[0].size < 1.08 * body_size and not best.lines[0].bold:
        return None
    best.type = BlockType.TITLE
    _take_in_rest(best, drafts)
    return best


def _take_in_rest(title: Draft, drafts: Sequence[Draft]) -> None:
    """Lines that follow in the same large type, set apart by more than a line's pitch, belong to the title."""
    size = title.lines[0].size
    for item in drafts[drafts.index(title) + 1 :]:
        last = title.lines[-1]
        alike = item.lines and abs(item.lines[0].size - size) < 0.02 * size and item.lines[0].bold == last.bold
        if not alike or item.type is not BlockType.PARAGRAPH or not 0 < item.lines[0].base - last.base < 2.6 * size:
            return
        title.lines.extend(item.lines)
        title.measure()
        item.lines.clear()


def _may_be_title(item: Draft, page_height: float) -> bool:
    text = item.text.strip()
    if item.top > TITLE_SHARE * page_height or len(text) > 400 or len(item.lines) > 7:
        return False
    if comparable(text) in NAMED or is_contents_title(text):
        return False
    letters = sum(character.isalpha() for character in text)
    return letters >= 4 and letters > 0.5 * len(text) and not _LABELS.match(text)


def metadata_of(
    drafts: Sequence[Draft],
    title: Draft | None,
    info: Mapping[str, str],
    first_page_text: str,
    title_text: str,
    blocks: Sequence[Block],
) -> ParsedMetadata:
    """The bibliographic facts that the file states. `drafts` are those of the first page, furniture included."""
    sourced_title = _title(title_text, info, first_page_text)
    names = author_names(drafts, title) if title else []
    authors = tuple(Sourced(name, FIRST_PAGE) for name in names)
    if not authors:
        authors = tuple(Sourced(name, PDF_INFO) for name in _info_authors(info, first_page_text))
    doi = _DOI.search(first_page_text)
    arxiv = _ARXIV.search(first_page_text) or _ARXIV.search(" ".join(item.text for item in drafts))
    return ParsedMetadata(
        title=sourced_title,
        authors=authors,
        year=_year(drafts),
        doi=Sourced(doi.group(1).rstrip(".,;)"), FIRST_PAGE) if doi else None,
        arxiv_id=Sourced(arxiv.group(1), FIRST_PAGE) if arxiv else None,
        abstract=abstract_of(blocks),
    )


def _title(title_text: str, info: Mapping[str, str], first_page_text: str) -> Sourced | None:
    """The printed title; that of the PDF's information only where the page has its words and gives no better one."""
    stated = info.get("Title", "").strip()
    page = comparable(first_page_text)
    known = len(comparable(stated)) >= 8 and comparable(stated) in page
    if title_text:
        printed = comparable(title_text)
        if known and printed != comparable(stated) and printed in comparable(stated):
            return Sourced(stated, PDF_INFO)
        return Sourced(title_text, FIRST_PAGE)
    return Sourced(stated, PDF_INFO) if known else None


def _info_authors(info: Mapping[str, str], first_page_text: str) -> list[str]:
    names = [part.strip() for part in re.split(r"[;,]|\band\b|、", info.get("Author", "")) if part.strip()]
    page = comparable(first_page_text)
    return names if names and all(comparable(name) in page for name in names) else []


def _year(drafts: Sequence[Draft]) -> Sourced | None:
    """The year in a line of the first page that speaks of publication."""
    for kinds in ((BlockType.HEADER, BlockType.FOOTER, BlockType.ASIDE, BlockType.FOOTNOTE), (BlockType.PARAGRAPH,)):
        for item in drafts:
            if item.type not in kinds or len(item.text) > 600:
                continue
            match = _YEAR.search(item.text)
            if match and _YEAR_CONTEXT.search(item.text):
                return Sourced(match.group(1), FIRST_PAGE)
    return None


def abstract_of(blocks: Sequence[Block]) -> Sourced | None:
    """The paragraphs between the heading of the abstract, on the first two pages, and the next heading."""
    parts: list[str] = []
    inside = False
    for block in blocks:
        if block.type is BlockType.HEADING:
            if inside:
                break
            inside = block.page <= 2 and comparable(block.text) in ("abstract", "摘要", "概要", "summary")
        elif inside and block.type in (BlockType.PARAGRAPH, BlockType.LIST):
            parts.append(block.text)
    return Sourced("\n".join(parts), FIRST_PAGE) if parts else None

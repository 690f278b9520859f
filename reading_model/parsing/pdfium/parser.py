"""The parser `pdfium`: bytes to a parsed document."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from reading_model.documents import BlockType, Diagnostic, ParsedDocument, ParsedPage, Provenance
from reading_model.errors import DamagedPdf, FileTooLarge
from reading_model.parsing.limits import ParseLimits
from reading_model.parsing.ocr import OcrEngine, find_engine
from reading_model.parsing.pdfium.assembly import blocks_of, running_text, vocabulary
from reading_model.parsing.pdfium.display_type import mark_display_type
from reading_model.parsing.pdfium.draft import Draft, PageLayout
from reading_model.parsing.pdfium.front_matter import mark_title, metadata_of
from reading_model.parsing.pdfium.furniture import furniture_of
from reading_model.parsing.pdfium.headings import (
    Outline,
    contents_pages,
    is_contents_title,
    is_heading,
    is_running_text,
    opens_the_text,
    set_levels,
)
from reading_model.parsing.pdfium.page_blocks import page_drafts
from reading_model.parsing.pdfium.pages import layout_of, page_ranges
from reading_model.parsing.pdfium.raw import RawDocument
from reading_model.parsing.pdfium.references import with_references
from reading_model.parsing.pdfium.scans import PictureReader

PARSER_NAME = "pdfium"
PARSER_VERSION = "7"
PROVENANCE = Provenance(PARSER_NAME, PARSER_VERSION)
"""By this a paper is known to be parsed by these rules already."""
DEFAULT_SIZE = 10.0
_INFO_KEYS = ("Title", "Author", "Subject", "CreationDate")


def parse(data: bytes, *, password: str | None = None, limits: ParseLimits = ParseLimits()) -> ParsedDocument:  # noqa: B008
    """Parse a PDF; raises DamagedPdf, PasswordRequired, PasswordWrong or FileTooLarge.

    A file without usable text is no error: it has pages, no blocks, and the diagnostic `no_text`.
    """
    return _parse(data, password, limits, None)


def parse_with_ocr(
    data: bytes,
    *,
    password: str | None = None,
    limits: ParseLimits = ParseLimits(),  # noqa: B008 - a frozen value
    engine: Callable[[], OcrEngine] = find_engine,
) -> ParsedDocument:
    """The same, with the pages that have no text of their own read by OCR.

    `engine` gives what reads them; it is asked at the first such page, so that other files need none. Raises
    ParserUnavailable where there is no engine.
    """
    return _parse(data, password, limits, PictureReader(engine))


@dataclass(slots=True)
class _Pages:
    """The pages of a file and what is to be said of them."""

    pages: list[ParsedPage] = field(default_factory=list[ParsedPage])
    layouts: list[PageLayout] = field(default_factory=list[PageLayout])
    notes: list[Diagnostic] = field(default_factory=list[Diagnostic])


def _parse(data: bytes, password: str | None, limits: ParseLimits, reader: PictureReader | None) -> ParsedDocument:
    with RawDocument(data, password) as document:
        if document.page_count > limits.max_pages:
            raise FileTooLarge(f"The file has {document.page_count:,} pages; the limit is {limits.max_pages:,}.")
        if document.page_count == 0:
            raise DamagedPdf("The file has no pages.")
        read = _read_pages(document, reader)
        info = {key: document.info(key) for key in _INFO_KEYS}
        outline = Outline.of(document.bookmarks())
    if not read.layouts:
        raise DamagedPdf("None of the file's pages can be loaded.")
    config = ""
    if reader is not None:
        reader.replace_in(read.layouts)
        read.notes.extend(reader.notes())
        config = reader.identity
    read.notes.extend(_textless(read.layouts))
    provenance = Provenance(PARSER_NAME, PARSER_VERSION, config)
    digest = hashlib.sha256(data).hexdigest()
    return _document(read.layouts, tuple(read.pages), info, outline, read.notes, provenance, digest)


def _read_pages(document: RawDocument, reader: PictureReader | None) -> _Pages:
    read = _Pages()
    for index in range(document.page_count):
        raw = document.page(index)
        if raw is None:
            read.notes.append(Diagnostic("missing_page", "This page cannot be loaded.", index + 1))
            read.pages.append(_missing_page(index + 1, read.pages))
            continue
        layout, remarks = layout_of(raw)
        read.layouts.append(layout)
        read.pages.append(ParsedPage(raw.number, raw.width, raw.height, raw.rotation, raw.label))
        if reader is None or not reader.take(document, raw, layout):
            read.notes.extend(remarks)
    return read


def _document(
    layouts: list[PageLayout],
    pages: tuple[ParsedPage, ...],
    info: dict[str, str],
    outline: Outline,
    notes: list[Diagnostic],
    provenance: Provenance,
    digest: str,
) -> ParsedDocument:
    """The document of these pages. The list of layouts is emptied: from then on only the drafts hold the words."""
    drafts, title = _drafts_of(layouts, outline)
    first = [item for item in drafts if item.page == layouts[0].number]
    words = vocabulary(line for layout in layouts for line in layout.lines)
    frames = {layout.number: layout.frame for layout in layouts}
    every = [frames.get(page.number, layouts[0].frame) for page in pages]
    title_text = running_text(title.lines, title.page, every[0], words).text if title else ""
    first_text = " ".join(line.text for line in layouts[0].lines)
    layouts.clear()
    blocks = blocks_of(drafts, every, words)
    return ParsedDocument(
        source_sha256=digest,
        pages=pages,
        blocks=blocks,
        provenance=provenance,
        metadata=metadata_of(first, title, info, first_text, title_text, blocks),
        diagnostics=tuple(notes),
    )


def _drafts_of(layouts: Sequence[PageLayout], outline: Outline) -> tuple[list[Draft], Draft | None]:
    """The blocks in the making, in reading order, and the one that is the title."""
    body = body_size(layouts)
    mark_display_type(layouts)
    furniture = furniture_of(layouts, body)
    drafts: list[Draft] = []
    for layout, edges in zip(layouts, furniture, strict=True):
        drafts.extend(page_drafts(layout, edges, body))
    first = [item for item in drafts if item.page == layouts[0].number]
    title = mark_title(first, body, layouts[0].frame.height)
    drafts = [item for item in drafts if item.lines or item.table or item.type is BlockType.FIGURE]
    headings = _mark_headings(drafts, body, outline, title)
    set_levels(headings, outline)
    return with_references(drafts), title


def _missing_page(number: int, before: Sequence[ParsedPage]) -> ParsedPage:
    """A page that cannot be loaded has no size; that of the page before it is as good as any."""
    width, height = (before[-1].width, before[-1].height) if before else (612.0, 792.0)
    return ParsedPage(number, width, height)


def body_size(layouts: Sequence[PageLayout]) -> float:
    """The commonest size of type, by characters, up to the references."""
    sizes: Counter[float] = Counter()
    for layout in layouts:
        for line in layout.lines:
            if line.text.strip(" .0123456789").lower() in ("references", "bibliography") and len(sizes) > 3:
                return max(sizes, key=lambda size: (sizes[size], size))
            sizes[round(line.size * 5) / 5] += len(line.text)
    return max(sizes, key=lambda size: (sizes[size], size), default=DEFAULT_SIZE)


def _mark_headings(drafts: Sequence[Draft], body: float, outline: Outline, title: Draft | None) -> list[Draft]:
    found: list[Draft] = []
    before: Draft | None = None
    contents = contents_pages(drafts)
    under_title = title is not None
    above_title = title is not None
    for item in drafts:
        above_title = above_title and item is not title
        if under_title and title is not None and item.page != title.page:
            under_title = False
        gap = item.top - before.bottom if before and before.page == item.page and before.bottom < item.top else body
        if not above_title and item is not title and is_running_text(item):
            under_title = False
        if item is not title and not above_title and is_heading(item, gap, body, outline):
            opens = opens_the_text(item.text) or outline.depth(item.text) is not None
            listed = item.page in contents and not is_contents_title(item.text)
            if not listed and (opens or not under_title):
                item.type = BlockType.HEADING
                found.append(item)
                under_title = False
        if item.type not in (BlockType.HEADER, BlockType.FOOTER, BlockType.PAGE_NUMBER):
            before = item
    return found


def _textless(layouts: Sequence[PageLayout]) -> list[Diagnostic]:
    empty = [layout.number for layout in layouts if not layout.lines]
    if not empty:
        return []
    where = f"pages {page_ranges(empty)}" if len(empty) > 1 else f"page {empty[0]}"
    code = "no_text" if len(empty) == len(layouts) else "textless_pages"
    message = f"No text was found on {where}. If they are pictures of text, have them read with `--ocr auto`."
    return [Diagnostic(code, message, empty[0] if len(empty) == 1 else None)]

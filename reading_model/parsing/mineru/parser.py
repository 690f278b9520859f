"""The parser `mineru-artifact`: the files of one MinerU output as a parsed document."""

from __future__ import annotations

from collections.abc import Sequence

from reading_model.documents import Diagnostic, ParsedDocument, ParsedPage, Provenance
from reading_model.errors import DamagedPdf, FileTooLarge, NotAnArtifact
from reading_model.parsing.limits import ParseLimits
from reading_model.parsing.mineru.assembly import blocks_of
from reading_model.parsing.mineru.bundle import Bundle, Role, unpacked
from reading_model.parsing.mineru.completion import completed
from reading_model.parsing.mineru.forms import flat_blocks
from reading_model.parsing.mineru.front_matter import metadata_of
from reading_model.parsing.mineru.geometry import layout_sizes, page_total, pages_of
from reading_model.parsing.mineru.headings import with_headings
from reading_model.parsing.mineru.items import Item, Reader
from reading_model.parsing.mineru.json_values import load, object_of, text_of
from reading_model.parsing.mineru.layout import Layout
from reading_model.parsing.mineru.pdf_pages import pdf_pages

PARSER_NAME = "mineru-artifact"
PARSER_VERSION = "1"

_RICHEST_FIRST = (Role.CONTENT_LIST, Role.CONTENT_LIST_V2, Role.STRUCTURED, Role.LAYOUT)
"""The flat list keeps the lines of code, the structured one levels; the layout lacks what was merged over pages."""


def parse(data: bytes, *, password: str | None = None, limits: ParseLimits = ParseLimits()) -> ParsedDocument:  # noqa: B008
    """The document of a packed bundle (`bundle.Bundle.packed`); `password` opens its PDF.

    Raises NotAnArtifact, DamagedArtifact, UnsafeArchive or FileTooLarge. Pages without items are pages without text.
    """
    return document_of(unpacked(data), password=password, limits=limits)


def document_of(bundle: Bundle, *, password: str | None, limits: ParseLimits) -> ParsedDocument:
    """The document of a bundle: blocks from its richest file, completed from the others; sizes from PDF or layout."""
    notes: list[Diagnostic] = []
    documents = {role: load(bundle.files[role], role.value) for role in _RICHEST_FIRST if role in bundle.files}
    if not documents:
        raise NotAnArtifact("There is no content list, structured content or layout in the output.")
    items = _items(documents, limits, notes)
    layout = documents.get(Role.LAYOUT)
    in_pdf = _pdf_pages(bundle, password, limits, notes)
    return assembled(
        items,
        source_sha256=bundle.source_sha256(),
        layout=layout,
        in_pdf=in_pdf,
        provenance=Provenance(PARSER_NAME, PARSER_VERSION, _made_by(layout)),
        notes=notes,
        limits=limits,
    )


def assembled(
    items: Sequence[Item],
    *,
    source_sha256: str,
    layout: object,
    in_pdf: Sequence[ParsedPage],
    provenance: Provenance,
    notes: list[Diagnostic],
    limits: ParseLimits,
    page_count: int = 0,
) -> ParsedDocument:
    """A document of items; it has as many pages as PDF, layout, items and `page_count` show at most."""
    sizes = layout_sizes(layout)
    last = max((item.page for item in items), default=0)
    total = max(len(in_pdf), page_total(layout), last, page_count)
    if total > limits.max_pages:
        raise FileTooLarge(f"The file has {total:,} pages; the limit is {limits.max_pages:,}.")
    if in_pdf and last > len(in_pdf):
        message = f"A block stands on page {last}, and the PDF has {len(in_pdf)} pages."
        notes.append(Diagnostic("page_mapping_conflict", message))
    if any(number > len(in_pdf) and number not in sizes for number in range(1, total + 1)):
        message = "The size of pages is not known: their boxes are thousandths of width and height, not points."
        notes.append(Diagnostic("page_size_unknown", message))
    pages = pages_of(total, in_pdf, sizes)
    blocks = blocks_of(with_headings(items), pages, Layout(layout), notes)
    if not any(block.text.strip() for block in blocks):
        notes.append(Diagnostic("no_text", "The output has no text at all."))
    return ParsedDocument(
        source_sha256=source_sha256,
        pages=pages.pages,
        blocks=blocks,
        provenance=provenance,
        metadata=metadata_of(blocks),
        diagnostics=tuple(notes),
    )


def _items(documents: dict[Role, object], limits: ParseLimits, notes: list[Diagnostic]) -> list[Item]:
    found: list[Item] = []
    for role, document in documents.items():
        reader = Reader(limits.max_pages)
        items = list(reader.items(flat_blocks(role, document)))
        if not found:
            found = items
            notes.extend(reader.notes)
        else:
            found = completed(found, items, notes)
    return found


def _made_by(layout: object) -> str:
    """MinerU's version and backend, as its layout states them."""
    values = object_of(layout)
    return " ".join(filter(None, (text_of(values.get("_version_name")), text_of(values.get("_backend")))))


def _pdf_pages(bundle: Bundle, password: str | None, limits: ParseLimits, notes: list[Diagnostic]) -> list[ParsedPage]:
    if bundle.pdf is None:
        return []
    try:
        return pdf_pages(bundle.pdf, password, limits.max_pages)
    except DamagedPdf as error:
        message = f"{error} Page sizes come from the output."
        notes.append(Diagnostic("source_pdf_unreadable", message))
        return []

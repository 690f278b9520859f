"""The parser `paperloom-export`: a reading model in the form `paperloom-reading-model-export/v1`, built anew.

The export keeps the MinerU block of every element in `rawAttributesJson`; those are read, since what was made of them
lost the rows of tables and the entries of lists.
"""

from __future__ import annotations

from collections.abc import Iterator

from reading_model.documents import BlockType, Diagnostic, ParsedDocument, Provenance
from reading_model.errors import DamagedArtifact, NotAnArtifact
from reading_model.identity import sha256_hex
from reading_model.parsing.limits import ParseLimits
from reading_model.parsing.mineru.bundle import MAX_JSON
from reading_model.parsing.mineru.items import Item, Reader
from reading_model.parsing.mineru.json_values import Json, list_of, load, object_of, text_of, whole_number
from reading_model.parsing.mineru.parser import assembled

PARSER_NAME = "paperloom-export"
PARSER_VERSION = "1"
SCHEMA = "paperloom-reading-model-export/v1"
SNIFFED = 4096
"""Bytes at the start of a file among which the name of the schema stands."""

_CODE_BODY = "code_body"  # the body of a code block a second time, as an element of its own


def looks_like_export(start: bytes) -> bool:
    """Whether a file that starts so is an export of this form."""
    return SCHEMA.encode() in start[:SNIFFED]


def parse(data: bytes, *, password: str | None = None, limits: ParseLimits = ParseLimits()) -> ParsedDocument:  # noqa: ARG001, B008
    """The document of an export. Raises NotAnArtifact or DamagedArtifact.

    The source is the export itself: the PDF that it names is not there to be compared.
    """
    export = object_of(load(data, "The export"))
    if export.get("schema_version") != SCHEMA:
        raise NotAnArtifact(f"The file is no export of the form {SCHEMA}.")
    reader = Reader(limits.max_pages)
    items = list(_items(export, reader))
    notes = reader.notes
    claimed = text_of(export.get("source_pdf_sha256"))
    if claimed:
        notes.append(
            Diagnostic("source_claimed", f"The export says it was made from the PDF with SHA-256 {claimed[:64]}.")
        )
    made_by = " ".join(filter(None, (text_of(export.get("parser_name")), text_of(export.get("parser_version")))))
    return assembled(
        items,
        source_sha256=sha256_hex(data),
        layout=None,
        in_pdf=(),
        provenance=Provenance(PARSER_NAME, PARSER_VERSION, made_by),
        notes=notes,
        limits=limits,
        page_count=whole_number(export.get("pdf_page_count")) or 0,
    )


def _items(export: Json, reader: Reader) -> Iterator[Item]:
    elements = [object_of(element) for element in list_of(export.get("reading_elements"))]
    for element in sorted(elements, key=lambda item: whole_number(item.get("readingOrder")) or 0):
        raw = _raw(element)
        if text_of(raw.get("type")) == _CODE_BODY and element.get("parentReadingElementId"):
            continue
        yield from reader.items([raw])


def _raw(element: Json) -> Json:
    source = text_of(element.get("rawAttributesJson"))
    if len(source) > MAX_JSON:
        raise DamagedArtifact("An element of the export is too large.")
    return object_of(load(source.encode(), "An element of the export")) if source else _without_raw(element)


def _without_raw(element: Json) -> Json:
    """The element's own fields, for an export that kept no block."""
    kind = text_of(element.get("elementType")).lower()
    page = whole_number(element.get("pageNumber"))
    names = {
        "heading": "text",
        "paragraph": "text",
        "formula": "equation",
        "footnote": "page_footnote",
        "aside": "aside_text",
    }
    return {
        "type": names.get(kind, kind),
        "text": text_of(element.get("bodyText")),
        "text_level": 2 if kind == BlockType.HEADING else None,
        "caption": text_of(element.get("captionText")),
        "page_idx": None if page is None else page - 1,
    }

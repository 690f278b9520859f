"""Parser artifacts: a parsed document as a file, from which the model can be built again without parsing.

The form is one JSON object, compressed with gzip. The same document gives the same bytes; positions are rounded as the
builder rounds them, so that the model of an artifact is the model of the document.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from typing import Any

from reading_model.documents import (
    Block,
    BlockType,
    Diagnostic,
    NoteMark,
    ParsedDocument,
    ParsedMetadata,
    ParsedPage,
    Provenance,
    Sourced,
)
from reading_model.rounding import rounded_block
from reading_model.store import codec
from reading_model.store.types import encoded

FORMAT = "paperledger-parsed-document-1"

_FASTEST = 1
_GZIP = 31  # zlib: the largest window, with the head and the end of gzip
_SINGLE = ("title", "year", "venue", "doi", "arxiv_id", "abstract")


@dataclass(frozen=True, slots=True)
class PackedArtifact:
    """An artifact ready to be kept: the SHA-256 of its JSON in 64 hex digits, and the compressed bytes."""

    sha256: str
    data: bytes

    @property
    def key(self) -> str:
        """Where the object store keeps it."""
        return f"artifacts/{self.sha256}.json.gz"


def pack(document: ParsedDocument) -> PackedArtifact:
    """The artifact of a parsed document. Raises ValueNotStorable for what JSON or UTF-8 cannot hold."""
    head = codec.dump(
        {
            "format": FORMAT,
            "source_sha256": document.source_sha256,
            "provenance": astuple(document.provenance),
            "pages": [astuple(page) for page in document.pages],
            "metadata": _metadata_values(document.metadata),
            "diagnostics": [astuple(item) for item in document.diagnostics],
            "blocks": [],
        }
    )
    # block by block: the values of all positions, or one text of them, would take more memory than the document
    digest, squeezed = hashlib.sha256(), zlib.compressobj(_FASTEST, wbits=_GZIP)
    data = bytearray()
    for piece in _pieces(encoded(head.removesuffix("]}")), document.blocks):
        digest.update(piece)
        data += squeezed.compress(piece)
    data += squeezed.flush()
    return PackedArtifact(digest.hexdigest(), bytes(data))


def _pieces(head: bytes, blocks: Sequence[Block]) -> Iterator[bytes]:
    """The content in order, from the head without its end."""
    yield head
    for index, block in enumerate(blocks):
        yield encoded(f"{',' if index else ''}{_block_text(rounded_block(block))}")
    yield b"]}"


def unpack(data: bytes) -> ParsedDocument:
    """The parsed document of an artifact's bytes. Raises ValueError for anything else."""
    content: dict[str, Any] = json.loads(gzip.decompress(data))
    if content.get("format") != FORMAT:
        message = f"the artifact has the format {content.get('format')!r}, not {FORMAT!r}"
        raise ValueError(message)
    return ParsedDocument(
        source_sha256=content["source_sha256"],
        pages=tuple(ParsedPage(*page) for page in content["pages"]),
        blocks=tuple(_block(values) for values in content["blocks"]),
        provenance=Provenance(*content["provenance"]),
        metadata=_metadata(content["metadata"]),
        diagnostics=tuple(Diagnostic(*item) for item in content["diagnostics"]),
    )


def _block_text(block: Block) -> str:
    """A block as a JSON array; `_block` says what it holds."""
    # artifacts of earlier versions hold no marks of notes, and blocks without any look as they did
    marks = [[astuple(mark) for mark in block.note_marks]] if block.note_marks else []
    table = None if block.table is None else codec.table_values(block.table)
    head = codec.dump([block.ordinal, block.type.value, block.text, block.page])
    tail = codec.dump([codec.box_values(block.boxes), block.level, table, block.image, block.parent, *marks])
    return f"{head[:-1]},{codec.dump_lines(block.lines)},{tail[1:]}"


def _block(values: list[Any]) -> Block:
    ordinal, kind, text, page, lines, boxes, level, table, image, parent, *marks = values
    return Block(
        ordinal=ordinal,
        type=BlockType(kind),
        text=text,
        page=page,
        lines=codec.lines_of(lines),
        boxes=codec.boxes_of(boxes),
        level=level,
        table=None if table is None else codec.table_of(table),
        image=image,
        parent=parent,
        note_marks=tuple(NoteMark(*mark) for mark in marks[0]) if marks else (),
    )


def _metadata_values(metadata: ParsedMetadata) -> dict[str, Any]:
    found = {name: getattr(metadata, name) for name in _SINGLE}
    values: dict[str, Any] = {name: astuple(item) for name, item in found.items() if item is not None}
    return {**values, "authors": [astuple(author) for author in metadata.authors]}


def _metadata(values: dict[str, Any]) -> ParsedMetadata:
    single: dict[str, Any] = {name: Sourced(*values[name]) for name in _SINGLE if name in values}
    return ParsedMetadata(authors=tuple(Sourced(*author) for author in values["authors"]), **single)

"""What a path stands for: a PDF, or the output of another parser, and the bytes by which it is known and kept."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from reading_model.errors import NotAPdf, ParseError
from reading_model.files import read_regular_file
from reading_model.identity import sha256_hex
from reading_model.parsing.mineru.bundle import open_bundle
from reading_model.parsing.mineru.paperloom import SNIFFED, looks_like_export

MINERU = "mineru-artifact"
PAPERLOOM = "paperloom-export"
IMPORTERS = frozenset({MINERU, PAPERLOOM})
"""Parsers that take over another parser's output instead of reading a PDF."""

HEADER_WINDOW = 1024  # readers accept `%PDF-` anywhere in the first 1024 bytes (PDF 1.7, annex H, note 13)


@dataclass(frozen=True, slots=True)
class Source:
    """A paper's source: its SHA-256 in hex digits, what the parser gets, what is kept of it and under which key."""

    sha256: str
    data: bytes
    kept: bytes
    key: str


def importer_of(path: Path, parser: str) -> str:
    """The parser for a path: `parser`, but an importer for what is plainly another parser's output."""
    if parser in IMPORTERS:
        return parser
    if path.is_dir():
        return MINERU
    name = path.name.lower()
    if name.endswith(".json") and looks_like_export(_start(path)):
        return PAPERLOOM
    is_output = name.endswith((".zip", ".json", ".json.gz"))
    return MINERU if is_output and b"%PDF-" not in _start(path)[:HEADER_WINDOW] else parser


def read_source(path: Path, parser: str, max_bytes: int) -> Source:
    """The source at a path for a parser (see `importer_of`). Raises FileTooLarge, an importer's errors, OSError."""
    chosen = importer_of(path, parser)
    if chosen == MINERU:
        return _mineru(path, max_bytes)
    data = read_regular_file(path, max_bytes)
    sha256 = sha256_hex(data)
    suffix = "sources/{}.json" if chosen == PAPERLOOM else "pdf/{}.pdf"
    return Source(sha256, data, data, suffix.format(sha256))


def bytes_for(path: Path, parser: str, max_bytes: int) -> bytes:
    """What the parser gets of a path; raises a ParseError also where the file cannot be read, or is no PDF."""
    try:
        data = read_source(path, parser, max_bytes).data
    except OSError as error:
        message = f"The file cannot be read: {error.strerror}."
        raise ParseError(message, hint="Check the path and its permissions.") from error
    if importer_of(path, parser) not in IMPORTERS:
        _check_pdf(data)
    return data


def _check_pdf(data: bytes) -> None:
    if not data:
        raise NotAPdf("The file is empty.")
    if b"%PDF-" not in data[:HEADER_WINDOW]:
        raise NotAPdf(f"The file is no PDF: it starts with {data[:16].decode('latin-1')!a}.")


def _mineru(path: Path, max_bytes: int) -> Source:
    bundle = open_bundle(path, max_bytes)
    packed = bundle.packed()
    sha256 = bundle.source_sha256()
    if bundle.pdf is None:
        return Source(sha256, packed, packed, f"sources/{sha256}.zip")
    return Source(sha256, packed, bundle.pdf, f"pdf/{sha256}.pdf")


def _start(path: Path) -> bytes:
    if not path.is_file():
        return b""  # opening a pipe would wait for a writer
    try:
        with path.open("rb") as file:
            return file.read(max(SNIFFED, HEADER_WINDOW))
    except OSError:
        return b""  # reading it says what is wrong

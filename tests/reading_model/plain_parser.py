"""A parser for tests: what stands after the header, one paragraph a line. Workers import it by name."""

from __future__ import annotations

from dataclasses import replace

from reading_model.documents import ParsedDocument, Provenance
from reading_model.errors import DamagedPdf, PasswordRequired
from reading_model.identity import sha256_hex
from reading_model.parsing import ParseLimits
from tests.reading_model.sample_documents import document, paragraph

PARSERS = {
    "plain": "tests.reading_model.plain_parser:parse",
    "shorter": "tests.reading_model.plain_parser:parse_shorter",
}
PROVENANCE = Provenance("plain", "1")


def parse(data: bytes, *, password: str | None, limits: ParseLimits) -> ParsedDocument:
    lines = data.decode("utf-8", "surrogatepass").split("\n")[1:]
    if lines == ["damaged"]:
        raise DamagedPdf("cut off")
    if lines[0] == "locked" and password != "open":
        raise PasswordRequired("This file opens only with a password.")
    blocks = [paragraph(line) for line in lines if line]
    return replace(document(*blocks), source_sha256=sha256_hex(data), provenance=PROVENANCE)


def parse_shorter(data: bytes, *, password: str | None, limits: ParseLimits) -> ParsedDocument:
    """The same without its last line; a file that says so fails."""
    if b"only once" in data:
        raise DamagedPdf("cut off")
    shorter = parse(data.rsplit(b"\n", 1)[0], password=password, limits=limits)
    return replace(shorter, source_sha256=sha256_hex(data), provenance=Provenance("shorter", "1"))

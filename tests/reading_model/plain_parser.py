"""A parser for tests: what stands after the header, one paragraph a line. Workers import it by name."""

from __future__ import annotations

from dataclasses import replace

from reading_model.documents import ParsedDocument
from reading_model.errors import DamagedPdf, PasswordRequired
from reading_model.identity import sha256_hex
from reading_model.parsing import ParseLimits
from tests.reading_model.sample_documents import document, paragraph

PARSERS = {"plain": "tests.reading_model.plain_parser:parse"}


def parse(data: bytes, *, password: str | None, limits: ParseLimits) -> ParsedDocument:
    lines = data.decode("utf-8", "surrogatepass").split("\n")[1:]
    if lines == ["damaged"]:
        raise DamagedPdf("cut off")
    if lines[0] == "locked" and password != "open":
        raise PasswordRequired("This file opens only with a password.")
    blocks = [paragraph(line) for line in lines if line]
    return replace(document(*blocks), source_sha256=sha256_hex(data))

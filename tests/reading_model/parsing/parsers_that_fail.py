"""Parsers that misbehave, for the pool's tests: workers import them by name."""

from __future__ import annotations

import hashlib
import os
import time

from reading_model.documents import ParsedDocument, ParsedPage, Provenance
from reading_model.errors import DamagedPdf
from reading_model.parsing.limits import ParseLimits


def by_content(data: bytes, *, password: str | None, limits: ParseLimits) -> ParsedDocument:
    """Do what the word after the header says."""
    word = data.split(b"\n")[1]
    if word == b"hang":
        time.sleep(600)
    if word == b"crash":
        os.abort()
    if word == b"eat":
        hoard = [bytearray(64 * 1024 * 1024) for _ in range(4096)]
        raise AssertionError(len(hoard))
    if word == b"fault":
        raise ZeroDivisionError("a fault of the parser")
    if word == b"damaged":
        raise DamagedPdf("cut off")
    pages = (ParsedPage(1, 100, 100, label=f"{os.getpid()} {password}"),)
    return ParsedDocument(hashlib.sha256(data).hexdigest(), pages, (), Provenance("by_content", "1"))

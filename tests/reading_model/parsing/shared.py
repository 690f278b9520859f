"""Where the shared papers and cases are, and a cache of what the parser makes of them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest

from reading_model.documents import Block, BlockType, ParsedDocument
from reading_model.parsing.pdfium.parser import parse

SHARED = Path(__file__).resolve().parents[3].parent / "shared"
PAPERS = SHARED / "data" / "papers"
ODD = SHARED / "data" / "odd"
SCANS = SHARED / "data" / "scans"
CASES = SHARED / "cases" / "inputs"

needs_data = pytest.mark.skipif(not PAPERS.is_dir(), reason="the shared papers are not beside the repository")


@lru_cache(maxsize=64)
def parsed(path: Path, password: str | None = None) -> ParsedDocument:
    """The document of a file, parsed once in this process."""
    return parse(path.read_bytes(), password=password)


def of_type(doc: ParsedDocument, *types: BlockType) -> list[Block]:
    """The blocks of these types in reading order."""
    return [block for block in doc.blocks if block.type in types]


def running_text(doc: ParsedDocument, page: int | None = None) -> str:
    """All block text in reading order with blanks between, of one page or of the document."""
    return " ".join(block.text for block in doc.blocks if page in (None, block.page))

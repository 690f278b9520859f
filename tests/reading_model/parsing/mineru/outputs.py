"""Small MinerU outputs for tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from reading_model.documents import Block, BlockType, ParsedDocument
from reading_model.parsing.mineru.bundle import open_bundle
from reading_model.parsing.mineru.parser import parse


def block(text: str = "", page: int = 1, *, y: int = 100, **fields: Any) -> dict[str, Any]:
    return {"type": "text", "text": text, "bbox": [100, y, 900, y + 50], "page_idx": page - 1, **fields}


def layout(*pages: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"pdf_info": [{"page_idx": index, **page} for index, page in enumerate(pages)], **fields}


def written(folder: Path, **files: Any) -> Path:
    """A folder with the files, named without their `.json`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    return folder


def parsed(folder: Path, **files: Any) -> ParsedDocument:
    return imported(written(folder, **files))


def imported(path: Path) -> ParsedDocument:
    return parse(open_bundle(path).packed())


def of_type(document: ParsedDocument, kind: BlockType) -> list[Block]:
    return [item for item in document.blocks if item.type is kind]

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reading_model.builder import build_reading_model
from reading_model.documents import BlockType, ParsedDocument
from reading_model.errors import DamagedArtifact, NotAnArtifact
from reading_model.identity import sha256_hex
from reading_model.parsing.mineru.paperloom import SCHEMA, parse
from tests.places import DATA, needs_data
from tests.reading_model.parsing.mineru.outputs import block, of_type


def exported(*elements: dict[str, Any], **fields: Any) -> bytes:
    return json.dumps({"schema_version": SCHEMA, "reading_elements": list(elements), **fields}).encode()


def element(order: int, raw: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"readingOrder": order, "rawAttributesJson": json.dumps(raw), **fields}


def test_the_blocks_behind_the_elements_are_read_in_reading_order() -> None:
    data = exported(
        element(3, block("b", 2)),
        element(1, block("A Paper", text_level=1)),
        element(2, block(type="code", code_body="x")),
        element(4, {"type": "code_body", "text": "x", "page_idx": 0}, parentReadingElementId="e"),
        {"readingOrder": 5, "elementType": "HEADING", "bodyText": "1 In", "pageNumber": 2},
        pdf_page_count=4,
        source_pdf_sha256="ab" * 32,
        parser_name="MinerU",
    )
    document = parse(data)
    assert [(item.type.value, item.text) for item in document.blocks] == [
        ("title", "A Paper"),
        ("code", "x"),
        ("paragraph", "b"),
        ("heading", "1 In"),
    ]
    assert len(document.pages) == 4
    assert document.source_sha256 == sha256_hex(data)
    assert document.provenance.config == "MinerU"
    (claim,) = [note for note in document.diagnostics if note.code == "source_claimed"]
    assert "ab" * 32 in claim.message


def test_another_form_is_refused() -> None:
    with pytest.raises(NotAnArtifact):
        parse(b'{"schema_version": "other"}')
    with pytest.raises(DamagedArtifact):
        parse(exported({"rawAttributesJson": "{"}))


EXPORTS = ["adam_2014", "attention_is_all_you_need_2017", "bert_2018", "gpt2_2019", "gpt3_2020"]


@pytest.mark.data
@needs_data()
@pytest.mark.parametrize("name", EXPORTS)
def test_the_five_papers_have_as_many_tables_figures_formulas_and_sections(name: str) -> None:
    data = (DATA / "paperloom" / "reading-models" / f"{name}.reading-model.json").read_bytes()
    export = json.loads(data)
    document = parse(data)
    model = build_reading_model(document, paper_id="p", artifact_sha256="a" * 64)
    assert document.metadata.title is not None
    assert document.metadata.title.value == export["metadata"]["title"]
    assert len(model.pages) == export["pdf_page_count"]
    assert len(of_type(document, BlockType.FORMULA)) == len(export["parsed_formulas"])
    pictures = [*of_type(document, BlockType.FIGURE), *of_type(document, BlockType.CHART)]
    assert len(pictures) == len(export["parsed_figures"])
    headings = [item["bodyText"] for item in export["reading_elements"] if item["elementType"] == "HEADING"]
    found = [*of_type(document, BlockType.TITLE), *of_type(document, BlockType.HEADING)]
    assert len(found) == len(headings)
    assert _rows(document) == _rows_in(export)


def _rows(document: ParsedDocument) -> list[int]:
    return [item.table.row_count for item in of_type(document, BlockType.TABLE) if item.table is not None]


def _rows_in(export: dict[str, Any]) -> list[int]:
    raw = [json.loads(item["rawAttributesJson"]) for item in export["reading_elements"]]
    return [
        item["table_body"].count("<tr")
        for item in raw
        if item["type"] == "table" and "<td" in item.get("table_body", "")
    ]


def test_a_folder_of_exports_is_found_among_other_json(tmp_path: Path) -> None:
    from reading_model.discovery import discover

    (tmp_path / "paper.json").write_bytes(exported(element(1, block("x"))))
    (tmp_path / "settings.json").write_text('{"a": 1}', encoding="utf-8")
    assert [path.name for path in discover([tmp_path])] == ["paper.json"]

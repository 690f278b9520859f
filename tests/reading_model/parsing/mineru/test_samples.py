"""The three MinerU samples: what the import holds is what the sample holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reading_model.builder import build_reading_model
from reading_model.documents import BlockType, ParsedDocument
from reading_model.identity import sha256_hex
from reading_model.parsing import parse_file
from tests.places import DATA, needs_data
from tests.reading_model.parsing.mineru.outputs import imported, of_type

pytestmark = [pytest.mark.data, needs_data()]

SAMPLES = ["emnlp2024-main-12", "emnlp2024-main-126", "naacl2024-long-47"]


@pytest.fixture(scope="module", params=SAMPLES)
def name(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def listed(name: str) -> list[dict[str, Any]]:
    return json.loads((DATA / "mineru" / name / "content_list.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def document(name: str) -> ParsedDocument:
    return imported(DATA / "mineru" / name)


def squeezed(text: str) -> str:
    return "".join(text.split())


def test_every_heading_is_there_in_order_and_its_number_gives_the_depth(
    listed: list[dict[str, Any]], document: ParsedDocument
) -> None:
    headings = of_type(document, BlockType.HEADING)
    assert [item.text for item in headings] == [item["text"] for item in listed if item.get("text_level") == 2]
    for heading in headings:
        number = heading.text.split()[0]
        assert heading.level == (number.count(".") + 1 if number[0].isdigit() else 1)
    assert [item.text for item in of_type(document, BlockType.TITLE)] == [listed[0]["text"]]


def test_the_model_has_a_section_for_every_heading(listed: list[dict[str, Any]], document: ParsedDocument) -> None:
    model = build_reading_model(document, paper_id="p", artifact_sha256="a" * 64)
    titles = [item["text"] for item in listed if item.get("text_level") == 2]
    assert [section.title for section in model.sections] == ["Front matter", *titles]


def test_tables_captions_formulas_and_references_are_as_many_as_in_the_sample(
    listed: list[dict[str, Any]], document: ParsedDocument
) -> None:
    captions = [
        text
        for item in listed
        for kind in ("table", "image", "chart", "code")
        for text in item.get(f"{kind}_caption", ())
    ]
    entries = [text for item in listed if item.get("sub_type") == "ref_text" for text in item["list_items"]]
    equations = [item["text"].strip().strip("$") for item in listed if item["type"] == "equation"]
    assert len(of_type(document, BlockType.TABLE)) == sum(item["type"] == "table" for item in listed)
    assert len(of_type(document, BlockType.CAPTION)) == len(captions)
    assert len(of_type(document, BlockType.REFERENCE)) == len(entries)
    formulas = of_type(document, BlockType.FORMULA)
    assert len(formulas) == len(equations)
    for formula, equation in zip(formulas, equations, strict=True):
        latex, _, number = equation.partition("\\tag{")
        expected = squeezed(latex) + (f"({number.strip().rstrip('}')})" if number else "")
        assert squeezed(formula.text) == expected


def test_every_cell_of_every_table_is_in_its_row(listed: list[dict[str, Any]], document: ParsedDocument) -> None:
    tables = of_type(document, BlockType.TABLE)
    for item, block in zip([item for item in listed if item["type"] == "table"], tables, strict=True):
        assert block.table is not None
        assert len(block.table.cells) == item["table_body"].count("<td")
        assert block.table.row_count == item["table_body"].count("<tr>")
        assert block.text.count("\n") == block.table.row_count - 1
        assert block.table.header_rows >= 1


def test_every_line_of_text_has_its_place_on_the_page(document: ParsedDocument) -> None:
    lined = [
        block for block in document.blocks if block.text and block.type not in (BlockType.TABLE, BlockType.FORMULA)
    ]
    for block in lined:
        assert block.lines, block.text
        held = "".join(block.text[line.start : line.end] for line in block.lines)
        assert squeezed(held) == squeezed(block.text)
    assert any(len({line.page for line in block.lines}) == 2 for block in lined)


def test_no_word_is_dropped(listed: list[dict[str, Any]], document: ParsedDocument) -> None:
    text = squeezed("\n".join(block.text for block in document.blocks))
    for item in listed:
        words = [word for word in item.get("text", "").split() if word.isalpha() and len(word) > 3]
        assert all(word in text for word in words if item["type"] == "text")


def test_page_furniture_is_typed_apart(listed: list[dict[str, Any]], document: ParsedDocument) -> None:
    for kind, name in (
        (BlockType.PAGE_NUMBER, "page_number"),
        (BlockType.FOOTER, "footer"),
        (BlockType.FOOTNOTE, "page_footnote"),
    ):
        assert len(of_type(document, kind)) == sum(item["type"] == name for item in listed)


def test_with_the_pdf_beside_it_the_pdf_is_the_source(name: str, tmp_path: Path) -> None:
    pdf = (DATA / "papers" / f"{name}.pdf").read_bytes()
    (tmp_path / f"{name}.pdf").write_bytes(pdf)
    (tmp_path / name).symlink_to(DATA / "mineru" / name, target_is_directory=True)
    for path in (tmp_path / name, tmp_path / f"{name}.pdf"):
        document = imported(path)
        assert document.source_sha256 == sha256_hex(pdf)
        native = parse_file(tmp_path / f"{name}.pdf")
        assert [(page.width, page.height) for page in document.pages] == [
            (page.width, page.height) for page in native.pages
        ]


def test_the_lines_lie_where_the_pdf_has_their_words(name: str, document: ParsedDocument) -> None:
    native = parse_file(DATA / "papers" / f"{name}.pdf")
    places: dict[str, list[tuple[int, float, float]]] = {}
    for block in native.blocks:
        for line in block.lines:
            key = squeezed(block.text[line.start : line.end])
            places.setdefault(key, []).append((line.page, line.rect.x0, line.rect.y0))
    compared = 0
    for block in document.blocks:
        for line in block.lines:
            same = places.get(squeezed(block.text[line.start : line.end]), [])
            if len(same) == 1:
                compared += 1
                page, x, y = same[0]
                assert line.page == page
                assert abs(line.rect.x0 - x) < 6
                assert abs(line.rect.y0 - y) < 8
    assert compared > 100


@pytest.mark.parametrize(
    ("sample", "authors"),
    [
        (
            "emnlp2024-main-12",
            ["Eli Schwartz", "Leshem Choshen", "Joseph Shtok", "Sivan Doveh", "Leonid Karlinsky", "Assaf Arbelle"],
        ),
        ("emnlp2024-main-126", ["Yu Lin", "Qizhi Zhang", "Quanwei Cai", "Jue Hong", "Ye Wu", "Huiqi Liu", "Bing Duan"]),
        ("naacl2024-long-47", []),
    ],
)
def test_authors_are_given_where_the_names_stand_alone_and_never_guessed(sample: str, authors: list[str]) -> None:
    assert [author.value for author in imported(DATA / "mineru" / sample).metadata.authors] == authors

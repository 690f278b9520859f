from __future__ import annotations

import pytest

from reading_model.builder import build_reading_model
from reading_model.documents import BlockType, ParsedDocument
from reading_model.models import LocationKind, RelationKind
from reading_model.parsing.pdfium.parser import parse
from tests.reading_model.parsing.pdf_writer import Page, write

PROSE = ["Some words of running text that fill the whole width of the page under the table"] * 12
ROWS = [["Method", "F1", "Recall"], ["First", "0.91", "0.80"], ["Second", "0.93", "0.85"]]


def table_page(size: float = 9) -> Page:
    """A table from 160 to 216 under its caption, over running text from 280 on."""
    page = Page().text(72, 150, "Table 1: Scores of two methods.", size=9)
    for y in (160, 178, 216):
        page.rule(70, 400, y)
    for number, row in enumerate(ROWS):
        for x, cell in zip([72, 200, 300], row, strict=True):
            page.text(x, 173 + 17 * number, cell, size=size)
    return page.lines(72, 280, PROSE)


def notes_of(document: ParsedDocument) -> list[str]:
    (table,) = (block for block in document.blocks if block.type is BlockType.TABLE)
    return [
        block.text for block in document.blocks if block.type is BlockType.FOOTNOTE and block.parent == table.ordinal
    ]


@pytest.mark.parametrize(
    "note",
    [
        pytest.param("Note. All runs have the same seed.", id="note"),
        pytest.param("Source: a count of our own.", id="source"),
        pytest.param("* of all runs with a seed", id="asterisk"),
        pytest.param("(a) of all runs with a seed", id="letter in brackets"),
    ],
)
def test_what_says_that_it_is_a_note_is_one_at_any_size(note: str) -> None:
    assert notes_of(parse(write([table_page(10).text(72, 227, note, size=10)]))) == [note]


def test_a_raised_letter_begins_a_note() -> None:
    page = table_page().text(72, 223, "a", size=5).text(75, 227, "of all runs", size=8)
    assert notes_of(parse(write([page]))) == ["a of all runs"]


def test_smaller_lines_under_a_table_are_its_notes_one_a_sentence_or_mark() -> None:
    page = table_page().lines(
        72,
        227,
        [
            "Mean of five runs, each with a seed of its own and with the same number of steps and",
            "batches.",
            "Best values are bold.",
            "* of three runs",
        ],
        size=7,
        pitch=9,
    )
    assert notes_of(parse(write([page]))) == [
        "Mean of five runs, each with a seed of its own and with the same number of steps and batches.",
        "Best values are bold.",
        "* of three runs",
    ]


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(table_page().text(72, 227, "Running text of the usual size.", size=10), id="usual size"),
        pytest.param(table_page().text(72, 250, "Note. Far below the table.", size=8), id="far below"),
        pytest.param(table_page().text(20, 227, "Note. It begins beside the table.", size=8), id="beside"),
        pytest.param(table_page().rule(72, 130, 219).text(72, 228, "* a footnote", size=8), id="under a short rule"),
        pytest.param(table_page().text(72, 227, "(continued on next page)", size=8), id="turn of a page"),
        pytest.param(table_page().text(72, 223, "1", size=5).text(76, 227, "A note.", size=10), id="a figure"),
    ],
)
def test_what_is_no_note_of_the_table_is_left_to_the_text(page: Page) -> None:
    assert notes_of(parse(write([page]))) == []


def test_notes_stand_in_the_tables_location_and_are_footnotes_of_it() -> None:
    document = parse(write([table_page().text(72, 227, "Note. All runs have the same seed.", size=8)]))
    model = build_reading_model(document, paper_id="p", artifact_sha256="0" * 64)
    (location,) = (item for item in model.locations if item.kind is LocationKind.TABLE)
    assert location.text.endswith("Second | 0.93 | 0.85\nNote. All runs have the same seed.")
    passages = [item.text for item in model.locations if item.kind is LocationKind.PASSAGE]
    assert not any("same seed" in text for text in passages)
    (relation,) = (item for item in model.relationships if item.kind is RelationKind.FOOTNOTE_OF)
    assert model.elements[relation.target].type is BlockType.TABLE

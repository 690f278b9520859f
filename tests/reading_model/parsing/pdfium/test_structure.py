"""Headings, references, lists and front matter, on small pages."""

from __future__ import annotations

import pytest

from reading_model.documents import Block, BlockType, ParsedDocument
from reading_model.parsing.pdfium.headings import number_depth
from reading_model.parsing.pdfium.parser import parse
from tests.reading_model.parsing.pdf_writer import Page, write

BODY = [
    "Plain words of the running text go on over the width of the page, line after line, and say",
    "nothing new at all.",
]


def paper(*rows: tuple[str, float, str] | str, info: dict[str, str] | None = None) -> ParsedDocument:
    """A page of rows (text, size, font), set well apart where the style changes; a plain string is body text."""
    page = Page()
    y, last = 60.0, None
    for row in rows:
        text, size, font = (row, 10.0, "F4") if isinstance(row, str) else row
        y += 1.2 * size if (size, font) == last else 1.2 * size + 12
        last = (size, font)
        page.text(72, y, text, size=size, font=font)
    return parse(write([page], info))


def headings(doc: ParsedDocument) -> list[tuple[str, int | None]]:
    return [(block.text, block.level) for block in doc.blocks if block.type is BlockType.HEADING]


def of(doc: ParsedDocument, kind: BlockType) -> list[Block]:
    return [block for block in doc.blocks if block.type is kind]


TITLE = ("A Study of Small Pages", 18.0, "F2")


def test_levels_come_from_numbers() -> None:
    doc = paper(
        TITLE, ("1 Introduction", 12, "F2"), *BODY, ("2 Methods", 12, "F2"), *BODY, ("2.1 Data", 11, "F2"), *BODY
    )
    assert headings(doc) == [("1 Introduction", 1), ("2 Methods", 1), ("2.1 Data", 2)]


def test_without_numbers_levels_come_from_looks() -> None:
    doc = paper(
        TITLE,
        ("Introduction", 14, "F2"),
        *BODY,
        ("Methods", 14, "F2"),
        *BODY,
        ("How things were done", 11, "F2"),
        *BODY,
    )
    assert headings(doc) == [("Introduction", 1), ("Methods", 1), ("How things were done", 2)]


def test_bold_lead_ins_statements_and_author_lines_are_no_headings() -> None:
    doc = paper(
        TITLE,
        ("Ada Lovelace, Charles Babbage", 11, "F2"),
        ("Abstract", 12, "F2"),
        *BODY,
        ("Theorem 1", 10, "F2"),
        *BODY,
    )
    assert headings(doc) == [("Abstract", 1)]
    assert [author.value for author in doc.metadata.authors] == ["Ada Lovelace", "Charles Babbage"]


def test_two_numbered_headings_in_a_row_stay_two() -> None:
    doc = paper(TITLE, *BODY, ("4 Results", 12, "F2"), ("4.1 Speed", 12, "F2"), *BODY)
    assert headings(doc) == [("4 Results", 1), ("4.1 Speed", 2)]


def test_a_label_over_the_title_is_not_the_title() -> None:
    doc = paper(("RESEARCH ARTICLE", 20, "F1"), TITLE, *BODY)
    assert doc.metadata.title is not None
    assert doc.metadata.title.value == "A Study of Small Pages"
    assert doc.metadata.title.source == "first_page"


def test_the_title_of_the_file_counts_only_where_the_page_has_it() -> None:
    stated = paper(*BODY, info={"Title": "Plain words of the running text", "Author": "Nobody Here"})
    assert stated.metadata.title is not None
    assert stated.metadata.title.source == "pdf_info"
    assert stated.metadata.authors == ()
    assert paper(*BODY, info={"Title": "untitled-3.dvi"}).metadata.title is None


def test_identifiers_and_year_come_from_the_first_page() -> None:
    doc = paper(TITLE, *BODY, ("Copyright 2021 the authors. doi:10.1234/abcd.5678. arXiv:2101.00001v2", 8, "F1"))
    assert doc.metadata.doi is not None
    assert doc.metadata.doi.value == "10.1234/abcd.5678"
    assert doc.metadata.arxiv_id is not None
    assert doc.metadata.arxiv_id.value == "2101.00001v2"
    assert doc.metadata.year is not None
    assert doc.metadata.year.value == "2021"


def test_what_the_file_does_not_state_stays_unknown() -> None:
    meta = paper(*BODY).metadata
    assert (meta.title, meta.doi, meta.arxiv_id, meta.year, meta.abstract, meta.authors) == (
        None,
        None,
        None,
        None,
        None,
        (),
    )


def test_the_abstract_ends_at_the_next_heading() -> None:
    doc = paper(TITLE, ("Abstract", 12, "F2"), *BODY, ("1 Introduction", 12, "F2"), *BODY)
    assert doc.metadata.abstract is not None
    assert doc.metadata.abstract.value == " ".join(BODY)


@pytest.mark.parametrize(
    "entries",
    [
        [
            "[1] A. Person. A first title. 2001.",
            "[2] B. Person. A second title that",
            "goes on. 2002.",
            "[3] C. Third. 2003.",
        ],
        ["1. A. Person. A first title. 2001.", "2. B. Person. A second title that", "17. 2002.", "3. C. Third. 2003."],
    ],
)
def test_each_reference_is_a_block(entries: list[str]) -> None:
    doc = paper(TITLE, *BODY, ("References", 12, "F2"), *entries)
    texts = [block.text for block in of(doc, BlockType.REFERENCE)]
    assert texts == [entries[0], f"{entries[1]} {entries[2]}", entries[3]]


def test_references_with_hanging_lines_begin_at_the_margin() -> None:
    page = Page().text(72, 100, "References", size=12, font="F2")
    rows = [
        (72, "Able, A. (2001). A title."),
        (90, "A journal, 1, 2."),
        (72, "Baker, B. (2002). Other."),
        (90, "More words."),
    ]
    for number, (x, text) in enumerate(rows):
        page.text(x, 125 + 12 * number, text, font="F4")
    doc = parse(write([page]))
    assert [block.text for block in of(doc, BlockType.REFERENCE)] == [
        "Able, A. (2001). A title. A journal, 1, 2.",
        "Baker, B. (2002). Other. More words.",
    ]


def test_list_items_and_code_are_their_own_blocks() -> None:
    doc = paper(*BODY, "- first point of three", "- second point", ("x = 1", 10, "F3"), ("y = x + 1", 10, "F3"))
    assert of(doc, BlockType.CODE)[0].text == "x = 1\ny = x + 1"


def test_a_formula_with_its_number_is_one_block() -> None:
    page = (
        Page()
        .lines(72, 100, BODY * 2, font="F4")
        .text(200, 170, "E = mc + 1", font="F5")
        .text(500, 170, "(3)", font="F4")
    )
    page.lines(72, 196, BODY * 2, font="F4")
    formulas = of(parse(write([page])), BlockType.FORMULA)
    assert [block.text for block in formulas] == ["E = mc + 1 (3)"]


def test_pages_of_contents_name_headings_and_are_none() -> None:
    rows = [f"{n} Chapter {'. ' * 30}{n}" for n in range(1, 6)]
    doc = paper(("Contents", 14, "F2"), *((row, 12.0, "F2") for row in rows))
    assert headings(doc) == [("Contents", 1)]


@pytest.mark.parametrize("title", ["B Proofs", "F γ = 1", "B Äquivalenz", "C. 記法"])
def test_a_letter_before_a_word_in_capitals_or_another_script_numbers_an_appendix(title: str) -> None:
    assert number_depth(title) == 1
    assert number_depth("A study of small pages") is None


def test_appendices_have_the_level_of_their_letters() -> None:
    doc = paper(
        TITLE,
        *BODY,
        ("1 Introduction", 12, "F2"),
        *BODY,
        ("A Proofs", 12, "F2"),
        *BODY,
        ("A.1 The first one", 11, "F2"),
        *BODY,
        ("B Tables", 11, "F2"),
    )
    assert headings(doc)[-3:] == [("A Proofs", 1), ("A.1 The first one", 2), ("B Tables", 1)]

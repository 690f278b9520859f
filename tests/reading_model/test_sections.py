from __future__ import annotations

import pytest

from reading_model.documents import Block, BlockType
from reading_model.models import Element, Section
from reading_model.sections import FRONT_MATTER, REFERENCES, WHOLE_TEXT, Outline, is_top_level, outline
from tests.reading_model.sample_documents import block, heading, paragraph


def outline_of(*blocks: Block) -> Outline:
    return outline(
        [
            Element(number, item.type, item.page, item.page, None, item.text, level=item.level)
            for number, item in enumerate(blocks)
        ]
    )


def tree(*headings: str | tuple[str, int]) -> dict[str, str | None]:
    """Each heading with the heading it lies under; a heading without a level has level 1."""
    blocks = [block(BlockType.TITLE, "A title")]
    for item in headings:
        text, level = (item, 1) if isinstance(item, str) else item
        blocks += [heading(text, level), paragraph("Some text.")]
    sections = outline_of(*blocks).sections
    return {
        section.title: None if section.parent is None else sections[section.parent].title
        for section in sections
        if section.title != FRONT_MATTER
    }


def test_f04_numbers_tell_the_tree_where_all_headings_have_one_level() -> None:
    assert tree(
        "Abstract",
        "1 Introduction",
        "2 Methods",
        "2.1 Data",
        "2.1.1 Cleaning",
        "2020 survey wave",
        "2.2 Model",
        "3 Results",
        "References",
        "A Proofs",
        "A.1 First lemma",
    ) == {
        "Abstract": None,
        "1 Introduction": None,
        "2 Methods": None,
        "2.1 Data": "2 Methods",
        "2.1.1 Cleaning": "2.1 Data",
        "2020 survey wave": "2.1.1 Cleaning",
        "2.2 Model": "2 Methods",
        "3 Results": None,
        "References": None,
        "A Proofs": None,
        "A.1 First lemma": "A Proofs",
    }


def test_without_numbers_the_levels_of_the_parser_count() -> None:
    assert tree(("Introduction", 1), ("Methods", 1), ("Plants", 2), ("Growth", 3), ("Results", 1)) == {
        "Introduction": None,
        "Methods": None,
        "Plants": "Methods",
        "Growth": "Plants",
        "Results": None,
    }


def test_in_a_numbered_paper_the_levels_of_unnumbered_headings_count_where_they_differ() -> None:
    told = tree(
        ("1 Introduction", 1),
        ("1.1 Data", 2),
        ("A run-in heading", 2),
        ("2 Results", 1),
        ("A toolkit for policy", 1),
        ("What to decide", 2),
        ("References", 1),
    )
    assert told["A run-in heading"] == "1.1 Data"
    assert told["A toolkit for policy"] is None
    assert told["What to decide"] == "A toolkit for policy"
    untold = tree(("1 Introduction", 1), ("1.1 Data", 2), ("2 Results", 1), ("A toolkit for policy", 1))
    assert untold["A toolkit for policy"] == "2 Results"


def test_declarations_hold_the_parts_under_them_that_else_stand_at_the_top() -> None:
    found = tree(
        ("Methods", 1),
        ("Additional Information and Declarations", 2),
        ("Funding", 3),
        ("Data Availability", 3),
        ("References", 1),
    )
    assert found["Funding"] == found["Data Availability"] == "Additional Information and Declarations"
    assert found["References"] is None
    assert tree("Declarations", "Funding")["Funding"] is None


def test_roman_parts_hold_lettered_ones() -> None:
    assert tree("I. INTRODUCTION", "II. METHODS", "A. Data", "B. Model", "III. RESULTS") == {
        "I. INTRODUCTION": None,
        "II. METHODS": None,
        "A. Data": "II. METHODS",
        "B. Model": "II. METHODS",
        "III. RESULTS": None,
    }


def test_a_heading_that_begins_with_a_letter_is_no_appendix_out_of_turn() -> None:
    assert tree("1 Introduction", "B Cells", "Q What is asked", "2 Methods", "Appendix C Tables", "D More") == {
        "1 Introduction": None,
        "B Cells": "1 Introduction",
        "Q What is asked": "1 Introduction",
        "2 Methods": None,
        "Appendix C Tables": None,
        "D More": None,
    }


def test_numbers_with_stops_and_words_count_as_well() -> None:
    assert tree("1. Introduction", "1.1. Aim", "Section 2: Methods", "2.1 数据") == {
        "1. Introduction": None,
        "1.1. Aim": "1. Introduction",
        "Section 2: Methods": None,
        "2.1 数据": "Section 2: Methods",
    }


def test_a_level_that_is_left_out_makes_no_hole_in_the_tree() -> None:
    sections = outline_of(heading("1 One"), heading("1.1.1 Deep"), heading("1.1 Less deep")).sections
    assert [(section.level, section.path) for section in sections] == [
        (1, "1 One"),
        (2, "1 One > 1.1.1 Deep"),
        (2, "1 One > 1.1 Less deep"),
    ]


def test_a_sentence_that_begins_with_a_number_is_no_heading() -> None:
    found = outline_of(
        heading("1 Introduction"), heading("3.5 percent of all lookups failed before this work."), paragraph("x")
    )
    assert [section.title for section in found.sections] == ["1 Introduction"]
    assert found.section_of == (0, 0, 0)


def test_what_stands_before_the_abstract_of_the_first_page_is_front_matter() -> None:
    found = outline_of(
        heading("Research Article"),
        block(BlockType.TITLE, "A title"),
        heading("Ada Lovelace, Émile Zola"),
        heading("Abstract"),
        paragraph("We count."),
    )
    assert [section.title for section in found.sections] == [FRONT_MATTER, "Abstract"]
    assert found.section_of == (0, 0, 0, 1, 1)


def test_headings_of_earlier_pages_stay_sections() -> None:
    found = outline_of(heading("Preface"), paragraph("x"), heading("1 Introduction", page=3))
    assert [section.title for section in found.sections] == ["Preface", "1 Introduction"]


@pytest.mark.parametrize("text", ["Abstract—We count.", "ABSTRACT: We count.", "摘要：我们"])
def test_an_abstract_without_a_heading_is_a_section(text: str) -> None:
    found = outline_of(block(BlockType.TITLE, "A title"), paragraph(text), heading("1 Introduction"))
    assert [section.title for section in found.sections] == [FRONT_MATTER, "Abstract", "1 Introduction"]


def test_references_are_one_section_also_without_a_heading() -> None:
    entry = block(BlockType.REFERENCE, "[1] A. Writer. 2019.")
    with_heading = outline_of(heading("1 One"), heading("REFERENCES"), entry, entry, heading("A Proofs"))
    assert [section.title for section in with_heading.sections] == ["1 One", "REFERENCES", "A Proofs"]
    without = outline_of(heading("1 One"), paragraph("x"), entry, entry)
    assert [section.title for section in without.sections] == ["1 One", REFERENCES]
    assert without.section_of == (0, 0, 1, 1)


def test_furniture_lies_in_no_section_and_a_text_without_headings_in_one() -> None:
    found = outline_of(block(BlockType.HEADER, "Journal"), paragraph("x"), block(BlockType.PAGE_NUMBER, "1"))
    assert [section.title for section in found.sections] == [WHOLE_TEXT]
    assert found.section_of == (None, 0, None)
    assert outline_of(block(BlockType.FOOTER, "x")) == Outline((), (None,))
    assert outline_of() == Outline((), ())


def test_a_section_holds_what_comes_before_the_next_heading_of_any_level() -> None:
    found = outline_of(heading("1 One"), paragraph("x"), heading("1.1 Two"), paragraph("y", page=2), heading("2 Three"))
    ranges = [(item.first_element, item.end_element, item.page, item.page_end) for item in found.sections]
    assert ranges == [(0, 2, 1, 1), (2, 4, 1, 2), (4, 5, 1, 1)]
    assert isinstance(found.sections[0], Section)


@pytest.mark.parametrize("title", ["Abstract", "Acknowledgments", "Limitations", "Appendices", "Competing interests"])
def test_parts_that_papers_keep_at_the_top_are_known_by_their_names(title: str) -> None:
    assert is_top_level(title)
    assert is_top_level(title.upper() + ":")

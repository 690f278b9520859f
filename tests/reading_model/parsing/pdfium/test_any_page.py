"""Whatever stands on a page, parsing ends with a document that keeps its promises, or with a typed error."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reading_model.errors import ParseError
from reading_model.parsing import document_to_json
from reading_model.parsing.pdfium.parser import parse
from tests.reading_model.parsing.pdf_writer import Page, write

WORDS = [
    "Figure 1:",
    "Table 2.",
    "References",
    "Abstract",
    "1 Introduction",
    "(3)",
    "12",
    "0.91",
    "[4] A. Person",
    "- item",
]
words = st.one_of(st.sampled_from(WORDS), st.text(alphabet="abcXYZ -.,()0123456789", min_size=1, max_size=30))
spots = st.floats(-50, 850).map(lambda value: round(value, 1))
marks = st.tuples(
    words,
    spots,
    spots,
    st.sampled_from([0.5, 3, 7, 10, 10, 10, 12, 18, 40]),
    st.sampled_from(["F1", "F1", "F2", "F3", "F5"]),
    st.sampled_from([0, 0, 0, 0, 90, 180, 270]),
)
drawings = st.tuples(
    st.sampled_from(["box", "rule", "curve", "picture"]), spots, spots, st.floats(1, 300), st.floats(1, 300)
)


@st.composite
def pages(draw: st.DrawFn) -> Page:
    page = Page(rotate=draw(st.sampled_from([0, 90, 180, 270])))
    for kind, x, y, width, height in draw(st.lists(drawings, max_size=8)):
        if kind == "rule":
            page.rule(x, x + width, y)
        elif kind == "box":
            page.box(x, y, x + width, y + height, grey=0.8)
        elif kind == "curve":
            page.curve(x, y, x + width, y + height)
        else:
            page.picture(x, y, x + width, y + height)
    for text, x, y, size, font, angle in draw(st.lists(marks, max_size=25)):
        page.text(x, y, text, size=size, font=font, angle=angle)
    return page


@settings(max_examples=40, deadline=None)
@given(st.lists(pages(), min_size=1, max_size=3))
def test_any_page_gives_a_document_that_keeps_its_promises(content: list[Page]) -> None:
    doc = parse(write(content))
    assert len(doc.pages) == len(content)
    assert [block.ordinal for block in doc.blocks] == list(range(len(doc.blocks)))
    for block in doc.blocks:
        covered: Counter[int] = Counter()
        for line in block.lines:
            covered.update(range(line.start, line.end))
            assert 0 <= line.start < line.end <= len(block.text)
            assert line.edges is None or len(line.edges) == line.end - line.start + 1
        assert all(count == 1 for count in covered.values())
        assert block.boxes
    assert document_to_json(doc)["page_count"] == len(content)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_damaged_bytes_end_in_a_document_or_a_typed_error(data: st.DataObject) -> None:
    whole = bytearray(
        write([Page().lines(72, 72, ["One line of text", "and another one."]), Page().text(72, 72, "Next")])
    )
    for place in data.draw(st.lists(st.integers(9, len(whole) - 1), max_size=20)):
        whole[place] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(20, len(whole)))
    outcome = outcome_of(bytes(whole[:cut]))
    assert outcome in ("document", "damaged", "password_required", "too_large")


def outcome_of(data: bytes) -> str:
    try:
        return "document" if parse(data).pages else "no pages"
    except ParseError as error:
        return error.code


def test_a_page_of_any_size_without_anything_is_textless() -> None:
    doc = parse(write([Page(), Page().text(72, 72, "Some words.")]))
    assert [note.code for note in doc.diagnostics] == ["textless_pages"]
    assert "page 1" in doc.diagnostics[0].message


def test_bytes_that_only_start_like_a_pdf_are_damaged() -> None:
    with pytest.raises(ParseError) as caught:
        parse(b"%PDF-1.7\nnothing else")
    assert caught.value.code == "damaged"

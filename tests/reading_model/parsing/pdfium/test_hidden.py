from __future__ import annotations

import pytest

from reading_model.documents import ParsedDocument
from reading_model.parsing.pdfium.parser import parse
from tests.reading_model.parsing.pdf_writer import Page, write

SENTENCE = "A line that every reader of the page can see."


def text_of(doc: ParsedDocument) -> str:
    return " ".join(block.text for block in doc.blocks)


def hidden_pages(doc: ParsedDocument) -> list[int | None]:
    return [note.page for note in doc.diagnostics if note.code == "hidden_text"]


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(Page().text(72, 200, "Secret words", mode=3), id="invisible mode"),
        pytest.param(Page().text(72, 200, "Secret words", grey=1), id="white on white"),
        pytest.param(Page().text(72, 200, "Secret words", grey=0.98), id="nearly white on white"),
        pytest.param(Page().text(72, 200, "Secret words", size=1), id="one point"),
        pytest.param(Page().text(72, 900, "Secret words"), id="below the page"),
        pytest.param(Page().text(-300, 200, "Secret words"), id="left of the page"),
        pytest.param(Page().text(72, 200, "Secret words").box(60, 180, 300, 210, grey=0.5), id="under a fill"),
        pytest.param(Page().box(60, 180, 300, 210).text(72, 200, "Secret words"), id="black on black"),
        pytest.param(Page().picture(60, 300, 300, 330).text(72, 200, "Secret words", mode=3), id="beside a picture"),
    ],
)
def test_what_cannot_be_seen_is_set_aside_and_noted(page: Page) -> None:
    doc = parse(write([page.text(72, 72, SENTENCE)]))
    assert text_of(doc) == SENTENCE
    assert hidden_pages(doc) == [1]


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(Page().box(60, 180, 300, 210).text(72, 200, "Plain words", grey=1), id="white on a dark bar"),
        pytest.param(Page().picture(60, 180, 300, 210).text(72, 200, "Plain words", mode=3), id="layer of a scan"),
        pytest.param(Page().picture(60, 180, 300, 210).text(72, 200, "Plain words", grey=1), id="white on a picture"),
        pytest.param(Page().curve(60, 180, 300, 210).text(72, 200, "Plain words"), id="over a curve"),
        pytest.param(Page().box(60, 180, 300, 210, grey=0.9).text(72, 200, "Plain words"), id="on a light bar"),
    ],
)
def test_what_can_be_seen_stays(page: Page) -> None:
    doc = parse(write([page.text(72, 72, SENTENCE)]))
    assert "Plain words" in text_of(doc)
    assert hidden_pages(doc) == []


def test_text_that_runs_up_the_page_beside_a_later_fill_stays() -> None:
    page = Page(width=792, height=612)
    for x in range(100, 400, 40):
        page.text(x, 500, "A row of a table on its side, which is long", angle=90)
        page.box(x + 8, 100, x + 30, 520, grey=0.8)
    texts = [block.text for block in parse(write([page])).blocks]
    assert sum(text.count("A row of a table") for text in texts) == 8

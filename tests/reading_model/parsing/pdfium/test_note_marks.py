from __future__ import annotations

from reading_model.documents import Block, ParsedDocument
from reading_model.parsing.pdfium.parser import parse
from tests.reading_model.parsing.pdf_writer import Page, write

FILL = ["Some words of running text that fill the whole width of the page as any text does here"] * 46


def page_with(*marks: tuple[float, str], note: str = "1", notes: int = 1) -> ParsedDocument:
    """A page of text whose first line has raised marks at some places, over footnotes with the mark `note`."""
    page = Page().text(72, 100, "The code is public")
    for x, mark in marks:
        page.text(x, 96, mark, size=6)
    page.text(164, 100, "and so are the data.").lines(72, 112, FILL)
    page.rule(72, 150, 660)
    for number in range(notes):
        page.text(72, 668 + 12 * number, note, size=5).text(77, 671 + 12 * number, "A note with an address.", size=8)
    return parse(write([page]))


def bound(document: ParsedDocument) -> list[tuple[str, str, str]]:
    """(the text up to the mark, the mark, the note) of each bound mark."""
    blocks: dict[int, Block] = {block.ordinal: block for block in document.blocks}
    return [
        (block.text[: mark.start], block.text[mark.start : mark.end], blocks[mark.note].text)
        for block in document.blocks
        for mark in block.note_marks
    ]


def test_a_raised_figure_leads_to_the_note_of_its_page() -> None:
    ((before, mark, note),) = bound(page_with((154, "1")))
    assert (before.rstrip(), mark, note) == ("The code is public", "1", "1 A note with an address.")


def test_a_sign_leads_to_its_note_too() -> None:
    assert [mark for _, mark, _ in bound(page_with((154, "*"), note="*"))] == ["*"]


def test_each_of_two_marks_side_by_side_is_one() -> None:
    assert [mark for _, mark, _ in bound(page_with((154, "1,2"), note="2"))] == ["2"]


def test_a_mark_that_comes_twice_or_a_note_that_comes_twice_binds_nothing() -> None:
    assert bound(page_with((154, "1;1"))) == []
    assert bound(page_with((154, "1"), notes=2)) == []


def test_another_mark_and_a_mark_without_a_note_bind_nothing() -> None:
    assert bound(page_with((154, "2"))) == []
    assert bound(page_with((154, "1"), notes=0)) == []


def test_an_exponent_is_no_mark() -> None:
    page = Page().text(72, 100, "The area grows as x").text(161.5, 96, "1", size=6).text(170, 100, "in all cases.")
    page.lines(72, 112, FILL).rule(72, 150, 660).text(72, 668, "1", size=5).text(77, 671, "A note.", size=8)
    assert bound(parse(write([page]))) == []


def titled(*rows: tuple[float, str, str]) -> Page:
    """A title, names with raised marks at (x, mark), and text under a heading; `rows` are (x, mark, name)."""
    page = Page().text(150, 80, "A Study of Small Pages", size=18, font="F2")
    for x, mark, name in rows:
        page.text(x, 110, name).text(x + 61, 106, mark, size=6)
    return page


def test_names_share_a_note_and_have_their_institutions() -> None:
    page = titled((150, "1*", "Ada Lovelace"), (235, "2*", "Blaise Pascal"))
    page.text(150, 130, "1", size=6).text(154, 133, "University of London")
    page.text(150, 150, "2", size=6).text(154, 153, "College of Paris")
    page.text(72, 180, "1 Introduction", size=12, font="F2").lines(72, 200, FILL[:38])
    page.rule(72, 150, 660).text(72, 668, "*", size=6).text(77, 671, "Equal contribution.", size=8)
    found = [(mark, note) for _, mark, note in bound(parse(write([page])))]
    assert found == [
        ("1", "1 University of London"),
        ("*", "* Equal contribution."),
        ("2", "2 College of Paris"),
        ("*", "* Equal contribution."),
    ]


def test_a_note_of_a_name_and_of_the_text_is_of_neither() -> None:
    page = titled((150, "1", "Ada Lovelace"))
    page.text(72, 180, "1 Introduction", size=12, font="F2")
    page.text(72, 200, "The code is public").text(154, 196, "1", size=6).text(164, 200, "and so are the data.").lines(
        72, 212, FILL[:37]
    )
    page.rule(72, 150, 660).text(72, 668, "1", size=6).text(77, 671, "Which of the two?", size=8)
    assert bound(parse(write([page]))) == []

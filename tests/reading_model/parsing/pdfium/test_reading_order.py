"""Columns, furniture, floats, footnotes and asides, on small pages."""

from __future__ import annotations

from reading_model.documents import Block, BlockType
from reading_model.parsing.pdfium.parser import parse
from tests.reading_model.parsing.pdf_writer import Page, write

LEFT = [f"left column line {name} with words in it" for name in ("one", "two", "three", "four", "five", "six")]
RIGHT = [f"right column line {name} with words here" for name in ("one", "two", "three", "four", "five", "six")]


def blocks_of(*pages: Page) -> list[Block]:
    return list(parse(write(pages)).blocks)


def texts(blocks: list[Block], kind: BlockType) -> list[str]:
    return [block.text for block in blocks if block.type is kind]


def two_columns(page: Page, top: float = 200) -> Page:
    for number, (left, right) in enumerate(zip(LEFT, RIGHT, strict=True)):
        page.text(72, top + 12 * number, left).text(320, top + 12 * number, right)
    return page


def test_a_paragraph_goes_on_in_the_next_column() -> None:
    (block,) = blocks_of(two_columns(Page()))
    assert block.text == " ".join([*LEFT, *RIGHT])
    assert len(block.boxes) == 2
    assert block.boxes[0].rect.x1 < block.boxes[1].rect.x0


def test_a_new_sentence_at_the_top_of_the_next_column_is_a_new_paragraph() -> None:
    page = Page().lines(72, 200, [*LEFT, "the end of it."]).lines(320, 200, ["Another begins", *RIGHT])
    assert len(blocks_of(page)) == 2


def test_paragraphs_are_never_joined_over_pages() -> None:
    first, second = Page().lines(72, 100, LEFT), Page().lines(72, 100, RIGHT)
    blocks = blocks_of(first, second)
    assert [block.page for block in blocks] == [1, 2]


def test_a_word_broken_over_columns_is_joined() -> None:
    page = Page().lines(72, 200, [*LEFT, "and this is an embed-"]).lines(320, 200, ["ding of tokens", *RIGHT])
    assert "an embedding of tokens" in blocks_of(page)[0].text


def test_a_full_width_title_stands_before_both_columns_and_a_note_after_them() -> None:
    page = two_columns(Page().text(72, 100, "A Title Over The Whole Width Of This Page", size=20))
    page.text(72, 330, "A note over the full width of the page closes it below both of the columns that stand above.")
    kinds = [block.type for block in blocks_of(page)]
    assert kinds == [BlockType.TITLE, BlockType.PARAGRAPH, BlockType.PARAGRAPH]


def test_running_heads_and_page_numbers_are_furniture() -> None:
    pages = [
        Page().text(72, 40, "Journal of Small Tests 12", size=8).text(300, 760, str(n), size=8).lines(72, 100, LEFT)
        for n in range(1, 5)
    ]
    blocks = blocks_of(*pages)
    assert len(texts(blocks, BlockType.HEADER)) == 4
    assert texts(blocks, BlockType.PAGE_NUMBER) == ["1", "2", "3", "4"]
    assert all("Journal" not in text for text in texts(blocks, BlockType.PARAGRAPH))


def test_small_type_far_from_the_text_is_furniture_on_one_page_already() -> None:
    page = Page().lines(72, 100, LEFT * 3).text(72, 770, "Preprint server copy", size=7)
    assert texts(blocks_of(page), BlockType.FOOTER) == ["Preprint server copy"]


def test_values_at_the_top_of_pages_are_no_running_head() -> None:
    pages = [Page().text(72, 60, "0.5").text(150, 60, "0.7").lines(72, 72, LEFT) for _ in range(4)]
    assert texts(blocks_of(*pages), BlockType.HEADER) == []


def test_footnotes_leave_the_column_and_the_paragraph_goes_on() -> None:
    page = Page().lines(72, 500, LEFT).lines(320, 500, RIGHT)
    page.rule(72, 140, 574).text(72, 586, "* A remark on the words above.", size=8)
    page.text(72, 596, "that takes two lines.", size=8)
    blocks = blocks_of(page)
    assert texts(blocks, BlockType.PARAGRAPH) == [" ".join([*LEFT, *RIGHT])]
    assert texts(blocks, BlockType.FOOTNOTE) == ["* A remark on the words above. that takes two lines."]


def test_a_narrow_column_of_small_type_is_an_aside() -> None:
    page = Page().lines(36, 200, ["Editor: A. Person", "Received: 1 May", "Copyright: open"], size=7)
    page.lines(200, 200, ["the text of the paper runs in a wide column beside the margin of the page"] * 12)
    blocks = blocks_of(page)
    assert len(texts(blocks, BlockType.ASIDE)) >= 1
    assert "Editor" not in " ".join(texts(blocks, BlockType.PARAGRAPH))


def test_a_figure_takes_its_labels_and_its_caption_names_it() -> None:
    page = Page().lines(72, 100, LEFT)
    for step in range(5):
        page.curve(150 + 20 * step, 220, 300 + 10 * step, 330)
    page.text(200, 280, "axis label", size=7).text(72, 360, "Figure 1: What the curves show.", size=9)
    page.lines(72, 400, RIGHT)
    blocks = blocks_of(page)
    figure = next(block for block in blocks if block.type is BlockType.FIGURE)
    caption = next(block for block in blocks if block.type is BlockType.CAPTION)
    assert figure.text == "axis label"
    assert caption.text == "Figure 1: What the curves show."
    assert caption.parent == figure.ordinal
    assert [block.type for block in blocks].index(BlockType.FIGURE) == 1


def test_a_mention_of_a_figure_is_no_caption() -> None:
    page = Page().lines(72, 100, [*LEFT, "Figure 2 shows the words", *RIGHT])
    assert texts(blocks_of(page), BlockType.CAPTION) == []


def test_right_to_left_columns_begin_at_the_right() -> None:
    from reading_model.parsing.pdfium.columns import in_reading_order
    from reading_model.parsing.pdfium.draft import Shape

    left = [Shape("x", 0, 10 * n, 100, 10 * n + 8) for n in range(3)]
    right = [Shape("x", 150, 10 * n, 250, 10 * n + 8) for n in range(3)]
    assert in_reading_order([*left, *right], rtl=True) == [right, left]
    assert in_reading_order([*left, *right]) == [left, right]

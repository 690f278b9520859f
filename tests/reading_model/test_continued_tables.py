"""Tables over pages."""

from __future__ import annotations

import pytest

from reading_model.continued_tables import with_whole_tables
from reading_model.documents import Block, BlockType, Cell, Line, PageBox, Rect, Table
from reading_model.parsing.pdfium.parser import parse
from tests.places import DATA, needs_data

HEAD = ["Model", "Score"]


def table(ordinal: int, page: int, *rows: list[str]) -> Block:
    lines: list[Line] = []
    text = ""
    for number, row in enumerate(rows):
        for cell in row:
            start = len(text)
            text += cell
            lines.append(Line(start, len(text), page, Rect(0, 10 * number, 50, 10 * number + 9)))
            text += " | "
        text = text.removesuffix(" | ") + "\n"
    cells = tuple(Cell(r, c, text) for r, row in enumerate(rows) for c, text in enumerate(row))
    structure = Table(cells, len(rows), len(rows[0]), header_rows=1 if rows[0] == HEAD else 0)
    box = PageBox(page, Rect(0, 0, 100, 100))
    return Block(ordinal, BlockType.TABLE, text.rstrip("\n"), page, tuple(lines), (box,), table=structure)


def caption(ordinal: int, page: int, text: str, parent: int) -> Block:
    return Block(ordinal, BlockType.CAPTION, text, page, parent=parent)


def one(blocks: tuple[Block, ...]) -> Block:
    (found,) = [block for block in blocks if block.type is BlockType.TABLE]
    return found


def test_a_continued_table_is_one_table_with_its_head_once_and_every_row_on_its_page() -> None:
    whole = with_whole_tables(
        [
            caption(0, 1, "Table 2: Scores", 1),
            table(1, 1, HEAD, ["a", "1"]),
            Block(2, BlockType.PARAGRAPH, "Text between.", 1),
            caption(3, 2, "Table 2 (continued)", 4),
            table(4, 2, HEAD, ["b", "2"]),
        ]
    )
    found = one(whole)
    assert found.text == "Model | Score\na | 1\nb | 2"
    assert found.table is not None
    assert found.table.rows() == [HEAD, ["a", "1"], ["b", "2"]]
    assert [(found.text[line.start : line.end], line.page) for line in found.lines[-3:]] == [
        ("1", 1),
        ("b", 2),
        ("2", 2),
    ]
    assert [box.page for box in found.boxes] == [1, 2]
    assert [block.parent for block in whole if block.type is BlockType.CAPTION] == [1, 1]


def test_without_a_repeated_head_the_rows_follow() -> None:
    whole = with_whole_tables(
        [
            caption(0, 1, "Table 2: Scores", 1),
            table(1, 1, HEAD, ["a", "1"]),
            caption(2, 2, "Table 2. Cont.", 3),
            table(3, 2, ["b", "2"], ["c", "3"]),
        ]
    )
    assert one(whole).text == "Model | Score\na | 1\nb | 2\nc | 3"


def test_a_table_without_caption_that_repeats_the_head_at_the_top_of_the_page_goes_on() -> None:
    between = Block(2, BlockType.FOOTER, "Journal", 1)
    assert one(with_whole_tables([table(1, 1, HEAD, ["a", "1"]), between, table(3, 2, HEAD, ["b", "2"])])).page == 1


@pytest.mark.parametrize(
    "blocks",
    [
        pytest.param([table(0, 1, HEAD, ["a", "1"]), table(1, 1, HEAD, ["b", "2"])], id="same page"),
        pytest.param([table(0, 1, HEAD, ["a", "1"]), table(1, 3, HEAD, ["b", "2"])], id="a page between"),
        pytest.param([table(0, 1, HEAD, ["a", "1"]), table(1, 2, ["b", "2"])], id="no caption and no head"),
        pytest.param([table(0, 1, HEAD, ["a", "1"]), table(1, 2, ["b", "2", "3"])], id="other columns"),
        pytest.param(
            [table(0, 1, HEAD, ["a", "1"]), Block(1, BlockType.PARAGRAPH, "x", 2), table(2, 2, HEAD, ["b", "2"])],
            id="text between",
        ),
        pytest.param(
            [table(0, 1, HEAD, ["a", "1"]), caption(1, 2, "Table 3: Others", 2), table(2, 2, HEAD, ["b", "2"])],
            id="a caption of its own",
        ),
    ],
)
def test_tables_that_do_not_go_on_stay_apart(blocks: list[Block]) -> None:
    assert with_whole_tables(blocks) == tuple(blocks)


@pytest.mark.data
@needs_data()
def test_a_table_over_three_turned_pages_is_one() -> None:
    document = parse((DATA / "papers" / "peerj-vespa.pdf").read_bytes())
    blocks = with_whole_tables(document.blocks)
    (found,) = [block for block in blocks if block.table is not None and "m1Neutral" in block.text]
    assert sorted({line.page for line in found.lines}) == [8, 9, 10]
    assert found.text.count("Parameter") == 1

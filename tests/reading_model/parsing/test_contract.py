"""What every parsed document promises, on all shared papers: places of characters, ordinals, nothing twice."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from reading_model.documents import BlockType, Line
from reading_model.parsing.pdfium.hidden import judge
from reading_model.parsing.pdfium.raw import RawDocument
from reading_model.text import clean
from tests.reading_model.parsing.shared import CASES, PAPERS, needs_data, parsed

pytestmark = [pytest.mark.data, needs_data]

# the longest papers are scored in test_facts; here they would only take time
LONG = {"de-geotopo", "ja-teleparallel-gravity", "plosone2018-gravitropism", "zh-digital-decarbonization"}
FILES = [
    *(path for path in sorted(PAPERS.glob("*.pdf")) if path.stem not in LONG),
    CASES / "f03-hidden-text.pdf",
    CASES / "f07-two-columns.pdf",
]
each_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def has_place_for_each_character(line: Line) -> bool:
    if line.edges is None:
        return True
    inside = min(line.edges) >= line.rect.x0 - 0.01 and max(line.edges) <= line.rect.x1 + 0.01
    return len(line.edges) == line.end - line.start + 1 and inside


@each_file
def test_every_character_stands_in_one_line_and_has_its_edges(path: Path) -> None:
    for block in parsed(path).blocks:
        covered: Counter[int] = Counter()
        for line in block.lines:
            assert has_place_for_each_character(line), block.text[line.start : line.end]
            assert line.page == block.page
            covered.update(range(line.start, line.end))
        assert all(count == 1 for count in covered.values())
        between = "".join(character for i, character in enumerate(block.text) if i not in covered)
        assert not between.replace("|", "").strip()


@each_file
def test_edges_run_one_way_inside_a_word(path: Path) -> None:
    for block in parsed(path).blocks:
        for line in block.lines:
            if line.edges is None:
                continue
            start = line.start
            for word in block.text[line.start : line.end].split(" "):
                edges = list(line.edges[start - line.start : start - line.start + len(word)])
                assert edges in (sorted(edges), sorted(edges, reverse=True)) or not word.isascii(), word
                start += len(word) + 1


@each_file
def test_ordinals_count_up_and_parents_exist(path: Path) -> None:
    blocks = parsed(path).blocks
    assert [block.ordinal for block in blocks] == list(range(len(blocks)))
    for block in blocks:
        assert block.page <= len(parsed(path).pages)
        assert (block.level is not None) == (block.type is BlockType.HEADING)
        if block.parent is not None:
            assert blocks[block.parent].type in (BlockType.TABLE, BlockType.FIGURE)


@each_file
def test_tables_say_the_same_in_text_and_in_cells(path: Path) -> None:
    for block in parsed(path).blocks:
        assert (block.table is not None) == (block.type is BlockType.TABLE)
        if block.table is None:
            continue
        rows = [row.split(" | ") for row in block.text.split("\n")]
        assert len(rows) == block.table.row_count
        for cell in block.table.cells:
            assert cell.text == rows[cell.row][cell.column] or "|" in cell.text
            assert cell.column + cell.column_span <= block.table.column_count


@each_file
def test_no_letter_of_the_page_is_lost_or_comes_twice(path: Path) -> None:
    doc = parsed(path)
    found = Counter(base(c) for block in doc.blocks for c in block.text if c.isalpha())
    there: Counter[str] = Counter()
    with RawDocument(path.read_bytes(), None) as raw:
        for index in range(raw.page_count):
            page = raw.page(index)
            assert page is not None
            skipped = judge(page).skipped
            text = "".join(
                chr(code) for code, run in zip(page.codes, page.run_of, strict=True) if run >= 0 and run not in skipped
            )
            there.update(base(c) for c in clean(text) if c.isalpha())
    assert found.total() == pytest.approx(there.total(), rel=0.001)
    assert (found - there).total() <= 0.0005 * there.total() + 1


def base(character: str) -> str:
    """The letter without the accent that layout may have put on it."""
    import unicodedata

    plain = unicodedata.normalize("NFD", character)[0]
    return {"ı": "i", "ˆ": "", "ˇ": ""}.get(plain, plain)

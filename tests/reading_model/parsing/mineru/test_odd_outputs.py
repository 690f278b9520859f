"""Output that is broken, incomplete or turned: imported with a note, or refused by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reading_model.documents import BlockType, PageBox, Rect
from reading_model.errors import DamagedArtifact, FileTooLarge, NotAnArtifact
from reading_model.parsing.limits import ParseLimits
from reading_model.parsing.mineru.bundle import Bundle, Role
from reading_model.parsing.mineru.parser import document_of, parse
from tests.reading_model.parsing.mineru.outputs import block, imported, layout, parsed, written
from tests.reading_model.parsing.pdf_writer import Page, write

T = BlockType


@pytest.mark.parametrize(
    "files", [{"content_list": {}}, {"content_list_v2": [{}]}, {"structured_content": []}, {"middle": [1]}]
)
def test_a_file_of_another_form_than_its_name_is_damaged(tmp_path: Path, files: dict[str, Any]) -> None:
    with pytest.raises(DamagedArtifact):
        parsed(tmp_path, **files)


def test_without_any_file_there_is_nothing_to_import() -> None:
    with pytest.raises(NotAnArtifact):
        document_of(Bundle({Role.PDF: b"%PDF-1.7"}), password=None, limits=ParseLimits())


def test_pages_beyond_the_limit_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileTooLarge):
        parsed(tmp_path, content_list=[block("x", 10**9)])
    with pytest.raises(FileTooLarge):
        parsed(tmp_path, content_list=[block("x")], layout=layout(*[{"page_size": [1, 1]}] * 5001))


def test_without_any_size_boxes_are_thousandths_and_that_is_said(tmp_path: Path) -> None:
    document = parsed(tmp_path, content_list=[block("x", y=250)])
    assert document.blocks[0].boxes == (PageBox(1, Rect(100, 250, 900, 300)),)
    assert (document.pages[0].width, document.pages[0].height) == (1000, 1000)
    assert [note.code for note in document.diagnostics] == ["page_size_unknown"]


@pytest.mark.parametrize(
    ("rotation", "expected"),
    [(0, (20, 100, 180, 120)), (90, (50, 40, 60, 360)), (180, (20, 280, 180, 300)), (270, (140, 40, 150, 360))],
)
def test_a_place_on_a_turned_page_is_given_on_the_page_at_rest(
    tmp_path: Path, rotation: int, expected: tuple[float, ...]
) -> None:
    written(tmp_path, content_list=[block("x", y=250)])
    (tmp_path / "paper.pdf").write_bytes(write([Page(200, 400, rotation)]))
    document = imported(tmp_path)
    assert document.pages[0].rotation == rotation
    ((box,),) = [item.boxes for item in document.blocks]
    assert (box.rect.x0, box.rect.y0, box.rect.x1, box.rect.y1) == pytest.approx(expected)


def test_a_source_pdf_that_cannot_be_opened_is_noted(tmp_path: Path) -> None:
    written(tmp_path, content_list=[block("x")])
    (tmp_path / "paper.pdf").write_bytes(b"%PDF-1.7 broken")
    codes = [note.code for note in imported(tmp_path).diagnostics]
    assert codes == ["source_pdf_unreadable", "page_size_unknown"]


def test_a_block_behind_the_last_page_of_the_pdf_is_noted(tmp_path: Path) -> None:
    written(tmp_path, content_list=[block("x", 3)])
    (tmp_path / "paper.pdf").write_bytes(write([Page(200, 400)]))
    document = imported(tmp_path)
    assert len(document.pages) == 3
    assert "page_mapping_conflict" in {note.code for note in document.diagnostics}


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 2000) | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    "type",
                    "text",
                    "bbox",
                    "page_idx",
                    "content",
                    "list_items",
                    "table_body",
                    "lines",
                    "spans",
                    "blocks",
                    "pdf_info",
                    "pages",
                    "para_blocks",
                    "page_size",
                    "text_level",
                    "image_caption",
                    "table_footnote",
                ]
            ),
            inner | st.sampled_from(["text", "table", "list", "image", "title", "table_caption", "<table><td>a"]),
            max_size=5,
        )
    ),
    max_leaves=25,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(["content_list", "content_list_v2", "structured_content", "paper_middle"]), _VALUES, _VALUES)
def test_any_json_is_imported_or_refused_with_a_named_error(tmp_path: Path, name: str, one: Any, other: Any) -> None:
    for file in tmp_path.iterdir():
        file.unlink()
    try:
        document = parsed(tmp_path, **{name: one, "layout": other} if name != "paper_middle" else {name: one})
    except (DamagedArtifact, NotAnArtifact, FileTooLarge):
        return
    for item in document.blocks:
        assert 1 <= item.page <= len(document.pages)
        assert item.parent is None or 0 <= item.parent < len(document.blocks)
        for line in item.lines:
            assert 0 <= line.start < line.end <= len(item.text)
            assert 1 <= line.page <= len(document.pages)


def test_the_same_output_gives_the_same_document(tmp_path: Path) -> None:
    listed = [block("A Paper", text_level=1), block("Words.")]
    first = parsed(tmp_path / "a", content_list=listed)
    assert first == parsed(tmp_path / "b", content_list=listed)


def test_bytes_that_are_no_packed_output_are_refused() -> None:
    with pytest.raises(DamagedArtifact):
        parse(b"nothing")

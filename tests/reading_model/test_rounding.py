from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reading_model.documents import BlockType, PageBox, Rect
from reading_model.errors import ValueNotStorable
from reading_model.rounding import rounded_block
from tests.reading_model.sample_documents import block


@given(st.floats(-20_000, 20_000))
def test_positions_move_by_half_a_hundredth_at_most_and_only_once(length: float) -> None:
    item = block(BlockType.PARAGRAPH, "ab")
    line = replace(item.lines[0], edges=(length, length, length))
    once = rounded_block(replace(item, lines=(line,), boxes=(PageBox(1, Rect(length, length, length, length)),)))
    edges = once.lines[0].edges
    assert edges is not None
    assert edges[0] == pytest.approx(length, abs=0.00501)
    assert once.boxes[0].rect == Rect(edges[0], edges[0], edges[0], edges[0])
    assert rounded_block(once) == once
    assert float(f"{edges[0]:.2f}") == edges[0]


@pytest.mark.parametrize("length", [float("nan"), float("inf"), 1e308])
def test_a_position_that_is_no_number_is_refused(length: float) -> None:
    box = PageBox(1, Rect(0, 0, length, 1))
    with pytest.raises(ValueNotStorable, match="block 0"):
        rounded_block(replace(block(BlockType.FIGURE, ""), boxes=(box,)))


def test_a_line_without_edges_stays_without() -> None:
    item = block(BlockType.PARAGRAPH, "ab")
    bare = replace(item, lines=(replace(item.lines[0], edges=None),))
    assert rounded_block(bare).lines[0].edges is None

from __future__ import annotations

import json
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reading_model.documents import Line, Rect
from reading_model.edges import PackedEdges, packed_text
from reading_model.errors import ValueNotStorable
from reading_model.store import codec

numbers = st.floats(allow_nan=False, allow_infinity=False)
FORMS = (codec.line_values, codec.packed_line_values)
hundredths = st.integers(-10_000_000, 10_000_000).map(lambda number: number / 100)


def _roundtrip(line: Line) -> Line:
    kept, packed = (codec.lines_of(json.loads(codec.dump(form([line]))))[0] for form in FORMS)
    assert kept == packed
    return packed


@given(st.lists(numbers | hundredths, min_size=0, max_size=30), st.tuples(numbers, numbers, numbers, numbers))
def test_any_positions_come_back_exactly(edges: list[float], rect: tuple[float, float, float, float]) -> None:
    line = Line(3, 3 + len(edges), 2, Rect(*rect), tuple(edges))
    assert _roundtrip(line) == line


@given(st.lists(hundredths, min_size=1, max_size=50))
def test_rounded_positions_are_written_as_small_whole_steps(edges: list[float]) -> None:
    written = codec.line_values([Line(0, len(edges), 1, Rect(0, 0, 1, 1), tuple(edges))])[0][-1]
    assert isinstance(written, list)
    assert all(isinstance(step, int) for step in cast("list[object]", written))
    assert _roundtrip(Line(0, 1, 1, Rect(0, 0, 1, 1), tuple(edges))).edges == tuple(edges)


def test_a_line_without_edges_stays_without() -> None:
    assert _roundtrip(Line(0, 1, 1, Rect(0, 0, 1, 1))).edges is None


@pytest.mark.parametrize("wrong", [float("inf"), float("nan"), -float("inf")])
def test_positions_that_are_no_numbers_are_refused(wrong: float) -> None:
    for line in (Line(0, 1, 1, Rect(0, 0, wrong, 1)), Line(0, 1, 1, Rect(0, 0, 1, 1), (0.0, wrong))):
        for form in FORMS:
            with pytest.raises(ValueNotStorable):
                codec.dump(form([line]))


@given(st.lists(st.integers(-500_000, 500_000), max_size=9))
def test_lines_are_written_at_once_as_they_are_written_value_by_value(whole: list[int]) -> None:
    edges = PackedEdges(packed_text(whole)) if whole else ()
    lines = [
        Line(0, 3, 2, Rect(0.5, 1, 2.25, 3), edges),
        Line(4, 5, 2, Rect(0, 1, 2, 3), None),
        Line(5, 6, 2, Rect(0, 1, 2, 3), (0.001, 2.0)),
    ]
    assert codec.dump_lines(lines) == codec.dump(codec.line_values(lines))

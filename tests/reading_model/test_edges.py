from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reading_model.edges import PackedEdges, extent, packed_text, whole_hundredths

hundredths = st.lists(st.integers(-10_000_000, 10_000_000), min_size=1, max_size=50)


@given(hundredths)
def test_packed_edges_are_the_positions_that_were_packed(whole: list[int]) -> None:
    plain = tuple(number / 100 for number in whole)
    packed = PackedEdges(packed_text(whole))
    assert packed == plain
    assert plain == packed
    assert packed == PackedEdges(packed_text(whole))
    assert (len(packed), hash(packed), packed[0], packed[1:3]) == (len(plain), hash(plain), plain[0], plain[1:3])
    assert extent(packed) == extent(plain) == (min(plain), max(plain))
    assert whole_hundredths(packed) == whole


def test_other_positions_are_other_edges() -> None:
    assert PackedEdges(packed_text([1, 2])) != PackedEdges(packed_text([1, 3]))
    assert PackedEdges(packed_text([1, 2])) != (0.01, 0.03)
    assert repr(PackedEdges("1,2,1,1")) == "PackedEdges('1,2,1,1')"


@pytest.mark.parametrize("edge", [0.001, 1 / 3, float("inf"), float("nan")])
def test_positions_between_hundredths_are_not_packed(edge: float) -> None:
    assert whole_hundredths([1.0, edge]) is None

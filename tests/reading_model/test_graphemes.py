from __future__ import annotations

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from reading_model.graphemes import Boundaries


@pytest.mark.parametrize("whole", ["x\u0304", "👩🏽\u200d🔬", "🇩🇪", "\r\n", "각", "क्षि"])
def test_a_character_is_never_taken_apart(whole: str) -> None:
    text = f"a{whole}b"
    boundaries = Boundaries(text)
    inside = range(2, 1 + len(whole))
    assert 1 in boundaries
    assert 1 + len(whole) in boundaries
    assert not any(offset in boundaries for offset in inside)
    for offset in inside:
        assert (boundaries.at_most(offset), boundaries.at_least(offset)) == (1, 1 + len(whole))


@given(st.text(max_size=40), st.integers(-3, 50))
def test_boundaries_are_those_of_the_clusters(text: str, offset: int) -> None:
    points = [0, *(found.end() for found in regex.finditer(r"\X", text))]
    boundaries = Boundaries(text)
    assert (offset in boundaries) == (offset in points)
    if 0 <= offset <= len(text):
        assert boundaries.at_most(offset) == max(point for point in points if point <= offset)
        assert boundaries.at_least(offset) == min(point for point in points if point >= offset)
    assert "1" not in boundaries

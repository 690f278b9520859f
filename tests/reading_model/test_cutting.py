from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reading_model.cutting import Cutter
from reading_model.graphemes import Boundaries
from tests.reading_model.sample_documents import long_text

texts = st.text(alphabet="ab. \n。\u0304é👩🏽\u200d🔬\r", max_size=120) | st.text(max_size=80)


@given(texts, st.integers(1, 30), st.data())
def test_pieces_hold_everything_but_blanks_in_order(text: str, limit: int, data: st.DataObject) -> None:
    boundaries = Boundaries(text)
    start = boundaries.at_most(data.draw(st.integers(0, len(text))))
    end = boundaries.at_most(data.draw(st.integers(start, len(text))))
    pieces = Cutter(text).pieces(start, end, limit)
    outside = [start, *(place for piece in pieces for place in piece), end]
    assert outside == sorted(outside)
    for before, after in zip(outside[::2], outside[1::2], strict=True):
        assert not text[before:after].strip()
    for first, last in pieces:
        assert first < last
        assert first in boundaries
        assert last in boundaries
        assert last - first <= limit or boundaries.at_least(first + 1) == last


def test_a_piece_ends_with_the_last_sentence_that_fits() -> None:
    text = long_text(9)
    pieces = [text[first:last] for first, last in Cutter(text).pieces(0, len(text), 250)]
    assert all(piece.endswith(".") for piece in pieces)
    assert max(map(len, pieces)) <= 250 < len(pieces[0]) + len(pieces[1])


def test_a_paragraph_end_in_the_second_half_is_preferred() -> None:
    text = "A sentence. " * 6 + "The end.\n\n" + "Another sentence. " * 3
    first, second = Cutter(text).pieces(0, len(text), 100)
    assert text[slice(*first)].endswith("The end.")
    assert text[slice(*second)].startswith("Another")


def test_a_sentence_that_is_too_long_is_cut_at_a_blank() -> None:
    text = "word " * 40
    pieces = [text[first:last] for first, last in Cutter(text).pieces(0, len(text), 52)]
    assert set(" ".join(pieces).split()) == {"word"}


def test_preferred_ends_can_be_given() -> None:
    text = "r1 | a. b\nr2 | c. d\nr3"
    assert Cutter(text, [9, 19]).pieces(0, len(text), 11) == [(0, 9), (10, 19), (20, 22)]

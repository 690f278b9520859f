from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.models.sse import EventReader

STREAM = "\ufeff: hello\r\ndata: eins\r\ndata: zwei\r\n\r\nid: 4\ndata:drei\u2028vier\n\n\ndata: 🧪\r\rdata: cut off"
EVENTS = ["eins\nzwei", "drei\u2028vier", "🧪"]


@given(st.lists(st.integers(0, len(STREAM.encode())), max_size=12))
def test_events_do_not_depend_on_where_the_bytes_are_cut(cuts: list[int]) -> None:
    data, reader = STREAM.encode(), EventReader()
    edges = [0, *sorted(cuts), len(data)]
    found = [event for start, end in itertools.pairwise(edges) for event in reader.feed(data[start:end])]
    assert found == EVENTS


@pytest.mark.parametrize("cut", range(len(STREAM.encode()) + 1))
def test_events_are_the_same_for_every_cut_into_two(cut: int) -> None:
    data, reader = STREAM.encode(), EventReader()
    assert [*reader.feed(data[:cut]), *reader.feed(data[cut:])] == EVENTS


def test_bytes_that_are_no_text_do_no_harm() -> None:
    assert EventReader().feed(b"data: \xff\xfe\n\n") == ["\ufffd\ufffd"]

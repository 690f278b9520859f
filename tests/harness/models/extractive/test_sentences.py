from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.models.extractive.sentences import sentence_ranges


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_ranges(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Gulls sleep early. Terns wake late.", ["Gulls sleep early.", "Terns wake late."]),
        ("Fox et al. (2019) saw it, e.g. Smith.", ["Fox et al. (2019) saw it, e.g. Smith."]),
        ("As in Fig. 2 and J. Fox the rate is 3.5 high.", ["As in Fig. 2 and J. Fox the rate is 3.5 high."]),
        ("The size is 128. We set a seed.", ["The size is 128.", "We set a seed."]),
        ("He said “gulls sleep.” Then he left.", ["He said “gulls sleep.”", "Then he left."]),
        ("A heading of words\n\nA sentence of words.", ["A heading of words", "A sentence of words."]),
        ("海鸥睡觉。燕鸥不睡。", ["海鸥睡觉。", "燕鸥不睡。"]),
        ("Too short. Ok.", []),
        ("It ends in. lower case words", ["It ends in. lower case words"]),
    ],
)
def test_where_sentences_end(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


@given(st.text(max_size=300))
def test_sentences_are_stretches_of_the_text_in_order(text: str) -> None:
    ranges = sentence_ranges(text)
    assert all(text[start:end].strip() == text[start:end] for start, end in ranges)
    edges = [edge for pair in ranges for edge in pair]
    assert edges == sorted(edges)

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reading_model.sentences import sentence_ends, sentences


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    "expected",
    [
        ["One sentence.", "Another one!", "A third?", "And the last"],
        ["It rose by 3.14 points.", "Then it fell."],
        ["Wang et al. (2019) show it, see Fig. 3 and Eqs. 4-5.", "We agree."],
        ["Some models, e.g. BERT, i.e. encoders, cf. Sec. 2, do.", "Others don't."],
        ["By A. Vaswani and J.-P. Serre of the U.S. Army.", "Done."],
        ["Dr. Smith vs. Prof. Jones, approx. 5 mg.", "Next."],
        ["He asked “why?”", "She said “because.”", "They left (at last).", "Then nothing."],
        ["This was shown before.[12]", "It holds again.[3, 4]", "So we use it."],
        ["我们测量了三种方法。", "结果很好！", "为什么？", "「因为。」", "完"],
        ["これは文です。", "次の文。"],
        ["Was it 0 . 98 or 1 . 2 points?", "Yes."],
        ["1. Introduction of a list", "2.1. Its second item."],
        ["Wait... it goes on.", "Now it ended...", "Next one."],
        ["Das gilt z.B. für Abb. 3 und ggf. für Nr. 4.", "Sonst nicht."],
        ["هذه جملة؟", "وهذه أخرى."],
        ["Python 3.11 was used.", "It ships Node.js too."],
        ["It uses units etc. and more.", "Fine."],
        ["First paragraph without a stop", "Second paragraph."],
    ],
    ids=lambda expected: ascii(expected[0][:20]),
)
def test_sentences_end_where_people_end_them(expected: list[str]) -> None:
    joiner = "" if any(mark in expected[0] for mark in "。") else " "
    if expected[0] in {"First paragraph without a stop", "1. Introduction of a list"}:
        joiner = "\n\n"
    assert cut(joiner.join(expected)) == expected


def test_the_ends_of_nothing_are_none() -> None:
    assert sentence_ends("") == sentence_ends(" \n ") == ()


@given(st.text(alphabet="aB1. ?!\n。”)𝜎\u0304[]–", max_size=60) | st.text(max_size=60))
def test_ends_ascend_and_reach_the_end_of_the_text(text: str) -> None:
    ends = sentence_ends(text)
    assert list(ends) == sorted(set(ends))
    assert all(0 < end <= len(text.rstrip()) for end in ends)
    assert (ends[-1] if ends else 0) == len(text.rstrip())
    ranges = sentences(text)
    assert "".join("".join(text[start:end].split()) for start, end in ranges) == "".join(text.split())
    assert all(text[start:end] == text[start:end].strip() != "" for start, end in ranges)


@given(
    st.text(alphabet="aB1. ?!\n。”)𝜎\u0304[]–", max_size=60) | st.text(max_size=60),
    st.integers(0, 60),
    st.integers(0, 70),
)
def test_ends_within_a_range_are_those_of_the_whole_text(text: str, after: int, latest: int) -> None:
    after = min(after, len(text))
    assert sentence_ends(text, after, latest) == tuple(end for end in sentence_ends(text) if after < end <= latest)

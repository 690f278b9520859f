from __future__ import annotations

from string import ascii_letters

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.analyzer import query_terms, terms_within
from index.preview import preview

FILLER = "The quiet barn stood by the shore of a long lake. "
TEXTS = st.lists(
    st.sampled_from([FILLER, "windy ", "hill\n\n", "稀疏检索方法", "GPT-4 ", "ﬁbril ", "x" * 60, "cap-\ntions "]),
    max_size=40,
)


@given(
    TEXTS.map("".join), st.sampled_from(["windy hill", "检索", "fibrils", "captions", "nothing"]), st.integers(20, 200)
)
def test_a_preview_is_a_slice_of_the_text(text: str, asked: str, length: int) -> None:
    shown = preview(text, query_terms(asked), length)
    assert shown.text == text[shown.start : shown.end]
    assert len(shown.text) <= length
    assert shown.text or not text.strip()


def test_a_short_text_is_shown_whole() -> None:
    shown = preview(" windy hill ", query_terms("windy"))
    assert (shown.text, shown.start, shown.end) == (" windy hill ", 0, 12)


def test_the_window_covers_the_most_distinct_words() -> None:
    text = FILLER * 10 + "A windy road. " + FILLER * 20 + "A windy hill. " + FILLER * 10
    shown = preview(text, query_terms("windy hill"))
    assert "windy hill" in shown.text
    assert shown.text[0].isupper()


def test_many_repeats_do_not_outweigh_a_second_word() -> None:
    text = "windy " * 60 + FILLER * 20 + "windy hill. " + FILLER * 5
    assert "hill" in preview(text, query_terms("windy hill"), 200).text


def test_of_equal_windows_the_first_is_shown() -> None:
    text = FILLER * 12 + "windy hill. " + FILLER * 20 + "windy hill. " + FILLER * 12
    shown = preview(text, query_terms("windy hill"), 300)
    assert text.index("windy") in range(shown.start, shown.end)


def test_without_a_match_the_beginning_is_shown() -> None:
    shown = preview(FILLER * 40, query_terms("zebra"))
    assert shown.start == 0
    assert shown.text.endswith(("lake.", "the", "by", "long", "stood", "barn", "shore", "of", "a", "quiet", "The"))


@pytest.mark.parametrize("word", ["ﬁbrils", "cata\u00adlysis", "cap-\ntions", "nai\u0308ve"])
def test_offsets_fit_the_original_text_whatever_the_spelling(word: str) -> None:
    text = FILLER * 30 + word + " " + FILLER * 30
    shown = preview(text, query_terms(word))
    assert shown.start <= text.index(word) < shown.end


def test_words_at_the_edges_are_whole() -> None:
    text = "alphabet " * 200 + "windy " + "alphabet " * 200
    shown = preview(text, query_terms("windy"))
    assert set(shown.text.split()) == {"alphabet", "windy"}


def test_unspaced_scripts_are_windowed_too() -> None:
    text = "本研究提出方法，" * 100 + "稀疏检索有效。" + "本研究提出方法，" * 100
    shown = preview(text, query_terms("稀疏检索"))
    assert "稀疏检索" in shown.text
    assert 400 < len(shown.text) <= 500


@given(
    st.text(alphabet=ascii_letters, min_size=1, max_size=12) | st.sampled_from(["WHO", "skies", "dying", "A", "Yes"])
)
def test_the_terms_of_a_plain_word_begin_as_it_does(word: str) -> None:
    assert {term.lstrip("=")[0] for term in terms_within(word)} <= {word[0].lower()}


@given(st.text(alphabet="gkGK-.,'é1µ", min_size=1, max_size=8))
def test_a_word_in_any_spelling_is_found_by_itself(word: str) -> None:
    weights = query_terms(word)
    if terms_within(word).isdisjoint(weights):
        return
    text = FILLER * 30 + word + " " + FILLER * 30
    shown = preview(text, weights)
    assert shown.start <= len(FILLER * 30) < shown.end

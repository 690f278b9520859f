from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from corpus_gateway.lexical import preview, scores, words


def test_words_are_compared_without_case_and_width() -> None:
    assert words("The ＡＢＣ of β-Catenin, 37M!") == ["the", "abc", "of", "β", "catenin", "37m"]


def test_chinese_characters_stand_alone() -> None:
    assert words("图谱 RAG图") == ["图", "谱", "rag", "图"]


def test_a_score_is_bm25_worked_out_by_hand() -> None:
    one, none = scores("gull", ["gull gull tern", "tern"])
    idf = math.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
    assert math.isclose(one, idf * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 3 / 2)))
    assert none == 0.0


def test_a_repeated_query_word_counts_once() -> None:
    assert scores("gull gull", ["gull", "tern"]) == scores("gull", ["gull", "tern"])


@given(query=st.text(max_size=20), texts=st.lists(st.text(alphabet="ab c", max_size=20), max_size=6))
def test_a_text_scores_above_zero_exactly_when_it_shares_a_word(query: str, texts: list[str]) -> None:
    for text, score in zip(texts, scores(query, texts), strict=True):
        assert (score > 0) == bool(set(words(query)) & set(words(text)))


def test_no_texts_have_no_scores() -> None:
    assert scores("gull", []) == []


def test_a_short_text_is_its_own_preview_on_one_line() -> None:
    assert preview("x", "a\n b") == "a b"


def test_a_preview_starts_at_the_first_word_asked_for() -> None:
    text = "before " * 50 + "the needle lies here " + "after " * 50
    shown = preview("needle", text, length=60)
    assert shown.startswith("… needle lies here")
    assert shown.endswith(" …")
    assert len(shown) <= 64


def test_a_preview_without_a_match_starts_at_the_beginning() -> None:
    assert preview("zzz", "word " * 100, length=20).startswith("word word")


@given(text=st.text(alphabet="ab c", max_size=200), length=st.integers(1, 50))
def test_a_preview_is_a_stretch_of_the_text(text: str, length: int) -> None:
    shown = preview("b", text, length=length)
    flat = " ".join(text.split())
    assert shown.removeprefix("… ").removesuffix(" …") in flat
    assert len(shown) <= length + 4

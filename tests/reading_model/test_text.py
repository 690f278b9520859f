from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reading_model.text import (
    clean,
    is_cjk,
    joins_address,
    joins_hyphenated,
    line_separator,
    searchable,
    trace,
    trace_edges,
)

ANY_TEXT = st.text(alphabet=st.characters(codec=None), max_size=40)
LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}


@given(ANY_TEXT)
def test_clean_text_is_composed_encodable_and_stays_as_it_is(source: str) -> None:
    text = clean(source)
    assert clean(text) == text
    assert "\u00ad" not in text
    assert not any("\ud800" <= character <= "\udfff" for character in text)
    text.encode("utf-8")


@given(ANY_TEXT)
def test_every_clean_character_knows_where_it_came_from(source: str) -> None:
    traced = trace(source)
    assert len(traced.origins) == len(traced.text)
    assert list(traced.origins) == sorted(traced.origins)
    for character, (start, end) in zip(traced.text, traced.origins, strict=True):
        assert 0 <= start < end <= len(source)
        assert character in clean(source[start:end])


@given(ANY_TEXT)
def test_edges_fit_the_clean_text_and_never_turn_round(source: str) -> None:
    edges = [float(position) for position in range(len(source) + 1)]
    text, placed = trace_edges(source, edges)
    assert text == clean(source)
    assert len(placed) == len(text) + 1
    assert placed == sorted(placed)


@given(st.lists(st.sampled_from([*LIGATURES, "a", "é"]), max_size=12))
def test_ligatures_are_spelled_out_and_share_their_width(parts: list[str]) -> None:
    source = "".join(parts)
    text, edges = trace_edges(source, [float(position) for position in range(len(source) + 1)])
    assert text == "".join(LIGATURES.get(part, part) for part in parts)
    if parts:
        assert edges[-1] == len(source)


def test_a_ligature_is_cut_evenly() -> None:
    assert trace_edges("eﬃx", [0.0, 1.0, 4.0, 5.0]) == ("effix", [0.0, 1.0, 2.0, 3.0, 4.0, 5.0])


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("cata\u00adlysis", "catalysis"),
        ("e\u0301tude", "étude"),
        ("\ud835\udf0e", "𝜎"),
        ("a\ud835b", "ab"),
        ("a\udf0ec", "ac"),
        ("\ufeb3", "س"),
        ("⽤", "用"),
        ("tab\tand\x07bell", "tab\tandbell"),
        ("x\u200by\ufffe", "xy"),
        ("\u1100\u1161", "가"),
    ],
)
def test_single_rules(source: str, text: str) -> None:
    assert clean(source) == text
    assert unicodedata.is_normalized("NFC", text)


@pytest.mark.parametrize(
    ("head", "tail", "words", "joins"),
    [
        ("Some image cap-", "tions are", frozenset[str](), True),
        ("the embed-", "ding of", frozenset({"embedding"}), True),
        ("a state-of-the-", "art encoder", frozenset[str](), False),
        ("category-", "rigidity", frozenset({"category", "rigidity"}), False),
        ("category-", "rigidity", frozenset({"category", "rigidity", "categoryrigidity"}), True),
        ("self-", "attention", frozenset({"self-attention"}), False),
        ("non-", "Gaussian", frozenset[str](), False),
        ("Non-", "Gaussian", frozenset({"nongaussian"}), True),
        ("pages 126-", "133", frozenset[str](), False),
        ("3-", "dimensional", frozenset[str](), False),
        ("discre\u00ad", "tionary", frozenset[str](), True),
        ("no hyphen", "here", frozenset[str](), False),
        ("", "here", frozenset[str](), False),
    ],
)
def test_words_broken_at_a_line_end(head: str, tail: str, words: frozenset[str], *, joins: bool) -> None:
    assert joins_hyphenated(head, tail, words) is joins


@given(st.from_regex(r"[a-z]{2,8}", fullmatch=True), st.from_regex(r"[a-z]{2,8}", fullmatch=True))
def test_a_joined_form_that_the_document_has_always_joins(first: str, second: str) -> None:
    assert joins_hyphenated(f"of {first}-", f"{second} and", {first + second, first, second})


@pytest.mark.parametrize(
    ("head", "tail", "joins"),
    [
        ("286. https:", "//doi.org/10.1", True),
        ("see https://a.org/x_", "y", True),
        ("see https://doi.", "org/10.1", True),
        ("see https://a.org.", "Then", False),
        ("see https://a.org", "and", False),
        ("no address", "/x", False),
        ("https://a.org/", "", False),
    ],
)
def test_web_addresses_over_a_line_end(head: str, tail: str, *, joins: bool) -> None:
    assert joins_address(head, tail) is joins


@pytest.mark.parametrize(
    ("before", "after", "separator"),
    [
        ("数据", "集", ""),
        ("数据", "set", " "),
        ("word", "next", " "),
        ("です。", "次", ""),
        ("한국", "어", " "),
        ("a", "", " "),
    ],
)
def test_cjk_lines_join_without_a_space(before: str, after: str, separator: str) -> None:
    assert line_separator(before, after) == separator


def test_rare_ideographs_are_cjk_and_nothing_is_not() -> None:
    assert is_cjk("\U00020bb7")
    assert not is_cjk("")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("p = 0 . 9 8 here", "p = 0.98 here"),
        ("12 . 5 %", "12.5 %"),
        ("in 2019. 5 papers", "in 2019. 5 papers"),
        ("1 . 2 . 3", "1 . 2 . 3"),
        ("0.98", "0.98"),
    ],
)
def test_spaced_decimals_close_up_for_the_index_only(text: str, found: str) -> None:
    assert searchable(text) == found
    assert clean(text) == text

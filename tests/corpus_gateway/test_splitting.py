from __future__ import annotations

import regex
from hypothesis import given
from hypothesis import strategies as st

from corpus_gateway.splitting import split_text
from corpus_gateway.wire import ReadSpan

GRAPHEME = regex.compile(r"\X")
TEXTS = st.text(
    alphabet=st.sampled_from(
        [*"ab .!?。\n\t\"')”\x1c\u2028", "\N{COMBINING MACRON}", "\N{TEST TUBE}", "\u200d", "\U0001f469"]
    ),
    max_size=120,
)


def split(text: str, limit: int = 1200, *, by_rows: bool = False) -> list[ReadSpan]:
    return split_text(text, paper_id="p", paper_version="v", location_ref="r", page=3, by_rows=by_rows, limit=limit)


def pieces(text: str, limit: int, *, by_rows: bool = False) -> list[str]:
    return [span.text for span in split(text, limit, by_rows=by_rows)]


def test_a_short_text_is_one_span_without_outer_space() -> None:
    (span,) = split("  One. Two.\n")
    assert (span.start, span.end, span.text, span.page, span.number) == (2, 11, "One. Two.", 3, 0)


def test_white_space_alone_has_no_span() -> None:
    assert split(" \n\t ") == []


def test_cuts_fall_at_sentence_ends() -> None:
    assert pieces("One two. Three four! Five?", 14) == ["One two.", "Three four!", "Five?"]


def test_a_closing_quotation_mark_stays_with_its_sentence() -> None:
    assert pieces("He said “no.” Then he left.", 16) == ["He said “no.”", "Then he left."]


def test_a_decimal_point_ends_no_sentence() -> None:
    assert pieces("about 3.14 and more", 12) == ["about 3.14", "and more"]


def test_table_rows_stay_whole() -> None:
    table = "Table 1. Gulls. Terns.\na | b | c\nd | e | f"
    assert pieces(table, 33, by_rows=True) == ["Table 1. Gulls. Terns.\na | b | c", "d | e | f"]


def test_chinese_sentences_end_without_a_space() -> None:
    assert pieces("第一句话。第二句话。第三", 6) == ["第一句话。", "第二句话。", "第三"]


def test_a_word_longer_than_a_span_is_cut_between_characters() -> None:
    letter = "x\N{COMBINING MACRON}"
    assert pieces(letter * 5, 3) == [letter] * 5
    assert pieces("a" + "\N{COMBINING MACRON}" * 9, 3) == ["a" + "\N{COMBINING MACRON}" * 9]


@given(text=TEXTS, limit=st.integers(1, 40))
def test_any_text_is_covered_in_order_up_to_white_space(text: str, limit: int) -> None:
    end = 0
    for span in split(text, limit):
        assert text[end : span.start].strip() == ""
        assert span.text == text[span.start : span.end] != ""
        end = span.end
    assert text[end:].strip() == ""


@given(text=TEXTS, limit=st.integers(1, 40))
def test_no_span_cuts_a_character_or_outgrows_the_limit_without_need(text: str, limit: int) -> None:
    borders = {0, *(match.end() for match in GRAPHEME.finditer(text))}
    for span in split(text, limit):
        assert {span.start, span.end} <= borders
        assert len(span.text) <= limit or len(GRAPHEME.findall(span.text)) == 1

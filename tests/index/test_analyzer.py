from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.analyzer import analyze, clean, fold, query_terms, stem, stretches, terms_within, without_marks

ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)
SCHOLARLY = st.lists(
    st.sampled_from(
        [
            *(
                "GPT-4",
                "p < 0.05",
                "p<.05",
                "0 . 9 8",
                "A",
                "WHO",
                "β",
                "TGF-β1",
                "naïve",
                "10.1145/3397271",
                "C++",
                "12.5%",
            ),
            *(
                "cap-\n",
                "tions",
                "\u00ad\n",
                "\u00ad",
                "稀疏检索",
                "검색",
                "10⁵",
                "½",
                "™",
                "‑",
                "–",
                " ",
                "\n",
                ". ",
                "'s",
                "é\u0301",
            ),
        ]
    ),
    max_size=20,
).map("".join)


def same(one: str, other: str) -> bool:
    return bool(query_terms(one)) and query_terms(one) == query_terms(other)


@given(ANY_TEXT | SCHOLARLY)
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    assert clean(clean(text)) == clean(text)


@given(ANY_TEXT | SCHOLARLY)
def test_any_text_gives_terms_with_positive_weights(text: str) -> None:
    weights = query_terms(text)
    assert all(term.strip() == term != "" for term in weights)
    assert all(weight > 0 for weight in weights.values())
    for stretch in stretches(text):
        analysis = analyze(stretch)
        assert len(analysis.terms) == len(analysis.weights)
        assert bool(analysis.length) == bool(analysis.terms)


@given(ANY_TEXT | SCHOLARLY)
def test_folding_is_stable(word: str) -> None:
    assert without_marks(without_marks(fold(word))) == without_marks(fold(word))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("\ufb01brils", "fibrils"),
        ("dis\u00adcretionary", "discretionary"),
        ("cata\u00ad\nlysis", "catalysis"),
        ("β-catenin", "beta-catenin"),
        ("CO₂", "CO2"),
        ("ＧＰＴ", "GPT"),
        ("p < 0.05", "p<0.05"),
        ("p < .05", "p<0.05"),
        ("0 . 9 8", "0.98"),
        ("1,000 samples", "1000 samples"),
        ("$x _ { 1 }$", "x_1"),
        ("5 µm", "5 um"),
        ("Smith\u2013Waterman", "Smith-Waterman"),
        ("who's Bates", "Bates"),
        ("zero\u200bwidth", "zerowidth"),
        ("SPARSE RETRIEVAL OF WHO", "sparse retrieval of who"),
    ],
)
def test_spellings_of_one_thing_give_the_same_terms(one: str, other: str) -> None:
    assert same(one, other)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("GPT-4", {"gpt4", "gpt", "4"}),
        ("COVID-19", {"covid19", "covid", "19"}),
        ("F1@5", {"f1@5", "f1", "5"}),
        ("C++", {"c++"}),
        ("p<0.05", {"p<0.05", "p", "0.05"}),
        ("10.1145/3397271.3401075.", {"10.1145/3397271.3401075"}),
        ("2412.08972v2", {"2412.08972v2", "2412.08972"}),
        ("12.5%", {"12.5%", "12.5"}),
        ("37M", {"37m", "37", "m"}),
        ("10⁵", {"10", "5"}),
        ("naïve", {"naiv", "=naïve"}),
        ("Łódź", {"lodz", "=łódź"}),
        ("cap-\ntions", {"caption", "=captions"}),
        ("state-of-the-\nart", {"stateoftheart", "state", "art"}),
        ("TGF-β1", {"tgfbeta1", "tgf", "beta1"}),
        ("λ", {"lambda"}),
        ("\\beta _ { 2 } = 0 . 9 8", {"beta2", "beta", "2", "0.98"}),
        ("β2", {"beta2"}),
        ("U.S.", {"us"}),
        ("稀疏检索", {"稀疏", "疏检", "检索", "稀", "索"}),
        ("用BM25算法", {"用", "bm25", "算法"}),
        ("R package", {"r", "packag"}),
    ],
)
def test_words_give_these_terms(text: str, terms: set[str]) -> None:
    assert terms <= query_terms(text).keys()


@pytest.mark.parametrize(
    ("text", "terms"),
    [("12.5%", {"12", "5"}), ("C++", {"c"}), ("COVID-19", {"covid-19"}), ("λόγος", {"lambda"}), ("the U.S.", {"the"})],
)
def test_words_do_not_give_these_terms(text: str, terms: set[str]) -> None:
    assert not terms & query_terms(text).keys()


@pytest.mark.parametrize("text", ["", "  ", "?!", "to be or not to be", "TO BE OR NOT TO BE", "e.g. it's"])
def test_nothing_is_left_of_blanks_signs_and_stop_words(text: str) -> None:
    assert query_terms(text) == {}


def test_acronyms_that_spell_a_stop_word_are_words() -> None:
    assert "who" in query_terms("the WHO guideline")
    assert "who" not in query_terms("those who left")


def test_an_opening_article_is_no_letter_a_but_a_vitamin_is() -> None:
    assert "a" not in query_terms("A windy road. A quiet lake")
    assert "a" in query_terms("intake of vitamin A rose")


def test_the_exact_form_counts_beside_the_stem() -> None:
    studies, study = query_terms("studies"), query_terms("study")
    assert studies["studi"] == study["studi"] == 1
    assert 0 < studies["=studies"] < 1
    assert "=studies" not in study


def test_a_compound_and_its_pieces_together_count_little_more_than_words_of_their_own() -> None:
    weights = query_terms("GPT-4")
    assert weights["gpt4"] < weights["gpt"] < 1


def test_a_number_weighs_as_much_as_a_word_with_its_exact_form() -> None:
    assert query_terms("42")["42"] == pytest.approx(sum(query_terms("word").values()))


def test_a_lone_cjk_character_is_a_whole_word() -> None:
    assert query_terms("光")["光"] == 1
    assert query_terms("光速")["光"] < 1


def test_other_scripts_keep_their_marks() -> None:
    assert "हिन्दी" in query_terms("हिन्दी")
    assert "だ" in query_terms("だめ")


def test_stemming_leaves_what_is_no_english_word() -> None:
    assert [stem(word) for word in ("running", "gpt4", "日本", "as")] == ["run", "gpt4", "日本", "as"]


def test_who_does_is_another_term_than_what_is_done() -> None:
    assert stem("transformers") == stem("transformer") == "transformer" != stem("transformed")
    assert stem("inhibitors") == "inhibitor"
    assert [stem(word) for word in ("her", "ears", "theories")] == ["her", "ear", "theori"]


def test_terms_within_reads_a_word_with_its_signs() -> None:
    assert terms_within("(Fibrils),") == {"fibril", "=fibrils"}


def test_a_word_with_very_many_marks_is_read_in_linear_time() -> None:
    assert len(query_terms("b" + "\u0301" * 200_000)) == 2


def test_what_a_query_repeats_counts_more_but_not_as_often_as_it_is_repeated() -> None:
    once, twice, often = (query_terms("dropout " * times)["dropout"] for times in (1, 2, 50))
    assert once == 1.0
    assert twice == pytest.approx(1.375)
    assert often < 2.2

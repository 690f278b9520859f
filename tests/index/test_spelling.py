from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.analyzer import query_terms
from index.spelling import one_spelling, singular_acronym


@pytest.mark.parametrize(
    "pair",
    [
        "tumour tumor",
        "behavioural behavioral",
        "centres centers",
        "multicentre multicenter",
        "randomised randomized",
        "characterisation characterization",
        "analysed analyzed",
        "haemoglobin hemoglobin",
        "anaemia anemia",
        "oesophageal esophageal",
        "paediatric pediatric",
        "diarrhoea diarrhea",
        "programmes programs",
        "homologues homologs",
        "sulphate sulfate",
        "artefact artifact",
        "ageing aging",
        "matrices matrix",
        "mice mouse",
        "bacteria bacterium",
        "hypotheses hypothesis",
        "metastases metastasis",
        "LLMs LLM",
        "llms llm",
        "mRNAs mRNA",
        "E2Fs E2F",
        "pDCs pDC",
    ],
)
def test_two_ways_of_writing_have_one_stem(pair: str) -> None:
    one, other = pair.split()
    assert stems(one) == stems(other)


@pytest.mark.parametrize(
    "word",
    [
        *("programmed", "raised", "surprising", "unsupervised", "noise", "precise", "exercises", "otherwise", "hour"),
        *("source", "four", "elastases", "phases", "databases", "phytoestrogen", "dns", "class", "analysis"),
    ],
)
def test_a_word_with_one_spelling_stays_as_it_is(word: str) -> None:
    assert one_spelling(word) == word


@pytest.mark.parametrize("word", ["GPS", "Bates", "As", "Is", "DNS", "class", "Thomas"])
def test_a_name_that_ends_in_s_is_no_plural(word: str) -> None:
    assert singular_acronym(word) == word


def test_the_exact_form_keeps_its_spelling() -> None:
    assert "=tumour" in query_terms("tumour")
    assert "=llms" in query_terms("LLMs")


@given(st.from_regex(r"[a-z]{3,14}", fullmatch=True))
def test_a_spelling_is_a_word_of_letters_of_about_the_same_length(word: str) -> None:
    found = one_spelling(word)
    assert found.isalpha()
    assert len(found) <= len(word) + 3


def stems(text: str) -> set[str]:
    return {term for term in query_terms(text) if not term.startswith("=")}

from __future__ import annotations

import time

import pytest

from harness.models.extractive.question import Shape, understand


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("How many unique paper nodes does the graph have?", ("uniqu", "paper", "node")),
        ("How many of the 277 facts does the text hold?", ("fact",)),
        ("What is the number of gull nests in the survey?", ("gull", "nest")),
        ("Wie viele Möwen gibt es?", ("mow",)),
        ("图中有多少个节点？", ("节点",)),
        ("How long is a gull?", ()),
    ],
)
def test_what_is_counted(text: str, counted: tuple[str, ...]) -> None:
    assert understand(text).counted == counted


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("How many gulls are there?", Shape.COUNT),
        ("What word recall did it reach?", Shape.NUMBER),
        ("How long does a gull sleep?", Shape.NUMBER),
        ("Why do gulls sleep?", Shape.REASON),
        ("What is a gull?", Shape.DEFINITION),
        ("How do gulls sleep?", Shape.MANNER),
        ("Which gulls sleep?", Shape.OTHER),
    ],
)
def test_the_kind_of_answer_that_is_looked_for(text: str, shape: Shape) -> None:
    assert understand(text).shape is shape


@pytest.mark.parametrize(
    ("text", "clues"),
    [
        ("What does 10.1234/ab.c-d say?", [("doi", "10.1234/ab.c-d", True)]),
        ("See https://doi.org/10.1234/x.", [("doi", "10.1234/x", True)]),
        ("What is in arXiv:1706.03762v5?", [("arxiv_id", "1706.03762v5", True)]),
        ("What is in gulls-2019.pdf?", [("filename", "gulls-2019.pdf", True)]),
        ("What does the paper “Gulls at Night” say?", [("title", "Gulls at Night", True)]),
        ("Who says “gulls at night”?", [("title", "gulls at night", False)]),
        ("What is 3.5 of 10?", []),
    ],
)
def test_papers_that_the_question_names(text: str, clues: list[tuple[str, str, bool]]) -> None:
    assert [(clue.field, clue.value, clue.certain) for clue in understand(text).clues] == clues


def test_words_around_the_question_count_little_unless_they_are_counted() -> None:
    assert understand("Which paper reports gulls?").terms == {"paper": 0.3, "report": 0.3, "gull": 1.0}
    assert understand("How many papers does the graph have?").terms["paper"] == 1.0


def test_a_question_that_goes_back_takes_over_earlier_words_at_half_weight() -> None:
    terms = understand("And how many of them?", ("Do gulls sleep?", "Do terns wake?")).terms
    assert terms == {"tern": 0.5, "wake": 0.5}
    assert "tern" not in understand("Which random seed was chosen for gulls?", ("Do terns wake?",)).terms


def test_coined_names_are_known_by_their_capitals() -> None:
    assert understand("Which optimizer did BERT and Dial-MAE use?").names == {"bert", "dial", "mae"}
    assert understand("WHAT IS BERT?").names == frozenset()
    assert understand("Which optimizer did Smith use?").names == frozenset()


@pytest.mark.parametrize(
    ("sentence", "defines"),
    [
        ("A gull net is a model of birds.", True),
        ("We propose Gull Net to model birds.", True),
        ("With Gull Net, a model of birds, we sleep.", True),
        ("Training with gull net is slow.", False),
        ("Gull net is slow.", False),
    ],
)
def test_sentences_that_define_what_is_asked_about(sentence: str, defines: bool) -> None:
    pattern = understand("What is Gull Net?").defined
    assert pattern is not None
    assert (pattern.search(sentence) is not None) is defines


def test_text_to_search_with_keeps_the_words_as_written() -> None:
    question = understand("What random seed was used in Dial-MAE at 3.5 MW?")
    assert question.keywords == "random seed used Dial-MAE 3.5 MW"
    assert question.runs == ("random seed", "3.5 MW")


@pytest.mark.parametrize("sign", ["a", "aB", "1.", "“", "/", "字"])
def test_a_question_of_any_length_is_read_at_once(sign: str) -> None:
    began = time.process_time()
    question = understand("How many gulls? " + sign * 500_000, ("What are gulls? " + sign * 500_000,))
    assert question.counted in {("gull",), ("gulls",)}  # the stem depends on the language
    assert time.process_time() - began < 5

from __future__ import annotations

import pytest

from harness.submission.quotes import holds, normalised, quotations

SPAN = "The graph has 37M unique pa-\npers (−5 %), as “noted”\nby Zoë [12]; the ﬁrst rate was 3.5, not 4."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('a "b c" d', ["b c"]),
        ("a “b “c” d” e", ["b “c” d"]),
        ("„a b“ und »c d« et «e f»", ["a b", "c d", "e f"]),
        ("「甲」与『乙』", ["甲", "乙"]),
        ('a 5" pipe and a 7" pipe', []),
        ('never "closed', []),
        ("never “closed", []),
        ("a “b « c” d", ["b « c"]),
        ("““a” b", ["a"]),
        ('“a "b" c”', ['a "b" c']),
    ],
)
def test_quotations_of_a_text(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in quotations(text)] == expected


@pytest.mark.parametrize(
    "quotation",
    [
        "the graph has 37m unique",
        "The graph … unique",
        "The graph ... as 'noted'",
        "graph [of papers] has 37M",
        'as "noted" by Zoë [12]',
        "as “noted” by *Zoë* \\[12\\]",
        "the first rate was 3.5",
        "(-5%)",
        "the first rate was 3.5,",
        "Zoe\u0308 [12]",
        "not 4.",
    ],
)
def test_held_word_by_word(quotation: str) -> None:
    assert holds(SPAN, quotation)


@pytest.mark.parametrize(
    "quotation",
    [
        "7M unique",
        "graph has 37M uni",
        "the first rate was 3",
        "(5%)",
        "unique ... graph",
        "the graphs has",
        "rate was 3.50",
    ],
)
def test_not_held(quotation: str) -> None:
    assert not holds(SPAN, quotation)


def test_white_space_between_han_characters_means_nothing() -> None:
    assert holds("召回率 上\n升了", "召回率上升")
    assert normalised("Ａ  b") == "a b"


def test_a_sentence_after_a_number_is_found_and_spacing_of_signs_does_not_matter() -> None:
    assert holds("The size is 128. We set a seed ( 42 ).", "We set a seed (42)")
    assert holds("a rate of 2 – 3 %", "a rate of 2–3%")
    assert not holds("a rate of 2.5 is high", "5 is high")
    assert not holds("слово и дело", "лово и дело")

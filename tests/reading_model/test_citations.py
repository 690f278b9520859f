"""Which entry a citation names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reading_model.citations import References, citations

NUMBERED = References.of([f"[{number}] A. Author, Title {number}, 2001." for number in range(1, 13)])
NAMED = References.of(
    [
        "Waleed Ammar, Dirk Groeneveld, and Iz Beltagy. 2018. Construction of the graph. In 2018 NAACL.",
        "Lo K, Wang LL. 2020a. One corpus.",
        "Lo K, Kinney R. 2020b. Another corpus.",
        "Smith, J., & Jones, A. (2019). First.",
        "Smith, J., & Brown, B. (2019). Second.",
        "No year and no name",
    ]
)


def found(text: str, references: References) -> list[tuple[str, int]]:
    return [(text[item.start : item.end], item.entry) for item in citations(text, references)]


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        pytest.param("as shown [3].", [2], id="one"),
        pytest.param("as shown [3, 5–7; 9].", [2, 4, 5, 6, 8], id="list and range"),
        pytest.param("for x in [0, 1]", [], id="an interval"),
        pytest.param("the years [1, 13]", [], id="a number without an entry"),
        pytest.param("twice [3] and [3]", [2], id="each entry once"),
        pytest.param("turned round [7–5]", [], id="a range that runs down"),
    ],
)
def test_numbers_in_brackets_name_the_entries_with_these_numbers(text: str, entries: list[int]) -> None:
    assert [entry for _, entry in found(text, NUMBERED)] == entries


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("graphs (Ammar et al., 2018) are", [("Ammar et al., 2018", 0)], id="given name first"),
        pytest.param("Lo and Wang, 2020a", [("Lo and Wang, 2020a", 1)], id="initials after the name"),
        pytest.param("Smith & Brown (2019", [("Smith & Brown (2019", 4)], id="the second author decides"),
        pytest.param("Smith (2019)", [], id="two entries fit"),
        pytest.param("Lo et al., 2020", [], id="the letter of the year is missing"),
        pytest.param("In March 2018", [], id="no author"),
        pytest.param("[1]", [], id="entries without numbers"),
    ],
)
def test_a_surname_with_a_year_names_the_one_entry_that_fits(text: str, expected: list[tuple[str, int]]) -> None:
    assert found(text, NAMED) == expected


def test_numbers_that_come_twice_name_nothing() -> None:
    assert found("[1]", References.of(["[1] One, 2001.", "[1] Other, 2002."])) == []


@given(st.text(max_size=80), st.lists(st.text(max_size=40), max_size=5))
def test_citations_lie_in_any_text_and_name_entries_that_are_there(text: str, entries: list[str]) -> None:
    for citation in citations(text, References.of(entries)):
        assert 0 <= citation.start < citation.end <= len(text)
        assert 0 <= citation.entry < len(entries)

from __future__ import annotations

import pytest

from index.broad import is_broad, specific_terms


@pytest.mark.parametrize(
    "question", ["What is this paper about?", "main contribution", "Summarize the key findings", "the study's goals"]
)
def test_questions_about_a_paper_as_a_whole_are_broad(question: str) -> None:
    assert is_broad(question)


@pytest.mark.parametrize("question", ["", "the of", "What is the main contribution to gulls?", "zebra", "results"])
def test_other_questions_are_not(question: str) -> None:
    assert not is_broad(question)


def test_specific_terms_leave_out_what_fits_any_paper() -> None:
    assert specific_terms("papers about gulls").keys() == {"gull", "=gulls"}

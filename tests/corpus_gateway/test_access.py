from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_gateway.access import allowed, check_range, named_ids, named_papers
from corpus_gateway.errors import InvalidCorpusRequest

IDS = st.lists(st.sampled_from(["a", "b", "B", "a ", " ", "", "\u3000", "ä", "a\N{COMBINING DIAERESIS}"]))


def test_ids_keep_their_order_and_count_once() -> None:
    assert named_ids(["b", "a", "", "b", " ", "a"]) == ("b", "a")


def test_ids_are_compared_letter_for_letter() -> None:
    assert allowed(["a ", "A", "a"], {"a"}) == ("a",)


@pytest.mark.parametrize("ids", [[], [""], [" ", "\u3000"]])
def test_a_field_that_names_no_paper_is_refused_with_advice(ids: list[str]) -> None:
    with pytest.raises(InvalidCorpusRequest) as caught:
        named_papers("scope_paper_ids", ids)
    assert caught.value.code == "invalid_corpus_request"
    assert "scope_paper_ids" in caught.value.hint


@given(ids=IDS, permitted=st.sets(st.sampled_from(["a", "b", "a ", "ä"])))
def test_allowed_ids_are_exactly_those_named_and_permitted(ids: list[str], permitted: set[str]) -> None:
    result = allowed(ids, permitted)
    assert set(result) == set(ids) & permitted
    assert len(result) == len(set(result))


@given(first=st.none() | st.integers(1, 9), last=st.none() | st.integers(1, 9))
def test_only_a_range_that_runs_backwards_is_refused(first: int | None, last: int | None) -> None:
    if first is not None and last is not None and first > last:
        with pytest.raises(InvalidCorpusRequest, match="pages"):
            check_range("pages", first, last)
    else:
        check_range("pages", first, last)

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index import errors
from index.analyzer import ANALYZER
from index.contract import IndexContract
from index.encoder import SCORER, TERM_ID
from index.errors import ContractMalformed, ContractMismatch, IndexingError


@given(st.floats(1, 1e6, allow_nan=False), st.floats(0, 10, allow_nan=False), st.floats(0, 1, allow_nan=False))
def test_a_contract_comes_back_from_its_text(avgdl: float, k1: float, b: float) -> None:
    contract = replace(IndexContract.default(avgdl=avgdl), k1=k1, b=b)
    assert IndexContract.parse(contract.text()) == contract


def test_the_text_names_everything_and_fits_its_column() -> None:
    text = IndexContract.default(avgdl=240.6381754236385).text()
    assert {part.split("=")[0] for part in text.split("|")} == {field.name for field in fields(IndexContract)}
    assert len(text) <= 255
    assert "avgdl=240|" in IndexContract.default().text()


def test_the_names_are_those_of_the_code_that_makes_the_points() -> None:
    contract = IndexContract.default()
    assert (contract.analyzer, contract.term_id, contract.scorer) == (ANALYZER, TERM_ID, SCORER)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "avgdl=240",
        IndexContract.default().text() + "|more=1",
        IndexContract.default().text().replace("k1=1.2", "k1=x"),
    ],
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ContractMalformed):
        IndexContract.parse(text)


@pytest.mark.parametrize(
    "change",
    [{"avgdl": 0.0}, {"avgdl": float("nan")}, {"b": 1.5}, {"k1": -1.0}, {"fields": "title"}, {"fields": "a:b"}],
)
def test_impossible_values_are_refused(change: dict[str, float | str]) -> None:
    with pytest.raises(ContractMalformed):
        replace(IndexContract.default(), **change)  # type: ignore[arg-type]


def test_a_mismatch_names_both_sides_and_what_to_do() -> None:
    contract = IndexContract.default()
    other = IndexContract.default(avgdl=100).text()
    with pytest.raises(ContractMismatch) as caught:
        contract.require(other, where="paper p")
    assert other in str(caught.value)
    assert contract.text() in str(caught.value)
    assert "paper p" in str(caught.value)
    assert "release" in caught.value.hint
    contract.require(contract.text(), where="paper p")


def test_cards_are_another_collection_under_the_same_rules() -> None:
    contract = IndexContract.default(avgdl=100)
    cards = contract.for_cards()
    assert (cards.analyzer, cards.k1, cards.b) == (contract.analyzer, contract.k1, contract.b)
    assert cards.collection != contract.collection
    assert cards.field_weights().keys() == {"title", "abstract", "authors", "venue"}


def test_every_error_of_the_package_has_a_code_of_its_own_and_stands_in_the_tree() -> None:
    kinds = IndexingError.__subclasses__()
    codes = {kind.code for kind in kinds}
    assert len(codes) == len(kinds)
    for kind in kinds:
        assert f"{kind.__name__} " in (errors.__doc__ or "")
        assert f" {kind.code}:" in (errors.__doc__ or "")

from __future__ import annotations

import hashlib
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.contract import IndexContract
from index.encoder import FieldText, encode_document, encode_query, encode_terms, term_id

CONTRACT = IndexContract.default(avgdl=10)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=120)


def collision() -> tuple[str, str]:
    """Two terms of one id; about 2^31 ids make a pair likely among some hundred thousand."""
    seen: dict[int, str] = {}
    for number in range(400_000):
        term = f"w{number}"
        if other := seen.get(term_id(term)):
            return other, term
        seen[term_id(term)] = term
    raise AssertionError


def test_a_term_id_is_the_first_31_bits_of_sha_256_after_the_sign() -> None:
    digest = hashlib.sha256(b"sparse").hexdigest()
    assert term_id("sparse") == int(digest[:8], 16) % 2**31


@given(st.lists(st.tuples(TEXTS, st.floats(0.1, 5)), max_size=3))
def test_document_vectors_are_ascending_distinct_and_finite(fields: list[tuple[str, float]]) -> None:
    encoded = encode_document([FieldText(text, weight) for text, weight in fields], CONTRACT)
    vector = encoded.vector
    assert list(vector.indices) == sorted(set(vector.indices))
    assert all(0 <= index < 2**31 for index in vector.indices)
    assert all(math.isfinite(value) and 0 < value < CONTRACT.k1 + 1 for value in vector.values)
    assert encoded.length >= 0


@given(TEXTS)
def test_query_vectors_are_ascending_distinct_and_finite(text: str) -> None:
    vector = encode_query(text)
    if vector is not None:
        assert list(vector.indices) == sorted(set(vector.indices)) != []
        assert all(math.isfinite(value) and value > 0 for value in vector.values)


@pytest.mark.parametrize("text", ["", "the of and", "?"])
def test_a_query_without_terms_has_no_vector(text: str) -> None:
    assert encode_query(text) is None


def test_weights_are_bm25_with_length_normalisation() -> None:
    encoded = encode_document([FieldText("windy windy hill", 1)], CONTRACT)
    assert encoded.length == 3
    norm = 1.2 * (0.25 + 0.75 * 3 / 10)
    at = dict(zip(encoded.vector.indices, encoded.vector.values, strict=True))
    assert at[term_id("windi")] == pytest.approx(2 * 2.2 / (2 + norm))
    assert at[term_id("hill")] == pytest.approx(1 * 2.2 / (1 + norm))


def test_a_field_weighs_in_frequency_and_length() -> None:
    plain = encode_document([FieldText("windy windy", 1)], CONTRACT)
    weighted = encode_document([FieldText("windy", 2)], CONTRACT)
    assert plain == weighted


def test_terms_of_one_id_are_summed_and_counted() -> None:
    one, other = collision()
    both = encode_document([FieldText(f"{one} {other}", 1)], CONTRACT)
    twice = encode_document([FieldText(f"{one} {one}", 1)], CONTRACT)
    assert both.collisions == 1
    assert twice.collisions == 0
    shared = term_id(one)
    assert dict(zip(both.vector.indices, both.vector.values, strict=True))[shared] == pytest.approx(
        dict(zip(twice.vector.indices, twice.vector.values, strict=True))[shared]
    )
    assert encode_terms({one: 1.0, other: 0.5}).values == (1.5,)


def test_a_text_without_terms_has_an_empty_vector() -> None:
    assert encode_document([FieldText("the of", 1)], CONTRACT).vector.indices == ()

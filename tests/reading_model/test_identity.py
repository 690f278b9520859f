from __future__ import annotations

import hashlib
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reading_model.documents import Cell, Provenance, Table
from reading_model.identity import (
    BUILDER_VERSION,
    evidence_id_of,
    location_ref_of,
    model_version_of,
    paper_id_of,
    sha256_hex,
)

words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x1f"), max_size=8)


def test_the_ids_have_the_forms_that_are_documented() -> None:
    sha256 = sha256_hex(b"bytes")
    assert sha256 == hashlib.sha256(b"bytes").hexdigest()
    assert paper_id_of(sha256) == sha256[:32]
    assert re.fullmatch(r"rm_[0-9a-f]{16}", model_version_of("p", Provenance("pdfium", "1"), sha256))
    assert re.fullmatch(r"table_ref_[0-9a-f]{20}", location_ref_of("p", "rm", "table", 0, "text"))
    assert re.fullmatch(r"ev_[0-9a-f]{20}", evidence_id_of("p", "rm", "ref", 0, 3, "text"))


def test_the_ids_are_made_of_the_documented_parts() -> None:
    joined = "\x1f".join(["p", "pdfium", "1", "cfg", "art", BUILDER_VERSION])
    expected = hashlib.sha256(joined.encode()).hexdigest()
    assert model_version_of("p", Provenance("pdfium", "1", "cfg"), "art") == f"rm_{expected[:16]}"
    joined = "\x1f".join(["p", "rm", "passage", "7", hashlib.sha256("𝜎".encode()).hexdigest()])
    expected = hashlib.sha256(joined.encode()).hexdigest()
    assert location_ref_of("p", "rm", "passage", 7, "𝜎") == f"passage_ref_{expected[:20]}"
    expected = hashlib.sha256("\x1f".join(["p", "rm", "ref", "0", "1", "𝜎"]).encode()).hexdigest()
    assert evidence_id_of("p", "rm", "ref", 0, 1, "𝜎") == f"ev_{expected[:20]}"


@given(st.lists(st.tuples(words, words, words, st.integers(0, 99), st.integers(0, 99), words), unique=True, max_size=6))
def test_what_differs_in_any_part_has_another_id(parts: list[tuple[str, str, str, int, int, str]]) -> None:
    ids = sorted(evidence_id_of(*part) for part in parts)
    assert all(one != other for one, other in pairwise(ids))


def test_a_part_that_could_pass_for_two_is_refused_but_the_text_may_be_anything() -> None:
    with pytest.raises(ValueError, match=r"U\+001F"):
        location_ref_of("p\x1fq", "rm", "page", 0, "text")
    assert evidence_id_of("p", "rm", "ref", 0, 1, "a\x1fb") != evidence_id_of("p", "rm", "ref", 0, 1, "ab")


def test_a_merged_cell_stands_in_every_place_that_it_covers() -> None:
    table = Table((Cell(0, 0, "both", 1, 2), Cell(1, 1, "x", 5, 5)), 2, 2)
    assert table.rows() == [["both", "both"], ["", "x"]]

from __future__ import annotations

from typing import get_args

import pytest

from corpus_gateway.element_types import element_filter
from corpus_gateway.wire import ElementType


def test_no_element_type_limits_nothing() -> None:
    assert element_filter([]).admits("figure", ())


@pytest.mark.parametrize("name", get_args(ElementType))
def test_every_element_type_admits_something_and_refuses_something(name: ElementType) -> None:
    wanted = element_filter([name])
    kinds = [
        ("table", "table"),
        ("figure", "figure"),
        *(("passage", block) for block in ("paragraph", "title", "list")),
    ]
    kinds += [("passage", block) for block in ("heading", "footnote", "formula", "aside")]
    admitted = [pair for pair in kinds if wanted.admits(pair[0], (pair[1],))]
    assert 0 < len(admitted) < len(kinds)


def test_a_table_block_inside_a_passage_makes_no_table() -> None:
    assert not element_filter(["table"]).admits("passage", ("table",))


def test_types_add_up() -> None:
    wanted = element_filter(["table", "formula"])
    assert wanted.admits("table", ())
    assert wanted.admits("passage", ("formula", "paragraph"))
    assert not wanted.admits("passage", ("paragraph",))
    assert not wanted.admits("figure", ("formula",))

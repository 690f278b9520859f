from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.skills import research_skills
from harness.tools.arguments import ArgumentsRefused, parse_object, schema_of, validate
from harness.tools.guidance import SkillArguments
from harness.tools.locations import LocationSearchArguments, StructureArguments
from harness.tools.papers import IdentityArguments, PaperSearchArguments
from harness.tools.reading import ReadArguments
from harness.tools.submission import SubmitArguments

MODELS = [
    SkillArguments,
    PaperSearchArguments,
    IdentityArguments,
    LocationSearchArguments,
    StructureArguments,
    ReadArguments,
    SubmitArguments,
]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(), VALUES), st.booleans())
def test_valid_json_is_taken_as_it_is(values: dict[str, Any], ascii_only: bool) -> None:
    assert parse_object(json.dumps(values, ensure_ascii=ascii_only)) == values


@given(st.text())
def test_any_text_gives_an_object_or_a_short_reason(raw: str) -> None:
    try:
        value: object = parse_object(raw)
    except ArgumentsRefused as error:
        value = str(error)
    assert isinstance(value, dict) or (isinstance(value, str) and 0 < len(value) < 300)


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "   ",
        "null",
        "[]",
        "5",
        "true",
        '"x"',
        '{"query":"x"',
        '{"query":"a"}{"query":"b"}',
        '{"query":NaN}',
        '{"query":-Infinity}',
        '{"query":"a","query":"b"}',
        '{"a":{"b":1,"b":2}}',
        "{'query': 'x'}",
        '{"query":"x",}',
        "[" * 100_000,
        '{"n":' + "9" * 5000 + "}",
    ],
)
def test_f27_what_is_no_json_object_is_refused_and_never_guessed(raw: str) -> None:
    with pytest.raises(ArgumentsRefused):
        parse_object(raw)


def test_f27_valid_json_keeps_apostrophes_and_escapes() -> None:
    assert parse_object('{"query":"what\'s the \\"best\\" span?"}') == {"query": 'what\'s the "best" span?'}
    assert parse_object('{"query":"增益 \\u589e\\u76ca"}') == {"query": "增益 增益"}


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"paper_ids": ["p"], "top_k": "3"}, "top_k"),
        ({"paper_ids": ["p"], "top_k": 3.0}, "top_k"),
        ({"paper_ids": ["p"], "top_k": True}, "top_k"),
        ({"paper_ids": ["p"], "top_k": 0}, "top_k"),
        ({"paper_ids": ["p"], "top_k": 21}, "top_k"),
        ({"paper_ids": "p"}, "paper_ids"),
        ({"paper_ids": [1]}, "paper_ids.0"),
        ({"paper_ids": None}, "paper_ids"),
        ({}, "paper_ids"),
        ({"paper_ids": ["p"], "qeury": "x"}, "qeury"),
        ({"paper_ids": ["p"], "element_types": ["poem"]}, "element_types.0"),
        ({"paper_ids": ["p"], "page_from": 0}, "page_from"),
    ],
)
def test_arguments_that_do_not_fit_name_the_field(values: dict[str, Any], field: str) -> None:
    with pytest.raises(ArgumentsRefused) as caught:
        validate(LocationSearchArguments, values)
    assert [item["field"] for item in caught.value.problems] == [field]


def test_null_counts_as_not_given_where_a_field_is_optional() -> None:
    given_values = validate(LocationSearchArguments, {"paper_ids": ["p"], "top_k": None, "page_from": None})
    assert given_values.top_k == 8
    assert given_values.page_from is None


@pytest.mark.parametrize("model", MODELS)
def test_schemas_are_plain_objects_that_refuse_unknown_keys(model: type[Any]) -> None:
    schema = schema_of(model)
    text = json.dumps(schema)
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert "$ref" not in text
    assert "anyOf" not in text
    assert all("type" in item for item in schema["properties"].values())
    assert all(item.get("description") for item in schema["properties"].values())


def test_schemas_name_the_parameters_of_the_contract() -> None:
    def names(model: type[Any]) -> set[str]:
        return set(schema_of(model)["properties"])

    assert names(PaperSearchArguments) == {
        "query_text",
        "paper_ids",
        "authors",
        "venues",
        "year_from",
        "year_to",
        "offset",
        "limit",
    }
    assert names(IdentityArguments) == {"paper_id", "title", "filename", "doi", "arxiv_id", "authors", "year"}
    assert names(LocationSearchArguments) == {
        "paper_ids",
        "query_text",
        "section_query",
        "element_types",
        "page_from",
        "page_to",
        "top_k",
    }
    assert schema_of(LocationSearchArguments)["required"] == ["paper_ids"]
    assert {"location_refs"} <= names(ReadArguments)
    assert schema_of(SubmitArguments)["required"] == ["outcome", "markdown"]
    outcome = schema_of(SubmitArguments)["properties"]["outcome"]
    assert outcome["enum"] == ["answered", "needs_clarification", "partial", "abstained"]
    assert schema_of(SkillArguments)["properties"]["skill_id"]["enum"] == list(research_skills())
    assert schema_of(IdentityArguments)["properties"]["title"]["type"] == "string"

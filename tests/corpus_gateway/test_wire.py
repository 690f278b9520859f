from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from corpus_gateway.wire import (
    CorpusRequest,
    HealthReport,
    IdentityRequest,
    IdentityResult,
    LocationCandidate,
    LocationReadRequest,
    LocationReadResult,
    LocationSearchRequest,
    LocationSearchResult,
    PaperCard,
    PaperIdentity,
    PaperSearchRequest,
    PaperSearchResult,
    ReadItem,
    ReadSpan,
    SpanBox,
    StructureNode,
    StructureRequest,
    StructureResult,
    WireModel,
)

ASKER: dict[str, Any] = {"user_id": "1", "scope_paper_ids": ["p"]}
CARD = PaperCard(paper_id="p", title="Über Gulls \N{TEST TUBE}", authors=["Zoë O’Neil"], year=2021)
SPAN = ReadSpan(
    number=0, start=0, end=3, text="a x", page=1, boxes=[SpanBox(page=1, x0=0.5, y0=1, x1=2, y1=3)], evidence_id="ev_1"
)
ITEM = ReadItem(
    paper_id="p",
    title="T",
    paper_version="rm_1",
    location_ref="passage_ref_1",
    element_type="passage",
    page=1,
    page_end=2,
    span_text="a x\N{COMBINING MACRON}",
    spans=[SPAN],
)
NODE = StructureNode(
    paper_id="p",
    title="T",
    location_ref="section_ref_1",
    structure_type="SECTION",
    display_order=0,
    page_from=1,
    page_to=2,
)
CANDIDATE = LocationCandidate(
    paper_id="p",
    title="T",
    paper_version="rm_1",
    location_ref="table_ref_1",
    page=1,
    page_end=1,
    element_type="table",
    preview="a | b",
    sparse_score=1.25,
)

MESSAGES: list[WireModel] = [
    PaperSearchRequest(**ASKER, query_text="β", venues=["NeurIPS"], year_from=1900),
    IdentityRequest(**ASKER, identity=PaperIdentity(doi="10.1/x")),
    LocationSearchRequest(**ASKER, paper_ids=["p"], element_types=["table", "chart"], page_from=2),
    LocationReadRequest(**ASKER, location_refs=["a", "b"]),
    StructureRequest(**ASKER, paper_ids=["p"], structure_types=["PAGE"]),
    PaperSearchResult(
        query_text="", candidates=[CARD], matched_count=2, returned_count=1, coverage="truncated", next_offset=1
    ),
    IdentityResult(status="ambiguous", matches=[CARD, CARD]),
    LocationSearchResult(
        query_text="q", locations=[CANDIDATE], matched_count=1, returned_count=1, coverage="complete", index_version="i"
    ),
    LocationReadResult(items=[ITEM], missing_location_refs=["x"]),
    StructureResult(nodes=[NODE], unsearchable_papers=["p2"]),
    HealthReport(ok=False, parts={"store": "locked"}),
]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_messages_survive_json(message: WireModel) -> None:
    assert type(message).model_validate_json(message.model_dump_json()) == message


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_unknown_keys_are_ignored_and_messages_do_not_change(message: WireModel) -> None:
    fields = {**message.model_dump(), "a_later_addition": 1}
    again = type(message).model_validate(fields)
    assert again == message
    with pytest.raises(ValidationError):
        setattr(again, next(iter(type(message).model_fields)), None)


@pytest.mark.parametrize(
    ("given_id", "text"), [(7, "7"), ("7", "7"), (0, "0"), ("a.b:c-D_9", "a.b:c-D_9"), ("x" * 64, "x" * 64)]
)
def test_user_ids_are_text_and_numbers_their_decimal_text(given_id: object, text: str) -> None:
    assert CorpusRequest.model_validate({**ASKER, "user_id": given_id}).user_id == text


@pytest.mark.parametrize("given_id", ["", " ", "a b", "x" * 65, "ä", "a\n", "a/b", True, None, 1.5, [1], {"id": 1}])
def test_other_user_ids_are_refused(given_id: object) -> None:
    with pytest.raises(ValidationError):
        CorpusRequest.model_validate({**ASKER, "user_id": given_id})


@given(given_id=st.integers(min_value=0, max_value=2**63 - 1))
def test_any_long_is_a_user_id(given_id: int) -> None:
    assert CorpusRequest.model_validate({**ASKER, "user_id": given_id}).user_id == str(given_id)


@pytest.mark.parametrize("text", ["\ud800", "\udfff gulls"])
def test_text_that_is_no_unicode_is_refused(text: str) -> None:
    with pytest.raises(ValidationError):
        PaperSearchRequest(**ASKER, query_text=text)
    with pytest.raises(ValidationError):
        LocationReadRequest(**ASKER, location_refs=[text])


@pytest.mark.parametrize(
    ("model", "fields"),
    [
        (LocationSearchRequest, {"paper_ids": ["p"], "top_k": 0}),
        (LocationSearchRequest, {"paper_ids": ["p"], "top_k": 21}),
        (LocationSearchRequest, {"paper_ids": []}),
        (LocationSearchRequest, {}),
        (LocationSearchRequest, {"paper_ids": ["p"], "page_from": 0}),
        (LocationSearchRequest, {"paper_ids": ["p"], "element_types": ["spreadsheet"]}),
        (PaperSearchRequest, {"limit": 0}),
        (PaperSearchRequest, {"limit": 101}),
        (PaperSearchRequest, {"offset": -1}),
        (LocationReadRequest, {"location_refs": []}),
        (LocationReadRequest, {"location_refs": "passage_ref_1"}),
        (LocationReadRequest, {"location_refs": [1]}),
        (LocationReadRequest, {"location_refs": [f"r{number}" for number in range(21)]}),
        (StructureRequest, {"paper_ids": []}),
        (StructureRequest, {"paper_ids": ["p"], "structure_types": ["CHAPTER"]}),
    ],
)
def test_values_outside_the_limits_are_refused(model: type[WireModel], fields: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        model.model_validate({**ASKER, **fields})


def test_limits_themselves_are_allowed() -> None:
    assert LocationSearchRequest(**ASKER, paper_ids=["p"], top_k=20).top_k == 20
    assert PaperSearchRequest(**ASKER, limit=100).limit == 100
    refs = [f"r{number}" for number in range(20)]
    assert LocationReadRequest(**ASKER, location_refs=[*refs, *reversed(refs)]).location_refs == refs


def test_defaults_are_those_of_the_contract() -> None:
    search = LocationSearchRequest(**ASKER, paper_ids=["p"])
    assert (search.top_k, search.query_text, search.element_types, search.page_from) == (8, "", [], None)
    papers = PaperSearchRequest(**ASKER)
    assert (papers.offset, papers.limit, papers.query_text) == (0, 20, "")

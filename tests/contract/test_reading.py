"""Reading: exact text, spans that are slices of it, evidence ids that anyone can work out again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pydantic import ValidationError

from corpus_gateway.memory import MemoryLocation
from corpus_gateway.protocol import CorpusGateway
from corpus_gateway.wire import LocationReadResult, ReadItem
from reading_model.identity import evidence_id_of
from tests.contract import calls
from tests.contract.seed import GULLS, LONG_TEXT, TERNS, CorpusUnderTest


async def every_item(gateway: CorpusGateway) -> list[ReadItem]:
    hits = await calls.locations(gateway, "gulls terns auks energy trial", top_k=20)
    outline = await calls.structure(gateway, structure_types=["SECTION", "PAGE"])
    refs = [hit.location_ref for hit in hits.locations] + [node.location_ref for node in outline.nodes]
    items: list[ReadItem] = []
    for start in range(0, len(refs), 20):
        result = await calls.read(gateway, refs[start : start + 20])
        assert result.missing_location_refs == []
        items += result.items
    return items


async def test_spans_are_slices_of_the_text_in_order_and_without_overlap(gateway: CorpusGateway) -> None:
    items = await every_item(gateway)
    assert {item.element_type for item in items} == {"passage", "table", "figure", "section", "page"}
    for item in items:
        assert item.spans
        assert [span.number for span in item.spans] == list(range(len(item.spans)))
        end = 0
        for span in item.spans:
            assert end <= span.start < span.end <= len(item.span_text)
            assert span.text == item.span_text[span.start : span.end]
            assert item.page <= span.page <= item.page_end
            end = span.end


async def test_spans_leave_out_nothing_but_white_space(gateway: CorpusGateway) -> None:
    for item in await every_item(gateway):
        covered = "".join(span.text for span in item.spans)
        assert "".join(covered.split()) == "".join(item.span_text.split())


async def test_evidence_ids_follow_from_what_the_item_says(gateway: CorpusGateway) -> None:
    for item in await every_item(gateway):
        for span in item.spans:
            assert span.evidence_id == evidence_id_of(
                item.paper_id, item.paper_version, item.location_ref, span.start, span.end, span.text
            )


async def test_reading_twice_gives_the_same(gateway: CorpusGateway) -> None:
    assert await every_item(gateway) == await every_item(gateway)


async def test_a_long_text_divides_at_sentence_ends(gateway: CorpusGateway) -> None:
    ref = await calls.ref_of(gateway, "p-gulls", "dawn dusk counted twice")
    item = (await calls.read(gateway, [ref])).items[0]
    assert item.span_text == LONG_TEXT
    assert len(item.spans) >= 3
    assert all(len(span.text) <= 1200 and span.text.endswith(".") for span in item.spans)


async def test_text_survives_letter_for_letter(gateway: CorpusGateway) -> None:
    ref = await calls.ref_of(gateway, "p-terns", "trial dose")
    result = await calls.read(gateway, [ref])
    assert result.items[0].span_text == TERNS.locations[1].text
    assert LocationReadResult.model_validate_json(result.model_dump_json()) == result


async def test_an_item_names_paper_place_and_parser(gateway: CorpusGateway) -> None:
    ref = await calls.ref_of(gateway, "p-gulls", "energy flight")
    item = (await calls.read(gateway, [ref])).items[0]
    assert (item.paper_id, item.title) == ("p-gulls", GULLS.title)
    assert (item.page, item.page_end, item.section) == (4, 4, "2.1 Energy")
    assert item.parser_name
    assert item.parser_version


async def test_items_come_in_the_order_asked_for_and_once(gateway: CorpusGateway) -> None:
    table = (await calls.locations(gateway, element_types=["table"])).locations[0].location_ref
    passage = await calls.ref_of(gateway, "p-terns", "night")
    result = await calls.read(gateway, [passage, table, passage])
    assert [item.location_ref for item in result.items] == [passage, table]
    reverse = await calls.read(gateway, [table, "passage_ref_unknown", passage])
    assert [item.location_ref for item in reverse.items] == [table, passage]
    assert reverse.missing_location_refs == ["passage_ref_unknown"]


@pytest.mark.parametrize("ref", ["", " ", "passage_ref_", "ev_1", "x" * 5000, "\N{TEST TUBE}", "' OR 1=1 --", "a\x00b"])
async def test_references_of_any_form_are_missing_not_errors(gateway: CorpusGateway, ref: str) -> None:
    result = await calls.read(gateway, [ref])
    assert (result.items, result.missing_location_refs) == ([], [ref])


async def test_twenty_distinct_references_are_the_most(gateway: CorpusGateway) -> None:
    refs = [f"passage_ref_{number}" for number in range(20)]
    assert (await calls.read(gateway, [*refs, *refs])).missing_location_refs == refs
    with pytest.raises(ValidationError):
        await calls.read(gateway, [*refs, "passage_ref_one_more"])


async def test_references_of_an_older_version_are_missing(corpus: CorpusUnderTest) -> None:
    gateway = corpus.gateway
    old = await calls.ref_of(gateway, "p-gulls", "drone")
    corpus.put(replace(GULLS, locations=[MemoryLocation(text="A new parse speaks of the drone.", page=1)]))
    assert (await calls.read(gateway, [old])).missing_location_refs == [old]
    hits = await calls.locations(gateway, "drone", paper_ids=["p-gulls"])
    assert [hit.preview for hit in hits.locations] == ["A new parse speaks of the drone."]
    new = hits.locations[0]
    assert new.location_ref != old
    assert (await calls.read(gateway, [new.location_ref])).items[0].paper_version == new.paper_version


async def test_a_reference_to_an_own_paper_outside_the_scope_is_missing(gateway: CorpusGateway) -> None:
    ref = await calls.ref_of(gateway, "p-terns", "night")
    assert (await calls.read(gateway, [ref], scope=["p-gulls", "p-terns"])).missing_location_refs == []
    outside = await calls.read(gateway, [ref], scope=["p-gulls"])
    assert (outside.items, outside.missing_location_refs) == ([], [ref])

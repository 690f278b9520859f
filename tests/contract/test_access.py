"""What a user may see: own papers and published ones, inside the scope, at the moment of the call."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from corpus_gateway.errors import InvalidCorpusRequest
from corpus_gateway.protocol import CorpusGateway
from corpus_gateway.wire import LocationSearchRequest, PaperSearchRequest
from tests.contract import calls
from tests.contract.seed import ALICE, BOB, CorpusUnderTest

MINE = {"p-gulls", "p-terns", "p-open"}


async def test_a_user_sees_own_papers_and_published_ones(gateway: CorpusGateway) -> None:
    assert {card.paper_id for card in (await calls.papers(gateway)).candidates} == MINE
    assert {card.paper_id for card in (await calls.papers(gateway, user=BOB)).candidates} == {"p-private", "p-open"}
    assert [card.paper_id for card in (await calls.papers(gateway, user="stranger")).candidates] == ["p-open"]


async def test_the_scope_bounds_what_a_user_sees(gateway: CorpusGateway) -> None:
    result = await calls.papers(gateway, scope=["p-terns"])
    assert [card.paper_id for card in result.candidates] == ["p-terns"]
    hits = await calls.locations(gateway, scope=["p-terns"])
    assert {hit.paper_id for hit in hits.locations} == {"p-terns"}


async def test_f31_papers_of_somebody_else_are_as_if_they_were_not_there(gateway: CorpusGateway) -> None:
    theirs = await calls.ref_of(gateway, "p-private", "private", user=BOB)
    mine = await calls.ref_of(gateway, "p-gulls", "drone")

    alone = await calls.read(gateway, [theirs], scope=["p-gulls"])
    unknown = await calls.read(gateway, ["passage_ref_none"], scope=["p-gulls"])
    assert (alone.items, unknown.items) == ([], [])
    assert (alone.missing_location_refs, unknown.missing_location_refs) == ([theirs], ["passage_ref_none"])

    both = await calls.read(gateway, [mine, theirs], scope=["p-gulls"])
    assert [item.location_ref for item in both.items] == [mine]

    for scope in (["p-gulls"], ["p-gulls", "p-private"]):
        replies = [
            await calls.locations(gateway, "gulls", scope=scope, paper_ids=["p-private"]),
            await calls.locations(gateway, "private survey", scope=scope),
            await calls.identify(gateway, scope=scope, doi="10.5555/theirs"),
            await calls.identify(gateway, scope=scope, paper_id="p-private"),
            await calls.papers(gateway, "gulls survey", scope=scope),
            await calls.papers(gateway, "", scope=scope, paper_ids=["p-private"]),
            await calls.read(gateway, [mine, theirs], scope=scope),
            await calls.structure(gateway, scope=scope, paper_ids=["p-private", "p-gulls"]),
        ]
        assert not any("Private" in reply.model_dump_json() for reply in replies)
        assert not any('"p-private"' in reply.model_dump_json() for reply in replies)


@pytest.mark.parametrize("named", ["p-private", "p404"])
async def test_not_yours_and_not_there_read_the_same(gateway: CorpusGateway, named: str) -> None:
    hits = await calls.locations(gateway, scope=[named], paper_ids=[named])
    assert (hits.locations, hits.matched_count, hits.unsearchable_papers, hits.coverage) == ([], 0, [], "complete")
    listed = await calls.papers(gateway, scope=[named])
    assert (listed.candidates, listed.matched_count, listed.unsearchable_papers) == ([], 0, [])
    assert (await calls.identify(gateway, scope=[named], paper_id=named)).status == "not_found"
    assert (await calls.structure(gateway, scope=[named], paper_ids=[named])).nodes == []


async def test_reasons_do_not_tell_a_foreign_paper_from_an_unknown_one(gateway: CorpusGateway) -> None:
    foreign = await calls.locations(gateway, scope=["p-private"], paper_ids=["p-private"])
    unknown = await calls.locations(gateway, scope=["p404"], paper_ids=["p404"])
    assert foreign == unknown


@pytest.mark.parametrize("fields", [{"scope_paper_ids": []}, {"scope_paper_ids": None}, {}])
def test_f32_an_empty_or_missing_scope_is_no_request(fields: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        PaperSearchRequest.model_validate({"user_id": ALICE, **fields})


@pytest.mark.parametrize("scope", [[], [""], [" ", "\t"]])
async def test_f32_a_scope_that_names_nothing_is_refused_by_every_call(
    gateway: CorpusGateway, scope: list[str]
) -> None:
    request = LocationSearchRequest.model_construct(
        user_id=ALICE, scope_paper_ids=scope, paper_ids=["p-gulls"], query_text="gulls", top_k=8
    )
    with pytest.raises(InvalidCorpusRequest):
        await gateway.search_locations(request)
    listing = PaperSearchRequest.model_construct(user_id=ALICE, scope_paper_ids=scope)
    with pytest.raises(InvalidCorpusRequest):
        await gateway.search_papers(listing)
    if scope:
        for call in (calls.identify(gateway, scope=scope, paper_id="p-gulls"), calls.read(gateway, ["x"], scope=scope)):
            with pytest.raises(InvalidCorpusRequest):
                await call
        with pytest.raises(InvalidCorpusRequest):
            await calls.structure(gateway, scope=scope)


async def test_f32_a_repeated_or_blank_id_counts_once_or_not_at_all(gateway: CorpusGateway) -> None:
    result = await calls.papers(gateway, scope=["p-gulls", "p-gulls", "", "p404"])
    assert [card.paper_id for card in result.candidates] == ["p-gulls"]
    assert result.matched_count == 1


@pytest.mark.parametrize("paper_ids", [[""], ["  "]])
async def test_a_location_search_that_names_no_paper_is_refused(gateway: CorpusGateway, paper_ids: list[str]) -> None:
    with pytest.raises(InvalidCorpusRequest):
        await calls.locations(gateway, paper_ids=paper_ids)


async def test_papers_without_an_index_are_named_and_left_out(gateway: CorpusGateway) -> None:
    listed = await calls.papers(gateway)
    assert listed.unsearchable_papers == ["p-waiting"]
    hits = await calls.locations(gateway, "gulls wait", paper_ids=["p-gulls", "p-waiting", "p-bobs-waiting"])
    assert hits.unsearchable_papers == ["p-waiting"]
    assert {hit.paper_id for hit in hits.locations} == {"p-gulls"}
    outlines = await calls.structure(gateway, paper_ids=["p-waiting", "p-bobs-waiting", "p-terns"])
    assert outlines.unsearchable_papers == ["p-waiting"]
    assert {node.paper_id for node in outlines.nodes} == {"p-terns"}
    assert (await calls.identify(gateway, paper_id="p-waiting")).status == "not_found"


async def test_unsearchable_papers_outside_the_request_are_not_named(gateway: CorpusGateway) -> None:
    assert (await calls.locations(gateway, paper_ids=["p-gulls"])).unsearchable_papers == []
    assert (await calls.papers(gateway, scope=["p-gulls", "p-bobs-waiting"])).unsearchable_papers == []


async def test_rights_are_those_of_the_moment(corpus: CorpusUnderTest) -> None:
    gateway = corpus.gateway
    ref = await calls.ref_of(gateway, "p-gulls", "drone")
    corpus.withdraw("p-gulls", ALICE)
    assert (await calls.read(gateway, [ref])).missing_location_refs == [ref]
    assert "p-gulls" not in {hit.paper_id for hit in (await calls.locations(gateway)).locations}

    corpus.share("p-gulls", BOB)
    assert [item.location_ref for item in (await calls.read(gateway, [ref], user=BOB)).items] == [ref]

    corpus.unpublish("p-open")
    assert "p-open" not in {card.paper_id for card in (await calls.papers(gateway)).candidates}
    corpus.publish("p-private")
    assert "p-private" in {card.paper_id for card in (await calls.papers(gateway)).candidates}

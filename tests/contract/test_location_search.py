"""Searching for places to read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from corpus_gateway.errors import InvalidCorpusRequest
from corpus_gateway.memory import MemoryLocation, MemoryPaper
from corpus_gateway.protocol import CorpusGateway
from tests.contract import calls
from tests.contract.seed import ALICE, GULLS, CorpusUnderTest

MINE = ["p-gulls", "p-terns", "p-open"]


async def test_hits_name_a_place_that_can_be_read(gateway: CorpusGateway) -> None:
    hits = await calls.locations(gateway, "drone compare counting eye")
    best = hits.locations[0]
    assert (best.paper_id, best.title, best.page, best.element_type) == ("p-gulls", GULLS.title, 1, "passage")
    assert best.section == "Abstract"
    item = (await calls.read(gateway, [best.location_ref])).items[0]
    assert (item.paper_version, item.page, item.element_type) == (best.paper_version, best.page, best.element_type)
    assert "drone" in best.preview
    assert hits.index_version


async def test_counts_and_coverage_agree(gateway: CorpusGateway) -> None:
    everything = await calls.locations(gateway, "gulls", top_k=20)
    assert everything.coverage == "complete"
    assert everything.matched_count == everything.returned_count == len(everything.locations) >= 5
    few = await calls.locations(gateway, "gulls", top_k=2)
    assert few.coverage == "truncated"
    assert few.returned_count == len(few.locations) == 2
    assert few.matched_count > 2


async def test_a_shorter_list_has_no_place_twice(gateway: CorpusGateway) -> None:
    hits = await calls.locations(gateway, "gulls terns", top_k=20)
    refs = [hit.location_ref for hit in hits.locations]
    assert len(refs) == len(set(refs))


async def test_the_same_search_gives_the_same_hits(gateway: CorpusGateway) -> None:
    assert await calls.locations(gateway) == await calls.locations(gateway)


async def test_only_requested_papers_are_searched(gateway: CorpusGateway) -> None:
    hits = await calls.locations(gateway, paper_ids=["p-terns", "p-open"])
    assert {hit.paper_id for hit in hits.locations} == {"p-terns", "p-open"}


@pytest.mark.parametrize(
    ("types", "kinds"),
    [
        (["table"], {"table"}),
        (["figure"], {"figure"}),
        (["image"], {"figure"}),
        (["chart"], {"figure"}),
        (["passage"], {"passage"}),
        (["table", "chart"], {"table", "figure"}),
    ],
)
async def test_element_types_limit_the_kinds(gateway: CorpusGateway, types: list[str], kinds: set[str]) -> None:
    hits = await calls.locations(gateway, "gulls drone island", element_types=types, top_k=20)
    assert {hit.element_type for hit in hits.locations} == kinds


async def test_other_element_types_mean_passages_that_hold_one(gateway: CorpusGateway) -> None:
    hits = await calls.locations(gateway, "energy gulls", element_types=["formula"], top_k=20)
    assert [hit.page for hit in hits.locations] == [4]
    both = await calls.locations(gateway, "energy gulls", element_types=["formula", "table"], top_k=20)
    assert {hit.element_type for hit in both.locations} == {"passage", "table"}
    assert (await calls.locations(gateway, "gulls", element_types=["footnote"])).locations == []


async def test_pages_limit_by_overlap(gateway: CorpusGateway) -> None:
    hits = await calls.locations(gateway, "gulls drone energy", paper_ids=["p-gulls"], page_from=3, page_to=4, top_k=20)
    assert {hit.page for hit in hits.locations} == {3, 4}
    assert (await calls.locations(gateway, page_from=5)).locations == []


async def test_a_page_range_that_runs_backwards_is_refused(gateway: CorpusGateway) -> None:
    with pytest.raises(InvalidCorpusRequest):
        await calls.locations(gateway, page_from=3, page_to=2)


async def test_a_section_alone_is_a_query(gateway: CorpusGateway) -> None:
    hits = await calls.locations(gateway, "", section_query="energy")
    assert "2.1 Energy" in {hit.section for hit in hits.locations}
    assert hits.reason is None


@pytest.mark.parametrize("query", ["", "   ", "?!…"])
async def test_a_query_without_a_word_finds_nothing_and_says_why(gateway: CorpusGateway, query: str) -> None:
    hits = await calls.locations(gateway, query)
    assert (hits.locations, hits.matched_count, hits.coverage) == ([], 0, "complete")
    assert hits.reason


async def test_words_that_stand_nowhere_find_nothing(gateway: CorpusGateway) -> None:
    hits = await calls.locations(gateway, "zygomorphic")
    assert (hits.locations, hits.matched_count, hits.query_text) == ([], 0, "zygomorphic")


def library(texts: dict[str, str]) -> list[MemoryPaper]:
    return [
        MemoryPaper(paper_id=name, filename=f"{name}.pdf", owner=ALICE, locations=[MemoryLocation(text=text)])
        for name, text in texts.items()
    ]


@pytest.mark.parametrize(
    ("texts", "query", "expected"),
    [
        ({"a1": "windy london town"}, "windy", ["a1"]),
        ({"b1": "hello there", "b2": "windy london"}, "windy london", ["b2"]),
        (
            {"e1": "a windy road", "e2": "windy windy hill", "e3": "the quiet lake", "e4": "the quiet barn"},
            "windy",
            ["e2", "e1"],
        ),
        ({"g1": "windy hill windy", "g2": "windy lake road"}, "windy", ["g1", "g2"]),
    ],
)
async def test_f14_words_that_are_everywhere_are_still_found(
    corpus: CorpusUnderTest, texts: dict[str, str], query: str, expected: list[str]
) -> None:
    for paper in library(texts):
        corpus.put(paper)
    scope = list(texts)
    hits = await calls.locations(corpus.gateway, query, scope=scope, paper_ids=scope)
    assert [hit.paper_id for hit in hits.locations] == expected


async def test_papers_outside_the_scope_do_not_move_the_scores(corpus: CorpusUnderTest) -> None:
    scope = ["p-gulls", "p-terns"]
    before = await calls.locations(corpus.gateway, scope=scope, paper_ids=scope)
    corpus.put(replace(library({"new": "gulls gulls gulls terns and terns"})[0], owner="bob"))
    corpus.put(library({"mine-but-outside": "gulls and more gulls"})[0])
    after = await calls.locations(corpus.gateway, scope=scope, paper_ids=scope)
    assert after.locations == before.locations

"""Searching, listing and identifying papers, and their outlines."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pydantic import ValidationError

from corpus_gateway.errors import InvalidCorpusRequest
from corpus_gateway.protocol import CorpusGateway
from corpus_gateway.wire import PaperSearchResult
from tests.contract import calls
from tests.contract.seed import GULLS, TERNS, CorpusUnderTest


def ids(result: PaperSearchResult) -> list[str]:
    return [card.paper_id for card in result.candidates]


async def test_a_card_says_what_is_known(gateway: CorpusGateway) -> None:
    card = (await calls.papers(gateway, scope=["p-gulls"])).candidates[0]
    assert (card.title, card.authors, card.year) == (GULLS.title, list(GULLS.authors), GULLS.year)
    assert (card.venue, card.doi, card.arxiv_id) == (GULLS.venue, GULLS.doi, GULLS.arxiv_id)
    assert (card.filename, card.preview) == (GULLS.filename, GULLS.abstract)
    unknown = (await calls.papers(gateway, scope=["p-open"])).candidates[0]
    assert (unknown.authors, unknown.year, unknown.venue, unknown.doi, unknown.preview) == ([], None, None, None, None)


@pytest.mark.parametrize(
    ("query", "best"), [("counting gulls drone", "p-gulls"), ("terns", "p-terns"), ("atlas auks", "p-open")]
)
async def test_a_query_ranks_by_metadata(gateway: CorpusGateway, query: str, best: str) -> None:
    result = await calls.papers(gateway, query)
    assert ids(result)[0] == best
    assert result.query_text == query


async def test_a_query_that_fits_nothing_finds_nothing(gateway: CorpusGateway) -> None:
    result = await calls.papers(gateway, "zygomorphic")
    assert (ids(result), result.matched_count, result.coverage, result.next_offset) == ([], 0, "complete", None)


async def test_an_empty_query_lists_the_scope_page_by_page(gateway: CorpusGateway) -> None:
    seen: list[str] = []
    offset: int | None = 0
    while offset is not None:
        page = await calls.papers(gateway, offset=offset, limit=1)
        assert (page.matched_count, page.returned_count) == (3, 1)
        assert page.coverage == ("complete" if page.next_offset is None else "truncated")
        seen += ids(page)
        offset = page.next_offset
    assert sorted(seen) == ["p-gulls", "p-open", "p-terns"]
    assert seen == ids(await calls.papers(gateway))
    beyond = await calls.papers(gateway, offset=50)
    assert (ids(beyond), beyond.matched_count, beyond.next_offset) == ([], 3, None)


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"venues": ["neurips"]}, ["p-gulls"]),
        ({"venues": [" BIRDS "]}, ["p-terns"]),
        ({"venues": ["birds", "neurips"]}, ["p-gulls", "p-terns"]),
        ({"authors": ["ada byron"]}, ["p-gulls", "p-terns"]),
        ({"authors": ["o’neil"]}, ["p-gulls"]),
        ({"authors": ["nobody"]}, []),
        ({"year_from": 2020}, ["p-gulls"]),
        ({"year_to": 2020}, ["p-terns"]),
        ({"year_from": 2019, "year_to": 2021}, ["p-gulls", "p-terns"]),
        ({"paper_ids": ["p-terns", "p-private", "p404"]}, ["p-terns"]),
        ({"authors": ["Ada Byron"], "year_from": 2020}, ["p-gulls"]),
    ],
)
async def test_filters_compare_without_case_and_all_hold(
    gateway: CorpusGateway, filters: dict[str, object], expected: list[str]
) -> None:
    assert sorted(ids(await calls.papers(gateway, **filters))) == expected


async def test_years_that_run_backwards_are_refused(gateway: CorpusGateway) -> None:
    with pytest.raises(InvalidCorpusRequest):
        await calls.papers(gateway, year_from=2021, year_to=2020)


@pytest.mark.parametrize("fields", [{"limit": 0}, {"limit": 101}, {"offset": -1}])
async def test_page_sizes_have_limits(gateway: CorpusGateway, fields: dict[str, int]) -> None:
    with pytest.raises(ValidationError):
        await calls.papers(gateway, **fields)


@pytest.mark.parametrize(
    "clues",
    [
        {"paper_id": "p-gulls"},
        {"title": "counting gulls -- on small islands!"},
        {"title": "Counting {Gulls} on \\emph{Small} Islands"},
        {"title": "Counting Gulls &mdash; on Small Islands"},
        {"filename": "gulls.pdf"},
        {"doi": "10.5555/gulls.1"},
        {"doi": "https://doi.org/10.5555/GULLS.1."},
        {"arxiv_id": "2101.00001"},
        {"arxiv_id": "arXiv:2101.00001v2"},
        {"authors": ["O’Neil"]},
        {"year": 2021},
        {"title": "Counting Gulls on Small Islands", "authors": ["byron"], "year": 2021},
    ],
)
async def test_clues_that_fit_one_paper_resolve_it(gateway: CorpusGateway, clues: dict[str, object]) -> None:
    result = await calls.identify(gateway, **clues)
    assert (result.status, [card.paper_id for card in result.matches]) == ("resolved", ["p-gulls"])


@pytest.mark.parametrize(
    "clues",
    [
        {"paper_id": "p404"},
        {"title": "Gulls"},
        {"doi": "10.5555/gulls.2"},
        {"filename": "other.pdf"},
        {"authors": ["Nobody"]},
        {"year": 1900},
        {"title": "Counting Gulls on Small Islands", "year": 2019},
        {"paper_id": "p-gulls", "doi": "10.5555/theirs"},
    ],
)
async def test_every_clue_has_to_hold(gateway: CorpusGateway, clues: dict[str, object]) -> None:
    result = await calls.identify(gateway, **clues)
    assert (result.status, result.matches) == ("not_found", [])


async def test_another_arxiv_version_is_never_exact(gateway: CorpusGateway) -> None:
    assert (await calls.identify(gateway, arxiv_id="2101.00001v1")).status != "resolved"


async def test_no_clue_at_all_finds_nothing_and_says_why(gateway: CorpusGateway) -> None:
    result = await calls.identify(gateway)
    assert (result.status, result.reason) == ("not_found", "identity_hints_required")


async def test_two_papers_that_fit_are_both_listed(corpus: CorpusUnderTest) -> None:
    corpus.put(replace(TERNS, paper_id="p-terns-again", filename="terns-resaved.pdf"))
    result = await calls.identify(corpus.gateway, title="Terns at Night", scope=["p-terns", "p-terns-again", "p-open"])
    assert result.status == "ambiguous"
    assert sorted(card.paper_id for card in result.matches) == ["p-terns", "p-terns-again"]


async def test_outlines_name_sections_in_order_with_refs_that_open(gateway: CorpusGateway) -> None:
    nodes = (await calls.structure(gateway, paper_ids=["p-gulls"])).nodes
    assert [node.section_title for node in nodes] == ["Abstract", "1 Method", "2 Results", "2.1 Energy"]
    assert [node.section_level for node in nodes] == [1, 1, 1, 2]
    assert nodes[-1].section_path == "2 Results > 2.1 Energy"
    assert [(node.page_from, node.page_to) for node in nodes] == [(1, 1), (2, 2), (3, 3), (4, 4)]
    assert [node.display_order for node in nodes] == sorted(node.display_order for node in nodes)
    items = (await calls.read(gateway, [node.location_ref for node in nodes])).items
    assert [item.section for item in items] == [node.section_title for node in nodes]
    assert items[-1].span_text.startswith("E = m c")


async def test_outlines_name_pages_when_asked(gateway: CorpusGateway) -> None:
    nodes = (await calls.structure(gateway, paper_ids=["p-gulls"], structure_types=["PAGE"])).nodes
    assert [(node.structure_type, node.page_from, node.page_to) for node in nodes] == [
        ("PAGE", page, page) for page in (1, 2, 3, 4)
    ]


async def test_outlines_come_paper_by_paper_in_the_order_asked_for(gateway: CorpusGateway) -> None:
    nodes = (await calls.structure(gateway, paper_ids=["p-terns", "p-gulls", "p-terns"])).nodes
    assert [node.paper_id for node in nodes] == ["p-terns"] + ["p-gulls"] * 4


async def test_health_is_ok(gateway: CorpusGateway) -> None:
    report = await gateway.health()
    assert report.ok
    assert set(report.parts.values()) == {"ok"}

"""Whatever the user, the rights and the scope: nothing outside access ∩ scope is ever shown."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from corpus_gateway.errors import InvalidCorpusRequest
from corpus_gateway.protocol import CorpusGateway
from tests.contract import calls
from tests.contract.seed import ALICE, BOB, EVERY_ID, PAPERS, CorpusUnderTest

USERS = (ALICE, BOB, "stranger")
NAMES = st.lists(st.sampled_from([*EVERY_ID, "p404", "", " "]), min_size=1, max_size=6)
RIGHTS = st.dictionaries(
    st.sampled_from(EVERY_ID), st.tuples(st.sets(st.sampled_from(USERS)), st.booleans()), max_size=len(EVERY_ID)
)
QUERIES = st.sampled_from(["gulls", "terns at night", "private survey", "wait index", "", "energy drone auks"])
Filled = tuple[CorpusUnderTest, dict[str, str]]
SEARCHABLE = {paper.paper_id for paper in PAPERS if paper.searchable}


def give(corpus: CorpusUnderTest, rights: dict[str, tuple[set[str], bool]]) -> None:
    for paper_id in EVERY_ID:
        holders, published = rights.get(paper_id, (set[str](), False))
        for user in USERS:
            (corpus.share if user in holders else corpus.withdraw)(paper_id, user)
        (corpus.publish if published and paper_id in SEARCHABLE else corpus.unpublish)(paper_id)


async def every_ref(corpus: CorpusUnderTest) -> dict[str, str]:
    """Every ref of every searchable paper with its paper, as a user sees them who may see everything."""
    outline = await calls.structure(corpus.gateway, structure_types=["SECTION", "PAGE"])
    hits = await calls.locations(corpus.gateway, "gulls terns auks energy drone", top_k=20)
    return {node.location_ref: node.paper_id for node in outline.nodes} | {
        hit.location_ref: hit.paper_id for hit in hits.locations
    }


@pytest.fixture
def every(corpus: CorpusUnderTest) -> Filled:
    """A corpus, and its refs. The examples share it: each one sets all rights anew."""
    give(corpus, {paper_id: ({ALICE}, False) for paper_id in EVERY_ID})
    return corpus, asyncio.run(every_ref(corpus))


async def shown(
    gateway: CorpusGateway, user: str, scope: list[str], requested: list[str], query: str, refs: list[str]
) -> tuple[set[str], set[str]]:
    """Paper ids that any call showed, and paper ids that any call named as unsearchable."""
    listed = await calls.papers(gateway, query, user=user, scope=scope, limit=100)
    identified = await calls.identify(gateway, user=user, scope=scope, title="A Private Survey of Gulls")
    outline = await calls.structure(gateway, user=user, scope=scope, paper_ids=requested)
    read = await calls.read(gateway, refs, user=user, scope=scope)
    papers = {card.paper_id for card in listed.candidates + identified.matches}
    papers |= {entry.paper_id for entry in [*outline.nodes, *read.items]}
    unsearchable = {*listed.unsearchable_papers, *outline.unsearchable_papers}
    if any(name.strip() for name in requested):
        hits = await calls.locations(gateway, query, user=user, scope=scope, paper_ids=requested)
        papers |= {hit.paper_id for hit in hits.locations}
        unsearchable |= set(hits.unsearchable_papers)
        assert {hit.paper_id for hit in hits.locations} <= set(requested)
    return papers, unsearchable


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_nothing_outside_access_and_scope_is_shown(
    every: tuple[CorpusUnderTest, dict[str, str]], data: DataObject
) -> None:
    corpus, refs = every
    rights = data.draw(RIGHTS, "rights")
    user = data.draw(st.sampled_from(USERS), "user")
    scope = data.draw(NAMES, "scope")
    requested = data.draw(NAMES, "requested")
    query = data.draw(QUERIES, "query")
    chosen = data.draw(st.lists(st.sampled_from(sorted(refs)), min_size=1, max_size=12, unique=True), "refs")
    give(corpus, rights)
    permitted = {
        paper_id
        for paper_id, (holders, published) in rights.items()
        if paper_id in scope and (user in holders or (published and paper_id in SEARCHABLE))
    }

    async def play() -> None:
        asked = shown(corpus.gateway, user, scope, requested, query, chosen)
        if not any(name.strip() for name in scope):
            with pytest.raises(InvalidCorpusRequest):
                await asked
            return
        papers, unsearchable = await asked
        assert papers <= permitted & SEARCHABLE
        assert unsearchable <= permitted - SEARCHABLE
        read = await calls.read(corpus.gateway, chosen, user=user, scope=scope)
        assert {item.location_ref for item in read.items} == {ref for ref in chosen if refs[ref] in permitted}

    asyncio.run(play())

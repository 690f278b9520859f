from __future__ import annotations

import pytest

from corpus_gateway.errors import CorpusUnavailable
from corpus_gateway.memory import MemoryCorpusGateway, MemoryLocation, MemoryPaper
from tests.contract import calls

PAPER = MemoryPaper(
    paper_id="p",
    title="Gulls",
    locations=[
        MemoryLocation(text="Gulls one.", section="A", page=1),
        MemoryLocation(text="Gulls two.", section="A", page=2, page_end=3),
        MemoryLocation(text="Gulls three.", ref="my_ref", section="B > C", page=3),
    ],
)


async def test_given_refs_are_kept_and_others_follow_from_the_content() -> None:
    gateway = MemoryCorpusGateway([PAPER])
    refs = gateway.location_refs("p")
    assert refs[2] == "my_ref"
    assert refs == MemoryCorpusGateway([PAPER]).location_refs("p")
    assert len(set(refs)) == 3
    items = (await calls.read(gateway, refs, user="1", scope=["p"])).items
    assert [item.span_text for item in items] == ["Gulls one.", "Gulls two.", "Gulls three."]
    assert {item.paper_version for item in items} == {gateway.paper_version("p")}


async def test_sections_and_pages_are_put_together_from_what_stands_on_them() -> None:
    gateway = MemoryCorpusGateway([PAPER])
    sections = (await calls.read(gateway, gateway.location_refs("p", "section"), user="1", scope=["p"])).items
    assert [(item.section, item.page, item.page_end, item.span_text) for item in sections] == [
        ("A", 1, 3, "Gulls one.\n\nGulls two."),
        ("C", 3, 3, "Gulls three."),
    ]
    assert len(gateway.location_refs("p", "page")) == 3


async def test_given_sections_and_pages_are_not_doubled() -> None:
    whole = MemoryLocation(text="All of it.", kind="section", section="A")
    page = MemoryLocation(text="The page.", kind="page")
    gateway = MemoryCorpusGateway(
        [MemoryPaper(paper_id="p", locations=[whole, page, MemoryLocation(text="x", section="A")])]
    )
    nodes = await calls.structure(gateway, user="1", scope=["p"], paper_ids=["p"], structure_types=["SECTION", "PAGE"])
    assert [node.structure_type for node in nodes.nodes] == ["SECTION", "PAGE"]
    assert nodes.nodes[0].title == "p"


async def test_a_given_version_is_kept() -> None:
    gateway = MemoryCorpusGateway([MemoryPaper(paper_id="p", paper_version="rm_mine")])
    assert gateway.paper_version("p") == "rm_mine"


async def test_a_failure_reaches_every_call_until_it_is_over() -> None:
    gateway = MemoryCorpusGateway([PAPER])
    gateway.failure = CorpusUnavailable("the index is away")
    with pytest.raises(CorpusUnavailable):
        await calls.papers(gateway, user="1", scope=["p"])
    with pytest.raises(CorpusUnavailable):
        await calls.read(gateway, ["my_ref"], user="1", scope=["p"])
    report = await gateway.health()
    assert not report.ok
    assert report.parts == {"memory": "the index is away"}
    gateway.failure = None
    assert (await calls.papers(gateway, user="1", scope=["p"])).matched_count == 1


async def test_a_blank_text_is_not_there_to_be_read() -> None:
    gateway = MemoryCorpusGateway([MemoryPaper(paper_id="p", locations=[MemoryLocation(text=" \n", ref="blank")])])
    assert (await calls.read(gateway, ["blank"], user="1", scope=["p"])).missing_location_refs == ["blank"]

"""Whatever a model calls, in whatever order: no paper, location or evidence is reached outside the ladder.

The oracle walks through the replies that the model was shown and works out from them alone what may be open.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

from agents.items import TResponseOutputItem
from agents.testing import ModelCall, ModelStep, function_call
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corpus_gateway.memory import MemoryCorpusGateway, MemoryLocation, MemoryPaper
from tests.harness.runs import Played, limits, play, replies, step, submit

USER = "1"
TWIN_TITLE = "One Title for Two"
WORDS = ("gull", "tern", "puffin", "auk")


def _paper(number: int, *, owner: str, published: bool = False, title: str | None = None) -> MemoryPaper:
    return MemoryPaper(
        f"paper{number}",
        title=title or f"Birds volume {number} secret{number}",
        owner=owner,
        published=published,
        doi=f"10.5555/{number}",
        year=2000 + number,
        locations=[
            MemoryLocation(
                f"The {word} of secret{number} was seen {place} times. " * (1 + 30 * (place % 2)),
                ref=f"loc_{number}_{place}",
                section=f"Section {place}",
                page=place + 1,
            )
            for place, word in enumerate(WORDS)
        ],
    )


PAPERS = [
    _paper(1, owner=USER),
    _paper(2, owner=USER, title=TWIN_TITLE + " secret2"),
    _paper(3, owner="2", published=True, title=TWIN_TITLE + " secret2"),
    _paper(4, owner="2"),
    _paper(5, owner="3"),
]
VISIBLE = {"paper1", "paper2", "paper3"}
PAPER_IDS = [paper.paper_id for paper in PAPERS] + ["paper404"]
LOCATIONS = [f"loc_{number}_{place}" for number in range(1, 6) for place in range(4)] + ["loc_404"]

papers = st.lists(st.sampled_from(PAPER_IDS), max_size=3)
query = st.sampled_from(["", "gull", "tern secret4", "birds volume", "secret2 one title"])
ranges = st.builds(
    lambda ref, first, length: {"location_ref": ref, "first": first, "last": first + length},
    st.sampled_from(LOCATIONS),
    st.integers(0, 3),
    st.integers(0, 3),
)
clues = {
    "paper_id": st.sampled_from(PAPER_IDS),
    "title": st.sampled_from([paper.title for paper in PAPERS]),
    "doi": st.sampled_from([paper.doi for paper in PAPERS]),
}
identities = st.one_of(
    *(st.fixed_dictionaries({name: values}) for name, values in clues.items()),
    st.fixed_dictionaries({}, optional=clues),
)
searches = st.fixed_dictionaries({"query_text": query}, optional={"paper_ids": papers})
finds = st.fixed_dictionaries({"paper_ids": papers, "query_text": query}, optional={"top_k": st.integers(1, 20)})
outlines = st.fixed_dictionaries(
    {"paper_ids": papers}, optional={"structure_types": st.sampled_from([["SECTION"], ["PAGE"], ["SECTION", "PAGE"]])}
)
reads = st.one_of(
    st.fixed_dictionaries({"location_refs": st.lists(st.sampled_from(LOCATIONS), min_size=1, max_size=1)}),
    st.fixed_dictionaries(
        {"location_refs": st.lists(st.sampled_from(LOCATIONS), max_size=4)},
        optional={"span_ranges": st.lists(ranges, max_size=2)},
    ),
)
calls = st.one_of(
    st.tuples(st.just("search_paper_candidates"), searches),
    st.tuples(st.just("find_papers_by_identity"), identities),
    st.tuples(st.just("find_reading_locations"), finds),
    st.tuples(st.just("get_paper_structure"), outlines),
    st.tuples(st.just("read_locations"), reads),
    st.tuples(st.just("read_what_was_found"), st.lists(st.integers(0, 40), min_size=1, max_size=3)),
    st.tuples(st.just("submit_research_answer"), st.just({"outcome": "answered", "markdown": "It is [[ev_x]]."})),
    st.tuples(st.just("open_everything"), st.just({})),
)
Call = tuple[str, Any]
batches = st.lists(st.lists(calls, min_size=1, max_size=3), min_size=1, max_size=8)
scopes = st.lists(st.sampled_from(PAPER_IDS), min_size=1, max_size=9)


@dataclass
class Oracle:
    """What may be open, from the replies alone."""

    papers: dict[str, None] = field(default_factory=dict)
    locations: dict[str, str] = field(default_factory=dict)
    evidence: dict[str, None] = field(default_factory=dict)

    def see(self, name: str, arguments: dict[str, Any], reply: dict[str, Any]) -> None:
        if reply.get("error", {}).get("code") == "repeated_call":
            return  # the result of the first such call was seen already
        if name in {"find_reading_locations", "get_paper_structure"}:
            asked = arguments.get("paper_ids", [])
            assert ("error" in reply) == (not asked or not set(asked) <= self.papers.keys()), reply
        if name == "read_locations":
            refs = [*arguments.get("location_refs", []), *(r["location_ref"] for r in arguments.get("span_ranges", []))]
            assert ("error" in reply) == (not refs or not set(refs) <= self.locations.keys()), reply
        if "error" in reply:
            return
        if name == "search_paper_candidates":
            self.papers.update((item["paper_id"], None) for item in reply["candidates"])
        if name == "find_papers_by_identity" and reply["status"] == "resolved":
            self.papers.update((item["paper_id"], None) for item in reply["matches"])
        for item in [*reply.get("locations", []), *reply.get("nodes", [])]:
            assert item["paper_id"] in self.papers
            self.locations[item["location_ref"]] = item["paper_id"]
        for item in reply.get("items", []):
            assert self.locations[item["location_ref"]] == item["paper_id"]
            self.evidence.update((span["evidence_id"], None) for span in item["spans"])


def check(run: Played, scope: list[str]) -> None:
    reachable = VISIBLE & set(scope)
    assert run.response.trace is not None
    oracle = Oracle()
    for item in run.response.trace["tool_calls"]:
        if item["result"].get("error", {}).get("code") == "SUBMISSION_NOT_ALONE":
            continue
        oracle.see(item["tool_name"], item["arguments"], item["result"])
    assert oracle.papers.keys() <= reachable
    assert set(oracle.locations.values()) <= reachable
    assert [item["paper_id"] for item in run.response.trace["paper_candidates"]] == list(oracle.papers)
    assert run.response.corpus["disclosed_locations"] == len(oracle.locations)
    ledger = run.response.trace["evidence_ledger"]
    assert [item["evidence_id"] for item in ledger] == list(oracle.evidence)
    assert {item["paper_id"] for item in ledger} <= reachable
    shown = " ".join(str(item["result"]) for item in run.response.trace["tool_calls"]) + str(run.events.seen)
    for paper in PAPERS:
        if paper.paper_id not in reachable:
            for location in paper.locations:
                assert location.text[:30] not in shown


def made(name: str, arguments: Any, call_id: str, model_call: ModelCall) -> TResponseOutputItem:
    """A drawn call; `read_what_was_found` names locations that the model was really shown."""
    if name != "read_what_was_found":
        return function_call(name, arguments, call_id=call_id)
    lines = [line for reply in replies(model_call).values() for line in reply.get("locations", reply.get("nodes", []))]
    chosen = [lines[number % len(lines)]["location_ref"] for number in arguments] if lines else []
    return function_call("read_locations", {"location_refs": chosen}, call_id=call_id)


def played(batch: list[Call], first_id: int) -> ModelStep:
    """One reply of the model."""

    def respond(model_call: ModelCall) -> ModelStep:
        return step(*(made(name, given, f"c{first_id + at}", model_call) for at, (name, given) in enumerate(batch)))

    return ModelStep.respond(respond)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(scope=scopes, opened=st.booleans(), sequence=batches, budget=st.sampled_from([700, 2000, 16_000]))
def test_random_call_sequences_never_leave_the_ladder(
    scope: list[str], opened: bool, sequence: list[list[Call]], budget: int
) -> None:
    if opened:  # begin on the second rung, so that reading is reached often
        found = {"paper_ids": sorted(VISIBLE & set(scope)), "query_text": "gull tern puffin auk", "top_k": 20}
        sequence = [[("search_paper_candidates", {})], [("find_reading_locations", found)], *sequence]
    steps = [played(batch, 10 * number) for number, batch in enumerate(sequence)]
    run = asyncio.run(
        play(
            [*steps, step(submit("Nothing in the papers speaks to this.", "abstained"))],
            gateway=MemoryCorpusGateway(PAPERS),
            scope_paper_ids=tuple(scope),
            limits=limits(
                max_model_visible_tool_chars=budget, max_repairs=99, max_repairs_total=99, max_submissions=99
            ),
        )
    )
    assert run.response.status == "INCOMPLETE_PRECISE" or run.reason == "PROVIDER_TOOL_PROTOCOL_VIOLATION"
    check(run, scope)


def test_the_oracle_sees_every_rung_being_climbed() -> None:
    """The property above would pass on runs that never open anything; this one shows that they do."""
    found = {"paper_ids": ["paper1"], "query_text": "gull"}
    run = asyncio.run(
        play(
            [
                step(function_call("search_paper_candidates", {"query_text": "birds volume"}, call_id="a")),
                step(function_call("find_reading_locations", found, call_id="b")),
                step(function_call("read_locations", {"location_refs": ["loc_1_0"]}, call_id="c")),
                step(submit("Nothing more.", "abstained")),
            ],
            gateway=MemoryCorpusGateway(PAPERS),
            scope_paper_ids=("paper1", "paper4"),
        )
    )
    check(run, ["paper1", "paper4"])
    assert run.response.trace is not None
    assert [item["location_ref"] for item in run.response.trace["evidence_ledger"]] == ["loc_1_0"]

"""Finding papers and locations, and what a stranger's paper looks like from here (nothing)."""

from __future__ import annotations

from typing import Any

import pytest

from corpus_gateway.errors import InvalidCorpusRequest
from corpus_gateway.memory import MemoryCorpusGateway, MemoryLocation, MemoryPaper
from corpus_gateway.wire import (
    IdentityRequest,
    IdentityResult,
    LocationReadRequest,
    LocationReadResult,
    LocationSearchRequest,
    LocationSearchResult,
)
from tests.harness.runs import (
    FOREIGN,
    GULLS,
    TERNS,
    Played,
    call,
    corpus,
    find,
    limits,
    play,
    read,
    search,
    step,
    submit,
)

END = step(submit("Nothing more.", "abstained"))


def identify(call_id: str, **clues: Any) -> Any:
    return call("find_papers_by_identity", call_id, **clues)


async def test_a_unique_identity_opens_the_paper() -> None:
    run = await play([step(identify("i", doi="10.5555/GULLS")), step(find()), END])
    assert run.reply("i")["status"] == "resolved"
    assert [event["status"] for event in run.events.of("tool_completed")] == ["success", "success"]
    assert run.events.of("tool_completed")[0]["output"] == {"resultCount": 1}
    assert run.events.of("tool_started")[0]["input"] == {"doi": "10.5555/GULLS"}


async def test_an_ambiguous_identity_opens_nothing() -> None:
    gateway = MemoryCorpusGateway([MemoryPaper(paper_id, title="Twins") for paper_id in (GULLS, TERNS)])
    run = await play([step(identify("i", title="Twins")), step(find(call_id="f")), END], gateway=gateway)
    assert run.reply("i")["status"] == "ambiguous"
    assert len(run.reply("i")["matches"]) == 2
    assert run.reply("f")["error"]["code"] == "paper_not_authorized_for_reading"
    assert run.response.corpus["disclosed_papers"] == 0


async def test_identity_without_clues_says_what_is_needed() -> None:
    run = await play([step(identify("i")), END])
    assert run.reply("i")["error"]["code"] == "identity_clues_required"
    assert run.events.of("tool_completed")[0]["output"] == {"resultCount": 0, "error": "identity_clues_required"}


async def test_search_pages_through_the_scope() -> None:
    run = await play([step(search("a", limit=1)), step(search("b", limit=1, offset=1)), END])
    first, second = run.reply("a"), run.reply("b")
    assert first["coverage"] == "truncated"
    assert first["next_offset"] == 1
    assert second["coverage"] == "complete"
    assert {item["paper_id"] for item in first["candidates"] + second["candidates"]} == {GULLS, TERNS}


async def test_only_papers_shown_within_the_budget_are_opened() -> None:
    papers = [MemoryPaper(f"{number:032x}", title=f"Paper {number}", abstract="word " * 60) for number in range(30)]
    run = await play(
        [step(search("s", limit=30)), END],
        gateway=MemoryCorpusGateway(papers),
        scope_paper_ids=tuple(paper.paper_id for paper in papers),
        limits=limits(max_model_visible_tool_chars=2000),
    )
    reply = run.reply("s")
    assert 0 < reply["returned_count"] < 30
    assert reply["coverage"] == "truncated"
    assert reply["next_offset"] == reply["returned_count"]
    assert run.response.corpus["disclosed_papers"] == reply["returned_count"]


@pytest.mark.parametrize(
    ("asked", "listed"),
    [
        (call("find_reading_locations", "a", paper_ids=[GULLS], query_text="gulls", top_k=20), "locations"),
        (call("get_paper_structure", "a", paper_ids=[GULLS]), "nodes"),
    ],
    ids=["search", "outline"],
)
async def test_only_locations_shown_within_the_budget_are_opened(asked: Any, listed: str) -> None:
    places = [
        MemoryLocation(f"Of gulls {number}. " + "word " * 60, section=f"Section {number}") for number in range(20)
    ]
    run = await play(
        [step(search()), step(asked), END],
        gateway=MemoryCorpusGateway([MemoryPaper(GULLS, title="Gulls", locations=places)]),
        limits=limits(max_model_visible_tool_chars=2000),
    )
    shown = run.reply("a")[listed]
    assert 0 < len(shown) < 20
    assert run.response.corpus["disclosed_locations"] == len(shown)


async def test_an_outline_opens_its_sections_and_pages_on() -> None:
    gateway = MemoryCorpusGateway(
        [
            MemoryPaper(
                GULLS,
                title="Gulls",
                locations=[
                    MemoryLocation(f"Text of section {number}.", section=f"Section {number}", page=number)
                    for number in range(1, 40)
                ],
            )
        ]
    )
    run = await play(
        [
            step(search()),
            step(call("get_paper_structure", "a", paper_ids=[GULLS])),
            step(call("get_paper_structure", "b", paper_ids=[GULLS], offset=5)),
            step(call("get_paper_structure", "c", paper_ids=[GULLS], offset=5000)),
            END,
        ],
        gateway=gateway,
        limits=limits(max_model_visible_tool_chars=2000),
    )
    first, second = run.reply("a"), run.reply("b")
    assert first["nodes"][0]["section_title"] == "Section 1"
    assert first["next_offset"] == first["returned_count"] < 39
    assert second["nodes"][0]["section_title"] == "Section 6"
    assert run.reply("c")["nodes"] == []
    assert run.reply("c")["hint"]
    assert run.events.of("tool_completed")[1]["output"] == {"resultCount": first["returned_count"]}


async def test_faults_of_a_location_search() -> None:
    run = await play(
        [
            step(search()),
            step(call("find_reading_locations", "none", paper_ids=[])),
            step(call("find_reading_locations", "pages", paper_ids=[GULLS], page_from=5, page_to=2, query_text="x")),
            step(call("find_reading_locations", "empty", paper_ids=[GULLS], query_text="zyxglorp")),
            step(call("get_paper_structure", "outline", paper_ids=[FOREIGN])),
            END,
        ]
    )
    assert run.reply("none")["error"]["code"] == "paper_ids_required"
    assert run.reply("pages")["error"]["code"] == "invalid_page_range"
    assert run.reply("empty")["locations"] == []
    assert run.reply("empty")["hint"]
    assert run.reply("outline")["error"]["unauthorized_paper_ids"] == [FOREIGN]


async def test_an_unknown_skill_lists_those_that_exist() -> None:
    run = await play([step(call("get_research_skill", "k", skill_id="magic")), END])
    assert run.reply("k")["error"]["code"] == "unknown_research_skill"
    assert len(run.reply("k")["error"]["available_skill_ids"]) == 22
    assert run.response.answer.answer_type == "conversation"


class RefusingCorpus(MemoryCorpusGateway):
    async def search_locations(self, request: LocationSearchRequest) -> LocationSearchResult:
        message = "the query is too long"
        raise InvalidCorpusRequest(message, hint="Use fewer words.")


async def test_a_request_that_the_corpus_refuses_is_a_reply_and_not_the_end() -> None:
    gateway = RefusingCorpus([MemoryPaper(GULLS, title="Gulls")])
    run = await play([step(search()), step(find(call_id="f")), END], gateway=gateway)
    assert run.reply("f")["error"] == {
        "code": "invalid_corpus_request",
        "message": "the query is too long",
        "next_action": "Use fewer words.",
    }
    assert run.response.answer.outcome == "abstained"


def _without(reply: dict[str, Any], *ids: str) -> str:
    text = str(reply)
    for item in ids:
        text = text.replace(item, "?")
    return text


async def _as_user_a(*calls: Any) -> Played:
    return await play([step(search()), step(find()), *(step(item) for item in calls), END], scope_paper_ids=(GULLS,))


async def test_f31_a_strangers_paper_reads_like_one_that_does_not_exist() -> None:
    missing_paper, missing_ref = "e" * 32, "loc_none"
    run = await _as_user_a(
        read("loc_private", call_id="read_theirs"),
        read("loc_recall", "loc_private", call_id="read_both"),
        find([FOREIGN], "gulls", call_id="find_theirs"),
        identify("identify_theirs", doi="10.5555/theirs"),
        search("search_theirs", query_text="private survey"),
        read(missing_ref, call_id="read_none"),
        find([missing_paper], "gulls", call_id="find_none"),
        identify("identify_none", doi="10.5555/nobody"),
        search("search_ids", paper_ids=[FOREIGN]),
    )
    ids = (FOREIGN, missing_paper, "loc_private", missing_ref)
    assert _without(run.reply("read_theirs"), *ids) == _without(run.reply("read_none"), *ids)
    assert _without(run.reply("find_theirs"), *ids) == _without(run.reply("find_none"), *ids)
    assert run.reply("identify_theirs") == run.reply("identify_none")
    assert run.reply("identify_theirs")["matches"] == []
    assert run.reply("search_theirs")["candidates"] == []
    assert run.reply("search_ids")["candidates"] == []
    assert run.reply("read_both")["error"]["code"] == "location_not_disclosed_for_reading"
    everything = run.response.model_dump_json() + str(run.events.seen) + str(run.model.calls)
    assert "Private Survey" not in everything
    assert "nest on the third cliff" not in everything


async def test_f31_a_scope_that_names_a_strangers_paper_does_not_open_it() -> None:
    run = await play(
        [step(search("s")), step(find([FOREIGN], "gulls", call_id="f")), END], scope_paper_ids=(GULLS, FOREIGN)
    )
    assert [item["paper_id"] for item in run.reply("s")["candidates"]] == [GULLS]
    assert run.reply("f")["error"]["code"] == "paper_not_authorized_for_reading"


@pytest.mark.parametrize("method", ["search_papers", "search_locations", "read_locations"])
async def test_a_corpus_that_answers_outside_what_was_asked_ends_the_run(method: str) -> None:
    inner = corpus()

    class Leaky:
        """Asks for user 2 with everything in scope, whoever asked."""

        def __getattr__(self, name: str) -> Any:
            return getattr(inner, name)

    leaky: Any = Leaky()

    async def leak(request: Any) -> Any:
        update: dict[str, Any] = {"user_id": "2", "scope_paper_ids": [FOREIGN]}
        if method == "search_locations":
            update.update(paper_ids=[FOREIGN], query_text="gulls")
        if method == "read_locations":
            update["location_refs"] = ["loc_private"]
        return await getattr(inner, method)(request.model_copy(update=update))

    setattr(leaky, method, leak)
    run = await play([step(search()), step(find()), step(read("loc_recall")), END], gateway=leaky)
    assert run.reason == "CORPUS_CONTRACT_VIOLATION"
    assert "Private Survey" not in run.response.model_dump_json()


@pytest.mark.parametrize(
    ("method", "asked"),
    [
        ("search_locations", find([GULLS], "tracked")),
        ("paper_structure", call("get_paper_structure", paper_ids=[GULLS])),
    ],
    ids=["search", "outline"],
)
async def test_a_corpus_that_answers_for_another_opened_paper_ends_the_run(method: str, asked: Any) -> None:
    gateway: Any = corpus()
    inner = getattr(gateway, method)

    async def swap(request: Any) -> Any:
        return await inner(request.model_copy(update={"paper_ids": [TERNS]}))

    setattr(gateway, method, swap)
    run = await play([step(search()), step(asked), END], gateway=gateway)
    assert run.reason == "CORPUS_CONTRACT_VIOLATION"
    assert run.response.corpus["disclosed_locations"] == 0


class Odd(MemoryCorpusGateway):
    """Breaks its contract in one method."""

    async def resolve_identity(self, request: IdentityRequest) -> IdentityResult:
        return IdentityResult(status="resolved")

    async def read_locations(self, request: LocationReadRequest) -> LocationReadResult:
        result = await super().read_locations(request)
        [item] = result.items
        spans = [span.model_copy(update={"text": "Other words."}) for span in item.spans]
        return LocationReadResult(items=[item.model_copy(update={"spans": spans})])


@pytest.mark.parametrize(
    "last", [identify("i", title="Gulls"), read("loc_1")], ids=["resolved without a match", "other words"]
)
async def test_a_corpus_that_breaks_its_contract_ends_the_run(last: Any) -> None:
    gateway = Odd([MemoryPaper(GULLS, title="Gulls", locations=[MemoryLocation("Gulls fly.", ref="loc_1")])])
    run = await play([step(search()), step(find(query="gulls")), step(last), END], gateway=gateway)
    assert run.reason == "CORPUS_CONTRACT_VIOLATION"
    assert run.response.corpus["evidence"] == 0


class Broken(MemoryCorpusGateway):
    async def search_locations(self, request: LocationSearchRequest) -> LocationSearchResult:
        message = "a bug"
        raise ZeroDivisionError(message)


async def test_a_bug_leaves_as_itself() -> None:
    with pytest.raises(ZeroDivisionError):
        await play([step(search()), step(find())], gateway=Broken([MemoryPaper(GULLS, title="Gulls")]))


async def test_a_skill_asked_for_twice_is_noted_once() -> None:
    ask = call("get_research_skill", "k1", skill_id="deep_comparison")
    again = call("get_research_skill", "k2", skill_id="deep_comparison")
    run = await play([step(ask, again), END])
    assert run.response.trace is not None
    assert run.response.trace["skills_used"] == ["deep_comparison"]

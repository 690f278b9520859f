"""Whole runs through the stream: the real runtime, papers in memory, a scripted provider on loopback."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from corpus_gateway.memory import MemoryCorpusGateway, MemoryLocation, MemoryPaper
from harness.models.openai import provider_model
from harness.models.retry import RetryPolicy
from harness.runtime import ResearchRuntime
from harness.service.settings import ServiceSettings
from harness.turn import TurnExecutionInput
from harness.wire import ResearchTurnResponse
from tests.harness.service.connections import open_stream, read_chunk
from tests.harness.service.provider import (
    COMPLETION_TOKENS,
    PROMPT_TOKENS,
    Call,
    ScriptedProvider,
    Step,
    last_reply,
    providing,
    wait_forever,
)
from tests.harness.service.scripted import TOKEN, Service, body, serving, settings

API_KEY = "sk-never-on-the-wire"
CONTRACTS = Path(__file__).parents[3] / "docs" / "contracts"
SENTENCE = "The literature graph has 37M unique paper nodes and 12M author nodes."


def papers() -> MemoryCorpusGateway:
    graph = MemoryPaper(
        paper_id="p1",
        title="Construction of the Literature Graph",
        owner="7",
        locations=[MemoryLocation(text=SENTENCE, page=2, section="1 Introduction")],
    )
    other = MemoryPaper(
        paper_id="p2", title="A Library of Spans", owner="7", locations=[MemoryLocation(text="Spans are exact.")]
    )
    return MemoryCorpusGateway([graph, other])


def search(_: list[dict[str, Any]]) -> Sequence[Call]:
    return [("search_paper_candidates", {"query_text": "literature graph"})]


def locate(messages: list[dict[str, Any]]) -> Sequence[Call]:
    found = [paper["paper_id"] for paper in last_reply(messages, "candidates")]
    return [("find_reading_locations", {"paper_ids": found, "query_text": "unique paper nodes"})]


def read(messages: list[dict[str, Any]]) -> Sequence[Call]:
    return [("read_locations", {"location_refs": [last_reply(messages, "locations")[0]["location_ref"]]})]


def submission(messages: list[dict[str, Any]], *, cited: bool = True) -> Call:
    marker = f" [[{last_reply(messages, 'items')[0]['spans'][0]['evidence_id']}]]" if cited else ""
    return "submit_research_answer", {"outcome": "answered", "markdown": f"It has 37M unique paper nodes.{marker}"}


def submit_uncited(messages: list[dict[str, Any]]) -> Sequence[Call]:
    return [submission(messages, cited=False)]


def submit_beside_a_search(messages: list[dict[str, Any]]) -> Sequence[Call]:
    return [submission(messages), *search(messages)]


def submit(messages: list[dict[str, Any]]) -> Sequence[Call]:
    return [submission(messages)]


WHOLE_RUN: tuple[Step, ...] = (search, locate, read, submit_uncited, submit_beside_a_search, submit)


@asynccontextmanager
async def running(
    *steps: Step, service_settings: ServiceSettings | None = None
) -> AsyncGenerator[tuple[Service, ScriptedProvider], None]:
    async with providing(*steps) as (provider, base_url):
        runtime = ResearchRuntime(papers(), lambda: provider_model("scripted", base_url=base_url, api_key=API_KEY))
        async with serving(runtime, service_settings) as service:
            yield service, provider


def types_of(lines: list[dict[str, Any]]) -> list[str]:
    return [line["type"] for line in lines]


async def test_a_whole_run_is_told_line_by_line_and_ends_in_a_cited_answer() -> None:
    schema = json.loads((CONTRACTS / "research-stream-line.schema.json").read_text(encoding="utf-8"))
    async with running(*WHOLE_RUN) as (service, provider):
        lines = await service.stream(body())
    for line in lines:
        jsonschema.validate(line, schema)
    call, tool = ["model_call_started", "model_call_completed"], ["tool_started", "tool_completed"]
    assert types_of(lines) == [
        "job_started",
        *call, *tool,
        *call, *tool,
        *call, *tool,
        *call, "submission_rejected",
        *call, "submission_rejected",
        *call,
        "answer_completed",
        "result",
    ]  # fmt: skip
    assert [line["sequence"] for line in lines] == list(range(1, len(lines) + 1))
    assert len({(line["generationId"], line["runId"]) for line in lines}) == 1
    assert [line["attempt"] for line in lines if line["type"] == "model_call_started"] == [1, 2, 3, 4, 5, 6]
    payload = lines[-1]["payload"]
    assert payload["status"] == "COMPLETED"
    assert payload["answer"]["markdown"].startswith("It has 37M unique paper nodes. [1]")
    (citation,) = payload["citations"]
    assert (citation["paper_id"], citation["page"], citation["quote"]) == ("p1", 2, SENTENCE)
    assert (citation["start"], citation["end"]) == (0, len(SENTENCE))
    assert payload["usage"]["total_tokens"] == 6 * (PROMPT_TOKENS + COMPLETION_TOKENS)
    assert len(provider.requests) == 6


async def test_the_tools_tell_what_the_contract_says() -> None:
    async with running(*WHOLE_RUN) as (service, _):
        lines = await service.stream(body())
    told = {line["tool"]: line for line in lines if line["type"] == "tool_completed"}
    assert told.keys() == {"search_paper_candidates", "find_reading_locations", "read_locations"}
    for line in lines:
        if line["type"] == "tool_started":
            assert line["input"] == told[line["tool"]]["input"]
    found, located, was_read = (
        told[name] for name in ("search_paper_candidates", "find_reading_locations", "read_locations")
    )
    assert found["input"] == {"query": "literature graph", "limit": 20}
    assert found["output"]["papers"][0] == {"paperId": "p1", "title": "Construction of the Literature Graph"}
    assert found["output"].keys() == {"resultCount", "papers"}
    assert located["input"].keys() == {"paperIds", "query", "limit"}
    assert located["output"].keys() == {"resultCount", "locations"}
    assert located["output"]["locations"][0].keys() == {"paperId", "title", "section", "page", "locationRef"}
    assert was_read["input"] == {
        "locationRefs": [located["output"]["locations"][0]["locationRef"]],
        "locationCount": 1,
    }
    assert was_read["output"].keys() == {"readCount", "evidenceCount", "pages", "evidence"}
    assert was_read["output"]["pages"] == ["2"]
    (evidence,) = was_read["output"]["evidence"]
    assert evidence.keys() == {"evidenceId", "paperId", "title", "section", "page", "quote"}
    assert was_read["evidenceIds"] == [evidence["evidenceId"]]


async def test_nothing_that_the_runtime_tells_is_lost_on_the_way() -> None:
    told: list[dict[str, Any]] = []

    class Overhearing:
        """A runner that notes what the real one tells, and passes it on."""

        def __init__(self, runtime: ResearchRuntime) -> None:
            self.runtime = runtime

        async def run(self, turn: TurnExecutionInput) -> ResearchTurnResponse:
            self.sink = turn.progress
            return await self.runtime.run(replace(turn, progress=self))

        def emit(self, kind: str, /, **fields: Any) -> None:
            told.append(json.loads(json.dumps({"type": kind, **fields})))
            self.sink.emit(kind, **fields)

    def everything_else(_: list[dict[str, Any]]) -> Sequence[Call]:
        clues = {"paper_id": "p1", "title": "Construction of the Literature Graph", "authors": [], "year": None}
        return [
            ("get_research_skill", {"skill_id": "precision_fact_extraction"}),
            ("find_papers_by_identity", {key: value for key, value in clues.items() if value}),
            ("find_papers_by_identity", {"doi": "10.1/unknown", "arxiv_id": "1", "authors": ["Nobody"], "year": 1999}),
            ("get_paper_structure", {"paper_ids": ["p1"]}),
            ("find_reading_locations", {"paper_ids": ["p404"], "query_text": "x"}),
            ("read_locations", {"location_refs": ["passage_ref_unknown"]}),
        ]

    async with providing(everything_else, *WHOLE_RUN) as (_, base_url):
        runtime = ResearchRuntime(papers(), lambda: provider_model("scripted", base_url=base_url, api_key=API_KEY))
        async with serving(Overhearing(runtime)) as service:
            lines = await service.stream(body())
    envelope = {"generationId", "runId", "sequence", "timestamp"}
    written = [{key: value for key, value in line.items() if key not in envelope} for line in lines]
    assert written[1:-2] == told
    failed = [line for line in written if line.get("status") == "failed"]
    assert [line["tool"] for line in failed] == ["find_reading_locations", "read_locations"]
    assert all(line["output"]["error"] for line in failed)


async def test_a_rejected_submission_continues_the_same_run() -> None:
    async with running(*WHOLE_RUN) as (service, provider):
        lines = await service.stream(body())
    first, _ = (line for line in lines if line["type"] == "submission_rejected")
    assert first["attempt"] == 1
    assert first["codes"] == ["CITATION_REQUIRED", "UNCITED_CLAIM"]
    assert lines[-1]["payload"]["run_id"] == lines[0]["runId"]
    assert len(provider.requests) == 6


async def test_a_batch_of_a_submission_and_another_call_executes_nothing() -> None:
    async with running(*WHOLE_RUN) as (service, _):
        lines = await service.stream(body())
    rejected = [line for line in lines if line["type"] == "submission_rejected"]
    assert rejected[1]["codes"] == ["SUBMISSION_NOT_ALONE"]
    batch = types_of(lines).index("submission_rejected") + 1
    assert types_of(lines)[batch : batch + 4] == [
        "model_call_started", "model_call_completed", "submission_rejected", "model_call_started",
    ]  # fmt: skip


async def test_no_secret_is_on_the_wire() -> None:
    async with running(*WHOLE_RUN) as (service, provider):
        stream = await service.client.post("/v1/research/stream", json=body())
        health = await service.client.get("/health")
    assert f"authorization: bearer {API_KEY}" in provider.requests[0]["head"].lower()
    for text in (stream.text, health.text, str(stream.headers), str(health.headers)):
        assert API_KEY not in text
        assert TOKEN not in text


async def test_the_object_of_a_turn_is_the_payload_of_a_stream() -> None:
    async with running(*WHOLE_RUN) as (service, _):
        as_stream = (await service.stream(body()))[-1]["payload"]
    async with running(*WHOLE_RUN) as (service, _):
        as_object = (await service.client.post("/v1/research/turn", json=body())).json()
    for part in ("status", "answer", "citations", "research_memory", "usage", "corpus"):
        assert as_object[part] == as_stream[part]


@pytest.mark.parametrize("scope", [{"paper_ids": []}, None, {}, {"paper_ids": [""]}])
async def test_f32_an_empty_scope_is_refused_before_a_provider_is_called(scope: object) -> None:
    async with running(*WHOLE_RUN) as (service, provider):
        response = await service.client.post("/v1/research/stream", json=body(scope=scope))
    assert response.status_code == 422
    assert provider.requests == []


async def test_f32_a_scope_of_nothing_that_exists_reaches_no_paper() -> None:
    async with running(search, search, search) as (service, _):
        options = {"run_limits": {"max_model_turns": 3}}
        lines = await service.stream(body(scope={"paper_ids": ["p404"]}, options=options))
    searches = [line for line in lines if line["type"] == "tool_completed"]
    assert searches
    assert all(line["output"].get("papers", []) == [] for line in searches)
    assert lines[-1]["payload"]["status"] == "LIMITED"


@pytest.mark.parametrize("asked", [True, False])
async def test_f25_the_turn_limit_names_itself_after_the_events_of_the_last_turn(asked: bool) -> None:
    def locate_again(messages: list[dict[str, Any]]) -> Sequence[Call]:
        return [("find_reading_locations", {"paper_ids": ["p1"], "query_text": f"query {len(messages)}"})]

    options = {"run_limits": {"max_model_turns": 4}} if asked else {}
    ceilings = settings().ceilings if asked else type(settings().ceilings)(max_model_turns=4)
    async with running(locate_again, service_settings=settings(ceilings=ceilings)) as (service, provider):
        lines = await service.stream(body(options=options))
    assert len(provider.requests) == 4
    payload = lines[-1]["payload"]
    assert payload["status"] == ("LIMITED" if asked else "FAILED_TECHNICAL")
    assert payload["control"]["reason_code"] == "RUN_MODEL_CALL_LIMIT_EXCEEDED"
    assert (payload["usage"]["prompt_tokens"], payload["usage"]["completion_tokens"]) == (400, 40)
    assert payload["answer"]["markdown"] == ""
    assert payload["research_memory"]["selected_evidence_ids"] == []
    assert types_of(lines).count("tool_completed") == 4
    assert types_of(lines)[-2:] == ["run_limited" if asked else "job_failed", "result"]
    assert "answer_completed" not in types_of(lines)


async def test_f30_a_reader_that_goes_away_stops_the_provider_call_in_flight() -> None:
    chosen = settings(max_runs=1)
    async with running(search, wait_forever, service_settings=chosen) as (service, provider):
        reader, writer = await open_stream(service, body())
        await read_chunk(reader)
        await provider.waiting.wait()
        provider.steps = (*provider.steps, search, locate, read, submit)
        writer.close()
        async with asyncio.timeout(2):
            await provider.all_closed.wait()
        assert len(provider.requests) == 2
        assert provider.open_connections == 0
        lines = await service.stream(body(request_id="next"))
        assert types_of(lines)[-1] == "result"
        assert lines[-1]["payload"]["status"] == "COMPLETED"
    first = service.finished[0]
    assert (first.status, first.request_id) == ("CANCELLED", "gen-1")
    assert first.control is not None
    assert first.control.reason_code == "RUN_CANCELLED"
    assert first.usage.total_tokens == PROMPT_TOKENS + COMPLETION_TOKENS
    calls = first.trace["tool_calls"] if first.trace else []
    assert [call["tool_name"] for call in calls] == ["search_paper_candidates"]


async def test_a_provider_that_cannot_be_reached_is_a_failed_result() -> None:
    once = RetryPolicy(attempts=1)
    async with providing(search) as (_, base_url):
        pass
    runtime = ResearchRuntime(papers(), lambda: provider_model("gone", base_url=base_url, api_key=API_KEY, retry=once))
    async with serving(runtime) as service:
        lines = await service.stream(body())
    assert types_of(lines) == ["job_started", "model_call_started", "job_failed", "result"]
    assert lines[-2]["errorType"] == "PROVIDER_UNAVAILABLE"
    assert lines[-1]["payload"]["status"] == "FAILED_TECHNICAL"
    assert API_KEY not in json.dumps(lines)

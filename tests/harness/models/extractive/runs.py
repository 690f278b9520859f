"""Whole runs of the offline model over papers in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from corpus_gateway.memory import MemoryCorpusGateway, MemoryLocation, MemoryPaper
from harness.models.extractive import ExtractiveModel
from harness.runtime import ResearchRuntime
from harness.turn import NoProgress, RunLimits, TurnExecutionInput
from harness.wire import HistoryMessage, ResearchMemory, ResearchTurnResponse


def paper(paper_id: str, title: str, *texts: str, **facts: Any) -> MemoryPaper:
    places = [MemoryLocation(text=text, page=at, section="1 Results") for at, text in enumerate(texts, start=1)]
    return MemoryPaper(paper_id, title=title, locations=places, **facts)


BIRDS = paper(
    "p1",
    "Gulls at Night: A Survey",
    "The survey counts 12K resting nests of this kind. Terns nest on sand.",
    "We removed doubles, which left 37K unique gull nests. The survey has more than 280K nests of all kinds.",
    "Gulls sleep early because the light of the harbour is switched off at nine. A gull is a bird of the coast.",
    year=2019,
    abstract="A survey of gulls and their nests at night.",
)
SHIPS = paper(
    "p2",
    "HarbourNet: Ships and Light",
    "HarbourNet is a model of ships that predicts their arrival. Its random seed was 42 [7].",
    "Ships wait for the tide. They use 3.5 MW of shore power *at berth*, see `port_5`.",
    year=2021,
    doi="10.1234/ships",
    abstract="A model of ships in a harbour.",
)


def ask(
    question: str,
    papers: Sequence[MemoryPaper] = (BIRDS, SHIPS),
    *,
    history: Sequence[tuple[str, str]] = (),
    memory: ResearchMemory | None = None,
    limits: RunLimits | None = None,
) -> ResearchTurnResponse:
    turn = TurnExecutionInput(
        run_id="run_1",
        request_id="request-1",
        conversation_id="conversation-1",
        user_id="1",
        question=question,
        scope_paper_ids=tuple(item.paper_id for item in papers) or ("p404",),
        limits=limits or RunLimits(),
        cancel=asyncio.Event(),
        progress=NoProgress(),
        history=tuple(HistoryMessage(role=role, content=content) for role, content in history),
        memory=memory or ResearchMemory(),
    )
    return asyncio.run(ResearchRuntime(MemoryCorpusGateway(papers), ExtractiveModel).run(turn))


def said(response: ResearchTurnResponse) -> str:
    """The answer without the list of sources."""
    return response.answer.markdown.split("\n\nSources\n\n")[0]


def tools_used(response: ResearchTurnResponse) -> list[str]:
    assert response.trace is not None
    return [call["tool_name"] for call in response.trace["tool_calls"]]

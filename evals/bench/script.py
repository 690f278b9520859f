"""A model that takes no time: it plays six fixed calls over whatever the tools gave it."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, cast

from agents import ModelResponse, ModelSettings, Tool, Usage
from agents.agent_output import AgentOutputSchemaBase
from agents.handoffs import Handoff
from agents.items import TResponseInputItem, TResponseStreamEvent
from agents.models.interface import Model, ModelTracing
from openai.types.responses import ResponseFunctionToolCall

CALLS = 6
SUBMIT = "submit_research_answer"

_TAG = re.compile(r"</?paper_text>")


class ScriptedCalls(Model):
    """Search papers, find, read, find again, read again, submit a sentence of each reading with its marker.

    `seconds` is the time that the script itself took; it waits `pause_seconds` before each reply, as a provider would
    make one wait. It keeps in `results` what the tools had given at the last call, and counts the calls in `played`.
    """

    def __init__(self, *, pause_seconds: float = 0.0) -> None:
        self.seconds = 0.0
        self.results: tuple[str, ...] = ()
        self._pause_seconds = pause_seconds
        self.played = 0

    async def get_response(
        self,
        system_instructions: str | None,  # noqa: ARG002 - the SDK's signature
        input: str | list[TResponseInputItem],  # noqa: A002 - the SDK calls by these names
        model_settings: ModelSettings,  # noqa: ARG002 - the SDK's signature
        tools: list[Tool],  # noqa: ARG002 - the SDK's signature
        output_schema: AgentOutputSchemaBase | None,  # noqa: ARG002 - the SDK's signature
        handoffs: list[Handoff],  # noqa: ARG002 - the SDK's signature
        tracing: ModelTracing,  # noqa: ARG002 - the SDK's signature
        *,
        previous_response_id: str | None,  # noqa: ARG002 - the SDK's signature
        conversation_id: str | None,  # noqa: ARG002 - the SDK's signature
        prompt: Any | None,  # noqa: ARG002 - the SDK's signature
    ) -> ModelResponse:
        """The next call of the script."""
        begun = time.perf_counter()
        if self._pause_seconds:
            await asyncio.sleep(self._pause_seconds)
        items = cast("Sequence[Mapping[str, Any]]", input)
        self.results = tuple(str(item["output"]) for item in items if item.get("type") == "function_call_output")
        question = [str(item["content"]) for item in items if item.get("role") == "user"][-1]
        name, arguments = self._next_call(question, [json.loads(text) for text in self.results])
        self.played += 1
        call = ResponseFunctionToolCall(
            call_id=f"call_{self.played}", type="function_call", name=name, arguments=json.dumps(arguments)
        )
        usage = Usage(requests=1, input_tokens=100, output_tokens=10, total_tokens=110)
        self.seconds += time.perf_counter() - begun
        return ModelResponse(output=[call], usage=usage, response_id=None)

    def stream_response(self, *args: Any, **kwargs: Any) -> AsyncIterator[TResponseStreamEvent]:
        """Not offered: runs do not stream a model's words."""
        message = "the script replies as a whole"
        raise NotImplementedError(message)

    def _next_call(self, question: str, results: Sequence[Mapping[str, Any]]) -> tuple[str, dict[str, Any]]:
        words = question.split()
        match self.played:
            case 0:
                return "search_paper_candidates", {"query_text": " ".join(words[:3])}
            case 1 | 3:
                query = question if self.played == 1 else " ".join(reversed(words[1:]))
                papers = [candidate["paper_id"] for candidate in results[0]["candidates"]]
                return "find_reading_locations", {"paper_ids": papers, "query_text": query}
            case 2 | 4:
                found = [location["location_ref"] for location in results[-1]["locations"]]
                return "read_locations", {"location_refs": found[:2] if self.played == 2 else found[-2:]}
            case _:
                return SUBMIT, {"outcome": "answered", "markdown": _answer(results)}


def _answer(results: Sequence[Mapping[str, Any]]) -> str:
    spans = [item["spans"][0] for result in results for item in result.get("items", [])]
    return "\n\n".join(f"“{_sentence(span['text'])}” [[{span['evidence_id']}]]" for span in spans)


def _sentence(text: str) -> str:
    """The first sentence of a span, without the tags in which tools show the text of papers."""
    return _TAG.sub("", text).split(". ", maxsplit=1)[0].rstrip(".")

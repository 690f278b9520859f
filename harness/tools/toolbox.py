"""All tools of one run, as the SDK takes them."""

from __future__ import annotations

from typing import Any

from agents import FunctionTool
from agents import Tool as SdkTool
from agents.tool_context import ToolContext

from harness.context import SUBMIT_TOOL, ResearchRunContext
from harness.models.repair import REPAIR_TOOL, ProtocolRepairs
from harness.tools.arguments import schema_of
from harness.tools.corpus import TurnCorpus
from harness.tools.guidance import GuidanceTools
from harness.tools.invocation import Invoker
from harness.tools.locations import LocationTools
from harness.tools.papers import PaperTools
from harness.tools.reading import ReadingTools
from harness.tools.submission import SubmissionTools
from harness.tools.tool import Tool

TOOL_NAMES = (
    "get_research_skill",
    "search_paper_candidates",
    "find_papers_by_identity",
    "find_reading_locations",
    "get_paper_structure",
    "read_locations",
    SUBMIT_TOOL,
)
"""The tools that a model may call, in the order in which it is shown them."""


def sdk_tools(corpus: TurnCorpus, context: ResearchRunContext, repairs: ProtocolRepairs) -> list[SdkTool]:
    """Fresh tools over one context, and last the private one that answers calls which broke the protocol."""
    submissions = SubmissionTools(context, frozenset(TOOL_NAMES))
    invoker = Invoker(context, submissions)
    tools: list[Tool[Any]] = [
        *GuidanceTools(context).tools(),
        *PaperTools(corpus, context).tools(),
        *LocationTools(corpus, context).tools(),
        *ReadingTools(corpus, context).tools(),
        *submissions.tools(),
    ]
    return [*(_function_tool(tool, invoker) for tool in tools), _repair_tool(invoker, repairs)]


def _function_tool(tool: Tool[Any], invoker: Invoker) -> FunctionTool:
    async def on_invoke(sdk: ToolContext[Any], raw: str) -> str:
        return await invoker.invoke(tool, sdk.tool_call_id, raw)

    return FunctionTool(
        name=tool.name,
        description=tool.description,
        params_json_schema=schema_of(tool.arguments),
        on_invoke_tool=on_invoke,
        strict_json_schema=False,
    )


def _repair_tool(invoker: Invoker, repairs: ProtocolRepairs) -> FunctionTool:
    async def on_invoke(sdk: ToolContext[Any], raw: str) -> str:  # noqa: ARG001 - the SDK awaits (context, text)
        repair = repairs.get(sdk.tool_call_id)
        assert repair is not None, "the guard registers every call of the private tool"
        return invoker.answer_repair(sdk.tool_call_id, repair.name, repair.fault)

    return FunctionTool(
        name=REPAIR_TOOL,
        description="Answers a call that broke the protocol.",
        params_json_schema={"type": "object", "properties": {}},
        on_invoke_tool=on_invoke,
        strict_json_schema=False,
    )

"""The yardstick of the harness: the agent SDK itself, with the calls and replies of a run and nothing behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agents import Agent, FunctionTool, ModelSettings, RunConfig, Runner, StopAtTools
from agents.tool_context import ToolContext

from evals.bench.script import CALLS, SUBMIT, ScriptedCalls
from harness.tools.toolbox import TOOL_NAMES


async def run_sdk_alone(model: ScriptedCalls, question: str, results: Sequence[str], *, calls: int = CALLS) -> None:
    """Play the model's calls; the tools give `results`, in order, and the submission ends the run."""
    replies = iter((*results, "{}"))

    async def reply(_: ToolContext[Any], __: str) -> str:
        return next(replies)

    tools: list[Any] = [
        FunctionTool(
            name=name,
            description=name,
            params_json_schema={"type": "object", "properties": {}},
            on_invoke_tool=reply,
            strict_json_schema=False,
        )
        for name in TOOL_NAMES
    ]
    agent = Agent[Any](
        name="bare",
        model=model,
        model_settings=ModelSettings(tool_choice="required"),
        tools=tools,
        tool_use_behavior=StopAtTools(stop_at_tool_names=[SUBMIT]),
        reset_tool_choice=False,
    )
    await Runner.run(agent, question, max_turns=calls, run_config=RunConfig(tracing_disabled=True))

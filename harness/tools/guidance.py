"""`get_research_skill`: advice for a kind of question."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from pydantic import Field

from harness.context import ResearchRunContext
from harness.skills import research_skills
from harness.tools.arguments import Arguments
from harness.tools.replies import Fault, SkillReply
from harness.tools.tool import Outcome, Tool


class SkillArguments(Arguments):
    """Arguments of `get_research_skill`."""

    skill_id: Annotated[
        str,
        Field(description="Which skill.", json_schema_extra=lambda schema: schema.update(enum=[*research_skills()])),
    ]


class GuidanceTools:
    """The tool that hands out skills."""

    def __init__(self, context: ResearchRunContext) -> None:
        self._context = context

    def tools(self) -> list[Tool[Any]]:
        """The tool, for the agent."""
        return [
            Tool(
                name="get_research_skill",
                description="Get advice for a kind of question: what to look for and how to answer. Never required.",
                arguments=SkillArguments,
                call=self.give,
                shown_input=lambda given: {"skillId": given.skill_id},
                empty_output={"found": False},
            )
        ]

    async def give(self, given: SkillArguments) -> Outcome | Fault:
        """Give a skill and note that it was used."""
        skill = research_skills().get(given.skill_id)
        if skill is None:
            return Fault(
                code="unknown_research_skill",
                message="There is no skill of this id.",
                next_action="Choose one of the listed ids, or go on without a skill.",
                details={"available_skill_ids": list(research_skills())},
            )
        if skill.skill_id not in self._context.skills_used:
            self._context.skills_used.append(skill.skill_id)
        reply = SkillReply.model_validate({**asdict(skill), "instructions": list(skill.instructions)})
        return Outcome(reply, {"skillId": skill.skill_id, "found": True})

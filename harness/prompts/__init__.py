"""The words that steer the model: the system prompt and the notice on the last step, kept as Markdown files."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import resources

from harness.skills import Skill


def system_prompt(skills: Iterable[Skill]) -> str:
    """The system prompt, with the catalogue of skills at its end."""
    catalogue = "\n".join(f"- {skill.skill_id}: {skill.when_to_use}" for skill in skills)
    return f"{_text('system.md')}\n## Skills\n\n{catalogue}\n"


def last_call_notice() -> str:
    """What is added to the prompt of the last model call that the limits allow."""
    return _text("last_call.md")


@cache
def _text(name: str) -> str:
    return resources.files("harness.prompts").joinpath(name).read_text(encoding="utf-8")

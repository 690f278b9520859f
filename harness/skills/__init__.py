"""Research skills: short guidance for kinds of questions, kept as data in `skills.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Skill:
    """How to go about one kind of question; advice, never a gate."""

    skill_id: str
    when_to_use: str
    instructions: tuple[str, ...]
    evidence_standard: str
    answer_guidance: str


@cache
def research_skills() -> MappingProxyType[str, Skill]:
    """All skills by id, in the order of the file."""
    text = resources.files("harness.skills").joinpath("skills.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    standard = data["evidence_standard"]
    return MappingProxyType(
        {
            skill_id: Skill(
                skill_id=skill_id,
                when_to_use=item["when_to_use"],
                instructions=tuple(item["instructions"]),
                evidence_standard=standard,
                answer_guidance=item["answer_guidance"],
            )
            for skill_id, item in data["skills"].items()
        }
    )

"""Calls that broke the tool protocol, and the replies that bring the model back to it.

A broken reply of the model becomes a call of one private tool that the provider never sees; what is replayed to the
provider shows the model's own call with valid arguments, or its own text, and the reply. No malformed call is replayed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from harness.tools.arguments import ArgumentsRefused
from harness.tools.replies import Fault

REPAIR_TOOL = "_protocol_repair"
"""Name of the private tool. A model that calls it by name gets the reply to an unknown tool."""

BROKEN_ARGUMENTS = "gave arguments that do not fit the tool"

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True, slots=True)
class Repair:
    """One broken call: what it was, under which name it is replayed, and the reply."""

    kind: Literal["plain_text", "unknown_tool", "broken_arguments"]
    name: str
    fault: Fault
    problem: str
    """What the model did, for the message of a run that ends of it."""


class ProtocolRepairs:
    """The repairs of one run, by call id."""

    def __init__(self) -> None:
        self._by_call: dict[str, Repair] = {}

    def add(self, call_id: str, repair: Repair) -> None:
        """Register a call that only the private tool may answer."""
        self._by_call[call_id] = repair

    def get(self, call_id: str) -> Repair | None:
        """The repair of a call, None for a call that was in order."""
        return self._by_call.get(call_id)

    def own_name(self, call_id: str, name: str) -> str:
        """The name under which the model made a call."""
        repair = self._by_call.get(call_id)
        return name if repair is None else repair.name


def plain_text_repair() -> Repair:
    """Text without a tool call."""
    fault = Fault(
        code="tool_call_required",
        message="Text outside a tool call does not reach the user.",
        next_action="Call a tool now. To give the answer, call submit_research_answer with it as markdown.",
    )
    return Repair("plain_text", "plain_text", fault, "wrote text instead of calling a tool")


def cut_off_repair() -> Repair:
    """The output limit was reached before a call was made."""
    fault = Fault(
        code="output_limit_reached",
        message="The output limit was reached before a tool was called.",
        next_action="Think and write less: call one tool now, with short arguments.",
    )
    return Repair("plain_text", "plain_text", fault, "reached the output limit before it called a tool")


def refusal_repair() -> Repair:
    """The model refused, or a content filter withheld what it wrote."""
    fault = Fault(
        code="reply_withheld",
        message="The reply was a refusal or was withheld by the provider's content filter.",
        next_action="Call a tool. If the question cannot be answered, submit `abstained` and say so.",
    )
    return Repair("plain_text", "plain_text", fault, "refused, or its replies were withheld by a content filter")


def cut_arguments_fault(error: ArgumentsRefused) -> Fault:
    """Arguments that the output limit cut off."""
    return Fault(
        code="invalid_tool_arguments",
        message=f"The output limit was reached inside the arguments. {error}",
        next_action="Call the tool again with shorter arguments.",
    )


def unknown_tool_repair(name: str, known: tuple[str, ...]) -> Repair:
    """A tool that does not exist."""
    shown = _NOT_IN_NAMES.sub("_", name)[:64] or "unnamed"
    fault = Fault(
        code="unknown_tool",
        message=f"There is no tool named {shown}.",
        next_action="Call one of the known tools.",
        details={"known_tools": list(known)},
    )
    return Repair("unknown_tool", shown, fault, "called tools that do not exist")


def broken_arguments_repair(name: str, fault: Fault) -> Repair:
    """Arguments that are no JSON object; the call is replayed with an empty object in their place."""
    return Repair("broken_arguments", name, fault, BROKEN_ARGUMENTS)

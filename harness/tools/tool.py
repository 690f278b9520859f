"""What a tool is: a name, arguments, what progress shows of it, and the function behind it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from harness.tools.arguments import Arguments
from harness.tools.replies import Fault, Reply

ArgumentsT = TypeVar("ArgumentsT", bound=Arguments)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one call gave: the model's reply, and what progress shows of it (`output`, new evidence)."""

    reply: Reply
    output: Mapping[str, Any]
    evidence_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tool(Generic[ArgumentsT]):
    """A tool of the run.

    `call` does the work and returns an `Outcome`, or a `Fault` that the model can act on. `shown_input` gives what
    progress shows of the arguments; `empty_output` what it shows of a call that failed. A tool without progress
    (`quiet`) reports through events of its own.
    """

    name: str
    description: str
    arguments: type[ArgumentsT]
    call: Callable[[ArgumentsT], Awaitable[Outcome | Fault]]
    shown_input: Callable[[ArgumentsT], Mapping[str, Any]]
    empty_output: Mapping[str, Any] = field(default_factory=dict[str, Any])
    quiet: bool = False


def fault_reply(fault: Fault) -> dict[str, Any]:
    """The JSON object of a fault: `{"error": {code, message, next_action, ...details}}`."""
    error = {"code": fault.code, "message": fault.message, "next_action": fault.next_action, **fault.details}
    return {"error": error}

"""What a run may still spend: model calls and tokens used, repairs of a model that breaks the tool protocol."""

from __future__ import annotations

from dataclasses import dataclass

from harness.turn import RunLimits


@dataclass(slots=True)
class RunUsage:
    """Model calls begun and tokens used so far."""

    model_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    newest_call_tokens: int = 0

    @property
    def total_tokens(self) -> int:
        """Prompt and completion tokens together."""
        return self.prompt_tokens + self.completion_tokens

    def add(self, prompt_tokens: int, completion_tokens: int) -> None:
        """Count one model reply."""
        self.prompt_tokens += prompt_tokens
        self.completion_tokens += completion_tokens
        self.newest_call_tokens = prompt_tokens + completion_tokens


def next_call_is_last(usage: RunUsage, limits: RunLimits) -> bool:
    """Whether the next call is the last one: by their number, or because the tokens left suffice for no second one.

    A call costs at least what the one before it cost, since its prompt holds that call's prompt and reply.
    """
    if usage.model_calls + 1 >= limits.max_model_turns:
        return True
    return usage.total_tokens + 2 * usage.newest_call_tokens > limits.max_total_tokens


class RepairBudget:
    """Counts model replies that had to be answered with a repair; several faults of one reply count once."""

    def __init__(self, *, in_a_row: int, in_total: int) -> None:
        self._in_a_row_limit = in_a_row
        self._in_total_limit = in_total
        self._noted = False
        self.problem = ""
        self.in_a_row = 0
        self.in_total = 0

    def note(self, problem: str) -> None:
        """The present reply broke the protocol; `problem` says how: plain text, an unknown tool, broken arguments."""
        self._noted = True
        self.problem = problem

    def settle(self) -> None:
        """Close the present reply; a reply without a fault ends the row."""
        if self._noted:
            self.in_a_row += 1
            self.in_total += 1
        else:
            self.in_a_row = 0
        self._noted = False

    @property
    def exhausted(self) -> bool:
        """Whether a further repair is no longer offered."""
        return self.in_a_row > self._in_a_row_limit or self.in_total > self._in_total_limit

"""The transcript of a run as the provider is shown it: what the model did, without what it need not see again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from agents.items import TResponseInputItem

from harness.context import SUBMIT_TOOL
from harness.folding import FoldedSteps
from harness.models.repair import ProtocolRepairs

FEWEST_STEPS, MOST_STEPS = 7, 10
"""Steps that stay in full. Folding goes from the one to the other at once, so that the beginning of a request stays the
same for some calls and a provider can use what it has cached of it."""

RESULTS_KEPT = 4
"""How many tool results of the longest kind may stay in full."""


@dataclass(frozen=True, slots=True)
class Step:
    """One reply of the model with the replies to its calls."""

    items: tuple[dict[str, Any], ...]

    @property
    def key(self) -> str:
        """The id of its first call, which no other step of the run has."""
        return next(iter(self.call_ids), "")

    @property
    def call_ids(self) -> list[str]:
        """The ids of its calls."""
        return [item["call_id"] for item in self.items if is_call(item)]

    @property
    def submits(self) -> bool:
        """Whether a submission is among its calls."""
        return any(is_call(item) and item["name"] == SUBMIT_TOOL for item in self.items)

    @property
    def size(self) -> int:
        """Characters of what was called and replied."""
        return sum(len(item.get("arguments") or item.get("output") or "") for item in self.items)


class TranscriptView:
    """Makes each request's view of one run's transcript.

    * Of the submissions the newest alone is shown, so that rejected drafts do not make a request grow.
    * The newest steps are shown in full: `MOST_STEPS` at most, and results of `RESULTS_KEPT` times `longest_result`
      characters. Earlier ones are folded into one note that names their evidence, papers and locations.
    * Calls of the private repair tool appear under the model's own name, or as the user's reply to its text.

    `opening` is the number of items that the run began with. After each view, `shown_calls` holds the ids of the calls
    whose replies stand in it.
    """

    def __init__(self, repairs: ProtocolRepairs, *, opening: int, longest_result: int, folding: bool = True) -> None:
        self._repairs = repairs
        self._opening = opening
        self._folding = folding
        self._room = RESULTS_KEPT * longest_result
        self._folded = FoldedSteps(most_characters=longest_result * 3 // 8)
        self.shown_calls: frozenset[str] = frozenset()

    def of(self, items: Sequence[TResponseInputItem]) -> list[TResponseInputItem]:
        """The items to send."""
        entries = [cast("dict[str, Any]", item) for item in items]
        steps = _with_newest_draft_alone(steps_of(entries[self._opening :]))
        first = self._first_kept(steps) if self._folding else 0
        kept = [step for step in steps[:first] if step.submits] + steps[first:]
        folded = [step for step in steps[:first] if not step.submits]
        view = entries[: self._opening]
        if folded:
            view.append(self._folded.note((step.key, step.items) for step in folded))
        view += [shown for step in kept for item in step.items if (shown := self._shown(item)) is not None]
        self.shown_calls = frozenset(call_id for step in kept for call_id in step.call_ids)
        return cast("list[TResponseInputItem]", view)

    def _first_kept(self, steps: Sequence[Step]) -> int:
        """Index of the first step that stays in full; it depends on the steps alone, whatever was shown before."""
        sizes = [step.size for step in steps]
        first, used = 0, 0
        for last, size in enumerate(sizes):
            used += size
            if last - first < MOST_STEPS and used <= self._room:
                continue
            while first < last and (last - first >= FEWEST_STEPS or used > self._room * 3 // 4):
                used -= sizes[first]
                first += 1
        return first

    def _shown(self, item: dict[str, Any]) -> dict[str, Any] | None:
        repair = self._repairs.get(item.get("call_id", ""))
        if repair is None:
            return item
        if repair.kind == "plain_text":
            fault = repair.fault
            return None if is_call(item) else {"role": "user", "content": f"{fault.message} {fault.next_action}"}
        return {**item, "name": repair.name} if is_call(item) else item


def steps_of(items: Sequence[dict[str, Any]]) -> list[Step]:
    """The transcript in steps; a step ends with the replies to its calls."""
    steps: list[list[dict[str, Any]]] = []
    replied = True
    for item in items:
        is_reply = item.get("type") == "function_call_output"
        if replied and not is_reply:
            steps.append([])
        steps[-1].append(item)
        replied = is_reply
    return [Step(tuple(step)) for step in steps]


def is_call(item: Mapping[str, Any]) -> bool:
    """Whether an item is a call of a tool."""
    return item.get("type") == "function_call"


def _with_newest_draft_alone(steps: Sequence[Step]) -> list[Step]:
    drafts = [step for step in steps if step.submits]
    outdated = {step.key for step in drafts[:-1]}
    return [step for step in steps if step.key not in outdated]

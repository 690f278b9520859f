"""What a run shows its model: the history in marker form, earlier evidence, the question, and the transcript so far."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from agents.items import TResponseInputItem

from harness.context import SUBMIT_TOOL
from harness.models.repair import ProtocolRepairs
from harness.wire import HistoryMessage

_SOURCES = re.compile(r"\n+[^\n\[]{1,40}\n+(?:\[\d+\] [^\n]*(?:\n+|\Z))+\Z")
"""A short line, then nothing but lines that begin with a number in brackets, up to the end."""

_NUMBER = re.compile(r"[ \t]?\[\d+\]")

_EARLIER_DRAFT = "(an earlier draft; only the newest one is kept)"


def opening_items(history: Sequence[HistoryMessage], question: str, note: str | None) -> list[TResponseInputItem]:
    """The input of the first model call: history, then the application's note, then the question as the last item."""
    items = [{"role": message.role, "content": message.content} for message in history]
    if note:
        items.append({"role": "user", "content": note})
    items.append({"role": "user", "content": question})
    return cast("list[TResponseInputItem]", items)


def trimmed_history(messages: Sequence[HistoryMessage], budget: int) -> list[HistoryMessage]:
    """The newest whole pairs of user and assistant messages within `budget` characters, in marker form, oldest first.

    A message without its counterpart, such as the question of a turn that failed, is left out.
    """
    pairs = [
        (first, HistoryMessage(role="assistant", content=in_marker_form(second.content)))
        for first, second in itertools.pairwise(messages)
        if first.role == "user" and second.role == "assistant"
    ]
    kept: list[HistoryMessage] = []
    used = 0
    for first, second in reversed(pairs):
        used += len(first.content) + len(second.content)
        if used > budget:
            break
        kept[:0] = [first, second]
    return kept


def in_marker_form(markdown: str) -> str:
    """An answer without rendered reference numbers and their list, which a model would copy.

    Numbers in brackets go only where the text ends in a list of sources; elsewhere they may be content.
    """
    match = _SOURCES.search(markdown)
    if match is None:
        return markdown
    return _NUMBER.sub("", markdown[: match.start()]).rstrip()


def provider_view(items: Sequence[TResponseInputItem], repairs: ProtocolRepairs) -> list[TResponseInputItem]:
    """The transcript as the provider gets it.

    Calls of the private repair tool appear under the model's own name, or as the user's reply to its text, and only
    the newest draft is kept, so that rejected drafts do not make the transcript grow.
    """
    entries = [cast("dict[str, Any]", item) for item in items]
    drafts = [item["call_id"] for item in entries if _is_call(item) and item["name"] == SUBMIT_TOOL]
    outdated = frozenset(drafts[:-1])
    view = [shown for item in entries if (shown := _shown(item, repairs, outdated)) is not None]
    return cast("list[TResponseInputItem]", view)


def _shown(item: dict[str, Any], repairs: ProtocolRepairs, outdated: frozenset[str]) -> dict[str, Any] | None:
    call_id = item.get("call_id")
    if call_id is None:
        return item
    repair = repairs.get(call_id)
    if repair is not None and repair.kind == "plain_text":
        fault = repair.fault
        return None if _is_call(item) else {"role": "user", "content": f"{fault.message} {fault.next_action}"}
    if repair is not None and _is_call(item):
        return {**item, "name": repair.name}
    if call_id in outdated:
        return _outdated(item)
    return item


def _outdated(item: Mapping[str, Any]) -> dict[str, Any]:
    if _is_call(item):
        return {**item, "arguments": json.dumps({"outcome": "partial", "markdown": _EARLIER_DRAFT})}
    return {**item, "output": json.dumps({"accepted": False, "note": _EARLIER_DRAFT})}


def _is_call(item: Mapping[str, Any]) -> bool:
    return item.get("type") == "function_call"

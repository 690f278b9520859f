"""What a run shows its model first: the history in marker form, the application's note, the question."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import cast

from agents.items import TResponseInputItem

from harness.wire import HistoryMessage

_SOURCES = re.compile(r"\n+[^\n\[]{1,40}\n+(?:\[\d+\] [^\n]*(?:\n+|\Z))+\Z")
"""A short line, then nothing but lines that begin with a number in brackets, up to the end."""

_NUMBER = re.compile(r"[ \t]?\[\d+\]")


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

"""Which papers a call may touch: access(user) ∩ scope, worked out again on every call.

Pure rules; who may see what comes from the store. An id that does not exist and an id of somebody else are treated
alike: both are simply not among the allowed ones.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from corpus_gateway.errors import InvalidCorpusRequest


def named_ids(ids: Iterable[str]) -> tuple[str, ...]:
    """The ids in their order, each once, without blank ones. Ids are compared letter for letter."""
    return tuple(dict.fromkeys(value for value in ids if value.strip()))


def named_papers(field: str, paper_ids: Iterable[str]) -> tuple[str, ...]:
    """The papers that a field names; one that names none is refused, because nothing must never turn into everything.

    Raises `InvalidCorpusRequest`.
    """
    named = named_ids(paper_ids)
    if not named:
        message = f"{field} names no paper"
        raise InvalidCorpusRequest(message, hint=f"Name at least one paper in {field}.")
    return named


def allowed(ids: Iterable[str], permitted: Collection[str]) -> tuple[str, ...]:
    """Those of the ids that are permitted, in their order, each once."""
    return tuple(value for value in named_ids(ids) if value in permitted)


def check_range(name: str, first: int | None, last: int | None) -> None:
    """Refuse a range that runs backwards (`pages`, `years`); raises `InvalidCorpusRequest`."""
    if first is not None and last is not None and first > last:
        message = f"the range of {name} runs backwards: {first} to {last}"
        raise InvalidCorpusRequest(message, hint=f"Give the smaller of the two {name} first.")

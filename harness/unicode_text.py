"""Text that can be stored and sent: JSON can hold half a surrogate pair, UTF-8 cannot."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar, cast

from pydantic import BaseModel

from harness.turn import TurnExecutionInput

_Model = TypeVar("_Model", bound=BaseModel)


def without_surrogates(text: str) -> str:
    """The text with each lone surrogate replaced by U+FFFD; split pairs are joined."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def turn_in_unicode(turn: TurnExecutionInput) -> TurnExecutionInput:
    """The turn with every text in Unicode. An id that was none names nothing then, like any other unknown id."""
    return replace(
        turn,
        request_id=without_surrogates(turn.request_id),
        conversation_id=without_surrogates(turn.conversation_id),
        question=without_surrogates(turn.question),
        scope_paper_ids=tuple(without_surrogates(paper_id) for paper_id in turn.scope_paper_ids),
        history=tuple(_in_unicode(message) for message in turn.history),
        memory=_in_unicode(turn.memory),
        focus=None if turn.focus is None else _in_unicode(turn.focus),
    )


def well_formed(value: Any) -> Any:
    """A JSON value with every lone surrogate of its texts and keys replaced by U+FFFD; split pairs are joined."""
    if isinstance(value, str):
        return without_surrogates(value)
    if isinstance(value, dict):
        return {well_formed(key): well_formed(item) for key, item in cast("dict[Any, Any]", value).items()}
    if isinstance(value, (list, tuple)):
        return [well_formed(item) for item in cast("list[Any]", value)]
    return value


def _in_unicode(model: _Model) -> _Model:
    return type(model).model_validate(well_formed(model.model_dump()))

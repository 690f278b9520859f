"""An own estimate of tokens, for replies whose provider reports none: a budget must never stand still."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any


def estimated_tokens(*parts: str | Iterable[Mapping[str, Any]] | None) -> int:
    """Tokens of texts and items together: one for four ASCII characters, one for each other character, rounded up."""
    texts = [part if isinstance(part, str) else json.dumps(list(part or ()), default=str) for part in parts]
    characters = sum(len(text) for text in texts)
    wide = sum(1 for text in texts if not text.isascii() for character in text if not character.isascii())
    return wide + -(-(characters - wide) // 4)

"""Calls that a model makes again although nothing changed: answered once with guidance, then the run ends."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class _Result:
    call_id: str
    digest: bytes


class RepeatedCalls:
    """The calls of one run and what they gave.

    A call counts as repeated when the same arguments gave the same result before and that result still stands in front
    of the model (`shown_calls`): reading a place again whose words were shortened is no repetition. The first
    repetition is to be answered with guidance. The next one of the same call ends the run, unless some call gave
    something new in between; `stuck_on` then names the tool.
    """

    def __init__(self) -> None:
        self.shown_calls: frozenset[str] = frozenset()
        self.stuck_on: str | None = None
        self._results: dict[tuple[str, str], _Result] = {}
        self._guided: set[tuple[str, str]] = set()

    def repeats(self, call_id: str, name: str, arguments: Mapping[str, Any], result: str) -> bool:
        """Note a call's result; True when it is to be answered with guidance instead."""
        key = (name, json.dumps(arguments, sort_keys=True, ensure_ascii=True))
        digest = hashlib.sha256(result.encode("utf-8", "replace")).digest()
        known = self._results.get(key)
        if known is not None and known.digest == digest and known.call_id in self.shown_calls:
            if key in self._guided:
                self.stuck_on = name
            self._guided.add(key)
            return True
        if known is None or known.digest != digest:
            self._guided.clear()
        self._results[key] = _Result(call_id, digest)
        return False

"""Optional capture of runs in a folder, for replay and evaluation; nothing in the product reads it."""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol, TextIO, TypeVar

from pydantic import BaseModel

EVENT_SCHEMA = "harness-eval-event/v1"
RESULT_SCHEMA = "harness-eval-result/v1"

_SECRET_HEADERS = frozenset(
    {"authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "api-key", "x-goog-api-key"}
)
_SHORTEST_KEY = 8
"""A shorter key is a placeholder for servers that want one; its letters occur in ordinary words."""

_Value = TypeVar("_Value")
_log = logging.getLogger(__name__)


def without_secrets(headers: Mapping[str, str]) -> dict[str, str]:
    """Headers without those that carry keys or sessions."""
    return {name: value for name, value in headers.items() if name.lower() not in _SECRET_HEADERS}


def without_key(value: _Value, api_key: str | None) -> _Value:
    """A JSON value in which a key that the provider echoes is replaced by `[key]`."""
    if api_key is None or len(api_key) < _SHORTEST_KEY:
        return value
    text = json.dumps(value, ensure_ascii=False)
    written = json.dumps(api_key, ensure_ascii=False)[1:-1]
    return json.loads(text.replace(written, "[key]")) if written in text else value


class RunRecording:
    """The record of one run; this root records nothing, which is what a run without a recorder uses."""

    active = False
    """Whether anything is written, for what costs time to gather."""

    def record(self, kind: str, operation_id: str, payload: Mapping[str, Any], *, attempt: int = 1) -> None:
        """Note one event; the same kind, operation and attempt twice is counted and not written."""

    def finish(self, result: Mapping[str, Any]) -> None:
        """Write the result and close the record."""


class OpensRecords(Protocol):
    """Whatever gives a run its record."""

    def open(self, run_id: str) -> RunRecording:
        """A record for one run; never raises."""
        ...


class Recorder:
    """Writes `<folder>/<run_id>/events.jsonl` and `result.json` (folders 0700, files 0600).

    A failure to write is counted in `failures` and logged once a run; it never changes an answer.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.failures = 0

    def open(self, run_id: str) -> RunRecording:
        """A record for one run; never raises."""
        return _FolderRecording(self, self._folder / run_id, run_id)


class _FolderRecording(RunRecording):
    active = True

    def __init__(self, recorder: Recorder, folder: Path, run_id: str) -> None:
        self._recorder = recorder
        self._folder = folder
        self._run_id = run_id
        self._sequence = 0
        self._seen: set[str] = set()
        self._duplicates = 0
        self._error: str | None = None
        self._events: TextIO | None = None

    def record(self, kind: str, operation_id: str, payload: Mapping[str, Any], *, attempt: int = 1) -> None:
        event_id = f"{self._run_id}:{operation_id}:{kind}:{attempt}"
        if event_id in self._seen:
            self._duplicates += 1
            return
        self._seen.add(event_id)
        line = {
            "schema_version": EVENT_SCHEMA,
            "event_id": event_id,
            "run_id": self._run_id,
            "sequence": self._sequence + 1,
            "kind": kind,
            "recorded_at": _now(),
            "monotonic_ns": time.monotonic_ns(),
            "operation_id": operation_id,
            "attempt": attempt,
            "payload": payload,
        }
        try:
            stream = self._events or self._open_events()
            stream.write(_json_text(line) + "\n")
            stream.flush()
            os.fsync(stream.fileno())
        except (OSError, TypeError, ValueError) as error:
            self._failed(error)
            return
        self._sequence += 1

    def finish(self, result: Mapping[str, Any]) -> None:
        try:
            if self._events is None:
                self._open_events()
            if self._events is not None:
                self._events.close()
            body = {
                "schema_version": RESULT_SCHEMA,
                "run_id": self._run_id,
                "completed_at": _now(),
                "event_count": self._sequence,
                "duplicate_event_count": self._duplicates,
                "capture_ok": self._error is None,
                "capture_error": self._error,
                "result": result,
            }
            draft = self._folder / "result.json.part"
            draft.touch(mode=0o600)
            draft.write_text(_json_text(body) + "\n", encoding="utf-8")
            draft.replace(self._folder / "result.json")
        except (OSError, TypeError, ValueError) as error:
            self._failed(error)

    def _open_events(self) -> TextIO:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._folder / "events.jsonl"
        path.touch(mode=0o600)
        self._events = path.open("a", encoding="utf-8")
        return self._events

    def _failed(self, error: Exception) -> None:
        self._recorder.failures += 1
        if self._error is None:
            self._error = f"{type(error).__name__}: {error}"
            _log.warning("run %s is not fully recorded: %s", self._run_id, self._error)


def _json_text(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_plain)
    try:
        text.encode()
    except UnicodeEncodeError:  # half a surrogate pair, which a replay must find again
        return json.dumps(value, separators=(",", ":"), default=_plain)
    return text


def _plain(value: object) -> object:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    message = f"{type(value).__name__} cannot be recorded"
    raise TypeError(message)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")

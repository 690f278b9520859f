"""Optional capture of runs in a folder, for replay and evaluation; nothing in the product reads it."""

from __future__ import annotations

from pathlib import Path


class Recorder:
    """Writes `<folder>/<run_id>/events.jsonl` and `result.json`; a failure is counted and never changes an answer."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.failures = 0

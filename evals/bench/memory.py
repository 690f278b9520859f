"""Peak memory of processes, from /proc (Linux).

`ru_maxrss` would not do: a child inherits the peak of the process that started it.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import threading
from pathlib import Path
from types import TracebackType
from typing import Self

_PEAK = re.compile(r"^VmHWM:\s+(\d+) kB$", re.MULTILINE)
_RESIDENT = re.compile(r"^VmRSS:\s+(\d+) kB$", re.MULTILINE)
_AVAILABLE = re.compile(r"^MemAvailable:\s+(\d+) kB$", re.MULTILINE)
_SECONDS_BETWEEN = 0.01


def is_measurable() -> bool:
    """Whether this system tells the peak memory of a process."""
    return peak_mb(os.getpid()) is not None


def peak_mb(pid: int) -> float | None:
    """Peak resident memory of a process in MB (10^6 bytes); None where it is gone or the system does not tell."""
    return _told(pid, _PEAK)


def resident_mb(pid: int) -> float | None:
    """Resident memory of a process now, in MB (10^6 bytes); None where it is gone or the system does not tell."""
    return _told(pid, _RESIDENT)


def _told(pid: int, line: re.Pattern[str]) -> float | None:
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return None
    found = line.search(status)
    return None if found is None else int(found[1]) * 1024 / 1e6


def available_gb() -> float | None:
    """Memory that processes can take now without swapping, in GB (10^9 bytes); None where the system does not tell."""
    try:
        text = Path("/proc/meminfo").read_text(encoding="ascii", errors="replace")
    except OSError:
        return None
    found = _AVAILABLE.search(text)
    return None if found is None else int(found[1]) * 1024 / 1e9


class ChildPeaks:
    """While it is entered, follows the peak memory of every child of `multiprocessing`; `highest` in MB.

    A child that grows and ends within 10 ms may be seen too small.
    """

    def __init__(self) -> None:
        self.highest = 0.0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._follow, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()

    def _follow(self) -> None:
        while not self._over.wait(_SECONDS_BETWEEN):
            for child in multiprocessing.active_children():
                self.highest = max(self.highest, (child.pid and peak_mb(child.pid)) or 0.0)

"""What one file may cost."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ParseLimits:
    """Limits for one file: wall time in seconds, memory of the worker process in MB, size in bytes, pages.

    The time is that of a parser which reads characters; one that reads pictures gets more (`registry.PATIENCE`).

    The memory limit is one of address space (RLIMIT_AS) and holds where the operating system supports it (Linux).
    """

    seconds: float = 300.0
    memory_mb: int = 3072
    max_bytes: int = 512 * 1024 * 1024
    max_pages: int = 5000

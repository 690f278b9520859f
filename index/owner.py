"""Who holds a lease, and the heartbeat that keeps it."""

from __future__ import annotations

import os
import socket
import time
import uuid
from collections.abc import Callable

LEASE_SECONDS = 60.0
"""How long the claim on a paper's points lasts without a heartbeat; writing a batch takes milliseconds."""

BUILD_LEASE_SECONDS = 180.0
"""The same for a full rebuild: merging the segments of a large index is one call that takes a minute."""


def new_owner() -> str:
    """A name for this owner that no other has: host, process, and a random part."""
    return f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"


class Heartbeat:
    """Calls `beat` when it is called and `every` seconds have passed; where nothing moves, nothing beats."""

    def __init__(self, beat: Callable[[], None], *, every: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._beat = beat
        self._every = every
        self._clock = clock
        self._last = clock()

    def __call__(self) -> None:
        """Beat when it is time."""
        instant = self._clock()
        if instant - self._last >= self._every:
            self._beat()
            self._last = instant

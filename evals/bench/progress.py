"""Progress of long work, a line at a time on stderr."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")

_SECONDS_BETWEEN = 1.0


class Progress:
    """Says where the work is: each new step at once, its counts at most once a second."""

    def __init__(
        self,
        write: Callable[[str], object] = sys.stderr.write,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._write = write
        self._clock = clock
        self._last = clock()

    def step(self, text: str) -> None:
        """Begin a step of the work."""
        self._say(text)

    def over(self, items: Iterable[Item], total: int, text: str) -> Iterator[Item]:
        """The items, with a line of how many of `total` are done now and then."""
        for done, item in enumerate(items, 1):
            yield item
            if self._clock() - self._last >= _SECONDS_BETWEEN:
                self._say(f"{text}: {done} of {total}")

    def _say(self, text: str) -> None:
        self._last = self._clock()
        self._write(f"{text}\n")

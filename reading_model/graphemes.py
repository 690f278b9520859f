"""Characters as people see them: where a text may be cut without taking one apart."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

import regex

_CLUSTER = regex.compile(r"\X")


class Boundaries:
    """The cut points of a text: between extended grapheme clusters (Unicode Standard Annex 29)."""

    def __init__(self, text: str) -> None:
        self._length = len(text)
        # in ASCII every offset is a boundary, except inside CR LF
        plain = text.isascii() and "\r" not in text
        self._points: list[int] | None = None if plain else [0, *(found.end() for found in _CLUSTER.finditer(text))]

    def __contains__(self, offset: object) -> bool:
        return isinstance(offset, int) and 0 <= offset <= self._length and self.at_most(offset) == offset

    def at_most(self, offset: int) -> int:
        """The last boundary that is not after `offset`."""
        if self._points is None:
            return min(offset, self._length)
        return self._points[bisect_right(self._points, offset) - 1]

    def at_least(self, offset: int) -> int:
        """The first boundary that is not before `offset`."""
        if self._points is None:
            return min(offset, self._length)
        index = bisect_left(self._points, offset)
        return self._points[min(index, len(self._points) - 1)]

"""Cutting a long text into pieces: at paragraph ends, sentence ends, blanks, and never inside a character."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from reading_model.graphemes import Boundaries
from reading_model.sentences import sentence_ends


class Cutter:
    """A text prepared for cutting. `ends` are the preferred cut points (None: its sentence ends)."""

    def __init__(self, text: str, ends: Sequence[int] | None = None) -> None:
        self._text = text
        self._boundaries = Boundaries(text)
        self._given = ends

    def pieces(self, start: int, end: int, limit: int) -> list[tuple[int, int]]:
        """Ranges inside [start, end), each at most `limit` code points, that leave out nothing but blanks between them.

        A single character of more than `limit` code points is kept whole, and one that `start` or `end` would take
        apart counts to what is before it.
        """
        found: list[tuple[int, int]] = []
        start = self._boundaries.at_least(start)
        end = self._boundaries.at_least(end)
        while (start := self._skip_blanks(start, end)) < end:
            stop = end if end - start <= limit else self._cut(start, start + limit)
            found.append((start, self._drop_blanks(start, stop)))
            start = stop
        return found

    def _cut(self, start: int, latest: int) -> int:
        """Where to end a piece that starts at `start`: as late as possible, preferably where a paragraph ends."""
        middle = (start + latest) // 2
        late = self._ends(middle, latest)
        for end in reversed(late):
            if self._text.startswith("\n\n", end):
                return end
        if ends := late or self._ends(start, middle):
            return ends[-1]
        for offset in range(latest, start, -1):
            if self._text[offset].isspace() and offset in self._boundaries and offset + 1 in self._boundaries:
                return offset
        stop = self._boundaries.at_most(latest)
        return stop if stop > start else self._boundaries.at_least(start + 1)

    def _ends(self, after: int, latest: int) -> list[int]:
        """The preferred cut points `after < end <= latest`; sentence ends are looked for where a cut is to be made."""
        if self._given is None:
            wanted = sentence_ends(self._text, after, latest)
        else:
            wanted = self._given[bisect_right(self._given, after) : bisect_right(self._given, latest)]
        return [end for end in wanted if end in self._boundaries]

    def _skip_blanks(self, start: int, end: int) -> int:
        while start < end and self._is_blank(start):
            start += 1
        return start

    def _drop_blanks(self, start: int, end: int) -> int:
        while end > start and self._is_blank(end - 1):
            end -= 1
        return end

    def _is_blank(self, offset: int) -> bool:
        # a blank that carries a combining mark is a character of its own
        return self._text[offset].isspace() and offset in self._boundaries and offset + 1 in self._boundaries

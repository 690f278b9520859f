"""Where the printed lines of a block begin and end in its text.

A block's text is its lines joined, with line-end hyphens resolved, so both are the same but for blanks, hyphens and the
dollar signs of formulas. Lines are found one after the other; where too few are, none is used.
"""

from __future__ import annotations

from collections.abc import Sequence

_IGNORED = frozenset("$\u00ad")
_LEAST_FOUND = 0.9
_REACH = 40


def aligned(text: str, lines: Sequence[str]) -> list[tuple[int, int, int]]:
    """(line, start, end) for the lines that were found in `text`, in order; together they cover all of it but blanks.

    Empty when less than nine tenths of the lines were found.
    """
    offsets = [index for index, character in enumerate(text) if _counts(character)]
    letters = "".join(text[index] for index in offsets)
    found: list[tuple[int, int, int]] = []  # line, first and last letter
    position = 0
    for number, line in enumerate(lines):
        key = "".join(filter(_counts, line))
        if not key:
            continue
        at = _find(letters, key, position)
        if at is None:
            continue
        start, position = at
        found.append((number, start, position))
    if not found or len(found) < _LEAST_FOUND * len(lines):
        return []
    return _covering(text, offsets, found)


def _counts(character: str) -> bool:
    return not character.isspace() and character not in _IGNORED


def _find(letters: str, key: str, position: int) -> tuple[int, int] | None:
    for candidate in (key, key.rstrip("-\u2010")):
        start = letters.find(candidate, position, position + len(candidate) + _REACH) if candidate else -1
        if start >= 0:
            return start, start + len(candidate)
    return None


def _covering(text: str, offsets: Sequence[int], found: Sequence[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Each line from its first letter to where the next begins; the first and last reach to the ends of the text."""
    starts = [_before_sign(text, offsets[first]) for _, first, _ in found]
    starts[0] = len(text) - len(text.lstrip())
    ends = [*starts[1:], len(text)]
    out: list[tuple[int, int, int]] = []
    for (number, _, _), start, end in zip(found, starts, ends, strict=True):
        stop = start + len(text[start:end].rstrip())
        if stop > start:
            out.append((number, start, stop))
    return out


def _before_sign(text: str, offset: int) -> int:
    """The offset of the dollar sign that opens a formula with which a line starts."""
    return (
        offset - 1 if offset > 0 and text[offset - 1] == "$" and (offset < 2 or text[offset - 2].isspace()) else offset
    )

"""Sentences of a span, as ranges of its text, so that a quotation is exactly what stands there."""

from __future__ import annotations

import re

_END = re.compile(r"[.!?][\"'”’»)\]]*(?=\s)|[。！？][」』”’)]*|\n+")
_ABBREVIATION = re.compile(
    r"(?:\b(?:al|e\.g|i\.e|cf|vs|etc|approx|fig|figs|eq|eqs|sec|secs|tab|ref|refs|no|nos|vol|pp|ch|app|ca|resp|dr|prof|mr"
    r"|mrs|st|jr|inc|ltd|dept|univ|proc|conf|int|nat|z\.b|d\.h|bzw|usw|vgl|abb|nr|bd|a\.k\.a|w\.r\.t)|\b[A-Z]|^\s*\d{1,3}(?:\.\d+)*)\.\Z",
    re.IGNORECASE,
)
_MIN_CHARACTERS = 12


def sentence_ranges(text: str) -> list[tuple[int, int]]:
    """Half-open ranges of the sentences of a text, without blanks around them; rather two joined than one cut."""
    found: list[tuple[int, int]] = []
    start = 0
    for match in _END.finditer(text):
        if match.group()[0] == "." and _goes_on(text, start, match.start(), match.end()):
            continue
        start = _add(found, text, start, match.end())
    _add(found, text, start, len(text))
    return found


def _goes_on(text: str, start: int, stop: int, end: int) -> bool:
    if _ABBREVIATION.search(text[start : stop + 1]):
        return True
    following = re.match(r"\s+(\S)", text[end:])
    return following is not None and following.group(1).islower()


def _add(found: list[tuple[int, int]], text: str, start: int, end: int) -> int:
    begin = start + len(text[start:end]) - len(text[start:end].lstrip())
    stop = start + len(text[start:end].rstrip())
    if stop - begin >= _MIN_CHARACTERS or (stop > begin and re.search(r"[぀-鿿]", text[begin:stop])):
        found.append((begin, stop))
    return end

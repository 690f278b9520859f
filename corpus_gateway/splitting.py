"""Citable spans of a text of which only the text is known, as a remote corpus or a test gives it.

Pieces of at most `SPAN_LIMIT` code points, cut at the last sentence or line end that fits, else at a space, else
between two characters as a reader sees them (grapheme clusters, UAX #29).
"""

from __future__ import annotations

import regex

from corpus_gateway.wire import ReadSpan
from reading_model.identity import evidence_id_of

SPAN_LIMIT = 1200

# what extends a character belongs to it, also when that character is a space; nothing extends a line end or a tab
_EXTENDS = r"[\p{GCB=EX}\p{GCB=ZWJ}\p{GCB=SM}]"
_BLANK = rf"(?:[\t\n\v\f\r\x85\u2028\u2029]|\s(?!{_EXTENDS}))"
_SENTENCE_OR_LINE_END = regex.compile(rf"[.!?]['\"”’)\]]*(?={_BLANK})|[。！？][”’」』）]*(?!{_EXTENDS})|(?=\n)")
_SPACE = regex.compile(rf"(?={_BLANK})")
_SPACES = regex.compile(rf"{_BLANK}*")
_LAST_LETTER = regex.compile(r"(?r)\S")
_GRAPHEME = regex.compile(r"\X")


def split_text(
    text: str, *, paper_id: str, paper_version: str, location_ref: str, page: int, limit: int = SPAN_LIMIT
) -> list[ReadSpan]:
    """Spans in order, without the white space between them; each has `text == whole[start:end]` and its evidence id.

    They carry no boxes. A text of white space has no spans.
    """
    ranges = _ranges(text, limit)
    return [
        ReadSpan(
            number=number,
            start=start,
            end=end,
            text=text[start:end],
            page=page,
            evidence_id=evidence_id_of(paper_id, paper_version, location_ref, start, end, text[start:end]),
        )
        for number, (start, end) in enumerate(ranges)
    ]


def _ranges(text: str, limit: int) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    start = _skip_space(text, 0)
    while start < len(text):
        end = len(text) if len(text) - start <= limit else _cut(text, start, limit)
        last = _LAST_LETTER.search(text, start, end)
        found.append((start, last.end() if last else end))
        start = _skip_space(text, end)
    return found


def _skip_space(text: str, position: int) -> int:
    match = _SPACES.match(text, position)
    return match.end() if match else position


def _cut(text: str, start: int, limit: int) -> int:
    """Where the piece that begins at `start` ends: always after `start`, at most `limit` on where that is possible."""
    for pattern in (_SENTENCE_OR_LINE_END, _SPACE):
        ends = [match.end() for match in pattern.finditer(text, start + 1, start + limit + 1)]
        if ends and ends[-1] <= start + limit:
            return ends[-1]
    end = start
    for match in _GRAPHEME.finditer(text, start):
        if match.end() - start > limit and end > start:
            break
        end = match.end()
    return end

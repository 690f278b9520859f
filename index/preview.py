"""The stretch of a text that shows best why it was found; offsets are code points of the text itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import regex

from index.analyzer import CJK_CHARACTERS, terms_within

PREVIEW_LENGTH = 500

_PIECE = regex.compile(
    rf"[{CJK_CHARACTERS}]|[^\s{CJK_CHARACTERS}]+(?:(?<=[\p{{L}}\p{{N}}]-)[^\S\n]*\n\s*[^\s{CJK_CHARACTERS}]+)*"
)
_CJK = regex.compile(rf"[{CJK_CHARACTERS}]")
_SENTENCE_END = regex.compile(r"[.!?]\s+|[。！？]\s*|\n\s*\n")
_SPACE = regex.compile(r"\s")
_WORD_REACH = 40
_REPEAT_GAIN = 0.01


@dataclass(frozen=True, slots=True)
class Preview:
    """`text` is `source[start:end]` of the text that was given, never more than the length asked for."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Match:
    start: int
    end: int
    terms: frozenset[str]


def preview(text: str, weights: Mapping[str, float], length: int = PREVIEW_LENGTH) -> Preview:
    """The window of at most `length` characters with the greatest weight of distinct query terms.

    `weights` are a query's terms (`analyzer.query_terms`). Of equal windows the one with more matches wins, then the
    first. It begins at a sentence where there is room, and cuts no word of ordinary length.
    """
    if len(text) <= length:
        return Preview(text, 0, len(text))
    matches = _matches(text, weights)
    if not matches:
        return _cut(text, 0, length)
    first, last = _best(matches, weights, length)
    return _cut(text, _opening(text, matches[first].start, matches[last].end, length), length)


def _matches(text: str, weights: Mapping[str, float]) -> list[_Match]:
    """The words of the text that hold query terms, in order; of unspaced scripts, the characters."""
    wanted = frozenset(weights)
    if "-\n" in text or (not text.isascii() and _CJK.search(text)):
        return [
            _Match(piece.start(), piece.end(), wanted & terms)
            for piece in _PIECE.finditer(text)
            if not wanted.isdisjoint(terms := terms_within(piece.group()))
        ]
    # each distinct word is looked at once, and only those that match are looked for: most words of a text do not
    initials, is_ascii = _initials(wanted), text.isascii()
    found = {
        word: wanted & terms
        for word in set(text.split())
        if (word[0] in initials or not (word.isalpha() and (is_ascii or word.isascii())))
        and not wanted.isdisjoint(terms := terms_within(word))
    }
    places = ((start, word) for word in found for start in _occurrences(text, word))
    return [_Match(start, start + len(word), found[word]) for start, word in sorted(places)]


def _initials(terms: Iterable[str]) -> frozenset[str]:
    """The letters with which a plain word can begin that holds one of the terms: its terms all begin as it does."""
    letters = {term.lstrip("=")[:1] for term in terms}
    return frozenset(letters | {letter.upper() for letter in letters})


def _occurrences(text: str, word: str) -> Iterator[int]:
    """Where `word` stands between white space."""
    start = text.find(word)
    while start >= 0:
        end = start + len(word)
        if (start == 0 or text[start - 1].isspace()) and (end == len(text) or text[end].isspace()):
            yield start
        start = text.find(word, end)


def _best(matches: Sequence[_Match], weights: Mapping[str, float], length: int) -> tuple[int, int]:
    """First and last match of the best window; two pointers, each match enters and leaves once."""
    counts: dict[str, int] = {}
    gain = 0.0
    best, best_gain = (0, 0), -1.0
    first = 0
    for last, match in enumerate(matches):
        for term in match.terms:
            gain += weights[term] if not counts.get(term) else weights[term] * _REPEAT_GAIN
            counts[term] = counts.get(term, 0) + 1
        while first < last and match.end - matches[first].start > length:
            for term in matches[first].terms:
                counts[term] -= 1
                gain -= weights[term] if not counts[term] else weights[term] * _REPEAT_GAIN
            first += 1
        if gain > best_gain + 1e-9:
            best, best_gain = (first, last), gain
    return best


def _opening(text: str, start: int, end: int, length: int) -> int:
    """Where the window begins: at the sentence of the first match if that fits, else with the spare room halved."""
    spare = max(0, length - (end - start))
    earliest = max(0, start - spare)
    sentence = max((cut.end() for cut in _SENTENCE_END.finditer(text, earliest, start)), default=None)
    if earliest == 0 and sentence is None:
        return 0
    return sentence if sentence is not None else max(earliest, start - spare // 2)


def _cut(text: str, start: int, length: int) -> Preview:
    """`length` characters from `start`, moved inwards to whole words where white space is near."""
    start = max(0, min(start, len(text) - length))
    end = start + length
    if start > 0 and _inside_word(text, start) and (space := _SPACE.search(text, start, start + _WORD_REACH)):
        start = space.end()
    if end < len(text) and _inside_word(text, end):
        spaces = [space.start() for space in _SPACE.finditer(text, end - _WORD_REACH, end)]
        end = spaces[-1] if spaces and spaces[-1] > start else end
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    return Preview(piece.strip(), start, start + len(piece.strip()))


def _inside_word(text: str, position: int) -> bool:
    return text[position - 1].isalnum() and text[position].isalnum()

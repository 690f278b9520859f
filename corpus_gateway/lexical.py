"""A small exact BM25 over texts in memory: for corpora of a few papers, where no index is kept.

Weights as in the product's index (k1 1.2, b 0.75, IDF ln(1 + (N - n + 0.5) / (n + 0.5)), which is never negative,
so that words standing in every text still find it), over the texts given; Robertson and Zaragoza 2009.
"""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Sequence

import regex

K1 = 1.2
B = 0.75

_WORD = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]|[\p{L}\p{M}\p{N}--\p{Han}--\p{Hiragana}--\p{Katakana}]+", regex.V1
)


def words(text: str) -> list[str]:
    """Words in comparable form (NFKC, case folded); characters of scripts written without spaces stand alone."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def scores(query: str, texts: Sequence[str]) -> list[float]:
    """The BM25 score of every text for the query, 0.0 where no word of the query occurs."""
    bags = [Counter(words(text)) for text in texts]
    lengths = [bag.total() for bag in bags]
    mean = sum(lengths) / len(lengths) if lengths else 0.0
    total = [0.0] * len(bags)
    for word in sorted(set(words(query))):
        holding = sum(word in bag for bag in bags)
        idf = math.log(1 + (len(bags) - holding + 0.5) / (holding + 0.5))
        for position, bag in enumerate(bags):
            if frequency := bag[word]:
                norm = K1 * (1 - B + B * lengths[position] / mean)
                total[position] += idf * frequency * (K1 + 1) / (frequency + norm)
    return total


def preview(query: str, text: str, length: int = 240) -> str:
    """A stretch of the text that holds the query's words, best where it starts with the first of them; one line."""
    flat = " ".join(text.split())
    if len(flat) <= length:
        return flat
    wanted = set(words(query))
    matches = (match.start() for match in regex.finditer(r"\S+", flat) if wanted & set(words(match.group())))
    start = min(next(matches, 0), len(flat) - length)
    start = start and flat.rfind(" ", 0, start) + 1
    return (
        ("… " if start else "") + flat[start : start + length].rstrip() + (" …" if start + length < len(flat) else "")
    )

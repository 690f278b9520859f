"""Textbook BM25 beside the product: `rank-bm25` and `bm25s`. The only module that knows both.

They are yardsticks of the same run, never a fallback of the product.
"""
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
# (neither package has types; what leaves this module is typed)

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from evals.retrieval.packages import imported

_WORD = re.compile(r"\w+")


class RankedUnits(Protocol):
    """A search over some units of text."""

    @property
    def name(self) -> str:
        """The row of a table."""
        ...

    def ranking(self, query: str, depth: int) -> list[str]:
        """Ids of the best units that match, at most `depth`, best first, equal scores by id."""
        ...


@dataclass(frozen=True, slots=True)
class _Scored:
    """Units and a function that scores all of them, in their order."""

    name: str
    ids: Sequence[str]
    scores: Any

    def ranking(self, query: str, depth: int) -> list[str]:
        scores: Sequence[float] = self.scores(query)
        places = [place for place, score in enumerate(scores) if score > 0]
        places.sort(key=lambda place: (-scores[place], self.ids[place]))
        return [self.ids[place] for place in places[:depth]]


def rank_bm25(texts: Mapping[str, str]) -> RankedUnits:
    """Okapi BM25 as `rank-bm25` has it (k1 1.5, b 0.75), over lower-case words. Raises EvaluationPackageMissing."""
    kind = imported("rank_bm25", "rank-bm25").BM25Okapi
    words = [_words(text) for text in texts.values()]
    if not any(words):
        return _matching_nothing("rank-bm25", texts)
    okapi = kind(words)

    def scores(query: str) -> list[float]:
        return okapi.get_scores(_words(query)).tolist()

    return _Scored("rank-bm25", list(texts), scores)


def bm25s_as_it_comes(texts: Mapping[str, str]) -> RankedUnits:
    """`bm25s` with its defaults: k1 1.5, b 0.75, Lucene's form, English stop words, no stemmer."""
    return _bm25s("bm25s", texts, stemmer=None)


def bm25s_at_its_best(texts: Mapping[str, str]) -> RankedUnits:
    """`bm25s` with the Snowball stemmer, which is what gains most on the training claims."""
    return _bm25s("bm25s, stemmed", texts, stemmer=imported("Stemmer", "pystemmer").Stemmer("english"))


def all_controls(texts: Mapping[str, str]) -> Iterator[RankedUnits]:
    """Every yardstick over the same units."""
    yield rank_bm25(texts)
    yield bm25s_as_it_comes(texts)
    yield bm25s_at_its_best(texts)


def _bm25s(name: str, texts: Mapping[str, str], *, stemmer: Any) -> RankedUnits:
    bm25s = imported("bm25s", "bm25s")

    def tokens(units: list[str]) -> list[list[str]]:
        return bm25s.tokenize(units, stopwords="en", stemmer=stemmer, return_ids=False, show_progress=False)

    words_of_all = tokens(list(texts.values()))
    if not any(words_of_all):
        return _matching_nothing(name, texts)
    index = bm25s.BM25(k1=1.5, b=0.75)
    index.index(words_of_all, show_progress=False)

    def scores(query: str) -> list[float]:
        words = tokens([query])[0]
        return index.get_scores(words).tolist() if words else [0.0] * len(texts)

    return _Scored(name, list(texts), scores)


def _matching_nothing(name: str, texts: Mapping[str, str]) -> RankedUnits:
    """Units without a single word; both packages would divide by the number of their words."""

    def scores(_query: str) -> list[float]:
        return [0.0] * len(texts)

    return _Scored(name, list(texts), scores)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())

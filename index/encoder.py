"""The BM25 encoder: sparse vectors whose product, with the engine's IDF, is the BM25 score.

A document's weight of a term is tf·(k1 + 1) / (tf + k1·(1 - b + b·dl/avgdl)) (Robertson and Zaragoza, 2009, "The
Probabilistic Relevance Framework: BM25 and Beyond"); a query's weight is the analyzer's weight of the term. Fields are
joined as in BM25F: term frequencies and lengths are summed with the fields' weights before saturation.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from index.analyzer import KEPT_LENGTH, analyze, query_terms, stretches
from index.contract import IndexContract
from index.engine import SparseVector

TERM_ID = "sha256-int31-v1"
SCORER = "bm25-tf-norm-v1"


@dataclass(frozen=True, slots=True)
class FieldText:
    """One field of a document and how much an occurrence in it counts against one in the body (1)."""

    text: str
    weight: float


@dataclass(frozen=True, slots=True)
class EncodedDocument:
    """A document's vector, its weighted length in words, and how many of its terms share another term's id."""

    vector: SparseVector
    length: float
    collisions: int


@lru_cache(maxsize=1 << 18)
def term_id(term: str) -> int:
    """31 bits: the first four bytes of the SHA-256 of the term's UTF-8 form, big-endian, without the sign bit."""
    return int.from_bytes(hashlib.sha256(term.encode()).digest()[:4], "big") & 0x7FFFFFFF


def encode_document(fields: Iterable[FieldText], contract: IndexContract) -> EncodedDocument:
    """The sparse vector of a document; empty when no field holds a term."""
    by_id: dict[int, float] = {}
    terms: set[str] = set()
    length = 0.0
    for field in fields:
        counts: dict[int, int] = {}
        words = 0
        # a stretch is looked at once, however often it comes; counts are whole numbers until the weight is applied
        for stretch, times in Counter(stretches(field.text)).items():
            coded = _kept_code(stretch) if len(stretch) <= KEPT_LENGTH else _code(stretch)
            words += times * coded.length
            terms.update(coded.terms)
            for number in coded.ids:
                counts[number] = counts.get(number, 0) + times
        length += field.weight * words
        for number, count in counts.items():
            by_id[number] = by_id.get(number, 0.0) + field.weight * count
    norm = contract.k1 * (1.0 - contract.b + contract.b * length / contract.avgdl)
    gain = contract.k1 + 1.0
    indices = sorted(by_id)
    values = tuple([(count := by_id[number]) * gain / (count + norm) for number in indices])
    return EncodedDocument(SparseVector(tuple(indices), values), length, len(terms) - len(by_id))


@dataclass(frozen=True, slots=True)
class _Code:
    ids: tuple[int, ...]
    terms: tuple[str, ...]
    length: int


def _code(stretch: str) -> _Code:
    analysis = analyze(stretch)
    return _Code(tuple(map(term_id, analysis.terms)), analysis.terms, analysis.length)


@lru_cache(maxsize=1 << 16)
def _kept_code(stretch: str) -> _Code:
    return _code(stretch)


def encode_query(text: str) -> SparseVector | None:
    """The sparse vector of a query; None when nothing is left to search for (blank, or stop words only)."""
    weights = query_terms(text)
    return encode_terms(weights) if weights else None


def encode_terms(weights: Mapping[str, float]) -> SparseVector:
    """The sparse vector of terms with their query weights; weights of terms that share an id are summed."""
    by_id: dict[int, float] = {}
    for term, weight in weights.items():
        number = term_id(term)
        by_id[number] = by_id.get(number, 0.0) + weight
    indices = sorted(by_id)
    return SparseVector(tuple(indices), tuple(by_id[number] for number in indices))

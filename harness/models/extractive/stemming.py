"""Snowball stems for the languages of the questions.

PyStemmer ships no types; this adapter states the two calls it relies on.
"""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportMissingModuleSource=false, reportMissingTypeStubs=false

from __future__ import annotations

import threading
from functools import lru_cache
from typing import Any

import Stemmer

_ALGORITHMS = {
    "en": "english",
    "de": "german",
    "fr": "french",
    "es": "spanish",
    "it": "italian",
    "pt": "portuguese",
    "ru": "russian",
    "ar": "arabic",
}


_lock = threading.Lock()  # a Stemmer object must not be used by two threads at once


@lru_cache(maxsize=1 << 16)
def stem(word: str, language: str) -> str:
    """The stem of a case-folded word; the word itself where the language (ISO 639-1) has no stemmer."""
    stemmer = _stemmer(language)
    if stemmer is None:
        return word
    with _lock:
        return str(stemmer.stemWord(word))


@lru_cache(maxsize=16)
def _stemmer(language: str) -> Any:
    algorithm = _ALGORITHMS.get(language)
    return None if algorithm is None else Stemmer.Stemmer(algorithm)

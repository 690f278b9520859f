"""The Snowball English stemmer; the only module that knows `Stemmer` (PyStemmer), which has no type stubs."""

# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import threading

import Stemmer

_stemmer = Stemmer.Stemmer("english", 0)  # without its own cache: analysed words are kept already
_lock = threading.Lock()  # a Stemmer object must not be used by two threads at once


def english_stem(word: str) -> str:
    """The Snowball ("Porter 2") stem of a lower-case English word."""
    with _lock:
        return str(_stemmer.stemWord(word))

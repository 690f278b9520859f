"""The Snowball English stemmer; the only module that knows `Stemmer` (PyStemmer), which has no type stubs."""

# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import re
import threading

import Stemmer

_stemmer = Stemmer.Stemmer("english", 0)  # without its own cache: analysed words are kept already
_lock = threading.Lock()  # a Stemmer object must not be used by two threads at once

_AGENT_NOUN = re.compile(r"(.{3,}[eo]r)s?")


def english_stem(word: str) -> str:
    """The Snowball ("Porter 2") stem of a lower-case English word; a noun of an agent loses its plural only.

    `transformers` becomes `transformer`, not `transform`: who does or what does is another thing than what is done.
    """
    agent = _AGENT_NOUN.fullmatch(word)
    if agent is not None:
        return agent[1]
    with _lock:
        return str(_stemmer.stemWord(word))

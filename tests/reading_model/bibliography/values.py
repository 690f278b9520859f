"""Strategies: metadata as a library holds it."""

from __future__ import annotations

from hypothesis import strategies as st

from reading_model.models import PaperMetadata

CHARACTERS = st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs"), exclude_characters="\u00ad")
LINES = st.text(CHARACTERS, max_size=40).map(lambda text: " ".join(text.split()))
WORDS = st.from_regex(r"[A-Z][a-zéöł.'-]{0,8}", fullmatch=True)
NAMES = st.one_of(LINES.filter(bool), st.lists(WORDS, min_size=1, max_size=3).map(" ".join))
ABSTRACTS = st.lists(LINES.filter(bool), min_size=1, max_size=3).map("\n\n".join)


def papers() -> st.SearchStrategy[PaperMetadata]:
    return st.builds(
        PaperMetadata,
        title=st.none() | LINES.filter(bool),
        authors=st.lists(NAMES, max_size=4).map(tuple),
        year=st.none() | st.integers(1500, 2099),
        venue=st.none() | LINES.filter(bool),
        doi=st.none() | st.from_regex(r"10\.[0-9]{4}/[a-z0-9._()<>;-]{1,12}", fullmatch=True),
        arxiv_id=st.none() | st.from_regex(r"[0-9]{4}\.[0-9]{5}(v[1-9])?", fullmatch=True),
        abstract=st.none() | ABSTRACTS,
    )

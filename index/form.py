"""The form of a collection, as text of which both sides of a mismatch can be named."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from index.engine import VECTOR_NAME

IDF_MODIFIER = "idf"


def vectors_text(dense: Iterable[str], sparse: Mapping[str, str]) -> str:
    """Names of dense vectors, and names of sparse ones with their modifiers."""
    names = [f"dense vector {name!r}" for name in sorted(dense)]
    names += [f"sparse vector {name!r} with modifier {modifier}" for name, modifier in sorted(sparse.items())]
    return " and ".join(names) or "no vector"


OUR_VECTORS = vectors_text((), {VECTOR_NAME: IDF_MODIFIER})
"""One sparse vector, multiplied by IDF, and nothing else."""

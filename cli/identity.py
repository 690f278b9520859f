"""Names that people type for papers: whole ids, or the beginning of one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reading_model.errors import PaperNotFound

LOCAL_USER = "1"
"""The user of a library on one's own machine."""

_SHORTEST_PREFIX = 4


def resolve_papers(named: Sequence[str], accessible: Iterable[str]) -> list[str]:
    """The papers that `named` means: each an id, or a beginning of one (4 characters or more) that fits one paper only.

    Raises PaperNotFound naming the first that fits none or several; papers of others read as absent.
    """
    known = list(accessible)
    found: list[str] = []
    for name in named:
        matches = [paper for paper in known if paper == name]
        if not matches and len(name) >= _SHORTEST_PREFIX:
            matches = [paper for paper in known if paper.startswith(name)]
        if len(matches) != 1:
            count = "no paper" if not matches else f"{len(matches)} papers"
            short = (
                f" (an id, or at least its first {_SHORTEST_PREFIX} characters)" if len(name) < _SHORTEST_PREFIX else ""
            )
            message = f"'{name}' names {count} of the library{short}."
            raise PaperNotFound(message)
        if matches[0] not in found:
            found.append(matches[0])
    return found

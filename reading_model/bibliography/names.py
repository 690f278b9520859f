"""Names of people, divided as BibTeX divides them: given names, particle, family name, suffix."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bibtexparser.middlewares.names import NameParts, parse_single_name_into_parts

from reading_model.bibliography.entry import one_line
from reading_model.bibliography.tex import decoded, encoded

_OTHERS = "others"
_MARK = re.compile(r"\\.|[{}]|(?<!\S)and(?!\S)", re.DOTALL | re.IGNORECASE)


def read_names(field: str) -> tuple[str, ...]:
    """The names of an `author` field, given names first; `and others` names nobody."""
    written = (name for name in _separated(field) if name and name != _OTHERS)
    names = (one_line(decoded(divided(name).merge_first_name_first)) for name in written)
    return tuple(name for name in names if name)


def write_names(names: tuple[str, ...]) -> str:
    """An `author` field that `read_names` gives back; a name that BibTeX would divide otherwise stands in braces."""
    return " and ".join(_written(name) for name in names)


def divided(name: str) -> NameParts:
    """The parts of one name. What is wrong with its braces or commas is mended."""
    return parse_single_name_into_parts(name, strict=False)


def _separated(field: str) -> Iterator[str]:
    """The names between the words `and` that stand outside braces.

    The library's own function loses a backslash with which a name begins, and so the accent of `\\'Emile`.
    """
    depth, start = 0, 0
    for mark in _MARK.finditer(field):
        match mark.group():
            case "{":
                depth += 1
            case "}":
                depth = max(0, depth - 1)
            case word if word.lower() == "and" and depth == 0:
                yield field[start : mark.start()].strip()
                start = mark.end()
            case _:
                pass
    yield field[start:].strip()


def _written(name: str) -> str:
    field = encoded(name)
    return field if read_names(field) == (name,) else f"{{{field}}}"

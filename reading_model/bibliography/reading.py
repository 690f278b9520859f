"""A bibliography from a file: which form it has is seen by how it begins."""

from __future__ import annotations

from pathlib import Path

from reading_model.bibliography.bibtex import read_bibtex
from reading_model.bibliography.csl import read_csl
from reading_model.bibliography.entry import BibliographyEntry
from reading_model.errors import BibliographyUnreadable

_MAX_BYTES = 64 * 1024 * 1024


def read_bibliography(path: Path) -> list[BibliographyEntry]:
    """The entries of a BibTeX or CSL-JSON file in UTF-8, in their order, at least one.

    Raises BibliographyUnreadable; a file that is wrong in one place gives nothing.
    """
    try:
        if path.stat().st_size > _MAX_BYTES:
            message = f"{path.name} has more than {_MAX_BYTES} bytes"
            raise BibliographyUnreadable(message)
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        message = f"{path.name} cannot be read: {error.strerror}"
        raise BibliographyUnreadable(message, hint="Check the path and its permissions.") from error
    except UnicodeDecodeError as error:
        message = f"{path.name} is not in UTF-8: byte {error.start} is none of its characters"
        raise BibliographyUnreadable(message, hint="Save the file as UTF-8.") from error
    try:
        entries = (read_csl if text.lstrip()[:1] in ("[", "{") else read_bibtex)(text)
    except BibliographyUnreadable as error:
        message = f"{path.name}: {error}"
        raise BibliographyUnreadable(message) from error
    if not entries:
        message = f"{path.name} holds no entry"
        raise BibliographyUnreadable(message)
    return entries

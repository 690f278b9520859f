"""Comparable forms of what names a paper: DOI, arXiv number, title, filename, author names.

DOIs are compared without case (DOI Handbook 2.4); arXiv numbers follow arXiv's two schemes (until and since 2007).
"""

from __future__ import annotations

import html
import unicodedata
from dataclasses import dataclass
from urllib.parse import unquote

import regex

from index.analyzer import fold, without_marks

_FORMAT = regex.compile(r"\p{Cf}+")
_DOI = regex.compile(r"10\.\d{4,9}/\S+")
_DOI_TAIL = regex.compile(r"[.,;:!?'\"’”»]+$")
_BRACKETS = {")": "(", "]": "[", "}": "{", ">": "<"}
_ARXIV = regex.compile(
    r"(?:.*(?:arxiv[.:]|/(?:abs|pdf|html)/))?\s*(?P<number>\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7})(?:v(?P<version>\d+))?(?:\.pdf)?",
)
_TAG = regex.compile(r"</?[A-Za-z][^<>]*>")
# a command that takes an argument, a change of font, or an accent; others (\\beta, \\ss, \\o) name what they print
_TEX_MARKUP = regex.compile(r"\\[A-Za-z]+(?=\s*\{[^}])|\\(?:em|it|bf|rm|sc|sf|tt)\b|\\[^A-Za-z]")
_NOT_WORD = regex.compile(r"[^\p{L}\p{N}]+")


@dataclass(frozen=True, slots=True)
class ArxivNumber:
    """An arXiv number and its version, None where none is given."""

    number: str
    version: int | None


def comparable_doi(text: str) -> str | None:
    """The DOI in any dress (URL, `doi:`, escaped, in brackets, with a sentence's punctuation); None when there is none.

    Brackets that belong to the DOI stay, those around it go.
    """
    plain = _FORMAT.sub("", unquote(html.unescape(text))).strip().lower()
    found = _DOI.search(plain)
    if found is None:
        return None
    doi = found.group()
    while True:
        shorter = _DOI_TAIL.sub("", doi)
        opening = _BRACKETS.get(shorter[-1])
        if opening is not None and shorter.count(opening) < shorter.count(shorter[-1]):
            shorter = shorter[:-1]
        if shorter == doi:
            return doi if _DOI.fullmatch(doi) else None
        doi = shorter


def comparable_arxiv(text: str) -> ArxivNumber | None:
    """The arXiv number of an id, URL, file name or DOI of arXiv; None when there is none."""
    found = _ARXIV.fullmatch(_FORMAT.sub("", text).strip().lower())
    if found is None:
        return None
    version = found["version"]
    return ArxivNumber(found["number"], int(version) if version else None)


def comparable_title(text: str) -> str:
    """Letters and digits of a title: no case, diacritics, spaces, punctuation, HTML or TeX."""
    plain = _TEX_MARKUP.sub("", _TAG.sub("", html.unescape(text)))
    return _NOT_WORD.sub("", without_marks(fold(unicodedata.normalize("NFKC", plain))))


def comparable_filename(text: str) -> str:
    """The last part of a path without case and without `.pdf`."""
    name = unicodedata.normalize("NFC", text.strip()).replace("\\", "/").rsplit("/", 1)[-1]
    return name.casefold().removesuffix(".pdf")


def names_author(wanted: str, author: str) -> bool:
    """Whether a name, in any order and with initials, can be that author's: `Cohan, A.` names `Arman Cohan`."""
    asked, held = _name_words(wanted), _name_words(author)
    if not any(len(word) > 1 or not word.isascii() for word in asked):
        return False
    return all(word in held or (len(word) == 1 and any(other.startswith(word) for other in held)) for word in asked)


def within_name(wanted: str, held: str) -> bool:
    """Whether a venue's name holds all words of the one asked for, in any case (`acl` in `Proceedings of ACL 2020`)."""
    asked = _name_words(wanted)
    return bool(asked) and set(asked) <= set(_name_words(held))


def _name_words(text: str) -> list[str]:
    plain = without_marks(fold(unicodedata.normalize("NFKC", text)))
    return _NOT_WORD.sub(" ", plain).split()

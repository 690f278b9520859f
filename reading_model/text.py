"""Text rules: what becomes of a parser's characters before they are stored, quoted or searched.

Canonical text is in NFC with ligatures spelled out, without soft hyphens, controls and halves of surrogate pairs.
Every character of it can be traced to the characters it came from, so that a quotation can be drawn on its page.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

SOFT_HYPHEN = "\u00ad"
HYPHENS = frozenset("-\u2010\u00ad")

_COMPATIBILITY = (
    (0xFB00, 0xFB4F),  # Latin, Armenian and Hebrew ligatures
    (0xFB50, 0xFDFF),  # Arabic presentation forms A
    (0xFE70, 0xFEFE),  # Arabic presentation forms B, without the byte order mark
    (0x2E80, 0x2FDF),  # CJK and Kangxi radicals, which broken character maps give in place of the ideographs
)
_DROPPED_CATEGORIES = frozenset({"Cc", "Cs", "Cn"})
_KEPT_CONTROLS = frozenset("\t\n\r")
_DROPPED = frozenset("\u00ad\u200b\u2060\ufeff\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

_SPACED_DECIMAL = re.compile(r"(?<![\d.,])(?<!\. )\d+(?: \d)* \. \d(?: \d)*(?! ?[.,]? ?\d)")
_ADDRESS_TAIL = re.compile(r"(?:https?:|www\.|\bdoi:)\S*$")
_WORD_TAIL = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*$")
_WORD_HEAD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Traced:
    """Clean text and, for each of its characters, the half-open range of source characters that it came from."""

    text: str
    origins: tuple[tuple[int, int], ...]


def clean(source: str) -> str:
    """`source` by the text rules of canonical text (see the module)."""
    return trace(source).text


def trace(source: str) -> Traced:
    """`source` by the text rules, with the source range of each resulting character."""
    out: list[str] = []
    origins: list[tuple[int, int]] = []
    position, end = 0, len(source)
    while position < end:
        stop = _cluster_end(source, position)
        replacement = _clean_cluster(source[position:stop])
        out.append(replacement)
        origins.extend([(position, stop)] * len(replacement))
        position = stop
    return Traced("".join(out), tuple(origins))


def trace_edges(source: str, edges: Sequence[float]) -> tuple[str, list[float]]:
    """Clean `source`, whose character i lies between edges[i] and edges[i + 1]; the edges of the clean text.

    Characters that come out of one source cluster (a ligature) share its width evenly.
    """
    if source.isascii() and source.isprintable():
        return source, list(edges)
    traced = trace(source)
    if not traced.text:
        return "", [edges[0]]
    out: list[float] = []
    index, count = 0, len(traced.origins)
    while index < count:
        start, stop = traced.origins[index]
        share = 1
        while index + share < count and traced.origins[index + share] == (start, stop):
            share += 1
        left, right = edges[start], edges[stop]
        out.extend(left + (right - left) * step / share for step in range(share))
        index += share
    out.append(edges[traced.origins[-1][1]])
    return traced.text, out


def _cluster_end(source: str, start: int) -> int:
    """The end of the surrogate pair, or of the base character with its combining marks, that begins at `start`."""
    stop = start + 1
    if "\ud800" <= source[start] <= "\udbff" and stop < len(source) and "\udc00" <= source[stop] <= "\udfff":
        return stop + 1
    while stop < len(source) and source[stop] > "\u02ff" and _attaches(source[stop]):
        stop += 1
    return stop


@lru_cache(maxsize=4096)
def _attaches(character: str) -> bool:
    """Whether NFC may merge the character into the one before it: marks, Hangul vowels and finals."""
    if unicodedata.combining(character) or "\u1160" <= character <= "\u11ff":
        return True
    return unicodedata.category(character) == "Mc"


@lru_cache(maxsize=8192)
def _clean_cluster(cluster: str) -> str:
    if len(cluster) == 2 and "\ud800" <= cluster[0] <= "\udbff":
        cluster = cluster.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    kept = "".join(_spelled_out(character) for character in cluster if not _is_dropped(character))
    return unicodedata.normalize("NFC", kept)


def _is_dropped(character: str) -> bool:
    if character in _DROPPED:
        return True
    return unicodedata.category(character) in _DROPPED_CATEGORIES and character not in _KEPT_CONTROLS


def _spelled_out(character: str) -> str:
    code = ord(character)
    if code >= 0x2E80 and any(first <= code <= last for first, last in _COMPATIBILITY):
        return unicodedata.normalize("NFKC", character)
    return character


def is_cjk(character: str) -> bool:
    """Whether lines that meet at this character are joined without a space (Chinese, Japanese; not Korean)."""
    return bool(character) and (
        "\u2e80" <= character <= "\u9fff"
        or "\uf900" <= character <= "\ufaff"
        or "\uff00" <= character <= "\uffef"
        or "\U00020000" <= character <= "\U0003ffff"
    )


def line_separator(before: str, after: str) -> str:
    """What stands between two lines of a paragraph: nothing where both sides are CJK, a space otherwise."""
    return "" if is_cjk(before[-1:]) and is_cjk(after[:1]) else " "


def joins_address(head: str, tail: str) -> bool:
    """Whether a web address that ends line `head` goes on at the start of line `tail`."""
    address = _ADDRESS_TAIL.search(head)
    if address is None or not tail or tail[0].isspace():
        return False
    if tail[0] in "/?=&%#_" or head[-1] in "/=?&_%#":
        return True
    return head[-1] in ".:-" and (tail[0].islower() or tail[0].isdigit())


def joins_hyphenated(head: str, tail: str, words: Collection[str]) -> bool:
    """Whether the hyphen that ends line `head` only breaks a word which goes on in line `tail`.

    `words` holds the document's other words in lower case, compounds with their hyphens. A soft hyphen always joins. A
    joined form that occurs elsewhere joins, a hyphenated form that occurs elsewhere stays; a compound of two known
    words stays, as does what goes on with a capital or a digit.
    """
    if not head or head[-1] not in HYPHENS:
        return False
    if head[-1] == SOFT_HYPHEN:
        return True
    left, right = _WORD_TAIL.search(head[:-1]), _WORD_HEAD.match(tail)
    if left is None or right is None:
        return False
    first, second = left.group().lower(), right.group().lower()
    if first + second in words:
        return True
    before = head[left.start() - 1] if left.start() else ""
    if before in HYPHENS or before.isdigit() or f"{first}-{second}" in words or not right.group()[0].islower():
        return False
    return not (len(first) > 2 and len(second) > 2 and first in words and second in words)


def searchable(text: str) -> str:
    """`text` for the index only: decimals that formula recognition spaced out (`0 . 9 8`) are closed up."""
    return _SPACED_DECIMAL.sub(lambda match: match.group().replace(" ", ""), text)

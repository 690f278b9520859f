"""The names under a title: the first row that looks like names fixes the style, marks and wide gaps part them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from reading_model.documents import BlockType
from reading_model.parsing.pdfium.draft import Draft
from reading_model.parsing.pdfium.lines import TextLine
from reading_model.text import is_cjk

_INSTITUTION = re.compile(
    r"universi|institut|department|laborator|college|school|center\b|centre\b|hospital|faculty|academy|\binc\b|"
    r"research|corporation|company|clinic|ltd|google|microsoft|\blab\b|foundation|division|street|@|http|www|大学|研究",
    re.IGNORECASE,
)
_NO_NAME = re.compile(r"\d|[@:/=()\[\]{}]")
_PARTICLES = frozenset(
    [
        "de",
        "da",
        "di",
        "du",
        "del",
        "della",
        "van",
        "von",
        "der",
        "den",
        "la",
        "le",
        "el",
        "al",
        "bin",
        "ibn",
        "ter",
        "ten",
        "dos",
        "das",
        "zu",
        "y",
        "e",
    ]
)
_MARKS = "*†‡§¶∗⋆♯♠♣♥♦☯✉ªº#‖∥◦•·|"
_LONE_QUOTE = re.compile(r"^['’‘\"]\s+")  # a small raised mark, as OCR reads it
_DEGREES = frozenset(["md", "phd", "msc", "bsc", "mph", "dphil", "dr", "prof", "ms", "bs", "ma"])
_SEPARATOR = re.compile(r"\s*(?:,|;|、|·|\band\b|\bund\b|&)\s*")
END = ("abstract", "introduction", "摘要", "概要", "summary", "1introduction")


def author_names(drafts: Sequence[Draft], title: Draft) -> list[str]:
    """Names of authors in printed order; empty where no row under the title looks like names."""
    names: list[str] = []
    style: tuple[float, bool] | None = None
    for line in _rows_below(drafts, title):
        found = _names_of(line)
        if style is None:
            if found:
                style = (line.size, line.bold)
                names.extend(found)
            continue
        if abs(line.size - style[0]) > 0.3 or line.bold != style[1]:
            if names and not found:
                continue
            if abs(line.size - style[0]) > 0.3:
                continue
        names.extend(found)
    return names or _single_name(drafts, title)


def _single_name(drafts: Sequence[Draft], title: Draft) -> list[str]:
    """A name of one word right under the title, if an address there or its own brackets confirm it."""
    rows = list(_rows_below(drafts, title))[:6]
    addresses = "".join(row.text.casefold() for row in rows if "@" in row.text)
    for row in rows[:2]:
        plain = re.sub(r"\s*\([^)]*\)", "", row.text).strip(_MARKS + " ")
        if plain != row.text.strip() and any(map(is_cjk, plain)) and _is_name(plain):
            return [plain]
        if plain.isalpha() and len(plain) > 2 and plain[0].isupper() and plain.casefold() in addresses:
            return [plain]
    return []


def _rows_below(drafts: Sequence[Draft], title: Draft) -> Iterator[TextLine]:
    """The lines after the title, down to the abstract or the first long paragraph."""
    started = False
    for item in drafts:
        if item is title:
            started = True
        elif started and item.type in (BlockType.HEADING, BlockType.PARAGRAPH, BlockType.LIST):
            text = item.text.casefold().replace(" ", "")
            if item.type is BlockType.HEADING and text.strip(".:0123456789") in END:
                return
            if len(item.lines) > 4 and len(item.text) > 450:
                return
            yield from item.lines


def _names_of(line: TextLine) -> list[str]:
    """The names in a line, empty unless most of it is names."""
    if _INSTITUTION.search(line.text):
        return []
    parts = list(_parts(line))
    names = [part for part in parts if _is_name(part)]
    return names if names and len(names) >= 0.6 * len(parts) else []


def _parts(line: TextLine) -> Iterator[str]:
    """Stretches of a line between commas, marks, superscripts and wide gaps."""
    current: list[str] = []
    before = None
    for word in line.words:
        raised = word.size < 0.82 * line.size
        wide = before is not None and word.x0 - before.x1 > 0.9 * line.size
        text = word.text.strip(_MARKS)
        if (raised or wide or not text) and current:
            yield from _split(" ".join(current))
            current = []
        if not raised and text:
            text = re.sub(r"(?<=[^\W\d_])\d[\d,]*[" + re.escape(_MARKS) + r"]*(,?)$", r"\1", text)
            current.append(text)
            if word.text[-1] in _MARKS:
                yield from _split(" ".join(current))
                current = []
        before = word
    if current:
        yield from _split(" ".join(current))


def _split(text: str) -> Iterator[str]:
    for part in _SEPARATOR.split(text):
        name = _LONE_QUOTE.sub("", part.strip(" ,;" + _MARKS))
        if name and name.casefold().replace(".", "") not in _DEGREES:
            yield name


def _is_name(text: str) -> bool:
    """Two to five words with capitals, or a short word of Chinese or Japanese characters."""
    if _NO_NAME.search(text) or len(text) > 60:
        return False
    if any(map(is_cjk, text)):
        return 2 <= len(text.replace(" ", "")) <= 6
    words = text.split()
    if not 2 <= len(words) <= 6:
        return False
    return all(word.casefold() in _PARTICLES or word[0].isupper() for word in words) and any(
        len(word.strip(".")) > 1 for word in words
    )

"""Location texts: stretches of elements joined into one text, with the way back to every character's element."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reading_model.models import Element, Part
from reading_model.spans import page_at

PARAGRAPH_BREAK = "\n\n"
LINE_BREAK = "\n"


@dataclass(frozen=True, slots=True)
class Piece:
    """element.text[start:end], put into a location's text after `joiner`."""

    element: Element
    start: int
    end: int
    joiner: str = PARAGRAPH_BREAK

    @property
    def text(self) -> str:
        """The stretch itself."""
        return self.element.text[self.start : self.end]

    @property
    def page(self) -> int:
        """The page on which the stretch starts."""
        return page_at(self.element, self.start)

    @property
    def page_end(self) -> int:
        """The page on which the stretch ends."""
        return page_at(self.element, max(self.start, self.end - 1))


def whole(element: Element, joiner: str = PARAGRAPH_BREAK) -> Piece:
    """All of an element's text but the blanks around it."""
    text = element.text
    return Piece(element, len(text) - len(text.lstrip()), len(text.rstrip()), joiner)


def joined(pieces: Iterable[Piece]) -> tuple[str, tuple[Part, ...]]:
    """The text of the pieces that hold any, and its parts."""
    texts: list[str] = []
    parts: list[Part] = []
    length = 0
    for piece in pieces:
        if piece.start >= piece.end:
            continue
        joiner = piece.joiner if parts else ""
        parts.append(Part(piece.element.ordinal, piece.start, piece.end, length + len(joiner)))
        texts += [joiner, piece.text]
        length += len(joiner) + piece.end - piece.start
    return "".join(texts), tuple(parts)


def on_page(element: Element, page: int) -> Piece | None:
    """The stretch of an element that stands on a page; None when there is none."""
    if element.page == element.page_end:
        return whole(element) if element.page == page else None
    lines = [line for line in element.lines if line.page == page]
    if not lines:
        # without lines an element that spans pages stays on the page where it starts
        return whole(element) if page == element.page and not element.lines else None
    start, end = min(line.start for line in lines), max(line.end for line in lines)
    text = element.text[start:end]
    return Piece(element, start + len(text) - len(text.lstrip()), start + len(text.rstrip()))


def page_range(pieces: Sequence[Piece]) -> tuple[int, int]:
    """First and last page of some pieces."""
    return min(piece.page for piece in pieces), max(piece.page_end for piece in pieces)

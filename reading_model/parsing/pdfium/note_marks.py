"""Which note a mark in the text belongs to: the one on its page that begins with the same mark.

Only what is certain is bound. A note's mark has to come once among the notes of its page, and once in the page's text;
the names under a title may share one. What could be two things (a power of ten, a citation, a second note) is nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from reading_model.documents import Block, BlockType, NoteMark

Range = tuple[int, int]
"""From where to where in a block's text."""

_TEXT = frozenset({BlockType.TITLE, BlockType.HEADING, BlockType.PARAGRAPH, BlockType.LIST, BlockType.CAPTION})
_NOTE = re.compile(r"(?P<mark>\d{1,3}|[a-z](?=\s)|([*†‡§¶#‖])\2*)\s?(?=\S*[^\W\d_])")
_AFTER_A_WORD = re.compile(r"(?:[^\W\d_]{2}|[.,;:!?)\]}”’\"'»]|[*†‡§¶#‖]|[\u3001-\u9fff）])\s?$")
MIN_NOTE = 6  # characters


@dataclass(frozen=True, slots=True)
class _Place:
    """A mark at block.text[start:end]."""

    block: Block
    start: int
    end: int

    @property
    def mark(self) -> str:
        """The mark itself."""
        return self.block.text[self.start : self.end]


def with_note_marks(blocks: Sequence[Block], marks: Sequence[Sequence[Range]]) -> tuple[Block, ...]:
    """The blocks with the marks of their notes; `marks` are the places in each block where one may be."""
    names = _names_under_the_title(blocks)
    bound: dict[int, list[NoteMark]] = {}
    for _, page in groupby(zip(blocks, marks, strict=True), key=lambda item: item[0].page):
        for place, note in _bound_on_page(list(page), names):
            mark = NoteMark(place.start, place.end, note.block.ordinal, note.start, note.end)
            bound.setdefault(place.block.ordinal, []).append(mark)
    return tuple(
        replace(block, note_marks=tuple(sorted(bound[block.ordinal], key=lambda mark: mark.start)))
        if block.ordinal in bound
        else block
        for block in blocks
    )


def _names_under_the_title(blocks: Sequence[Block]) -> frozenset[int]:
    """The ordinals of what stands between the title and the first heading or long paragraph of its page."""
    found: list[int] = []
    title: Block | None = None
    for block in blocks:
        if block.type is BlockType.TITLE:
            title = block
        elif title is not None and block.type in _TEXT:
            if block.page != title.page or block.type is BlockType.HEADING or len(block.text) > 450:
                break
            found.append(block.ordinal)
    return frozenset(found)


def _bound_on_page(
    page: Sequence[tuple[Block, Sequence[Range]]], names: frozenset[int]
) -> Iterator[tuple[_Place, _Place]]:
    notes = [note for block, ranges in page if (note := _note(block, ranges)) is not None]
    places = [_Place(block, *place) for block, ranges in page if block.type in _TEXT for place in ranges]
    affiliations = {place.block.ordinal for place in places if place.block.ordinal in names and place.start == 0}
    for place in places:
        if place.block.ordinal in affiliations:
            notes.append(place)
    for note in _singles(notes):
        if note.block.ordinal in affiliations:
            yield from ((place, note) for place in places if _names(place, names, affiliations) and _same(place, note))
        else:
            yield from ((place, note) for place in _of_note(note, places, names, affiliations))


def _note(block: Block, ranges: Sequence[Range]) -> _Place | None:
    """The mark at the start of a footnote of the page, none of a table: raised, or a sign."""
    match = _NOTE.match(block.text) if block.type is BlockType.FOOTNOTE and block.parent is None else None
    if match is None or len(block.text) < MIN_NOTE:
        return None
    mark = match["mark"]
    raised = any(start == 0 for start, _ in ranges)
    return _Place(block, 0, len(mark)) if raised or not mark.isalnum() else None


def _singles(notes: Sequence[_Place]) -> Iterator[_Place]:
    """The notes whose mark no other one has."""
    marks = [note.mark for note in notes]
    yield from (note for note in notes if marks.count(note.mark) == 1)


def _same(place: _Place, note: _Place) -> bool:
    return place.mark == note.mark


def _names(place: _Place, names: frozenset[int], affiliations: set[int]) -> bool:
    return place.block.ordinal in names and place.block.ordinal not in affiliations and place.start > 0


def _of_note(note: _Place, places: Sequence[_Place], names: frozenset[int], affiliations: set[int]) -> Sequence[_Place]:
    """The mark of a note in the text, or those of the names that share it; nothing where both have it."""
    same = [place for place in places if _same(place, note)]
    of_names = [place for place in same if _names(place, names, affiliations)]
    of_text = [
        place
        for place in same
        if place.block.ordinal not in names and _AFTER_A_WORD.search(place.block.text[: place.start])
    ]
    if of_names and of_text:
        return []
    return of_names or (of_text if len(of_text) == 1 else [])

"""Several forms of one result: the first is the base, the others fill what it lacks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reading_model.documents import BlockType, Diagnostic
from reading_model.parsing.mineru.items import Item
from reading_model.parsing.mineru.layout import TOLERANCE, distance

_FILLED = ("text", "entries", "captions", "footnotes", "image")


def completed(base: Sequence[Item], other: Sequence[Item], notes: list[Diagnostic]) -> list[Item]:
    """The items of `base`, with empty fields filled from those of `other` at the same place.

    What only `other` has is put in after the item before it there, and noted, unless its words are on the page already.
    """
    out = list(base)
    letters = _letters_by_page(out)
    at = 0
    for item in other:
        match = _at_same_place(out, item)
        if match is not None:
            out[match] = _filled(out[match], item)
            at = match + 1
        elif not item.is_empty and item.place is not None and _is_new(item, letters):
            at = max(at, _page_start(out, item.page))
            out.insert(at, item)
            at += 1
            message = "A block that one file of the output lacks was taken from another."
            notes.append(Diagnostic("block_completed", message, item.page))
    return out


def _at_same_place(items: Sequence[Item], item: Item) -> int | None:
    if item.place is None:
        return None
    found = [
        (distance(other.place, item.place), index)
        for index, other in enumerate(items)
        if other.page == item.page and other.place is not None
    ]
    nearest = min(found, default=(TOLERANCE + 1, 0))
    return nearest[1] if nearest[0] <= TOLERANCE else None


def _filled(item: Item, other: Item) -> Item:
    if item.type is not other.type or (item.type is BlockType.PARAGRAPH and item.is_empty):
        return item  # an empty paragraph says that the one before it goes on here
    missing = {name: getattr(other, name) for name in _FILLED if not getattr(item, name) and getattr(other, name)}
    if item.entries:
        missing.pop("text", None)
    if item.text and item.type is not BlockType.TABLE:
        missing.pop("entries", None)
    return replace(item, **missing)


def _page_start(items: Sequence[Item], page: int) -> int:
    return next((index for index, item in enumerate(items) if item.page >= page), len(items))


def _letters_by_page(items: Sequence[Item]) -> dict[int, str]:
    pages: dict[int, list[str]] = {}
    for item in items:
        # what goes on over a page break stands in full on the page where it starts
        for page in (item.page, item.page + 1):
            pages.setdefault(page, []).append(_letters(item))
    return {page: "\n".join(texts) for page, texts in pages.items()}


def _letters(item: Item) -> str:
    parts = (item.text, *item.entries, *item.captions, *item.footnotes)
    return "".join(character for part in parts for character in part.casefold() if character.isalnum())


def _is_new(item: Item, letters: dict[int, str]) -> bool:
    return _letters(item) not in letters.get(item.page, "")

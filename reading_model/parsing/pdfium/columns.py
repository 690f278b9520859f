"""Reading order: where a page's columns part, and in which order its pieces are read.

A region is cut by a vertical gutter where one runs through it; otherwise into strips, which are put together again as
long as their union keeps a gutter, so that paragraph gaps that happen to align across columns do not cut a page.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from reading_model.parsing.pdfium.words import Word

MIN_GUTTER = 7.0  # points; journals set columns 12 to 25 points apart, tables and lists less
MIN_WORDS = 60
MAX_DEPTH = 12


class Placed(Protocol):
    """Anything with a place on the page."""

    x0: float
    x1: float
    top: float
    bottom: float


P = TypeVar("P", bound=Placed)


def gutters_of(words: Sequence[Word], width: float) -> list[tuple[float, float]]:
    """Vertical bands that hardly any word of the page crosses, as (x0, x1); none on pages with few words."""
    if len(words) < MIN_WORDS:
        return []
    bins = [0] * (int(width) + 2)
    for word in words:
        for x in range(max(0, int(word.x0 + 0.5)), min(len(bins), int(word.x1 + 0.5))):
            bins[x] += 1
    used = sorted(count for count in bins if count)
    typical = used[len(used) // 2] if used else 0
    few = max(1, round(0.12 * typical))
    first = next((x for x, count in enumerate(bins) if count > few), 0)
    last = next((x for x in range(len(bins) - 1, -1, -1) if bins[x] > few), 0)
    found: list[tuple[float, float]] = []
    start: int | None = None
    for x in range(first, last + 1):
        if bins[x] <= few:
            start = x if start is None else start
        elif start is not None:
            if x - start >= MIN_GUTTER:
                found.append((float(start), float(x)))
            start = None
    return found


def in_reading_order(items: Sequence[P], *, rtl: bool = False) -> list[list[P]]:
    """`items` as columns: each list is read from top to bottom before the next one."""
    return [column for column in _region(list(items), 0, rtl=rtl) if column]


def _region(items: list[P], depth: int, *, rtl: bool) -> list[list[P]]:
    if len(items) < 2 or depth > MAX_DEPTH:
        return [items]
    cut = _gutter(items)
    if cut is not None:
        sides = [[item for item in items if _centre(item) < cut], [item for item in items if _centre(item) >= cut]]
        if rtl:
            sides.reverse()
        return [column for side in sides for column in _region(side, depth + 1, rtl=rtl)]
    bands = _bands(items)
    if len(bands) == 1:
        return [sorted(items, key=lambda item: (item.bottom, item.x0))]
    out: list[list[P]] = []
    for band in bands:
        out.extend(_region(band, depth + 1, rtl=rtl))
    return _joined(out)


def _joined(columns: list[list[P]]) -> list[list[P]]:
    """Neighbouring single columns, one below the other, are one column."""
    out: list[list[P]] = []
    for column in columns:
        if (
            out
            and column
            and min(i.top for i in column) >= max(i.bottom for i in out[-1]) - 3
            and _share(out[-1], column)
        ):
            out[-1] = [*out[-1], *column]
        else:
            out.append(column)
    return out


def _share(one: list[P], other: list[P]) -> bool:
    left = max(min(i.x0 for i in one), min(i.x0 for i in other))
    right = min(max(i.x1 for i in one), max(i.x1 for i in other))
    narrower = min(_width(one), _width(other))
    return right - left > 0.5 * narrower


def _width(items: list[P]) -> float:
    return max(i.x1 for i in items) - min(i.x0 for i in items)


def _centre(item: Placed) -> float:
    return (item.x0 + item.x1) / 2


def _gutter(items: Sequence[P]) -> float | None:
    """The middle of the widest vertical gap that no item crosses; both sides must hold something of a column."""
    spans = sorted((item.x0, item.x1) for item in items)
    best: tuple[float, float] | None = None
    reach = spans[0][1]
    for x0, x1 in spans[1:]:
        gap = x0 - reach
        if gap >= MIN_GUTTER and (best is None or gap > best[1] - best[0]):
            best = (reach, x0)
        reach = max(reach, x1)
    return (best[0] + best[1]) / 2 if best else None


def _bands(items: list[P]) -> list[list[P]]:
    """Strips between horizontal gaps, put together while their union has a gutter, or while none of them has."""
    strips = _strips(items)
    bands: list[list[P]] = []
    parted = False
    for strip in strips:
        own = _gutter(strip) is not None
        if not bands:
            bands.append(strip)
            parted = own
            continue
        union = [*bands[-1], *strip]
        if (_gutter(union) is not None) if parted else not own:
            bands[-1] = union
        else:
            bands.append(strip)
            parted = own
    return bands


def _strips(items: list[P]) -> list[list[P]]:
    """Groups of items whose heights overlap, from top to bottom."""
    ordered = sorted(items, key=lambda item: item.top)
    strips: list[list[P]] = [[ordered[0]]]
    reach = ordered[0].bottom
    for item in ordered[1:]:
        if item.top >= reach - 1.0:
            strips.append([item])
        else:
            strips[-1].append(item)
        reach = max(reach, item.bottom)
    return strips

"""Edges of characters as the store keeps them: whole hundredths of a point, unpacked only when somebody looks.

A reader mostly wants the rectangle of whole lines. The leftmost and the rightmost edge stand at the head of the packed
form, so that the edges between them, the bulk of a model, need not be unpacked for that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import overload

from typing_extensions import override

_HUNDREDTHS = 100


class PackedEdges(Sequence[float]):
    """A sequence of positions in points, equal to the tuple of them.

    `text` holds whole hundredths of a point, joined by commas: the least, the greatest, the first, and then the steps
    from one position to the next.
    """

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def extent(self) -> tuple[float, float]:
        """The least and the greatest position, in points."""
        low, high, _ = self.text.split(",", 2)
        return int(low) / _HUNDREDTHS, int(high) / _HUNDREDTHS

    def steps(self) -> str:
        """The first position and the steps from one to the next, in hundredths of a point, joined by commas."""
        return self.text.split(",", 2)[2]

    def unpacked(self) -> tuple[float, ...]:
        """All positions, in points."""
        return positions(map(int, self.text.split(",")[2:]))

    @overload
    def __getitem__(self, index: int) -> float: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[float, ...]: ...
    @override
    def __getitem__(self, index: int | slice) -> float | tuple[float, ...]:
        return self.unpacked()[index]

    @override
    def __len__(self) -> int:
        return self.text.count(",") - 1

    @override
    def __eq__(self, other: object) -> bool:
        return self.text == other.text if isinstance(other, PackedEdges) else self.unpacked() == other

    @override
    def __hash__(self) -> int:
        return hash(self.unpacked())

    @override
    def __repr__(self) -> str:
        return f"PackedEdges({self.text!r})"


def whole_hundredths(edges: Sequence[float]) -> list[int] | None:
    """Positions in hundredths of a point; None where they are not whole, so that something would be lost."""
    try:
        whole = [round(edge * _HUNDREDTHS) for edge in edges]
    except (OverflowError, ValueError):  # infinite or no number
        return None
    return whole if [number / _HUNDREDTHS for number in whole] == list(edges) else None


def steps_of(whole: Sequence[int]) -> list[int]:
    """The first of one or more numbers, and then the steps from one to the next."""
    return [whole[0], *(after - before for before, after in pairwise(whole))]


def packed_text(whole: Sequence[int]) -> str:
    """The text of `PackedEdges` for one or more positions in hundredths of a point."""
    return f"{min(whole)},{max(whole)},{whole[0]}" + "".join(
        [f",{after - before}" for before, after in pairwise(whole)]
    )


def positions(steps: Iterable[int]) -> tuple[float, ...]:
    """Positions in points, from the first one and the steps in hundredths of a point."""
    return tuple([number / _HUNDREDTHS for number in accumulate(steps)])


def extent(edges: Sequence[float]) -> tuple[float, float]:
    """The least and the greatest of some positions, in points."""
    return edges.extent() if isinstance(edges, PackedEdges) else (min(edges), max(edges))

"""What the index says about itself: its state, what a start found, and what a comparison with SQL found."""

from __future__ import annotations

from dataclasses import dataclass

from reading_model.models import IndexStatus


@dataclass(frozen=True, slots=True)
class IndexStatusReport:
    """Papers by state; points that should be there for the papers that answer, and those that are."""

    contract: str
    papers: dict[IndexStatus, int]
    expected_points: int
    points: int
    cards: int


@dataclass(frozen=True, slots=True)
class StartReport:
    """What was put right when the library opened: papers to build again, models whose points were removed."""

    incomplete_papers: tuple[str, ...] = ()
    removed_models: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """SQL against points. Refs are location refs, or paper ids where a card is meant.

    `missing` should have a point and have none, `unexpected` points belong to no current model, `altered` points have
    other routing fields than SQL says (another text hash or contract among them). `unfinished` papers have a model
    that is not READY, so their points are not compared.
    """

    papers: int
    points: int
    cards: int
    missing: tuple[str, ...] = ()
    unexpected: tuple[str, ...] = ()
    altered: tuple[str, ...] = ()
    unfinished: tuple[str, ...] = ()

    @property
    def clean(self) -> bool:
        """Whether every point is there, is right and belongs there."""
        return not (self.missing or self.unexpected or self.altered or self.unfinished)

"""What the index says about itself: its state, what a start found, and what a comparison with SQL found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from reading_model.models import IndexStatus
from reading_model.store import IndexBuild

DRIFT_LIMIT = 0.2


@dataclass(frozen=True, slots=True)
class IndexStatusReport:
    """Papers by state; points that should be there for the papers that answer, and those that are."""

    contract: str
    papers: dict[IndexStatus, int]
    expected_points: int
    points: int
    cards: int


@dataclass(frozen=True, slots=True)
class MeanLength:
    """The mean length of an indexed text in weighted words: what scores are computed with, and what it is now.

    `measured` is None while no serving paper has been counted.
    """

    frozen: float
    measured: float | None

    @property
    def drift(self) -> float:
        """By what part of the frozen mean the measured one differs from it: 0.25 is a quarter longer."""
        return 0.0 if self.measured is None else self.measured / self.frozen - 1

    @property
    def drifted(self) -> bool:
        """Whether scores suffer so much that a rebuild is due."""
        return abs(self.drift) > DRIFT_LIMIT


@dataclass(frozen=True, slots=True)
class IndexState:
    """Everything `index status` knows, some of it also while another process has the index open.

    `counts` is None while that is so (`in_use` says by whom) or while the index has other rules than this release's
    (`mismatch` says which). `rebuild` is a full rebuild that is not finished.
    """

    contract: str
    papers: Mapping[IndexStatus, int]
    expected_points: int
    mean_length: MeanLength | None
    counts: IndexStatusReport | None
    in_use: str | None
    mismatch: str | None
    rebuild: IndexBuild | None
    leftovers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StartReport:
    """What was put right when the library opened: papers to build again, models whose points were removed."""

    incomplete_papers: tuple[str, ...] = ()
    removed_models: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RebuildProgress:
    """How far a full rebuild is, in papers."""

    phase: Literal["measuring", "building"]
    done: int
    papers: int


@dataclass(frozen=True, slots=True)
class RebuildReport:
    """A full rebuild that is in force. `resumed` papers were there from an interrupted one; `removed` collections went.

    `avgdl` is the mean length of an indexed text in weighted words, as measured and now frozen.
    """

    contract: str
    papers: int
    resumed: int
    avgdl: float
    removed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """SQL against points. Refs are location refs, or paper ids where a card is meant.

    `missing` should have a point and have none, `unexpected` points belong to no current model, `altered` points have
    other routing fields than SQL says (another text hash or contract among them). `unfinished` papers have a model
    that is not READY, so their points are not compared. `leftovers` are collections that nothing needs or has open.
    `papers_to_build` and `models_to_remove` say what would put it right.
    """

    papers: int
    points: int
    cards: int
    missing: tuple[str, ...] = ()
    unexpected: tuple[str, ...] = ()
    altered: tuple[str, ...] = ()
    unfinished: tuple[str, ...] = ()
    leftovers: tuple[str, ...] = ()
    papers_to_build: tuple[str, ...] = ()
    models_to_remove: tuple[str, ...] = ()

    @property
    def clean(self) -> bool:
        """Whether every point is there, is right and belongs there."""
        return not (self.missing or self.unexpected or self.altered or self.unfinished or self.leftovers)

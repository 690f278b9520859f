"""What a page holds, as plain values: characters, runs of one font, graphics.

Coordinates are points from the top-left corner of the page at /Rotate 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reading_model.documents import Rect

INVISIBLE = 3  # text rendering mode 3: neither fill nor stroke (PDF 1.7, 9.3.6)
CLIPPED_INVISIBLE = 7
NO_RUN = -1
Colour = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Font:
    """What a font's name and flags say. One object a name in a document, so that fonts compare by identity."""

    name: str
    bold: bool
    italic: bool
    mono: bool


class Run(NamedTuple):
    """A text object: one font, size (points), direction (degrees clockwise on the page), baseline origin and colour."""

    font: Font
    size: float
    angle: int
    x: float
    y: float
    mode: int
    fill: Colour
    z: int


@dataclass(frozen=True, slots=True)
class Graphic:
    """A painted `rect`, `path`, `image` or `shading`; `z` is its place in painting order, shared with text runs."""

    kind: str
    rect: Rect
    z: int
    fill: Colour | None = None
    stroked: bool = False


@dataclass(slots=True)
class RawPage:
    """A page's characters as parallel arrays (code point, box, index of run), its runs and graphics.

    `boxes` and `ink` hold x0, y0, x1, y1: as wide as the advance and as high as the font, and of what is painted.
    """

    number: int
    width: float
    height: float
    rotation: int
    label: str | None
    codes: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    boxes: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 4)))
    run_of: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    runs: list[Run] = field(default_factory=list[Run])
    graphics: list[Graphic] = field(default_factory=list[Graphic])
    ink: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 4)))


_BOLD = (
    "bold",
    "-bd",
    "heavy",
    "black",
    "medi",
    "demi",
    "cmbx",
    "cmb1",
    "sfbx",
    "ecbx",
    "lmbx",
    "tb-",
    "linbiolinumtb",
    "rmbx",
)
_ITALIC = ("italic", "oblique", "-it", "cmti", "cmmi", "sfti", "ecti", "slant", "ital", "cmsl", "lmri")
_MONO = (
    "mono",
    "courier",
    "cmtt",
    "typewriter",
    "consol",
    "menlo",
    "inconsolata",
    "sftt",
    "ectt",
    "lmtt",
    "nimbusmon",
    "txtt",
)
_FIXED_PITCH, _ITALIC_FLAG, _FORCE_BOLD = 1, 64, 1 << 18  # PDF 1.7, table 123


def font_of(name: str, flags: int) -> Font:
    """A font's style by its PostScript name (weights in /Flags and StemV are unreliable) and descriptor flags."""
    plain = name.split("+", 1)[-1]
    low = plain.lower()
    mono = any(part in low for part in _MONO) or (bool(flags & _FIXED_PITCH) and "cjk" not in low)
    bold = any(part in low for part in _BOLD) or bool(flags & _FORCE_BOLD) or low.endswith(("-b", ".b"))
    italic = any(part in low for part in _ITALIC) or bool(flags & _ITALIC_FLAG) or low.endswith(("-i", ".i"))
    return Font(plain, bold, italic, mono)

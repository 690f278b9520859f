"""What a recognition engine takes and gives. Lengths are pixels of the picture from its top-left corner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class GreyImage:
    """A picture of 8-bit grey samples, row after row without padding, and its resolution in pixels an inch."""

    width: int
    height: int
    samples: bytes
    dpi: float

    def pgm(self) -> bytes:
        """The picture as a portable graymap (Netpbm, magic P5)."""
        return b"P5\n%d %d\n255\n" % (self.width, self.height) + self.samples


@dataclass(frozen=True, slots=True)
class ReadWord:
    """A word in reading direction: `edges[i]` and `edges[i + 1]` enclose character i. `confidence` is from 0 to 1."""

    text: str
    edges: tuple[float, ...]
    confidence: float


@dataclass(frozen=True, slots=True)
class ReadLine:
    """Words on one baseline, which passes through (x0, y0) and (x1, y1); `size` is the size of the type."""

    words: tuple[ReadWord, ...]
    x0: float
    y0: float
    x1: float
    y1: float
    size: float


@dataclass(frozen=True, slots=True)
class Reading:
    """A picture as it was read: lines, rules and pictures on it.

    `turn`: by how many degrees clockwise the picture had to be turned for its text to stand upright (0, 90, 180, 270);
    all places are those of the turned picture.
    """

    lines: tuple[ReadLine, ...]
    rules: tuple[Box, ...] = ()
    pictures: tuple[Box, ...] = ()
    turn: int = 0

    @property
    def letters(self) -> int:
        """How many letters and digits were read."""
        return sum(character.isalnum() for line in self.lines for word in line.words for character in word.text)


@dataclass(frozen=True, slots=True)
class Unread:
    """A picture that could not be read, and why, for people."""

    reason: str


class OcrEngine(Protocol):
    """Reads pictures of pages. `identity` names all that the result depends on: engine, version, languages."""

    @property
    def identity(self) -> str:
        """For instance `tesseract 5.3.0 eng`; part of a parsed document's provenance."""
        ...

    @property
    def dpi(self) -> int:
        """The resolution at which the engine was measured best."""
        ...

    def read(self, image: GreyImage) -> Reading | Unread:
        """Read one picture; what goes wrong with it is an answer, not an error."""
        ...

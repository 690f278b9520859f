"""What layout works on: pages of lines in their frame, and drafts of blocks."""

from __future__ import annotations

from dataclasses import dataclass, field

from reading_model.documents import BlockType
from reading_model.parsing.pdfium.frame import Frame
from reading_model.parsing.pdfium.lines import TextLine


@dataclass(frozen=True, slots=True)
class Shape:
    """A painted graphic in the page's frame; a rule is a thin straight one."""

    kind: str
    x0: float
    top: float
    x1: float
    bottom: float

    @property
    def width(self) -> float:
        """Horizontal extent, points."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """Vertical extent, points."""
        return self.bottom - self.top


@dataclass(slots=True, eq=False)
class PageLayout:
    """A page's lines in its frame (from top to bottom), graphics and gutters; stamps run in other directions."""

    number: int
    frame: Frame
    lines: list[TextLine]
    stamps: list[tuple[Frame, list[TextLine]]]
    shapes: list[Shape]
    gutters: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])


@dataclass(slots=True, eq=False)
class TableDraft:
    """A table in the making: for each row its cells, in order of columns, and how many rows are the header."""

    rows: list[list[CellDraft]]
    column_count: int
    header_rows: int


@dataclass(slots=True, eq=False)
class CellDraft:
    """A cell from the first to the last column that it covers, its lines, and how many rows it covers downwards."""

    first: int
    last: int
    lines: list[TextLine]
    rows: int = 1


@dataclass(slots=True, eq=False)
class Draft:
    """A block in the making: its lines on one page in reading order, and the draft it belongs to.

    `frame` is set where the lines run in another direction than the page's.
    """

    type: BlockType
    page: int
    lines: list[TextLine]
    x0: float = 0.0
    x1: float = 0.0
    top: float = 0.0
    bottom: float = 0.0
    level: int | None = None
    parent: Draft | None = None
    table: TableDraft | None = None
    frame: Frame | None = None

    def measure(self) -> Draft:
        """Set the extent from the lines."""
        self.x0 = min(line.x0 for line in self.lines)
        self.x1 = max(line.x1 for line in self.lines)
        self.top = min(line.top for line in self.lines)
        self.bottom = max(line.bottom for line in self.lines)
        return self

    @property
    def text(self) -> str:
        """The lines with spaces between: for rules, not for readers."""
        return " ".join(line.text for line in self.lines)


def draft(kind: BlockType, page: int, lines: list[TextLine], *, level: int | None = None) -> Draft:
    """A draft around these lines (at least one)."""
    return Draft(kind, page, lines, level=level).measure()

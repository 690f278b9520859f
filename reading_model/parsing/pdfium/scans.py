"""Pages that are pictures: which they are, and how what OCR read on them becomes a page like any other.

Recognised words enter the same pipeline as the characters of a text layer: straightened by the slope of their
baselines, their sizes snapped to those of the document, bold where their strokes are. Slant is unknown.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import NamedTuple

import numpy as np

from reading_model.documents import Diagnostic, Rect
from reading_model.parsing.ocr import OcrEngine, Reading, ReadLine, ReadWord, Unread
from reading_model.parsing.ocr.reading import Box
from reading_model.parsing.ocr.strokes import stroke_widths
from reading_model.parsing.pdfium.draft import PageLayout
from reading_model.parsing.pdfium.frame import Frame, frame_at
from reading_model.parsing.pdfium.hidden import covers_page
from reading_model.parsing.pdfium.page_content import NO_RUN, Font, Graphic, RawPage, Run
from reading_model.parsing.pdfium.pages import layout_of, page_ranges
from reading_model.parsing.pdfium.raw import RawDocument

FEW_LETTERS = 100  # a library's stamp, a page number: no text of the page
GAIN = 5  # times the letters of the text layer that OCR must find to take its place
SNAP = 0.09  # share by which sizes of one face differ when they are measured from pictures
LEVEL = 0.0005  # radians: less than a pixel over a line
HEAVY = 1.22  # times the usual width of strokes: bold type has 1.3 to 1.5, capitals up to 1.15
SOLID = 1.8  # times: a filled disc or square, whatever letter it was taken for
BULLET = "•"
_REGULAR = Font("", bold=False, italic=False, mono=False)
_BOLD = Font("", bold=True, italic=False, mono=False)
_BLACK = (0, 0, 0, 255)


@dataclass(frozen=True, slots=True)
class ReadScan:
    """A page that OCR has read: the page as pdfium gave it, what was read, and at how many pixels an inch.

    `strokes` holds for each line and word the width of its strokes as a share of the type size.
    """

    raw: RawPage
    reading: Reading
    strokes: Sequence[Sequence[float]]
    dpi: float

    def size(self, line: ReadLine) -> float:
        """The measured size of a line's type in points, to a tenth."""
        return round(line.size * 72 / self.dpi, 1)


class PictureReader:
    """Reads the pages of one document that are pictures. `engine` is asked for when the first one comes."""

    def __init__(self, engine: Callable[[], OcrEngine]) -> None:
        self._find = engine
        self._engine: OcrEngine | None = None
        self._scans: list[ReadScan] = []
        self._unread: list[Diagnostic] = []

    @property
    def identity(self) -> str:
        """What the reading depends on, for the provenance; empty where every page has text of its own."""
        return f"ocr={self._engine.identity}" if self._engine and self._scans else ""

    def take(self, document: RawDocument, raw: RawPage, layout: PageLayout) -> bool:
        """Read the page if it is a picture; whether that gave its text. Raises what finding an engine raises."""
        if not is_picture(raw, layout):
            return False
        if self._engine is None:
            self._engine = self._find()
        image = document.picture(raw.number - 1, self._engine.dpi)
        reading = self._engine.read(image)
        if isinstance(reading, Unread):
            self._unread.append(Diagnostic("ocr_failed", f"OCR did not read this page: {reading.reason}.", raw.number))
            return False
        if reading.letters < max(1, GAIN * letters(layout)):
            return False
        self._scans.append(ReadScan(raw, reading, stroke_widths(image, reading), image.dpi))
        return True

    def replace_in(self, layouts: list[PageLayout]) -> None:
        """Put the pages that were read in the place of the empty ones."""
        read = {layout.number: layout for layout in layouts_of(self._scans)}
        layouts[:] = [read.get(layout.number, layout) for layout in layouts]

    def notes(self) -> list[Diagnostic]:
        """Which pages were read by OCR, and which could not be."""
        numbers = [scan.raw.number for scan in self._scans]
        if not numbers or self._engine is None:
            return self._unread
        where = f"Pages {page_ranges(numbers)} were" if len(numbers) > 1 else f"Page {numbers[0]} was"
        message = f"{where} read by OCR ({self._engine.identity}); single words may be wrong."
        return [Diagnostic("read_by_ocr", message, numbers[0] if len(numbers) == 1 else None), *self._unread]


def is_picture(raw: RawPage, layout: PageLayout) -> bool:
    """Whether the page shows something and has no text of its own, but perhaps a stamp beside its full-page picture."""
    if not layout.lines:
        return bool(raw.graphics) or len(raw.codes) > 0
    scanned = any(graphic.kind == "image" and covers_page(graphic.rect, raw) for graphic in raw.graphics)
    return scanned and letters(layout) < FEW_LETTERS


def letters(layout: PageLayout) -> int:
    """How many letters and digits the text layer holds."""
    return sum(character.isalnum() for line in layout.lines for character in line.text)


def layouts_of(scans: Sequence[ReadScan]) -> list[PageLayout]:
    """The pages as layouts, with sizes snapped over all of them."""
    sizes = _snapped((scan.size(line), _length(line)) for scan in scans for line in scan.reading.lines)
    usual = _usual_stroke(scans)
    return [_layout(scan, sizes, usual) for scan in scans]


def _usual_stroke(scans: Sequence[ReadScan]) -> float:
    """The median width of strokes over all words; 0 where there are none."""
    return median([width for scan in scans for line in scan.strokes for width in line] or [0.0])


def _snapped(measured: Iterable[tuple[float, int]]) -> dict[float, float]:
    """For each measured size (with its number of characters) the size of the face it belongs to.

    The commonest size gathers all that differ little from it, then the commonest of the rest, and so on.
    """
    left: dict[float, int] = {}
    for size, count in measured:
        left[size] = left.get(size, 0) + count
    out: dict[float, float] = {}
    while left:
        around = {size: sum(n for other, n in left.items() if abs(other / size - 1) <= SNAP) for size in left}
        centre = max(around, key=lambda size: (around[size], size))
        near = [size for size in left if abs(size / centre - 1) <= SNAP]
        face = round(sum(size * left[size] for size in near) / sum(left[size] for size in near), 1)
        for size in near:
            out[size] = face
            del left[size]
    return out


def _layout(scan: ReadScan, sizes: dict[float, float], usual: float) -> PageLayout:
    raw, reading = scan.raw, scan.reading
    upright = frame_at(raw, (-reading.turn - raw.rotation) % 360)
    frame = replace(upright, skew=_slope(reading.lines))
    scale = 72 / scan.dpi
    page = RawPage(raw.number, frame.width, frame.height, 0, raw.label)
    written: list[_Sign] = []
    for line, strokes in zip(reading.lines, scan.strokes, strict=True):
        words = _with_bullet(line, strokes, usual)
        font = _BOLD if _is_heavy(line, strokes, usual) else _REGULAR
        size = sizes[scan.size(line)]
        written.extend(_written(replace(line, words=words), frame, scale, size, len(page.runs)))
        page.runs.append(_run_of(line, frame, scale, size, font, len(page.runs)))
    page.codes = np.array([sign.code for sign in written], np.int64)
    page.boxes = np.array([sign.box for sign in written]).reshape(-1, 4)
    page.run_of = np.array([sign.run for sign in written], np.int64)
    page.graphics = [
        *(_graphic("rect", _thin(_straight(box, frame, scale)), number) for number, box in enumerate(reading.rules)),
        *(_graphic("image", _straight(box, frame, scale), 0) for box in reading.pictures),
    ]
    layout, _ = layout_of(page)
    layout.frame = frame
    return layout


def _slope(lines: Sequence[ReadLine]) -> float:
    """The angle of most lines in radians; long lines tell it best."""
    angles: list[float] = []
    for line in lines:
        if line.x1 - line.x0 > 8 * line.size:
            angles.append(math.atan2(line.y1 - line.y0, line.x1 - line.x0))
    angle = median(angles) if angles else 0.0
    return angle if abs(angle) > LEVEL else 0.0


def _with_bullet(line: ReadLine, strokes: Sequence[float], usual: float) -> tuple[ReadWord, ...]:
    """The words, the first one a bullet if it is a solid mark: engines read discs as `e`, `©` or `¢`."""
    first = line.words[0]
    is_mark = len(first.text) == 1 and not first.text.isdigit()  # a bold 1 is one solid stroke
    if len(line.words) > 1 and is_mark and strokes[0] > SOLID * usual:
        return (replace(first, text=BULLET), *line.words[1:])
    return line.words


def _is_heavy(line: ReadLine, strokes: Sequence[float], usual: float) -> bool:
    """Whether the line is bold."""
    written = [
        (width, len(word.text))
        for word, width in zip(line.words, strokes, strict=True)
        if width < SOLID * usual  # a bullet, or a bold 1, says nothing of the rest
    ]
    return sum(width * count for width, count in written) > HEAVY * usual * sum(count for _, count in written)


class _Sign(NamedTuple):
    """A character of a page: code point, box, index of its run."""

    code: int
    box: tuple[float, float, float, float]
    run: int


def _baseline(line: ReadLine, frame: Frame, scale: float) -> float:
    """The height of a line's straightened baseline."""
    return frame.straightened((line.x0 + line.x1) / 2 * scale, (line.y0 + line.y1) / 2 * scale)[1]


def _run_of(line: ReadLine, frame: Frame, scale: float, size: float, font: Font, index: int) -> Run:
    return Run(font, size, 0, line.x0 * scale, _baseline(line, frame, scale), 0, _BLACK, index)


def _written(line: ReadLine, frame: Frame, scale: float, size: float, run: int) -> Iterator[_Sign]:
    """A line as one run: words with a space between, all on the line's straightened baseline."""
    base = _baseline(line, frame, scale)
    steep = (line.y1 - line.y0) / max(1.0, line.x1 - line.x0)
    top, bottom = base - 0.75 * size, base + 0.22 * size
    for word in line.words:
        edges = [
            frame.straightened(edge * scale, (line.y0 + steep * (edge - line.x0)) * scale)[0] for edge in word.edges
        ]
        for character, left, right in zip(word.text, edges, edges[1:], strict=False):
            yield _Sign(ord(character), (left, top, max(left, right), bottom), run)
        yield _Sign(0x20, (edges[-1], base, edges[-1], base), NO_RUN)


def _straight(box: Box, frame: Frame, scale: float) -> Rect:
    """A box of the picture, in the straightened frame: its middle moves, its extent stays."""
    x0, y0, x1, y1 = (value * scale for value in box)
    u, v = frame.straightened((x0 + x1) / 2, (y0 + y1) / 2)
    return Rect(u - (x1 - x0) / 2, v - (y1 - y0) / 2, u + (x1 - x0) / 2, v + (y1 - y0) / 2)


def _thin(rect: Rect) -> Rect:
    """A rule without the height that the box of a sloping one has."""
    width, height = rect.x1 - rect.x0, rect.y1 - rect.y0
    if width >= height:
        middle = (rect.y0 + rect.y1) / 2
        return Rect(rect.x0, middle - 0.3, rect.x1, middle + 0.3)
    middle = (rect.x0 + rect.x1) / 2
    return Rect(middle - 0.3, rect.y0, middle + 0.3, rect.y1)


def _graphic(kind: str, rect: Rect, z: int) -> Graphic:
    return Graphic(kind, rect, z, _BLACK if kind == "rect" else None)


def _length(line: ReadLine) -> int:
    return sum(len(word.text) for word in line.words)

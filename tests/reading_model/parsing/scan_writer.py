"""Scans for tests: pages painted and put into a new PDF as pictures, and an engine that knows what it will read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from reading_model.parsing.ocr import GreyImage, Reading, ReadLine, ReadWord, Unread
from reading_model.parsing.pdfium.raw import RawDocument
from tests.reading_model.parsing.pdf_writer import Page, write


def painted(page: Page, image: GreyImage) -> Page:
    """The page with the picture over all of it."""
    page.content.append(
        f"q {page.width} 0 0 {page.height} 0 0 cm BI /W {image.width} /H {image.height} /CS /G /BPC 8 ID "
        f"{image.samples.decode('latin-1')} EI Q"
    )
    return page


def scan_of(pages: Sequence[Page], dpi: float = 200) -> bytes:
    """A PDF that shows these pages and holds no text."""
    with RawDocument(write(pages), None) as document:
        pictures = [document.picture(index, dpi) for index in range(len(pages))]
    return write(
        [painted(Page(page.width, page.height), picture) for page, picture in zip(pages, pictures, strict=True)]
    )


@dataclass
class KnownText:
    """An engine that gives one reading after another, and counts how often it was asked."""

    answers: list[Reading | Unread]
    asked: list[GreyImage] = field(default_factory=list[GreyImage])
    identity: str = "known 1"
    dpi: int = 72

    def read(self, image: GreyImage) -> Reading | Unread:
        self.asked.append(image)
        return self.answers[len(self.asked) - 1]


def read_line(x: float, y: float, text: str, *, size: float = 10, skew: float = 0.0, width: float = 0.5) -> ReadLine:
    """A line as an engine reads it at 72 dpi, its characters `width` em wide, on a page skewed about (306, 396)."""

    def place(u: float, v: float) -> tuple[float, float]:
        right, down = u - 306, v - 396
        cosine, sine = math.cos(skew), math.sin(skew)
        return 306 + right * cosine - down * sine, 396 + right * sine + down * cosine

    words: list[ReadWord] = []
    at = x
    for part in text.split(" "):
        ends = [at + width * size * number for number in range(len(part) + 1)]
        words.append(ReadWord(part, tuple(place(end, y)[0] for end in ends), 0.95))
        at = ends[-1] + 0.3 * size
    (x0, y0), (x1, y1) = place(x, y), place(at - 0.3 * size, y)
    return ReadLine(tuple(words), x0, y0, x1, y1, size)

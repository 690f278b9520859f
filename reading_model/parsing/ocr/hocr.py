"""hOCR (kba.github.io/hocr-spec/1.2), the HTML of recognised pages, to a `Reading`; made for what Tesseract emits."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

from typing_extensions import override

from reading_model.parsing.ocr.reading import Box, Reading, ReadLine, ReadWord

LINES = frozenset({"ocr_line", "ocr_header", "ocr_caption", "ocr_textfloat"})
X_SIZE_TO_EM = 1.05  # Tesseract's x_size runs from the ascenders to the descenders; faces of papers need 1.03 to 1.08
LEAST_CONFIDENCE = 0.3  # below, "words" are specks, lines of drawings, and half-tones
WORST_ANGLE = 0.1  # slope of a baseline beyond which a line is no line of the page


def reading_of(hocr: str, *, turn: int = 0) -> Reading:
    """The lines, rules and pictures of one page's hOCR with character boxes (`hocr_char_boxes=1`)."""
    parser = _Parser()
    parser.feed(hocr)
    parser.close()
    lines = (_line(line) for line in parser.lines)
    return Reading(tuple(line for line in lines if line), tuple(parser.rules), tuple(parser.pictures), turn)


@dataclass(slots=True)
class _Word:
    confidence: float
    characters: list[tuple[str, float, float]] = field(default_factory=list[tuple[str, float, float]])


@dataclass(slots=True)
class _Line:
    title: dict[str, list[str]]
    words: list[_Word] = field(default_factory=list[_Word])


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[_Line] = []
        self.rules: list[Box] = []
        self.pictures: list[Box] = []
        self._character: tuple[float, float] | None = None

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        kind = attributes.get("class") or ""
        title = _properties(attributes.get("title") or "")
        if kind in LINES:
            self.lines.append(_Line(title))
        elif kind == "ocrx_word" and self.lines:
            self.lines[-1].words.append(_Word(_numbers(title, "x_wconf", 1)[0] / 100))
        elif kind == "ocrx_cinfo":
            x0, _, x1, _ = _numbers(title, "x_bboxes", 4)
            self._character = (x0, x1)
        elif kind == "ocr_separator":
            self.rules.append(_box(title))
        elif kind == "ocr_photo":
            self.pictures.append(_box(title))

    @override
    def handle_data(self, data: str) -> None:
        if self._character is None or not self.lines or not self.lines[-1].words:
            return
        self.lines[-1].words[-1].characters.append((data, *self._character))
        self._character = None


def _properties(title: str) -> dict[str, list[str]]:
    """`bbox 1 2 3 4; x_wconf 96` as names with their values."""
    parts = [part.split() for part in title.split(";")]
    return {part[0]: part[1:] for part in parts if part}


def _numbers(title: dict[str, list[str]], name: str, count: int) -> list[float]:
    """The first `count` numbers of a property; zeros where it is absent or cut short."""
    values = title.get(name, [])
    try:
        numbers = [float(value) for value in values[:count]]
    except ValueError:
        numbers = []
    return numbers if len(numbers) == count else [0.0] * count


def _box(title: dict[str, list[str]]) -> Box:
    x0, y0, x1, y1 = _numbers(title, "bbox", 4)
    return (x0, y0, x1, y1)


def _line(line: _Line) -> ReadLine | None:
    """None for lines that run up or down the page, have no size, or hold nothing that was read with confidence."""
    x0, _, x1, bottom = _box(line.title)
    slope, offset = _numbers(line.title, "baseline", 2)
    size = _numbers(line.title, "x_size", 1)[0] * X_SIZE_TO_EM
    words = tuple(_word(word) for word in line.words if word.characters and word.confidence >= LEAST_CONFIDENCE)
    if not words or size <= 0 or "textangle" in line.title or abs(slope) > WORST_ANGLE:
        return None
    base = bottom + offset
    return ReadLine(words, x0, base, x1, base + slope * (x1 - x0), size)


def _word(word: _Word) -> ReadWord:
    """Each character reaches to the next one, so that ink which does not touch makes no gaps inside a word."""
    text: list[str] = []
    edges: list[float] = []
    for index, (character, x0, x1) in enumerate(word.characters):
        end = word.characters[index + 1][1] if index + 1 < len(word.characters) else x1
        text.append(character)
        edges.extend(x0 + (end - x0) * step / len(character) for step in range(len(character)))
    edges.append(word.characters[-1][2])
    return ReadWord("".join(text), tuple(edges), word.confidence)

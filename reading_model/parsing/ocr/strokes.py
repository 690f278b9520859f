"""How thick the strokes of read words are: bold type and bullets are told from that."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from reading_model.parsing.ocr.reading import GreyImage, Reading
from reading_model.parsing.ocr.turning import turned

PAPER = 200  # of 255: lighter samples are the paper and its stains
ASCENT, DESCENT = 0.8, 0.25  # em over and under the baseline


def stroke_widths(image: GreyImage, reading: Reading) -> tuple[tuple[float, ...], ...]:
    """For each line and word the mean width of its strokes, as a share of the line's type size.

    Twice the ink over the length of its outline; the outline of a grey picture is its total variation, which for
    directions spread evenly is 4/pi of the length.
    """
    upright = turned(image, reading.turn)
    samples = np.frombuffer(upright.samples, dtype=np.uint8).reshape(upright.height, upright.width)
    out: list[tuple[float, ...]] = []
    for line in reading.lines:
        steep = (line.y1 - line.y0) / max(1.0, line.x1 - line.x0)
        widths: list[float] = []
        for word in line.words:
            base = line.y0 + steep * ((word.edges[0] + word.edges[-1]) / 2 - line.x0)
            top, bottom = base - ASCENT * line.size, base + DESCENT * line.size
            widths.append(_width(samples, word.edges[0], top, word.edges[-1], bottom) / line.size)
        out.append(tuple(widths))
    return tuple(out)


def _width(samples: NDArray[np.uint8], x0: float, y0: float, x1: float, y1: float) -> float:
    rows, columns = slice(max(0, int(y0)), max(0, int(y1) + 1)), slice(max(0, int(x0)), max(0, int(x1) + 1))
    part = samples[rows, columns].astype(np.float32)
    ink = np.pad(np.clip((PAPER - part) / PAPER, 0, 1), 1)
    variation = float(np.abs(np.diff(ink, axis=0)).sum() + np.abs(np.diff(ink, axis=1)).sum())
    outline = variation * math.pi / 4
    return 2 * float(ink.sum()) / outline if outline > 0 else 0.0

"""The direction in which a page is read: layout works in a frame where text runs from left to right."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reading_model.documents import Rect
from reading_model.parsing.pdfium.page_content import RawPage, Run


@dataclass(frozen=True, slots=True)
class Frame:
    """A page turned so that its text stands upright: `angle` in degrees clockwise, size in points after turning.

    `skew`: by how many radians the lines of a scan slope down to the right. A skewed frame is turned by that too, about
    its centre.
    """

    angle: int
    width: float
    height: float
    skew: float = 0.0

    def box(self, x0: float, y0: float, x1: float, y1: float) -> tuple[float, float, float, float]:
        """A rectangle of the page, in the frame."""
        if self.angle == 0:
            return x0, y0, x1, y1
        if self.angle == 90:
            return y0, self.height - x1, y1, self.height - x0
        if self.angle == 180:
            return self.width - x1, self.height - y1, self.width - x0, self.height - y0
        return self.width - y1, x0, self.width - y0, x1

    def columns(self, boxes: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
        """x0, y0, x1, y1 of rectangles of the page, one a row, in the frame."""
        x0, y0, x1, y1 = boxes.T
        return self.box(x0, y0, x1, y1)  # pyright: ignore[reportArgumentType, reportReturnType] - it is arithmetic alone

    def point(self, x: float, y: float) -> tuple[float, float]:
        """A point of the page, in the frame."""
        u, v, _, _ = self.box(x, y, x, y)
        return u, v

    def baselines(self, runs: Iterable[Run]) -> list[float]:
        """The heights of the runs' baselines in the frame."""
        if self.angle == 0:
            return [run.y for run in runs]
        return [self.point(run.x, run.y)[1] for run in runs]

    def rect_on_page(self, u0: float, v0: float, u1: float, v1: float) -> Rect:
        """A rectangle of the frame, on the page at /Rotate 0; of a skewed one, the rectangle around it."""
        if self.skew:
            corners = [self.unstraightened(u, v) for u in (u0, u1) for v in (v0, v1)]
            u0, u1 = min(u for u, _ in corners), max(u for u, _ in corners)
            v0, v1 = min(v for _, v in corners), max(v for _, v in corners)
        if self.angle == 0:
            return Rect(u0, v0, u1, v1)
        if self.angle == 90:
            return Rect(self.height - v1, u0, self.height - v0, u1)
        if self.angle == 180:
            return Rect(self.width - u1, self.height - v1, self.width - u0, self.height - v0)
        return Rect(v0, self.width - u1, v1, self.width - u0)

    def straightened(self, x: float, y: float) -> tuple[float, float]:
        """A point of the page turned by quarters, in the frame whose lines do not slope."""
        return self._about_centre(x, y, -self.skew)

    def unstraightened(self, u: float, v: float) -> tuple[float, float]:
        """The inverse of `straightened`."""
        return self._about_centre(u, v, self.skew)

    def _about_centre(self, x: float, y: float, angle: float) -> tuple[float, float]:
        right, down = x - self.width / 2, y - self.height / 2
        cosine, sine = math.cos(angle), math.sin(angle)
        return self.width / 2 + right * cosine - down * sine, self.height / 2 + right * sine + down * cosine

    def edges_on_page(self, edges: list[float], base: float) -> tuple[float, ...] | None:
        """Positions along a line at height `base`, on the page; None where the line runs up or down it."""
        if self.skew:
            edges = [self.unstraightened(edge, base)[0] for edge in edges]
        if self.angle == 0:
            return tuple(edges)
        if self.angle == 180:
            return tuple(self.width - edge for edge in edges)
        return None


def frame_at(page: RawPage, angle: int) -> Frame:
    """The frame of one direction of the page."""
    if angle in (90, 270):
        return Frame(angle, page.height, page.width)
    return Frame(angle, page.width, page.height)


def frame_of(page: RawPage) -> Frame:
    """The frame of the direction that most characters of the page run in, whatever /Rotate says."""
    votes: Counter[int] = Counter()
    counts = np.bincount(page.run_of[page.run_of >= 0], minlength=len(page.runs)).tolist()
    angles: Counter[int] = Counter()
    for run, count in zip(page.runs, counts, strict=True):
        angles[run.angle] += count
    for angle, count in angles.items():
        if count:
            votes[quarter(angle)] += count
    angle = max(votes, key=lambda turn: (votes[turn], -turn), default=0)
    return frame_at(page, max(0, angle))


def quarter(angle: int) -> int:
    """The quarter turn that an angle is, within 3 degrees; -1 for slanted text."""
    nearest = round(angle / 90) * 90
    return nearest % 360 if math.fabs(angle - nearest) <= 3 else -1

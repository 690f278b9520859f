"""What is painted on a page, in order: graphics as values, and the place of each text object among them."""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportAttributeAccessIssue=false, reportMissingImports=false
# pypdfium2's raw bindings are generated and carry no types; the values that leave this module are typed.

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass

import pypdfium2.raw as pdfium

from reading_model.documents import Rect
from reading_model.parsing.pdfium import native
from reading_model.parsing.pdfium.page_content import Colour, Graphic

MAX_SEGMENTS = 6000  # path segments looked at on one page: charts hold more than any layout needs
MAX_DEPTH = 12  # nested form XObjects
TRANSLUCENT = 128  # alpha of what is blended with the page under it, such as a highlighter's mark

_TEXT, _PATH, _IMAGE, _SHADING, _FORM = (
    pdfium.FPDF_PAGEOBJ_TEXT,
    pdfium.FPDF_PAGEOBJ_PATH,
    pdfium.FPDF_PAGEOBJ_IMAGE,
    pdfium.FPDF_PAGEOBJ_SHADING,
    pdfium.FPDF_PAGEOBJ_FORM,
)
_MOVE, _CURVE = pdfium.FPDF_SEGMENT_MOVETO, pdfium.FPDF_SEGMENT_BEZIERTO

Matrix = tuple[float, float, float, float, float, float]
_IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


class Painting:
    """A page's objects in painting order, form XObjects entered: graphics as values, `order` of text objects.

    `page` is pdfium's address of the page, `corner` its top-left corner in pdfium's coordinates.
    """

    def __init__(self, page: int, corner: tuple[float, float]) -> None:
        self.graphics: list[Graphic] = []
        self.order: dict[int, int] = {}
        self._left, self._top = corner
        self._z = 0
        self._segments = 0
        self._floats = (ctypes.c_float * 6)()
        self._numbers = (ctypes.c_uint * 4)()
        start, numbers = ctypes.addressof(self._floats), ctypes.addressof(self._numbers)
        self._to_floats = [start + 4 * index for index in range(6)]
        self._to_numbers = [numbers + 4 * index for index in range(4)]
        for index in range(max(0, native.count_page_objects(page))):
            self._visit(native.page_object_of(page, index), _IDENTITY, 0)

    def _visit(self, handle: int, container: Matrix, depth: int) -> None:
        kind = native.type_of(handle)
        self._z += 1
        if kind == _TEXT:
            self.order[handle] = self._z
        elif kind == _PATH:
            self._path(handle, container)
        elif kind == _FORM:
            if depth < MAX_DEPTH:
                inner = _multiply(self._matrix(handle), container)
                for index in range(max(0, native.count_form_objects(handle))):
                    self._visit(native.form_object_of(handle, index), inner, depth + 1)
        elif kind in (_IMAGE, _SHADING):
            rect = self._bounds(handle, container)
            if rect is not None:
                self.graphics.append(Graphic("image" if kind == _IMAGE else "shading", rect, self._z))

    def _matrix(self, handle: int) -> Matrix:
        if not native.object_matrix_of(handle, self._to_floats[0]):
            return _IDENTITY
        a, b, c, d, e, f = self._floats
        return (a, b, c, d, e, f)

    def _bounds(self, handle: int, container: Matrix) -> Rect | None:
        if not native.bounds_of(handle, *self._to_floats[:4]):
            return None
        x0, y0, x1, y1 = self._floats[:4]
        return self._rect([(x0, y0), (x0, y1), (x1, y0), (x1, y1)], container)

    def _rect(self, points: list[tuple[float, float]], matrix: Matrix) -> Rect:
        a, b, c, d, e, f = matrix
        xs = [a * x + c * y + e - self._left for x, y in points]
        ys = [self._top - (b * x + d * y + f) for x, y in points]
        return Rect(min(xs), min(ys), max(xs), max(ys))

    def _fill(self, handle: int) -> Colour | None:
        if not native.fill_of(handle, *self._to_numbers):
            return None
        red, green, blue, alpha = self._numbers
        return (red, green, blue, min(alpha, TRANSLUCENT) if native.has_transparency(handle) else alpha)

    def _path(self, handle: int, container: Matrix) -> None:
        native.draw_mode_of(handle, *self._to_numbers[:2])
        filled, stroked = bool(self._numbers[0]), bool(self._numbers[1])
        if not filled and not stroked:
            return
        fill = self._fill(handle) if filled else None
        count = native.count_segments(handle)
        kind = "path"
        if count in (4, 5):
            whole = next(self._subpaths(handle, count), None)
            if whole is not None and len(whole.points) == count and whole.is_rectangle():
                kind = "rect"
        elif count > 5 and self._segments + count <= MAX_SEGMENTS:
            self._segments += count
            pieces = list(self._subpaths(handle, count))
            if len(pieces) > 1:
                matrix = _multiply(self._matrix(handle), container)
                for piece in pieces:
                    shape = "rect" if piece.is_rectangle() else "path"
                    self.graphics.append(Graphic(shape, self._rect(piece.points, matrix), self._z, fill, stroked))
                return
        rect = self._bounds(handle, container)
        if rect is not None:
            self.graphics.append(Graphic(kind, rect, self._z, fill, stroked))

    def _subpaths(self, handle: int, count: int) -> Iterator[_Subpath]:
        """The subpaths of a path, each from one move to the next; single points are left out."""
        current = _Subpath([])
        for index in range(count):
            segment = native.segment_of(handle, index)
            native.point_of(segment, *self._to_floats[:2])
            kind = native.segment_type_of(segment)
            if kind == _MOVE:
                if len(current.points) > 1:
                    yield current
                current = _Subpath([])
            current.points.append((self._floats[0], self._floats[1]))
            current.curved = current.curved or kind == _CURVE
        if len(current.points) > 1:
            yield current


@dataclass(slots=True)
class _Subpath:
    """The points of a subpath, control points of curves included."""

    points: list[tuple[float, float]]
    curved: bool = False

    def is_rectangle(self) -> bool:
        """Whether its corners are those of a rectangle that stands straight."""
        if self.curved or not 4 <= len(self.points) <= 5:
            return False
        return len({round(x, 1) for x, _ in self.points}) <= 2 and len({round(y, 1) for _, y in self.points}) <= 2


def _multiply(m: Matrix, n: Matrix) -> Matrix:
    """m, then n (row vectors, PDF 1.7, 8.3.4)."""
    return (
        m[0] * n[0] + m[1] * n[2],
        m[0] * n[1] + m[1] * n[3],
        m[2] * n[0] + m[3] * n[2],
        m[2] * n[1] + m[3] * n[3],
        m[4] * n[0] + m[5] * n[2] + n[4],
        m[4] * n[1] + m[5] * n[3] + n[5],
    )

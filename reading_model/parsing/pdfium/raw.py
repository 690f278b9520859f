"""All contact with pdfium: a document's pages as plain values.

Per-character calls are nearly the whole cost of a page, so each property is asked once a text run (a text object of the
page), and only code, box and run once a character, in C-driven loops. Coordinates leave here in points from the
top-left corner of the page at /Rotate 0.
"""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportMissingTypeArgument=false, reportUnknownParameterType=false, reportAttributeAccessIssue=false
# pyright: reportUnknownLambdaType=false, reportMissingImports=false
# pypdfium2's raw bindings are generated and carry no types; the values that leave this module are typed.

from __future__ import annotations

import ctypes
import math
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium
from numpy.typing import NDArray

from reading_model.documents import Rect
from reading_model.errors import DamagedPdf, PasswordRequired, PasswordWrong
from reading_model.parsing.ocr.reading import GreyImage

INVISIBLE = 3  # text rendering mode 3: neither fill nor stroke (PDF 1.7, 9.3.6)
CLIPPED_INVISIBLE = 7
MAX_SEGMENTS = 6000  # path segments looked at on one page: charts hold more than any layout needs
MAX_DEPTH = 12  # nested form XObjects
NO_OBJECT = -1
MAX_PIXELS = 24_000_000  # of a page that is painted: A3 at 300 dpi
TRANSLUCENT = 128  # alpha of what is blended with the page under it, such as a highlighter's mark


def _quick(function: Any, result: Any, *arguments: Any) -> Any:
    """A call of pdfium that takes plain addresses: ctypes converts them in half the time of typed pointers."""
    return ctypes.CFUNCTYPE(result, *arguments)(ctypes.cast(function, ctypes.c_void_p).value or 0)


_ADDRESS = ctypes.c_void_p
_get_object = _quick(pdfium.FPDFText_GetTextObject, _ADDRESS, _ADDRESS, ctypes.c_int)
_get_code = _quick(pdfium.FPDFText_GetUnicode, ctypes.c_uint, _ADDRESS, ctypes.c_int)
_get_box = _quick(pdfium.FPDFText_GetLooseCharBox, ctypes.c_int, _ADDRESS, ctypes.c_int, _ADDRESS)
_get_ink = _quick(pdfium.FPDFText_GetCharBox, ctypes.c_int, _ADDRESS, ctypes.c_int, *[_ADDRESS] * 4)
Matrix = tuple[float, float, float, float, float, float]
Colour = tuple[int, int, int, int]
_IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Font:
    """What a font's name and flags say. One object a name in a document, so that fonts compare by identity."""

    name: str
    bold: bool
    italic: bool
    mono: bool


@dataclass(frozen=True, slots=True)
class Run:
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
    """A page's characters as parallel lists (code point, box, index of run), its runs and graphics.

    `boxes` are as wide as the advance and as high as the font; `ink` holds x0, y0, x1, y1 of what is painted.
    """

    number: int
    width: float
    height: float
    rotation: int
    label: str | None
    codes: list[int] = field(default_factory=list[int])
    boxes: list[tuple[float, float, float, float]] = field(default_factory=list[tuple[float, float, float, float]])
    run_of: list[int] = field(default_factory=list[int])
    runs: list[Run] = field(default_factory=list[Run])
    graphics: list[Graphic] = field(default_factory=list[Graphic])
    ink: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 4)))


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An entry of the document's outline, depth 1 at the top, page 1-based or None."""

    title: str
    depth: int
    page: int | None


class RawDocument:
    """An open document; a context manager. Raises DamagedPdf, PasswordRequired or PasswordWrong on opening."""

    def __init__(self, data: bytes, password: str | None) -> None:
        pdfium.FPDF_InitLibrary()
        self._data = data  # pdfium reads from it until the document is closed
        self._handle = pdfium.FPDF_LoadMemDocument64(data, len(data), password.encode() if password else None)
        if not self._handle:
            code = pdfium.FPDF_GetLastError()
            if code == pdfium.FPDF_ERR_PASSWORD:
                if password:
                    raise PasswordWrong("The password does not open this file.")
                raise PasswordRequired("This file opens only with a password.")
            raise DamagedPdf("The file cannot be opened as a PDF.")
        self._fonts: dict[int, Font] = {}
        self._named: dict[tuple[str, int], Font] = {}
        self.page_count: int = pdfium.FPDF_GetPageCount(self._handle)

    def __enter__(self) -> RawDocument:
        return self

    def __exit__(self, *_: object) -> None:
        pdfium.FPDF_CloseDocument(self._handle)

    def info(self, key: str) -> str:
        """A value of the document information dictionary, empty where absent."""
        return _utf16(lambda buffer, size: pdfium.FPDF_GetMetaText(self._handle, key.encode(), buffer, size))

    def bookmarks(self, limit: int = 2000) -> list[Bookmark]:
        """The outline, depth first; at most `limit` entries, so that a loop in it ends."""
        found: list[Bookmark] = []
        seen: set[int] = set()
        stack = [(pdfium.FPDFBookmark_GetFirstChild(self._handle, None), 1)]
        while stack and len(found) < limit:
            mark, depth = stack.pop()
            address = ctypes.cast(mark, ctypes.c_void_p).value
            if not address or address in seen:
                continue
            seen.add(address)
            title = _utf16(lambda buffer, size, m=mark: pdfium.FPDFBookmark_GetTitle(m, buffer, size))
            target = pdfium.FPDFBookmark_GetDest(self._handle, mark)
            index = pdfium.FPDFDest_GetDestPageIndex(self._handle, target) if target else -1
            found.append(Bookmark(title, depth, index + 1 if index >= 0 else None))
            stack.append((pdfium.FPDFBookmark_GetNextSibling(self._handle, mark), depth))
            stack.append((pdfium.FPDFBookmark_GetFirstChild(self._handle, mark), depth + 1))
        return found

    def page(self, index: int) -> RawPage | None:
        """The page with that 0-based index, or None where pdfium cannot load it."""
        page = pdfium.FPDF_LoadPage(self._handle, index)
        if not page:
            return None
        try:
            return self._read(page, index)
        finally:
            pdfium.FPDF_ClosePage(page)

    def picture(self, index: int, dpi: float) -> GreyImage:
        """The page as it is shown (turned by /Rotate), in grey on white; larger pages at a lower resolution.

        Raises DamagedPdf where pdfium cannot load or paint it.
        """
        page = pdfium.FPDF_LoadPage(self._handle, index)
        if not page:
            raise DamagedPdf(f"Page {index + 1} cannot be loaded.")
        try:
            points = pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)
            scale = min(dpi / 72, math.sqrt(MAX_PIXELS / max(1.0, points[0] * points[1])))
            return _painted(page, max(1, round(points[0] * scale)), max(1, round(points[1] * scale)), scale * 72)
        finally:
            pdfium.FPDF_ClosePage(page)

    def _read(self, page: Any, index: int) -> RawPage:
        box = pdfium.FS_RECTF()
        pdfium.FPDF_GetPageBoundingBox(page, box)
        label = _utf16(lambda buffer, size: pdfium.FPDF_GetPageLabel(self._handle, index, buffer, size))
        rotation = max(0, pdfium.FPDFPage_GetRotation(page)) * 90
        raw = RawPage(index + 1, box.right - box.left, box.top - box.bottom, rotation, label or None)
        text = pdfium.FPDFText_LoadPage(page)
        order: dict[int, int] = {}
        raw.graphics = _Walk(page, box, order).graphics
        if text:
            try:
                self._read_characters(text, raw, box, order)
            finally:
                pdfium.FPDFText_ClosePage(text)
        return raw

    def _read_characters(self, text: Any, raw: RawPage, box: Any, order: dict[int, int]) -> None:
        count = max(0, pdfium.FPDFText_CountChars(text))
        if not count:
            return
        handle = ctypes.cast(text, ctypes.c_void_p).value
        raw.codes = list(map(_get_code, repeat(handle), range(count)))
        rects = (ctypes.c_float * (4 * count))()
        start = ctypes.addressof(rects)
        deque(map(_get_box, repeat(handle), range(count), range(start, start + 16 * count, 16)), maxlen=0)
        flat = rects[:]
        left, top = box.left, box.top  # FS_RECTF holds left, top, right, bottom
        raw.boxes = [
            (x0 - left, top - y1, x1 - left, top - y0)
            for x0, y1, x1, y0 in zip(flat[0::4], flat[1::4], flat[2::4], flat[3::4], strict=True)
        ]
        raw.ink = _ink(handle, count, left, top)
        objects = list(map(_get_object, repeat(handle), range(count)))
        indices: dict[int, int] = {}
        generated = pdfium.FPDFText_IsGenerated
        for position, address in enumerate(objects):
            known = indices.get(address) if address else NO_OBJECT
            if known is None:
                if generated(text, position) == 1:
                    known = NO_OBJECT
                else:
                    known = indices[address] = len(raw.runs)
                    raw.runs.append(self._run(text, position, address, box, order.get(address, 0)))
            raw.run_of.append(known)

    def _run(self, text: Any, position: int, address: int, box: Any, z: int) -> Run:
        handle = ctypes.cast(address, pdfium.FPDF_PAGEOBJECT)
        matrix = pdfium.FS_MATRIX()
        pdfium.FPDFText_GetMatrix(text, position, matrix)
        x, y = ctypes.c_double(), ctypes.c_double()
        pdfium.FPDFText_GetCharOrigin(text, position, x, y)
        size = pdfium.FPDFText_GetFontSize(text, position) * math.hypot(matrix.c, matrix.d)
        angle = round(math.degrees(math.atan2(-matrix.b, matrix.a))) % 360
        return Run(
            font=self._font(handle),
            size=round(abs(size), 2),
            angle=angle,
            x=x.value - box.left,
            y=box.top - y.value,
            mode=pdfium.FPDFTextObj_GetTextRenderMode(handle),
            fill=_colour(pdfium.FPDFPageObj_GetFillColor, handle) or (0, 0, 0, 255),
            z=z,
        )

    def _font(self, handle: Any) -> Font:
        font = pdfium.FPDFTextObj_GetFont(handle)
        address = ctypes.cast(font, ctypes.c_void_p).value or 0
        known = self._fonts.get(address)
        if known is None:
            size = pdfium.FPDFFont_GetBaseFontName(font, None, 0) if address else 0
            buffer = ctypes.create_string_buffer(max(1, size))
            if size:
                pdfium.FPDFFont_GetBaseFontName(font, buffer, size)
            flags = max(0, pdfium.FPDFFont_GetFlags(font)) if address else 0
            name = buffer.value.decode("utf-8", "replace")
            known = self._named.setdefault((name, flags), font_of(name, flags))
            self._fonts[address] = known
        return known


def _ink(handle: int | None, count: int, left: float, top: float) -> NDArray[np.float64]:
    """What is painted of each character: x0, y0, x1, y1 from the top-left corner of the page."""
    values = np.zeros((count, 4))
    start, stop = values.ctypes.data, values.ctypes.data + 32 * count
    columns = [range(start + shift, stop + shift, 32) for shift in (0, 8, 16, 24)]
    deque(map(_get_ink, repeat(handle), range(count), *columns), maxlen=0)
    # FPDFText_GetCharBox gives left, right, bottom, top
    return np.column_stack((values[:, 0] - left, top - values[:, 3], values[:, 1] - left, top - values[:, 2]))


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


class _Walk:
    """The page's objects in painting order, form XObjects entered: graphics as values, `order` of text objects."""

    def __init__(self, page: Any, box: Any, order: dict[int, int]) -> None:
        self.graphics: list[Graphic] = []
        self._box = box
        self._order = order
        self._z = 0
        self._segments = 0
        for index in range(max(0, pdfium.FPDFPage_CountObjects(page))):
            self._visit(pdfium.FPDFPage_GetObject(page, index), _IDENTITY, 0)

    def _visit(self, handle: Any, container: Matrix, depth: int) -> None:
        kind = pdfium.FPDFPageObj_GetType(handle)
        self._z += 1
        if kind == pdfium.FPDF_PAGEOBJ_TEXT:
            self._order[ctypes.cast(handle, ctypes.c_void_p).value or 0] = self._z
        elif kind == pdfium.FPDF_PAGEOBJ_FORM:
            if depth < MAX_DEPTH:
                inner = _multiply(_matrix(handle), container)
                for index in range(max(0, pdfium.FPDFFormObj_CountObjects(handle))):
                    self._visit(pdfium.FPDFFormObj_GetObject(handle, index), inner, depth + 1)
        elif kind == pdfium.FPDF_PAGEOBJ_PATH:
            self._path(handle, container)
        elif kind in (pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_SHADING):
            rect = self._bounds(handle, container)
            if rect is not None:
                name = "image" if kind == pdfium.FPDF_PAGEOBJ_IMAGE else "shading"
                self.graphics.append(Graphic(name, rect, self._z))

    def _bounds(self, handle: Any, container: Matrix) -> Rect | None:
        x0, y0, x1, y1 = ctypes.c_float(), ctypes.c_float(), ctypes.c_float(), ctypes.c_float()
        if not pdfium.FPDFPageObj_GetBounds(handle, x0, y0, x1, y1):
            return None
        return self._rect([(x, y) for x in (x0.value, x1.value) for y in (y0.value, y1.value)], container)

    def _rect(self, points: list[tuple[float, float]], matrix: Matrix) -> Rect:
        a, b, c, d, e, f = matrix
        xs = [a * x + c * y + e - self._box.left for x, y in points]
        ys = [self._box.top - (b * x + d * y + f) for x, y in points]
        return Rect(min(xs), min(ys), max(xs), max(ys))

    def _path(self, handle: Any, container: Matrix) -> None:
        mode, stroke = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDFPath_GetDrawMode(handle, mode, stroke)
        if not mode.value and not stroke.value:
            return
        fill = _colour(pdfium.FPDFPageObj_GetFillColor, handle) if mode.value else None
        if fill is not None and pdfium.FPDFPageObj_HasTransparency(handle):
            fill = (*fill[:3], min(fill[3], TRANSLUCENT))
        stroked = bool(stroke.value)
        count = pdfium.FPDFPath_CountSegments(handle)
        if count in (4, 5):
            whole = next(_subpaths(handle, count), None)
            kind = "rect" if whole is not None and len(whole.points) == count and whole.is_rectangle() else "path"
        else:
            kind = "path"
        if count > 5 and self._segments + count <= MAX_SEGMENTS:
            self._segments += count
            pieces = list(_subpaths(handle, count))
            if len(pieces) > 1:
                matrix = _multiply(_matrix(handle), container)
                for piece in pieces:
                    shape = "rect" if piece.is_rectangle() else "path"
                    self.graphics.append(Graphic(shape, self._rect(piece.points, matrix), self._z, fill, stroked))
                return
        rect = self._bounds(handle, container)
        if rect is not None:
            self.graphics.append(Graphic(kind, rect, self._z, fill, stroked))


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


def _subpaths(handle: Any, count: int) -> Iterator[_Subpath]:
    """The subpaths of a path, each from one move to the next; single points are left out."""
    current = _Subpath([])
    x, y = ctypes.c_float(), ctypes.c_float()
    for index in range(count):
        segment = pdfium.FPDFPath_GetPathSegment(handle, index)
        pdfium.FPDFPathSegment_GetPoint(segment, x, y)
        kind = pdfium.FPDFPathSegment_GetType(segment)
        if kind == pdfium.FPDF_SEGMENT_MOVETO:
            if len(current.points) > 1:
                yield current
            current = _Subpath([])
        current.points.append((x.value, y.value))
        current.curved = current.curved or kind == pdfium.FPDF_SEGMENT_BEZIERTO
    if len(current.points) > 1:
        yield current


def _painted(page: Any, width: int, height: int, dpi: float) -> GreyImage:
    bitmap = pdfium.FPDFBitmap_CreateEx(width, height, pdfium.FPDFBitmap_Gray, None, 0)
    if not bitmap:
        raise DamagedPdf("A page cannot be painted.")
    try:
        pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xFFFFFFFF)
        flags = pdfium.FPDF_ANNOT | pdfium.FPDF_GRAYSCALE
        pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags)
        stride = pdfium.FPDFBitmap_GetStride(bitmap)
        samples = ctypes.string_at(pdfium.FPDFBitmap_GetBuffer(bitmap), stride * height)
    finally:
        pdfium.FPDFBitmap_Destroy(bitmap)
    if stride != width:
        samples = b"".join(samples[row * stride : row * stride + width] for row in range(height))
    return GreyImage(width, height, samples, dpi)


def _matrix(handle: Any) -> Matrix:
    matrix = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(handle, matrix):
        return _IDENTITY
    return (matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)


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


def _colour(getter: Any, handle: Any) -> Colour | None:
    parts = [ctypes.c_uint() for _ in range(4)]
    if not getter(handle, *parts):
        return None
    red, green, blue, alpha = (part.value for part in parts)
    return (red, green, blue, alpha)


def _utf16(read: Any) -> str:
    size = read(None, 0)
    if size <= 2:
        return ""
    buffer = ctypes.create_string_buffer(size)
    read(buffer, size)
    return buffer.raw[: size - 2].decode("utf-16-le", "replace")

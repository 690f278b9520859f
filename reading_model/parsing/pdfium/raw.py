"""All contact with pdfium's documents and pages: what they hold leaves here as plain values.

Coordinates leave in points from the top-left corner of the page at /Rotate 0. Characters are read in `characters`,
graphics in `painting`, both through the functions of `native`.
"""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportMissingTypeArgument=false, reportUnknownParameterType=false, reportAttributeAccessIssue=false
# pyright: reportUnknownLambdaType=false, reportMissingImports=false
# pypdfium2's raw bindings are generated and carry no types; the values that leave this module are typed.

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass
from typing import Any

import pypdfium2.raw as pdfium

from reading_model.errors import DamagedPdf, PasswordRequired, PasswordWrong
from reading_model.parsing.ocr.reading import GreyImage
from reading_model.parsing.pdfium.characters import FontBook, read_characters
from reading_model.parsing.pdfium.native import address_of
from reading_model.parsing.pdfium.page_content import RawPage
from reading_model.parsing.pdfium.painting import Painting

MAX_PIXELS = 24_000_000  # of a page that is painted: A3 at 300 dpi


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
        self._fonts = FontBook()
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
        corner = box.left, box.top
        painting = Painting(address_of(page), corner)
        raw.graphics = painting.graphics
        text = pdfium.FPDFText_LoadPage(page)
        if text:
            try:
                count = max(0, pdfium.FPDFText_CountChars(text))
                if count:
                    read_characters(address_of(text), count, raw, corner, painting.order, self._fonts)
            finally:
                pdfium.FPDFText_ClosePage(text)
        return raw


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


def _utf16(read: Any) -> str:
    size = read(None, 0)
    if size <= 2:
        return ""
    buffer = ctypes.create_string_buffer(size)
    read(buffer, size)
    return buffer.raw[: size - 2].decode("utf-16-le", "replace")

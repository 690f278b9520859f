"""Yardsticks of parsing: what pdfium alone needs for a file's characters, without any understanding of them."""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportAttributeAccessIssue=false
# pypdfium2's raw bindings are generated and carry no types; what leaves this module is typed.

from __future__ import annotations

import ctypes
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium


def read_boxes(data: bytes) -> int:
    """Ask pdfium for the code and the box of every character of a PDF and keep nothing; the number of characters."""
    return _over_pages(data, _boxes_of)


def read_characters(data: bytes) -> int:
    """Take the code and the box of every character as Python values and keep a page's; the number of characters.

    The ordinary way to read a page: `PdfTextPage.get_charbox`, which gives a tuple, and the code beside it.
    """
    return _over_text_pages(
        data, lambda text, index: (chr(pdfium.FPDFText_GetUnicode(text, index)), text.get_charbox(index))
    )


def read_through_api(data: bytes) -> int:
    """The same with nothing but pypdfium2's public functions: the text of each character in place of its code."""
    return _over_text_pages(data, lambda text, index: (text.get_text_range(index, 1), text.get_charbox(index)))


def _over_text_pages(data: bytes, read: Callable[[Any, int], tuple[str, object]]) -> int:
    characters = 0
    document = pypdfium2.PdfDocument(data)
    try:
        for page in document:
            text = page.get_textpage()
            kept = [read(text, index) for index in range(text.count_chars())]
            characters += len(kept)
            text.close()
            page.close()
    finally:
        document.close()
    return characters


def read_text(data: bytes) -> int:
    """Take each page's text in one piece, in the file's own order; the number of characters."""
    return _over_pages(data, _text_of)


def _over_pages(data: bytes, read: Callable[[Any, int], None]) -> int:
    characters = 0
    with _document(data) as document:
        for index in range(pdfium.FPDF_GetPageCount(document)):
            with _text_page(document, index) as text:
                count = max(0, pdfium.FPDFText_CountChars(text))
                read(text, count)
                characters += count
    return characters


def _boxes_of(text: Any, count: int) -> None:
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    for position in range(count):
        pdfium.FPDFText_GetUnicode(text, position)
        pdfium.FPDFText_GetCharBox(text, position, left, right, bottom, top)


def _text_of(text: Any, count: int) -> None:
    buffer = (ctypes.c_ushort * (count + 1))()
    pdfium.FPDFText_GetText(text, 0, count, buffer)
    bytes(buffer).decode("utf-16-le", "replace")


@contextmanager
def _document(data: bytes) -> Generator[Any]:
    pdfium.FPDF_InitLibrary()
    document = pdfium.FPDF_LoadMemDocument64(data, len(data), None)
    if not document:
        message = f"pdfium cannot open the file (error {pdfium.FPDF_GetLastError()})"
        raise ValueError(message)
    try:
        yield document
    finally:
        pdfium.FPDF_CloseDocument(document)


@contextmanager
def _text_page(document: Any, index: int) -> Generator[Any]:
    page = pdfium.FPDF_LoadPage(document, index)
    text = pdfium.FPDFText_LoadPage(page)
    try:
        yield text
    finally:
        pdfium.FPDFText_ClosePage(text)
        pdfium.FPDF_ClosePage(page)

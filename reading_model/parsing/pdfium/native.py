"""pdfium's functions that are called for every character, text object or path of a page, with plain addresses.

ctypes converts an address in half the time of a typed pointer. The calls are shorter than giving the interpreter's
lock up and taking it again would be, so they keep it.
"""
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportMissingTypeArgument=false
# pyright: reportAttributeAccessIssue=false, reportMissingImports=false
# pypdfium2's raw bindings are generated and carry no types; the functions here are typed by what they take and give.

from __future__ import annotations

import ctypes
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pypdfium2.raw as pdfium

_INT, _ADDRESS = ctypes.c_int, ctypes.c_void_p
_HANDLE = ctypes.c_size_t  # an address that pdfium gives: 0 where there is nothing


def _quick(function: Any, result: Any, *arguments: Any) -> Callable[..., Any]:
    return ctypes.PYFUNCTYPE(result, *arguments)(ctypes.cast(function, ctypes.c_void_p).value or 0)


# of a text page and the index of a character
code_of = _quick(pdfium.FPDFText_GetUnicode, ctypes.c_uint, _ADDRESS, _INT)
object_of = _quick(pdfium.FPDFText_GetTextObject, _HANDLE, _ADDRESS, _INT)
is_generated = _quick(pdfium.FPDFText_IsGenerated, _INT, _ADDRESS, _INT)
font_size_of = _quick(pdfium.FPDFText_GetFontSize, ctypes.c_double, _ADDRESS, _INT)
loose_box_of = _quick(pdfium.FPDFText_GetLooseCharBox, _INT, _ADDRESS, _INT, _ADDRESS)
ink_of = _quick(pdfium.FPDFText_GetCharBox, _INT, _ADDRESS, _INT, *[_ADDRESS] * 4)
matrix_of = _quick(pdfium.FPDFText_GetMatrix, _INT, _ADDRESS, _INT, _ADDRESS)
origin_of = _quick(pdfium.FPDFText_GetCharOrigin, _INT, _ADDRESS, _INT, _ADDRESS, _ADDRESS)
text_of = _quick(pdfium.FPDFText_GetText, _INT, _ADDRESS, _INT, _INT, _ADDRESS)

# of an object of a page
type_of = _quick(pdfium.FPDFPageObj_GetType, _INT, _ADDRESS)
bounds_of = _quick(pdfium.FPDFPageObj_GetBounds, _INT, _ADDRESS, *[_ADDRESS] * 4)
object_matrix_of = _quick(pdfium.FPDFPageObj_GetMatrix, _INT, _ADDRESS, _ADDRESS)
fill_of = _quick(pdfium.FPDFPageObj_GetFillColor, _INT, _ADDRESS, *[_ADDRESS] * 4)
has_transparency = _quick(pdfium.FPDFPageObj_HasTransparency, _INT, _ADDRESS)
font_of_object = _quick(pdfium.FPDFTextObj_GetFont, _HANDLE, _ADDRESS)
render_mode_of = _quick(pdfium.FPDFTextObj_GetTextRenderMode, _INT, _ADDRESS)
draw_mode_of = _quick(pdfium.FPDFPath_GetDrawMode, _INT, _ADDRESS, _ADDRESS, _ADDRESS)
count_segments = _quick(pdfium.FPDFPath_CountSegments, _INT, _ADDRESS)
segment_of = _quick(pdfium.FPDFPath_GetPathSegment, _HANDLE, _ADDRESS, _INT)
segment_type_of = _quick(pdfium.FPDFPathSegment_GetType, _INT, _ADDRESS)
point_of = _quick(pdfium.FPDFPathSegment_GetPoint, _INT, _ADDRESS, _ADDRESS, _ADDRESS)

# of a page or a form, and the index of an object in it
page_object_of = _quick(pdfium.FPDFPage_GetObject, _HANDLE, _ADDRESS, _INT)
form_object_of = _quick(pdfium.FPDFFormObj_GetObject, _HANDLE, _ADDRESS, ctypes.c_ulong)
count_page_objects = _quick(pdfium.FPDFPage_CountObjects, _INT, _ADDRESS)
count_form_objects = _quick(pdfium.FPDFFormObj_CountObjects, _INT, _ADDRESS)


def address_of(handle: Any) -> int:
    """The address behind a typed handle, 0 for none."""
    return ctypes.cast(handle, ctypes.c_void_p).value or 0


def each(calls: Iterator[Any] | Iterable[Any]) -> None:
    """Make the calls of a `map` for what they write."""
    deque(calls, maxlen=0)

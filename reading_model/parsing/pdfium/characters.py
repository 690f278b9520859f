"""The characters of a text page as arrays, and its text objects as runs.

Calls of pdfium are nearly the whole cost of a page, so each property is asked once a run (a text object of the page),
and only boxes and object once a character, in C-driven loops that write into arrays.
"""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportAttributeAccessIssue=false, reportMissingImports=false
# pypdfium2's raw bindings are generated and carry no types; the values that leave this module are typed.

from __future__ import annotations

import ctypes
import math
from collections.abc import Mapping, Sequence
from itertools import repeat

import numpy as np
import pypdfium2.raw as pdfium
from numpy.typing import NDArray

from reading_model.parsing.pdfium import native
from reading_model.parsing.pdfium.page_content import NO_RUN, Font, RawPage, Run, font_of

# pdfium's mark for a hyphen at the end of a line, asked singly and in a text
_HYPHEN_CODE, _HYPHEN_IN_TEXT = 0x02, 0xFFFE
_SURROGATES = (0xD800, 0xE000)
_BLACK = (0, 0, 0, 255)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class FontBook:
    """The fonts of a document: one value for each name and flags."""

    def __init__(self) -> None:
        self._by_address: dict[int, Font] = {}
        self._by_name: dict[tuple[str, int], Font] = {}

    def font(self, address: int) -> Font:
        """The font at an address of pdfium."""
        known = self._by_address.get(address)
        if known is None:
            name, flags = _name_and_flags(address)
            known = self._by_address[address] = self._by_name.setdefault((name, flags), font_of(name, flags))
        return known


def _name_and_flags(address: int) -> tuple[str, int]:
    if not address:
        return "", 0
    font = ctypes.cast(address, pdfium.FPDF_FONT)
    size = pdfium.FPDFFont_GetBaseFontName(font, None, 0)
    buffer = ctypes.create_string_buffer(max(1, size))
    if size:
        pdfium.FPDFFont_GetBaseFontName(font, buffer, size)
    return buffer.value.decode("utf-8", "replace"), max(0, pdfium.FPDFFont_GetFlags(font))


def read_characters(
    text: int, count: int, page: RawPage, corner: tuple[float, float], order: Mapping[int, int], fonts: FontBook
) -> None:
    """Fill a page with the `count` characters of the text page at address `text`.

    `corner` is the page's top-left corner in pdfium's coordinates, `order` the place of text objects in painting order.
    """
    page.codes = _codes(text, count)
    page.boxes = _boxes(text, count, *corner)
    page.ink = _ink(text, count, *corner)
    objects = np.fromiter(map(native.object_of, repeat(text), range(count)), np.uint64, count)
    page.run_of, firsts, addresses = _runs_of(text, objects)
    page.runs = _runs(text, firsts, addresses, corner, order, fonts)


def _codes(text: int, count: int) -> Ints:
    """The characters' code points; in one piece, where pdfium's text of the page has one unit for each of them."""
    units = np.zeros(count + 1, np.uint16)
    if native.text_of(text, 0, count, units.ctypes.data) == count + 1:
        codes = units[:count].astype(np.int64)
        if not np.any((codes >= _SURROGATES[0]) & (codes < _SURROGATES[1])):
            codes[codes == _HYPHEN_IN_TEXT] = _HYPHEN_CODE
            return codes
    return np.fromiter(map(native.code_of, repeat(text), range(count)), np.int64, count)


def _boxes(text: int, count: int, left: float, top: float) -> Floats:
    values = np.zeros((count, 4), np.float32)  # FS_RECTF: left, top, right, bottom
    start = values.ctypes.data
    native.each(map(native.loose_box_of, repeat(text), range(count), range(start, start + 16 * count, 16)))
    found = values.astype(np.float64)
    return np.column_stack((found[:, 0] - left, top - found[:, 1], found[:, 2] - left, top - found[:, 3]))


def _ink(text: int, count: int, left: float, top: float) -> Floats:
    """What is painted of each character."""
    values = np.zeros((count, 4))
    native.each(map(native.ink_of, repeat(text), range(count), *_columns(values)))
    # FPDFText_GetCharBox gives left, right, bottom, top
    return np.column_stack((values[:, 0] - left, top - values[:, 3], values[:, 1] - left, top - values[:, 2]))


def _columns(values: NDArray[np.generic]) -> list[range]:
    """The addresses of the numbers of each column, row by row."""
    start, row, item = values.ctypes.data, values.strides[0], values.itemsize
    return [range(start + shift, start + shift + values.nbytes, row) for shift in range(0, row, item)]


def _runs_of(text: int, objects: NDArray[np.uint64]) -> tuple[Ints, list[int], list[int]]:
    """For each character the index of its run, or NO_RUN; for each run its first character and its object's address.

    Characters that pdfium has added (blanks between words) open no run.
    """
    starts = np.concatenate(([0], np.flatnonzero(objects[1:] != objects[:-1]) + 1))
    lengths = np.diff(starts, append=len(objects))
    indices: dict[int, int] = {0: NO_RUN}
    firsts: list[int] = []
    run_of: list[int] = []
    counts: list[int] = []
    for start, length, address in zip(starts.tolist(), lengths.tolist(), objects[starts].tolist(), strict=True):
        added = 0
        if address not in indices:
            while added < length and native.is_generated(text, start + added) == 1:
                added += 1
            if added:
                run_of.append(NO_RUN)
                counts.append(added)
            if added == length:
                continue
            indices[address] = len(firsts)
            firsts.append(start + added)
        run_of.append(indices[address])
        counts.append(length - added)
    addresses = list(indices)[1:]
    return np.repeat(np.array(run_of, np.int64), counts), firsts, addresses


def _runs(
    text: int,
    firsts: Sequence[int],
    addresses: Sequence[int],
    corner: tuple[float, float],
    order: Mapping[int, int],
    fonts: FontBook,
) -> list[Run]:
    count = len(firsts)
    matrices = np.zeros((count, 6), np.float32)
    start = matrices.ctypes.data
    native.each(map(native.matrix_of, repeat(text), firsts, range(start, start + 24 * count, 24)))
    a, b, c, d = matrices[:, :4].astype(np.float64).T
    origins = np.zeros((count, 2))
    native.each(map(native.origin_of, repeat(text), firsts, *_columns(origins)))
    colours = np.zeros((count, 4), np.uint32)
    is_filled = list(map(native.fill_of, addresses, *_columns(colours)))
    sizes = [
        round(abs(size * math.hypot(across, along)), 2)
        for size, across, along in zip(
            map(native.font_size_of, repeat(text), firsts), c.tolist(), d.tolist(), strict=True
        )
    ]
    return [
        Run(*values)
        for values in zip(
            map(fonts.font, map(native.font_of_object, addresses)),
            sizes,
            (np.rint(np.degrees(np.arctan2(-b, a))).astype(np.int64) % 360).tolist(),
            (origins[:, 0] - corner[0]).tolist(),
            (corner[1] - origins[:, 1]).tolist(),
            map(native.render_mode_of, addresses),
            (tuple(colour) if filled else _BLACK for colour, filled in zip(colours.tolist(), is_filled, strict=True)),
            (order.get(address, 0) for address in addresses),
            strict=True,
        )
    ]

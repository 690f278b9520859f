"""Do spans say what stands on the page? `python -m evals.roundtrip PDF ...` asks pdfium's own reading of rectangles.

For every passage, table and figure of a paper, each span's rectangles are given to FPDFText_GetBoundedText, which
returns all characters whose ink they touch. These have to be the span's characters, each as often, and no others.
Both sides are folded first where the text rules differ from pdfium on purpose: accents that a file holds apart from
their letters, hyphens at line ends, the asterisk of notes, and three signs of TeX's symbol font that
pdfium gives as codes.
"""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportAttributeAccessIssue=false
# pypdfium2's raw bindings are generated and carry no types; what leaves this module is typed.

from __future__ import annotations

import argparse
import ctypes
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pypdfium2.raw as pdfium

from reading_model.builder import build_reading_model
from reading_model.documents import PageBox, ParsedDocument
from reading_model.models import SEARCHABLE_KINDS, LocationKind, LocationRecord
from reading_model.parsing.pdfium.parser import parse
from reading_model.spans import split_spans
from reading_model.text import clean

LEAST = {LocationKind.PASSAGE: 0.99, LocationKind.FIGURE: 0.99, LocationKind.TABLE: 0.95}
"""The share of spans of each kind that has to agree."""

_SPACING_ACCENTS = frozenset("´`¨ˆ˜^~ˇ˙¯˘˚˝¸˛")
_UNNAMED = {"≠": "6=", "↦": "7→", "≃": "'"}
_ONE_SIGN = {"ı": "i", "ȷ": "j", "′": "'", "∗": "*"}
_NEGATED = re.compile("(.)\u0338")
_LEFT_OUT = frozenset("|-\u2010\u2011\u2212\x02\ufffe")


@dataclass(frozen=True, slots=True)
class Reading:
    """A span and what pdfium reads in its rectangles, both folded, in the order in which each gives them."""

    kind: LocationKind
    page: int
    text: str
    expected: str
    got: str

    @property
    def agrees(self) -> bool:
        """Whether both hold the same characters, each as often."""
        return Counter(self.expected) == Counter(self.got)

    @property
    def in_order(self) -> bool:
        """Whether they also come in the same order; pdfium gives that of the file."""
        return self.expected == self.got


def folded(text: str) -> str:
    """The characters that count: canonical, compatible forms, without blanks, hyphens and accents."""
    spelled = "".join(_UNNAMED.get(sign, sign) for sign in clean(text) if sign not in _SPACING_ACCENTS)
    spelled = _NEGATED.sub(r"6\1", unicodedata.normalize("NFKD", spelled))
    kept = (_ONE_SIGN.get(sign, sign) for sign in spelled if not _is_left_out(sign))
    return "".join(kept)


def _is_left_out(sign: str) -> bool:
    return sign.isspace() or sign in _LEFT_OUT or sign in _SPACING_ACCENTS or unicodedata.combining(sign) > 0


def readings(data: bytes, document: ParsedDocument | None = None) -> Iterator[Reading]:
    """Every searchable span of a PDF, as the reading model has it and as pdfium reads it."""
    model = build_reading_model(document or parse(data), paper_id="p", artifact_sha256="0" * 64)
    elements = {element.ordinal: element for element in model.elements}
    with _Pages(data) as pages:
        for location in model.locations:
            if location.kind not in SEARCHABLE_KINDS:
                continue
            record = LocationRecord("p", model.model_version, model.provenance.parser, location)
            for span in split_spans(record, elements):
                got = " ".join(pages.text_in(box) for box in span.boxes)
                yield Reading(location.kind, span.page, span.text, folded(span.text), folded(got))


class _Pages:
    """An open PDF whose rectangles can be read; a context manager."""

    def __init__(self, data: bytes) -> None:
        pdfium.FPDF_InitLibrary()
        self._data = data  # pdfium reads from it until the document is closed
        self._document = pdfium.FPDF_LoadMemDocument64(data, len(data), None)
        self._pages: dict[int, tuple[Any, Any, Any]] = {}

    def __enter__(self) -> _Pages:
        return self

    def __exit__(self, *_: object) -> None:
        for page, text, _box in self._pages.values():
            pdfium.FPDFText_ClosePage(text)
            pdfium.FPDF_ClosePage(page)
        pdfium.FPDF_CloseDocument(self._document)

    def text_in(self, box: PageBox) -> str:
        """The text of the characters whose ink a rectangle touches."""
        _, text, whole = self._page(box.page)
        rect = box.rect
        corners = (rect.x0 + whole.left, whole.top - rect.y0, rect.x1 + whole.left, whole.top - rect.y1)
        size = pdfium.FPDFText_GetBoundedText(text, *corners, None, 0)
        if size <= 0:
            return ""
        buffer = (ctypes.c_ushort * size)()
        pdfium.FPDFText_GetBoundedText(text, *corners, buffer, size)
        return bytes(buffer).decode("utf-16-le", "replace").rstrip("\0")

    def _page(self, number: int) -> tuple[Any, Any, Any]:
        if number not in self._pages:
            page = pdfium.FPDF_LoadPage(self._document, number - 1)
            whole = pdfium.FS_RECTF()
            pdfium.FPDF_GetPageBoundingBox(page, whole)
            self._pages[number] = (page, pdfium.FPDFText_LoadPage(page), whole)
        return self._pages[number]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the share of spans that agree and each one that does not; 1 when a share is below its limit."""
    options = argparse.ArgumentParser(prog="python -m evals.roundtrip", description=__doc__)
    options.add_argument("files", nargs="+", type=Path)
    totals: Counter[LocationKind] = Counter()
    agreed: Counter[LocationKind] = Counter()
    ordered: Counter[LocationKind] = Counter()
    files: list[Path] = options.parse_args(arguments).files
    for file in files:
        for reading in readings(file.read_bytes()):
            totals[reading.kind] += 1
            agreed[reading.kind] += reading.agrees
            ordered[reading.kind] += reading.in_order
            if not reading.agrees:
                sys.stdout.write(f"{file.name} page {reading.page}, {reading.kind}: {_difference(reading)}\n")
    for kind in totals:
        share = agreed[kind] / totals[kind]
        sys.stdout.write(
            f"{kind}: {agreed[kind]} of {totals[kind]} spans agree ({share:.1%}), {ordered[kind]} in the same order\n"
        )
    return int(any(agreed[kind] < LEAST[kind] * count for kind, count in totals.items()))


def _difference(reading: Reading) -> str:
    expected, got = Counter(reading.expected), Counter(reading.got)
    more, fewer = "".join((got - expected).elements()), "".join((expected - got).elements())
    return f"pdfium reads {more!r} more and {fewer!r} less in {reading.text[:60]!r}"


if __name__ == "__main__":
    sys.exit(main())

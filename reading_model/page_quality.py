"""What can be said of each page's text: whether it can be read, and why it should be doubted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from reading_model.documents import ParsedDocument
from reading_model.models import PageStatus

FEW = 20  # letters and digits
MOST_BROKEN = 0.02  # of a page's characters


class PageDoubt(StrEnum):
    """Why a page has no text, or less or worse text than it shows."""

    MISSING = "missing_page"
    GARBLED = "garbled"
    DISTRUSTED_LAYER = "distrusted_ocr_layer"
    FEW_LETTERS = "few_letters"
    OCR_FAILED = "ocr_failed"


_FROM_DIAGNOSTIC = {
    "missing_page": PageDoubt.MISSING,
    "unreadable_text": PageDoubt.GARBLED,
    "distrusted_text": PageDoubt.DISTRUSTED_LAYER,
    "ocr_failed": PageDoubt.OCR_FAILED,
}


@dataclass(frozen=True, slots=True)
class PageVerdict:
    """A page's status, the doubts about it, its letters and digits, and the share of its characters that are none:
    replacement characters (U+FFFD) and such as fonts define for themselves (private use)."""

    number: int
    status: PageStatus
    doubts: tuple[PageDoubt, ...]
    letters: int
    broken_share: float


def page_verdicts(document: ParsedDocument) -> tuple[PageVerdict, ...]:
    """The verdict on each page of a document, in order."""
    signs: dict[int, Counter[str]] = {page.number: Counter() for page in document.pages}
    for block in document.blocks:
        lines = [(line.page, block.text[line.start : line.end]) for line in block.lines]
        for page, text in lines or [(block.page, block.text)]:
            signs.setdefault(page, Counter()).update(text)
    noted: dict[int, set[PageDoubt]] = {}
    for note in document.diagnostics:
        if note.page is not None and note.code in _FROM_DIAGNOSTIC:
            noted.setdefault(note.page, set()).add(_FROM_DIAGNOSTIC[note.code])
    return tuple(_verdict(page.number, signs[page.number], noted.get(page.number, set())) for page in document.pages)


def _verdict(number: int, signs: Counter[str], noted: set[PageDoubt]) -> PageVerdict:
    letters = sum(count for sign, count in signs.items() if sign.isalnum())
    total = sum(count for sign, count in signs.items() if not sign.isspace())
    broken = sum(count for sign, count in signs.items() if sign == "\ufffd" or "\ue000" <= sign <= "\uf8ff")
    share = broken / total if total else 0.0
    doubts = set(noted)
    if share > MOST_BROKEN:
        doubts.add(PageDoubt.GARBLED)
    if total and letters < FEW:
        doubts.add(PageDoubt.FEW_LETTERS)
    status = PageStatus.READABLE if total else PageStatus.TEXTLESS
    if PageDoubt.MISSING in doubts:
        status = PageStatus.MISSING
    return PageVerdict(number, status, tuple(sorted(doubts)), letters, round(share, 4))

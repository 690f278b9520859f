from __future__ import annotations

from dataclasses import replace

import pytest

from reading_model.documents import Diagnostic
from reading_model.models import PageStatus
from reading_model.page_quality import PageDoubt, page_verdicts
from tests.reading_model.sample_documents import document, paragraph

TEXT = "A page with quite a few words of text that anybody can read."


def test_a_page_with_text_is_readable_without_doubt_and_one_without_is_textless() -> None:
    readable, textless = page_verdicts(document(paragraph(TEXT), pages=2))
    assert (readable.status, readable.doubts, readable.broken_share) == (PageStatus.READABLE, (), 0.0)
    assert readable.letters == sum(map(str.isalnum, TEXT))
    assert (textless.status, textless.doubts, textless.letters) == (PageStatus.TEXTLESS, (), 0)


def test_private_and_replacement_characters_make_a_page_garbled() -> None:
    (verdict,) = page_verdicts(document(paragraph(TEXT + "\ue001\ufffd")))
    assert verdict.doubts == (PageDoubt.GARBLED,)
    assert verdict.broken_share == pytest.approx(2 / (len(TEXT.replace(" ", "")) + 2), abs=1e-4)


def test_a_page_of_hardly_a_word_is_doubted() -> None:
    assert page_verdicts(document(paragraph("Figure 3")))[0].doubts == (PageDoubt.FEW_LETTERS,)


@pytest.mark.parametrize(
    ("code", "doubt", "status"),
    [
        ("missing_page", PageDoubt.MISSING, PageStatus.MISSING),
        ("unreadable_text", PageDoubt.GARBLED, PageStatus.TEXTLESS),
        ("distrusted_text", PageDoubt.DISTRUSTED_LAYER, PageStatus.TEXTLESS),
        ("ocr_failed", PageDoubt.OCR_FAILED, PageStatus.TEXTLESS),
    ],
)
def test_what_the_parser_noted_of_a_page_is_in_its_verdict(code: str, doubt: PageDoubt, status: PageStatus) -> None:
    parsed = replace(document(paragraph(TEXT), pages=2), diagnostics=(Diagnostic(code, "why", 2),))
    first, second = page_verdicts(parsed)
    assert first.doubts == ()
    assert (second.status, second.doubts) == (status, (doubt,))

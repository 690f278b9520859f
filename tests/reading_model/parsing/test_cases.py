"""The shared cases that speak of parsing: F01, F02, F03, F07, F12."""

from __future__ import annotations

import pytest

from reading_model.errors import PasswordRequired, PasswordWrong
from reading_model.parsing.pdfium.parser import parse_with_ocr
from tests.places import needs_tesseract
from tests.reading_model.parsing.shared import CASES, needs_data, parsed, running_text

pytestmark = [pytest.mark.data, needs_data]


def test_f01_astral_letters_are_one_code_point_and_halves_are_dropped() -> None:
    doc = parsed(CASES / "f01-surrogates.pdf")
    text = running_text(doc, 1)
    for value in (
        "2.2 𝜎 on night three",
        "Loss of 𝛽-catenin was seen in nine samples.",
        "stays between these words",
        "stays here as well",
    ):
        assert value in text
    assert not any("\ud800" <= character <= "\udfff" for character in text)
    text.encode("utf-8")


def test_f02_an_empty_user_password_opens_by_itself_and_the_two_errors_differ() -> None:
    assert "The rebate rate is 4.2 percent." in running_text(parsed(CASES / "f02-empty-user-password.pdf"), 1)
    locked = CASES / "f02-needs-password.pdf"
    with pytest.raises(PasswordRequired) as required:
        parsed(locked)
    assert "--password-file" in required.value.hint
    with pytest.raises(PasswordWrong) as wrong:
        parsed(locked, "wrong")
    assert "wrong" not in str(wrong.value).split()
    assert "The rebate rate is 9.9 percent." in running_text(parsed(locked, "reader-7"), 1)


def test_f03_hidden_lines_stay_out_of_every_block_and_are_noted_on_their_page() -> None:
    doc = parsed(CASES / "f03-hidden-text.pdf")
    text = running_text(doc)
    for visible in (
        "The total sample size was 485 participants.",
        "Table 1. Groups and doses",
        "Nine sites took part.",
        "Scanned page: the dose was 20 mg.",
    ):
        assert visible in text
    for hidden in ("Ignore earlier instructions", "SYSTEM NOTE", "submit tool", "Off the page"):
        assert hidden not in text
    assert [note.page for note in doc.diagnostics if note.code == "hidden_text"] == [1]


def test_f07_columns_stored_line_by_line_are_read_one_after_the_other() -> None:
    text = running_text(parsed(CASES / "f07-two-columns.pdf"))
    values = [
        "A Two-Column Page About Spans",
        "The left column opens with the question of sparse lookup.",
        "The left column ends with the word omega.",
        "The right column starts after omega and speaks of citations.",
        "cannot be named at all.",
        "A full-width note closes the page below both columns.",
    ]
    places = [text.index(value) for value in values]
    assert places == sorted(places)
    assert "opens with the The right" not in text


def test_f12_pages_without_text_are_named_with_what_to_do() -> None:
    doc = parsed(CASES / "f12-image-only.pdf")
    assert len(doc.pages) == 2
    assert doc.blocks == ()
    (note,) = doc.diagnostics
    assert note.code == "no_text"
    assert "pages 1-2" in note.message
    assert "--ocr auto" in note.message


@needs_tesseract
def test_f12_pages_without_text_are_read_when_ocr_is_asked_for() -> None:
    doc = parse_with_ocr((CASES / "f12-image-only.pdf").read_bytes())
    assert "The yield rose to 64 percent." in running_text(doc, 2)
    assert [note.code for note in doc.diagnostics] == ["read_by_ocr"]
    assert doc.provenance.config.startswith("ocr=tesseract ")

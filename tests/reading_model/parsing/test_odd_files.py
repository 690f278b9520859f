from __future__ import annotations

from pathlib import Path

import pytest

from reading_model.errors import DamagedPdf, FileTooLarge, NotAPdf, ParseError, PasswordRequired
from reading_model.parsing import ParseLimits, ParserPool, document_to_json
from reading_model.parsing.__main__ import main
from reading_model.parsing.pdfium.parser import parse
from tests.reading_model.parsing.shared import ODD, PAPERS, SCANS, needs_data, parsed, running_text

pytestmark = [pytest.mark.data, needs_data]


def test_every_odd_file_ends_in_its_named_outcome() -> None:
    with ParserPool(1, limits=ParseLimits(seconds=60)) as pool:
        outcomes = {path.name: outcome for path, outcome in pool.imap(sorted(ODD.glob("*.pdf")))}
    failed = {name: type(outcome) for name, outcome in outcomes.items() if isinstance(outcome, ParseError)}
    assert failed == {
        "empty.pdf": NotAPdf,
        "html-not-pdf.pdf": NotAPdf,
        "truncated.pdf": DamagedPdf,
        "encrypted-user-password.pdf": PasswordRequired,
    }
    assert len(outcomes) == 9


def test_the_right_password_gives_the_text_of_the_open_file() -> None:
    opened = parsed(ODD / "encrypted-user-password.pdf", "open-sesame")
    plain = parsed(PAPERS / "rescience-virial.pdf")
    assert [block.text for block in opened.blocks] == [block.text for block in plain.blocks]
    assert running_text(parsed(ODD / "encrypted-owner-only.pdf")) == running_text(plain)


def test_a_garbled_text_layer_is_marked_and_never_delivered() -> None:
    doc = parsed(ODD / "cid-no-tounicode.pdf")
    assert doc.blocks == ()
    assert {note.code for note in doc.diagnostics} == {"unreadable_text", "no_text"}


def test_a_loop_in_the_page_tree_ends_and_the_page_that_fails_is_named() -> None:
    doc = parsed(ODD / "page-tree-refs.pdf")
    assert [page.number for page in doc.pages] == [1, 2]
    assert [note.code for note in doc.diagnostics] == ["missing_page"]


def test_a_damaged_file_that_can_be_read_is_read() -> None:
    assert "Beautiful is better than ugly." in running_text(parsed(ODD / "zen-corrupted.pdf"))


@pytest.mark.parametrize("name", ["linn.pdf", "literature-graph-scan-p1-2.pdf", "non-text-searchable.pdf"])
def test_a_scan_has_pages_and_the_hint_to_ocr(name: str) -> None:
    doc = parsed(SCANS / name)
    assert doc.pages
    assert doc.blocks == ()
    assert [note.code for note in doc.diagnostics] == ["no_text"]


def test_too_many_pages_is_too_large() -> None:
    data = (PAPERS / "rescience-virial.pdf").read_bytes()
    with pytest.raises(FileTooLarge, match="3 pages"):
        parse(data, limits=ParseLimits(max_pages=2))


def test_the_command_prints_json_or_the_error(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    secret = tmp_path / "password"
    secret.write_text("open-sesame\n", encoding="utf-8")
    assert main([str(ODD / "encrypted-user-password.pdf"), "--password-file", str(secret)]) == 0
    assert '"page_count": 3' in capsys.readouterr().out
    assert main([str(ODD / "encrypted-user-password.pdf")]) == 1
    assert capsys.readouterr().err.startswith("password_required:")


def test_json_has_what_the_scorer_and_readers_need() -> None:
    value = document_to_json(parsed(PAPERS / "rescience-virial.pdf"))
    assert value["page_count"] == 3
    assert value["authors"] == ["George C. McBane"]
    assert value["metadata"]["doi"]["source"] == "first_page"
    assert value["provenance"]["parser"] == "pdfium"
    table = next(block for block in value["blocks"] if block["type"] == "table")
    assert all(len(row) == len(table["table"]["rows"][0]) for row in table["table"]["rows"])
    assert all(len(box) == 5 for block in value["blocks"] for box in block["boxes"])

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from reading_model.errors import NotAnArtifact, NotAPdf, ParseError
from reading_model.identity import sha256_hex
from reading_model.parsing import parse_file
from reading_model.parsing.mineru.paperloom import SCHEMA
from reading_model.parsing.sources import bytes_for, importer_of, read_source
from tests.reading_model.parsing.mineru.outputs import block, written

LIMIT = 10_000


def test_what_is_plainly_another_parsers_output_goes_to_its_importer(tmp_path: Path) -> None:
    files = {
        "a.pdf": b"%PDF-1.7",
        "b.zip": b"PK\x03\x04",
        "c_content_list.json": b"[]",
        "d.json": f'{{"schema_version": "{SCHEMA}"}}'.encode(),
        "e.zip": b"%PDF-1.7 with a wrong name",
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    chosen = {name: importer_of(tmp_path / name, "pdfium") for name in files}
    assert list(chosen.values()) == ["pdfium", "mineru-artifact", "mineru-artifact", "paperloom-export", "pdfium"]
    assert importer_of(tmp_path, "pdfium") == "mineru-artifact"
    assert importer_of(tmp_path / "a.pdf", "mineru-artifact") == "mineru-artifact"
    assert importer_of(tmp_path / "absent.json", "pdfium") == "mineru-artifact"


def test_a_source_is_kept_under_its_hash_and_read_again_from_what_is_kept(tmp_path: Path) -> None:
    folder = written(tmp_path / "out", content_list=[block("Words.")])
    source = read_source(folder, "pdfium", LIMIT)
    assert source.key == f"sources/{source.sha256}.zip"
    assert sha256_hex(source.kept) == source.sha256
    kept = tmp_path / "kept.zip"
    kept.write_bytes(source.kept)
    assert read_source(kept, "pdfium", LIMIT) == source
    (folder / "paper.pdf").write_bytes(b"%PDF-1.7")
    with_pdf = read_source(folder, "pdfium", LIMIT)
    assert (with_pdf.key, with_pdf.kept) == (f"pdf/{sha256_hex(b'%PDF-1.7')}.pdf", b"%PDF-1.7")


def test_bytes_for_a_parser_say_what_is_wrong_with_a_file(tmp_path: Path) -> None:
    (tmp_path / "empty.pdf").write_bytes(b"")
    (tmp_path / "page.pdf").write_bytes(b"<html>")
    for name in ("empty.pdf", "page.pdf"):
        with pytest.raises(NotAPdf):
            bytes_for(tmp_path / name, "pdfium", LIMIT)
    with pytest.raises(ParseError, match="cannot be read"):
        bytes_for(tmp_path / "absent.pdf", "pdfium", LIMIT)


def test_an_archive_is_parsed_in_a_worker_and_its_errors_come_back_by_name(tmp_path: Path) -> None:
    path = tmp_path / "out.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("content_list.json", '[{"type": "text", "text": "Words.", "page_idx": 0}]')
    assert [item.text for item in parse_file(path).blocks] == ["Words."]
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("notes.txt", "x")
    with pytest.raises(NotAnArtifact):
        parse_file(path)

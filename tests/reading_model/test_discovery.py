from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from reading_model.discovery import discover


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {
        "b.pdf": b"%PDF-1.7",
        "a.PDF": b"%PDF-1.7",
        "a.jats.xml": b"<article/>",
        "notes.txt": b"hello",
        "download": b"\n\n%PDF-1.4",
        "page.pdf": b"<html>",
        ".hidden.pdf": b"%PDF-1.7",
        "sub/c.pdf": b"%PDF-1.7",
        "sub/c.bib": b"@article",
        ".git/d.pdf": b"%PDF-1.7",
    }
    for name, content in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    (tmp_path / "sub" / "loop").symlink_to(tmp_path, target_is_directory=True)
    return tmp_path


def found(folder: Path, *paths: Path) -> list[str]:
    return [str(path.relative_to(folder)) for path in discover(paths)]


def test_a_folder_gives_its_pdfs_sorted_by_suffix_or_by_how_they_start(folder: Path) -> None:
    assert found(folder, folder) == ["a.PDF", "b.pdf", "download", "page.pdf", "sub/c.pdf"]


def test_a_file_that_is_named_is_kept_whatever_it_is(folder: Path) -> None:
    assert found(folder, folder / "notes.txt", folder / ".hidden.pdf") == ["notes.txt", ".hidden.pdf"]


def test_what_stands_beside_a_pdf_is_left_out_also_when_a_shell_names_it(folder: Path) -> None:
    (folder / "a.pdf").write_bytes(b"%PDF-1.7")
    assert found(folder, folder / "a.jats.xml", folder / "sub" / "c.bib", folder / "sub" / "c.pdf") == ["sub/c.pdf"]


def test_a_pattern_is_expanded_and_a_file_is_given_once(folder: Path) -> None:
    assert found(folder, folder / "*.pdf", folder / "b.pdf", folder / "sub") == ["b.pdf", "page.pdf", "sub/c.pdf"]
    assert found(folder, folder / "**" / "c.*") == ["sub/c.pdf"]


def test_a_name_that_does_not_exist_is_kept_so_that_adding_it_says_so(folder: Path) -> None:
    assert found(folder, folder / "nothing.pdf", folder / "*.docx") == ["nothing.pdf", "*.docx"]


def test_an_empty_folder_gives_nothing(tmp_path: Path) -> None:
    assert discover([tmp_path]) == []


def test_a_file_that_cannot_be_opened_is_not_taken_for_a_pdf(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "open", _refused)
    assert found(folder, folder) == ["a.PDF", "b.pdf", "page.pdf", "sub/c.pdf"]


def _refused(*_arguments: object, **_options: object) -> None:
    raise PermissionError("not yours")


def test_outputs_of_mineru_are_found_and_random_folders_archives_and_json_are_not(tmp_path: Path) -> None:
    listed = '[{"type": "text"}]'
    for name in ("one/auto/one_content_list.json", "two/a_content_list.json", "two/b_content_list.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(listed, encoding="utf-8")
    for name in ("one/auto/one_origin.pdf", "one/auto/one_layout.pdf", "two/b.pdf", "two/other.pdf"):
        (tmp_path / name).write_bytes(b"%PDF-1.7")
    (tmp_path / "layouts").mkdir()
    for name in ("layouts/layout.json", "data.json", "package.json"):
        (tmp_path / name).write_text("{}", encoding="utf-8")
    for name, member in (("output.zip", "x/content_list.json"), ("backup.zip", "notes.txt")):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            archive.writestr(member, listed)
    (tmp_path / "broken.zip").write_bytes(b"PK\x03\x04")
    assert found(tmp_path, tmp_path) == [
        "one/auto",
        "output.zip",
        "two/a_content_list.json",
        "two/b_content_list.json",
        "two/other.pdf",
    ]


def test_an_output_that_is_named_is_kept_also_beside_the_pdf_of_the_same_name(tmp_path: Path) -> None:
    (tmp_path / "paper.pdf").write_bytes(b"%PDF-1.7")
    with zipfile.ZipFile(tmp_path / "paper.zip", "w") as archive:
        archive.writestr("content_list.json", "[]")
    assert found(tmp_path, tmp_path / "paper.zip") == ["paper.zip"]

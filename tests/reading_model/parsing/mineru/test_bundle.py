from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path

import pytest

from reading_model.errors import DamagedArtifact, FileTooLarge, NotAnArtifact
from reading_model.identity import sha256_hex
from reading_model.parsing.mineru.bundle import Role, open_bundle, unpacked
from reading_model.parsing.mineru.parser import parse
from tests.reading_model.parsing.mineru.outputs import block, layout, written

PDF = b"%PDF-1.7\nnot read here"
LISTED = [block("Words.")]


def test_a_folder_a_zip_and_a_gzipped_file_of_the_same_output_are_one_source(tmp_path: Path) -> None:
    folder = written(tmp_path / "out", content_list=LISTED, layout=layout())
    archive = Path(shutil.make_archive(str(tmp_path / "packed"), "zip", tmp_path, "out"))
    other = written(tmp_path / "other", content_list=LISTED)
    (other / "layout.json.gz").write_bytes(gzip.compress(json.dumps(layout()).encode()))
    packed = {open_bundle(path).packed() for path in (folder, archive, other, folder / "content_list.json")}
    assert len(packed) == 1
    (data,) = packed
    assert unpacked(data) == open_bundle(folder)
    assert open_bundle(folder).source_sha256() == sha256_hex(data)


def test_minerus_own_output_folder_gives_its_origin_pdf_and_not_its_drawings(tmp_path: Path) -> None:
    folder = written(tmp_path / "auto", paper_content_list=LISTED, paper_middle=layout())
    for name in ("paper_origin.pdf", "paper_layout.pdf", "paper_span.pdf"):
        (folder / name).write_bytes(PDF + name.encode())
    bundle = open_bundle(folder)
    assert bundle.pdf == PDF + b"paper_origin.pdf"
    assert bundle.source_sha256() == sha256_hex(PDF + b"paper_origin.pdf")
    assert set(bundle.files) == {Role.CONTENT_LIST, Role.LAYOUT, Role.PDF}


@pytest.mark.parametrize("place", ["paper", "paper/auto", "."])
def test_a_pdf_finds_its_output_beside_it(tmp_path: Path, place: str) -> None:
    pdf = tmp_path / "paper.pdf"
    pdf.write_bytes(PDF)
    written(tmp_path / place, content_list=LISTED)
    bundle = open_bundle(pdf)
    assert bundle.pdf == PDF
    assert json.loads(bundle.files[Role.CONTENT_LIST]) == LISTED


def test_an_archive_beside_a_pdf_is_its_output_both_ways(tmp_path: Path) -> None:
    pdf = tmp_path / "paper.pdf"
    pdf.write_bytes(PDF)
    shutil.make_archive(str(tmp_path / "paper"), "zip", written(tmp_path / "other" / "x", content_list=LISTED))
    assert open_bundle(pdf) == open_bundle(tmp_path / "paper.zip")


def test_of_several_outputs_in_a_folder_one_must_be_named(tmp_path: Path) -> None:
    folder = written(tmp_path, a_content_list=[block("A")], b_content_list=[block("B")], b_middle=layout())
    (folder / "b.pdf").write_bytes(PDF)
    with pytest.raises(NotAnArtifact):
        open_bundle(folder)
    assert set(open_bundle(folder / "a_content_list.json").files) == {Role.CONTENT_LIST}
    named = open_bundle(folder / "b_content_list.json")
    assert set(named.files) == {Role.CONTENT_LIST, Role.LAYOUT, Role.PDF}
    assert json.loads(named.files[Role.CONTENT_LIST])[0]["text"] == "B"
    assert open_bundle(folder / "b.pdf") == named


@pytest.mark.parametrize("files", [{}, {"notes": [1]}, {"package": {"name": "x"}}])
def test_what_holds_no_output_is_none(tmp_path: Path, files: dict[str, object]) -> None:
    folder = written(tmp_path / "x", **files)
    archive = Path(shutil.make_archive(str(tmp_path / "y"), "zip", folder))
    (tmp_path / "lone.pdf").write_bytes(PDF)
    (tmp_path / "data.json").write_text("{}", encoding="utf-8")
    for path in (folder, archive, tmp_path / "lone.pdf", tmp_path / "data.json"):
        with pytest.raises(NotAnArtifact):
            open_bundle(path)


def test_two_outputs_in_an_archive_are_refused(tmp_path: Path) -> None:
    written(tmp_path / "x" / "a", content_list=LISTED)
    written(tmp_path / "x" / "b", content_list=LISTED)
    archive = Path(shutil.make_archive(str(tmp_path / "y"), "zip", tmp_path / "x"))
    with pytest.raises(NotAnArtifact, match="several"):
        open_bundle(archive)


@pytest.mark.parametrize("data", [b"", b"[", b'"x', b"\xff\xfe", b"[" * 100_000])
def test_json_that_cannot_be_read_is_damaged(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "content_list.json").write_bytes(data)
    with pytest.raises(DamagedArtifact):
        parse(open_bundle(tmp_path).packed())


def test_a_gzip_bomb_and_a_broken_gzip_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "content_list.json.gz"
    file.write_bytes(gzip.compress(bytes(65 * 1024**2)))
    with pytest.raises(FileTooLarge):
        open_bundle(tmp_path)
    file.write_bytes(gzip.compress(b"[]")[:-6])
    with pytest.raises(DamagedArtifact):
        open_bundle(tmp_path)


def test_a_file_over_the_limit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileTooLarge):
        open_bundle(written(tmp_path, content_list=LISTED), max_bytes=10)

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.command_line import paperledger
from tests.places import CASES, DATA, ROOT, SAMPLE_PAPERS, needs_data, needs_tesseract


def test_an_empty_folder_is_named_and_makes_no_library(tmp_path: Path) -> None:
    empty = tmp_path / "papers"
    empty.mkdir()
    ran = paperledger("add", empty, "--library", tmp_path / "library", "--json")
    assert (ran.code, ran.json["error"]) == (2, "nothing_to_add")
    assert not (tmp_path / "library").exists()


def test_a_library_that_is_not_there_is_named(tmp_path: Path) -> None:
    for command in (["ask", "What?"], ["search", "x"], ["papers", "list"], ["index", "verify"]):
        ran = paperledger(*command, "--library", tmp_path / "absent", "--json")
        assert (ran.code, ran.json["error"]) == (3, "library_not_found"), command
    assert not (tmp_path / "absent").exists()


def test_one_bad_file_among_good_ones_fails_alone(tmp_path: Path) -> None:
    folder = tmp_path / "mixed"
    folder.mkdir()
    good = next(SAMPLE_PAPERS.glob("*.pdf"))
    (folder / "good.pdf").write_bytes(good.read_bytes())
    (folder / "zero.pdf").write_bytes(b"")
    (folder / "page.pdf").write_bytes(b"<!doctype html><title>403</title>")
    (folder / "cut.pdf").write_bytes(good.read_bytes()[:20_000])
    (folder / "good.jats.xml").write_text("<article/>")
    (folder / "notes.txt").write_text("not a paper")
    ran = paperledger("add", folder, "--library", tmp_path / "library", "--json", "--jobs", "1")
    assert ran.code == 1
    assert ran.json["counts"] == {"ready": 1, "skipped": 0, "failed": 3}
    codes = {Path(paper["file"]).name: (paper["failure"] or {}).get("code") for paper in ran.json["papers"]}
    assert codes == {"good.pdf": None, "zero.pdf": "not_a_pdf", "page.pdf": "not_a_pdf", "cut.pdf": "damaged"}
    assert paperledger("index", "verify", "--library", tmp_path / "library", "--json").code == 0
    listed = paperledger("add", folder, "--library", tmp_path / "library", "--jobs", "1")
    assert "failed" in listed.out
    assert "good.jats.xml" not in listed.out


@pytest.mark.parametrize(
    ("question", "code"), [("", 2), ("   ", 2), ("Which colour is the emperor's zyxglorp bicycle?", 0)]
)
def test_questions_about_nothing(question: str, code: int, library: Path) -> None:
    ran = paperledger("ask", question, "--library", library, "--json")
    assert ran.code == code
    if code == 0:
        assert ran.json["answer"]["outcome"] == "abstained"
        assert ran.json["citations"] == []


def test_a_paper_outside_the_library_is_refused(library: Path) -> None:
    ran = paperledger("ask", "What is BM25?", "--paper", "f" * 32, "--library", library, "--json")
    assert (ran.code, ran.json["error"]) == (2, "paper_not_found")


def test_a_location_that_is_not_there_is_refused(library: Path) -> None:
    ran = paperledger("read", "passage_ref_" + "0" * 20, "--library", library, "--json")
    assert (ran.code, ran.json["error"]) == (2, "location_not_found")


def test_a_library_in_use_names_the_process(library: Path) -> None:
    script = (
        "import sys\nfrom pathlib import Path\nfrom cli.settings import load_settings\n"
        "from cli.wiring import open_library\n"
        "with open_library(load_settings(library=Path(sys.argv[1]))):\n"
        "    print('open', flush=True)\n    sys.stdin.read()\n"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", script, str(library)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "open\n"
        ran = paperledger("search", "x", "--library", library, "--json")
        assert (ran.code, ran.json["error"]) == (3, "index_in_use")
        assert str(holder.pid) in ran.json["message"]
    finally:
        holder.communicate("")
    assert paperledger("search", "index", "--library", library, "--json").code == 0


def test_a_model_that_nobody_serves_ends_with_a_reason(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = paperledger("ask", "What is BM25?", "--model", "some-model", "--library", library, "--json")
    assert (ran.code, ran.json["error"]) == (2, "settings_invalid")
    monkeypatch.setenv("PAPERLEDGER_MODEL_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("PAPERLEDGER_MODEL_API_KEY", "sk-never-shown")
    ran = paperledger("ask", "What is BM25?", "--model", "some-model", "--library", library, "--json")
    assert ran.code == 3
    assert ran.json["control"]["reason_code"] == "PROVIDER_UNAVAILABLE"
    assert "sk-never-shown" not in ran.out + ran.err


def test_a_password_file_opens_an_encrypted_paper(tmp_path: Path) -> None:
    pytest.importorskip("yaml")
    if not CASES.is_dir():
        pytest.skip("the shared cases are not beside this checkout")
    file = CASES / "inputs" / "f02-needs-password.pdf"
    without = paperledger("parse", file, "--json")
    assert (without.code, without.json["error"]) == (4, "password_required")
    (tmp_path / "wrong").write_text("no\n")
    wrong = paperledger("parse", file, "--json", "--password-file", tmp_path / "wrong")
    assert (wrong.code, wrong.json["error"]) == (4, "password_wrong")
    (tmp_path / "right").write_text("reader-7\n")
    right = paperledger("parse", file, "--json", "--password-file", tmp_path / "right")
    assert right.code == 0
    assert "9.9 percent" in right.out


@needs_data()
def test_a_scan_parses_with_a_diagnostic_and_fails_to_be_added(tmp_path: Path) -> None:
    scan = DATA / "scans" / "non-text-searchable.pdf"
    parsed = paperledger("parse", scan)
    assert parsed.code == 0
    assert (parsed.json["page_count"], parsed.json["blocks"]) == (1, [])
    assert "no_text" in {diagnostic["code"] for diagnostic in parsed.json["diagnostics"]}
    added = paperledger("add", scan, "--library", tmp_path / "library", "--json", "--jobs", "1")
    assert added.code == 1
    assert added.json["papers"][0]["failure"]["code"] == "no_text"
    (paper,) = paperledger("papers", "--library", tmp_path / "library", "--json").json["papers"]
    assert (paper["searchable"], paper["failure"]["code"]) == (False, "no_text")
    assert paperledger("ask", "What?", "--library", tmp_path / "library", "--json").code == 2


@needs_data()
@needs_tesseract
def test_a_scan_that_failed_is_read_when_it_is_added_again_with_ocr(tmp_path: Path) -> None:
    scan = DATA / "scans" / "non-text-searchable.pdf"
    assert "example of a non-text-searchable PDF" in paperledger("parse", scan, "--ocr", "auto").out
    library = tmp_path / "library"
    assert paperledger("add", scan, "--library", library, "--json", "--jobs", "1").code == 1
    again = paperledger("add", scan, "--ocr", "auto", "--library", library, "--json", "--jobs", "1")
    assert (again.code, again.json["papers"][0]["status"]) == (0, "ready")
    (paper,) = paperledger("papers", "--library", library, "--json").json["papers"]
    assert (paper["searchable"], paper["failure"]) == (True, None)


def test_ocr_without_an_engine_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("reading_model.parsing.ocr.rapid.find_spec", lambda name: None)
    file = tmp_path / "any.pdf"
    file.write_bytes(b"%PDF-1.7\n")
    refused = paperledger("add", file, "--ocr", "auto", "--library", tmp_path / "library", "--json")
    error = json.loads(refused.err or refused.out)
    assert error["error"] == "parser_unavailable"
    assert "tesseract-ocr" in error["hint"]
    assert not (tmp_path / "library").exists()


def test_ocr_goes_with_the_parser_that_knows_pages_without_text(tmp_path: Path) -> None:
    file = tmp_path / "any.pdf"
    file.write_bytes(b"%PDF-1.7\n")
    refused = paperledger("parse", file, "--ocr", "auto", "--parser", "other")
    assert refused.code == 2
    assert "--ocr auto goes with the parser `pdfium`" in refused.err

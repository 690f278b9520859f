"""Wrong use and odd machines: each its own message, form and exit code."""

from __future__ import annotations

import io
import json
import os
import socket
import sys
from pathlib import Path

import pytest

from cli.commands.serve import _listen  # pyright: ignore[reportPrivateUsage] - the order of its steps is the point
from cli.exit_codes import ExitCode
from cli.main import main
from cli.settings import load_settings
from cli.wiring import open_library

PAPER = Path(__file__).parents[2] / "examples" / "papers" / "evidence-ledger.pdf"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = str(tmp_path_factory.mktemp("bad-input") / "library")
    assert main(["add", str(PAPER), "--library", folder, "--json"]) == ExitCode.DONE
    return folder


@pytest.mark.parametrize(
    "arguments",
    [
        ["ask", " ", "--json"],
        ["search", " ", "--json"],
        ["search", "x", "--pages", "0", "--json"],
        ["parse", "no-such-file.pdf", "--json"],
        ["no-such-command", "--json"],
        ["add", "--json"],
    ],
)
def test_wrong_use_is_one_json_object_where_json_was_asked_for(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == ExitCode.WRONG_USE
    written = capsys.readouterr()
    said = json.loads(written.out)
    assert said["error"] == "wrong_use"
    assert said["message"]
    assert "--help" in said["hint"]
    assert written.err == ""


@pytest.mark.parametrize(
    "arguments", [["search", "what\udcff is evidence"], ["read", "x\udcff"], ["structure", "x\udcff"]]
)
def test_words_that_are_no_unicode_are_no_internal_error(arguments: list[str], library: str) -> None:
    assert main([*arguments, "--library", library]) in {ExitCode.DONE, ExitCode.WRONG_USE}


@pytest.mark.parametrize("option", ["--ledger", "--record"])
def test_what_cannot_be_written_is_said_before_the_run(
    option: str, library: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("x")
    code = main(["ask", "What is evidence?", option, str(in_the_way / "x"), "--library", library, "--json"])
    assert code == ExitCode.NOT_AVAILABLE
    assert json.loads(capsys.readouterr().out)["error"] == "file_unusable"


def test_a_library_that_cannot_be_made_is_no_internal_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("x")
    code = main(["add", str(PAPER), "--library", str(tmp_path / "file" / "library"), "--json"])
    assert code == ExitCode.NOT_AVAILABLE
    assert json.loads(capsys.readouterr().out)["error"] == "file_unusable"


def test_a_password_file_that_is_no_text_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "password").write_bytes(b"\xff\xfe")
    code = main(["parse", str(PAPER), "--password-file", str(tmp_path / "password"), "--json"])
    assert code == ExitCode.WRONG_USE
    assert json.loads(capsys.readouterr().out)["error"] == "secret_unreadable"


def test_a_folder_in_the_place_of_the_settings_file_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "paperledger.toml").mkdir()
    assert main(["config", "show", "--library", str(tmp_path), "--json"]) == ExitCode.WRONG_USE
    assert json.loads(capsys.readouterr().out)["error"] == "settings_invalid"


def test_a_time_limit_without_an_end_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PAPERLEDGER_MODEL_TIMEOUT_SECONDS", "inf")
    assert main(["config", "show", "--library", str(tmp_path)]) == ExitCode.WRONG_USE


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_password_in_an_address_is_not_shown(
    form: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PAPERLEDGER_MODEL_BASE_URL", "http://me:s3cr3t@127.0.0.1/v1")
    assert main(["config", "show", "--library", str(tmp_path), *form]) == ExitCode.DONE
    assert "s3cr3t" not in capsys.readouterr().out


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere every file name is Unicode")
def test_escape_sequences_of_a_file_name_are_shown_not_obeyed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = tmp_path / os.fsdecode(b"a\x1b]0;x\x07\xff.pdf")
    odd.write_bytes(b"%PDF-1.7 nothing")
    assert main(["add", str(odd), "--library", str(tmp_path / "library")]) == ExitCode.SOME_FAILED
    shown = capsys.readouterr().out
    assert "a␛]0;x␇\ufffd.pdf" in shown
    assert "\x1b" not in shown


def test_the_listener_names_its_protocol_so_that_replies_go_out_at_once() -> None:
    with _listen("127.0.0.1", 0) as listener:
        assert listener.proto == socket.IPPROTO_TCP


def test_an_address_that_was_told_accepts_callers() -> None:
    with _listen("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname(), timeout=5):
        pass


def test_papers_are_listed_while_another_process_has_the_library(
    library: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with open_library(load_settings(library=Path(library))):
        assert main(["papers", "--library", library, "--json"]) == ExitCode.DONE
        (paper,) = json.loads(capsys.readouterr().out)["papers"]
        assert paper["searchable"]
        assert main(["papers", "show", paper["paper_id"][:4], "--library", library]) == ExitCode.DONE
        assert main(["search", "evidence", "--library", library]) == ExitCode.NOT_AVAILABLE


@pytest.mark.parametrize(
    ("query", "said"),
    [("the of", "only words that any text holds"), ("xyzzyplugh", "No place holds these words")],
)
def test_an_empty_search_says_why_in_words(
    query: str, said: str, library: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["search", query, "--library", library]) == ExitCode.DONE
    assert said in " ".join(capsys.readouterr().out.split())


def test_a_beginning_of_an_id_that_is_too_short_says_how_long_it_must_be(
    library: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["papers", "show", "abc", "--library", library]) == ExitCode.WRONG_USE
    assert "at least its first 4 characters" in capsys.readouterr().err


def test_nothing_is_removed_when_nobody_answers(
    library: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["papers", "--library", library, "--json"])
    before = capsys.readouterr().out
    paper_id = json.loads(before)["papers"][0]["paper_id"]
    for answer in ("", "n\n"):
        monkeypatch.setattr("sys.stdin", io.StringIO(answer))
        assert main(["papers", "remove", paper_id, "--library", library]) == ExitCode.SOME_FAILED
        assert "Nothing was removed" in capsys.readouterr().err
    main(["papers", "--library", library, "--json"])
    assert capsys.readouterr().out == before

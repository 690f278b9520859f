"""Tesseract as a program: stand-ins written as shell scripts, and the real one where it is installed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from reading_model.errors import ParserUnavailable
from reading_model.parsing.ocr import GreyImage, Reading, Unread, find_engine
from reading_model.parsing.ocr.tesseract import Tesseract, find_tesseract

IMAGE = GreyImage(4, 2, bytes(range(8)), 200)
HOCR = (
    "<span class='ocr_line' title='bbox 0 0 9 9; baseline 0 0; x_size 9'>"
    "<span class='ocrx_word' title='x_wconf {confidence}'>"
    "<span class='ocrx_cinfo' title='x_bboxes 0 0 9 9'>{letter}</span></span></span>"
)


def program(folder: Path, script: str) -> str:
    path = folder / "tesseract"
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def reading(folder: Path, script: str, seconds: float = 20) -> Reading | Unread:
    return Tesseract(program(folder, script), "9", ("eng",), page_seconds=seconds).read(IMAGE)


def about(languages: str) -> str:
    return f'case $1 in --version) echo "tesseract v5.9.1-x";; --list-langs) printf "List:\\n{languages}";; esac'


def test_the_program_gets_the_picture_and_one_thread(tmp_path: Path) -> None:
    script = f'cat > "{tmp_path}/picture"; echo "$OMP_THREAD_LIMIT $@" > "{tmp_path}/called"'
    assert reading(tmp_path, script) == Reading(())
    assert (tmp_path / "picture").read_bytes() == b"P5\n4 2\n255\n" + IMAGE.samples
    called = (tmp_path / "called").read_text(encoding="utf-8")
    assert called.startswith("1 stdin stdout --dpi 200 -l eng ")


def test_a_page_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    answer = reading(tmp_path, "while :; do :; done", seconds=0.2)
    assert isinstance(answer, Unread)
    assert "0.2 seconds" in answer.reason


def test_a_program_that_fails_or_is_gone_says_why(tmp_path: Path) -> None:
    answer = reading(tmp_path, "cat >/dev/null; echo 'first' >&2; echo 'no such language' >&2; exit 3")
    assert answer == Unread("Tesseract failed: no such language")
    assert reading(tmp_path, "cat >/dev/null; exit 3") == Unread("Tesseract failed: exit code 3")
    gone = Tesseract(str(tmp_path / "gone"), "9", ("eng",)).read(IMAGE)
    assert isinstance(gone, Unread)
    assert "cannot be started" in gone.reason


def test_a_page_that_reads_badly_is_turned_as_the_script_detection_says(tmp_path: Path) -> None:
    bad, good = HOCR.format(confidence=40, letter="x"), HOCR.format(confidence=90, letter="a")
    script = (
        'head -n 2 | { read -r magic; read -r width height; case "$*" in *"--psm 0"*) echo "Rotate: 90";; *) '
        f'if [ "$width" = 4 ]; then echo "{bad}"; else echo "{good}"; fi;; esac; }}; cat >/dev/null'
    )
    answer = reading(tmp_path, script)
    assert isinstance(answer, Reading)
    assert (answer.turn, answer.lines[0].words[0].text) == (90, "a")


@pytest.mark.parametrize("detected", ["Rotate: 0", "Too few characters", "Rotate: 180"])
def test_a_page_that_turning_does_not_help_stays_as_it_was(tmp_path: Path, detected: str) -> None:
    bad = HOCR.format(confidence=40, letter="x")
    script = f'cat >/dev/null; case "$*" in *"--psm 0"*) echo "{detected}";; *) echo "{bad}";; esac'
    answer = reading(tmp_path, script)
    assert isinstance(answer, Reading)
    assert (answer.turn, answer.lines[0].words[0].text) == (0, "x")


@pytest.mark.parametrize(
    ("languages", "used"),
    [
        ("eng\\nosd\\n", ("eng",)),
        ("chi_sim\\neng\\nosd\\n", ("eng", "chi_sim")),
        ("afr\\nara\\ndeu\\neng\\n", ("eng",)),
        ("afr\\nara\\ndeu\\nfra\\n", ("afr",)),
    ],
)
def test_the_languages_there_are_go_into_the_identity(tmp_path: Path, languages: str, used: tuple[str, ...]) -> None:
    found = find_tesseract(program(tmp_path, about(languages)))
    assert found is not None
    assert found.languages == used
    assert found.identity == f"tesseract 5.9.1-x {'+'.join(used)}"


def test_a_program_without_language_data_or_answers_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_tesseract(program(tmp_path, about("osd\\n"))) is None
    broken = tmp_path / "broken"
    broken.write_bytes(b"\x00\x01")
    broken.chmod(0o755)
    assert find_tesseract(str(broken)) is None
    monkeypatch.setattr("reading_model.parsing.ocr.tesseract.QUERY_SECONDS", 0.1)
    assert find_tesseract(program(tmp_path, "while :; do :; done")) is None
    assert find_tesseract(str(tmp_path / "gone")) is None


def test_without_an_engine_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("reading_model.parsing.ocr.rapid.find_spec", lambda name: None)
    with pytest.raises(ParserUnavailable) as caught:
        find_engine()
    assert "tesseract-ocr" in caught.value.hint
    assert "paperledger[ocr]" in caught.value.hint


def test_the_engine_is_tesseract_where_it_is_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program(tmp_path, about("eng\\n"))
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert find_engine().identity == "tesseract 5.9.1-x eng"

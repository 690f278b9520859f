from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from reading_model.discovery import discover
from reading_model.errors import FileTooLarge, NotAPdf, ParseError
from reading_model.files import read_regular_file, stored_name
from reading_model.parsing import parse_file

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="pipes and devices with names are POSIX")


def test_a_file_is_read_whole_up_to_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "paper.pdf"
    path.write_bytes(b"12345")
    assert read_regular_file(path, 5) == b"12345"
    with pytest.raises(FileTooLarge):
        read_regular_file(path, 4)


@posix_only
def test_a_pipe_is_refused_instead_of_waiting_for_a_writer(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.pdf"
    os.mkfifo(pipe)
    with pytest.raises(NotAPdf, match="no regular file"):
        read_regular_file(pipe, 100)
    with pytest.raises(ParseError):
        parse_file(pipe)


@posix_only
def test_a_device_without_an_end_is_refused(tmp_path: Path) -> None:
    link = tmp_path / "zero.pdf"
    link.symlink_to("/dev/zero")
    with pytest.raises(NotAPdf, match="no regular file"):
        read_regular_file(link, 100)


@posix_only
def test_looking_for_papers_never_opens_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert discover([tmp_path]) == []
    assert discover([tmp_path / "pipe"]) == [tmp_path / "pipe"]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere every file name is Unicode")
def test_a_name_of_any_bytes_can_be_stored() -> None:
    assert stored_name(Path(os.fsdecode(b"dir\xff/caf\xe9.pdf"))) == "caf\ufffd.pdf"
    assert stored_name(Path("a/é😀.pdf")) == "é😀.pdf"

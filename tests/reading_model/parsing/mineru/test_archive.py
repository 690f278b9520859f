from __future__ import annotations

import io
import stat
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reading_model.errors import DamagedArtifact, FileTooLarge, ParseError, UnsafeArchive
from reading_model.parsing.mineru.archive import Archive, ArchiveLimits


def zipped(*names: str, content: bytes = b"[]", method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name in names:
            archive.writestr(zipfile.ZipInfo(name), content, method)
    return out.getvalue()


def with_mode(mode: int) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        entry = zipfile.ZipInfo("images/a")
        entry.create_system = 3
        entry.external_attr = (mode | 0o644) << 16
        archive.writestr(entry, b"/etc/passwd")
    return out.getvalue()


def patched(data: bytes, change: Callable[[bytearray, int], None]) -> bytes:
    """The archive with its first central directory entry changed."""
    raw = bytearray(data)
    change(raw, data.index(b"PK\x01\x02"))
    return bytes(raw)


def test_files_are_read_by_name_and_folders_are_no_files() -> None:
    archive = Archive(zipped("out/", "out/content_list.json", content=b""))
    assert archive.names == ["out/content_list.json"]
    assert archive.read("out/content_list.json") == b""


@pytest.mark.parametrize(
    "name", ["../a", "a/../b", "/a", "a//b", "./a", "C:/a", "c:a", "a\\b", "a/.", "..", "a\x00b", "//a/b"]
)
def test_a_name_that_leads_out_is_refused(name: str) -> None:
    data = zipped("x" * len(name)).replace(b"x" * len(name), name.encode())
    with pytest.raises(UnsafeArchive):
        Archive(data)


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFCHR, stat.S_IFIFO, stat.S_IFBLK, stat.S_IFSOCK])
def test_links_and_devices_are_refused(kind: int) -> None:
    with pytest.raises(UnsafeArchive):
        Archive(with_mode(kind))


def test_a_regular_file_of_unix_is_accepted() -> None:
    assert Archive(with_mode(stat.S_IFREG)).names == ["images/a"]


def test_encrypted_entries_are_refused() -> None:
    def encrypt(raw: bytearray, at: int) -> None:
        raw[at + 8] |= 1

    with pytest.raises(UnsafeArchive):
        Archive(patched(zipped("a"), encrypt))


@pytest.mark.parametrize(("one", "other"), [("a", "A"), ("é", "e\u0301"), ("a", "a/")])
def test_names_that_are_one_on_some_disk_are_refused(one: str, other: str) -> None:
    with pytest.raises(UnsafeArchive):
        Archive(zipped(one, other))


def test_a_bomb_is_refused_before_it_is_unpacked() -> None:
    with pytest.raises(UnsafeArchive):
        Archive(zipped("a", content=bytes(20 * 1024**2)))


def test_an_entry_that_promises_bytes_and_packs_none_is_refused() -> None:
    def promise(raw: bytearray, at: int) -> None:
        raw[at + 20 : at + 24] = struct.pack("<I", 0)

    with pytest.raises(UnsafeArchive):
        Archive(patched(zipped("a", content=b"hello"), promise))


def test_entries_that_share_their_bytes_are_refused() -> None:
    def widen(raw: bytearray, at: int) -> None:
        raw[at + 20 : at + 28] = struct.pack("<II", 500, 500)

    with pytest.raises(UnsafeArchive):
        Archive(patched(zipped("a", "b", content=bytes(300), method=zipfile.ZIP_STORED), widen))


@pytest.mark.parametrize(
    "limits", [ArchiveLimits(entries=1), ArchiveLimits(total_bytes=19), ArchiveLimits(entry_bytes=9)]
)
def test_too_many_entries_or_bytes_are_refused(limits: ArchiveLimits) -> None:
    with pytest.raises(FileTooLarge):
        Archive(zipped("a", "b", content=b"0123456789"), limits)


def test_an_entry_of_another_size_than_it_gives_is_damaged() -> None:
    def shrink(raw: bytearray, at: int) -> None:
        raw[at + 24 : at + 28] = struct.pack("<I", 3)

    archive = Archive(patched(zipped("a", content=b"hello world", method=zipfile.ZIP_DEFLATED), shrink))
    with pytest.raises(DamagedArtifact):
        archive.read("a")


@given(st.integers(0, 400), st.binary(min_size=1, max_size=12))
def test_an_archive_with_changed_bytes_is_read_or_refused_with_a_named_error(at: int, change: bytes) -> None:
    raw = bytearray(zipped("content_list.json", "images/a.jpg", content=b'[{"type": "text"}]'))
    at %= len(raw)
    raw[at : at + len(change)] = change
    try:
        archive = Archive(bytes(raw))
        for name in archive.names:
            archive.read(name)
    except (UnsafeArchive, DamagedArtifact, FileTooLarge):
        return
    assert archive.names


@given(st.binary(max_size=200))
def test_what_is_no_archive_is_damaged(data: bytes) -> None:
    with pytest.raises(ParseError):
        Archive(data)


def test_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Archive(zipped("a", "b/c")).read("b/c")
    assert list(tmp_path.iterdir()) == []

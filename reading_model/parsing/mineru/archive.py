"""Reading zip archives of strangers: nothing is extracted, and every entry is judged before any is read.

The rules follow what archives of parser output need: regular files under relative names, each name once, in plain or
deflated form, of bounded size, number and compression ratio.
"""

from __future__ import annotations

import io
import re
import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from reading_model.errors import DamagedArtifact, FileTooLarge, UnsafeArchive

_DRIVE = re.compile(r"[A-Za-z]:")
_ENCRYPTED = 0x1
_LOCAL_HEADER = 30  # bytes before name and data of an entry (APPNOTE.TXT 4.3.7)


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """Entries of an archive; bytes of all and of one when unpacked; unpacked size over packed size of an entry.

    The ratio counts from `ratio_floor` bytes on: small files of blanks may pack very well.
    """

    entries: int = 20_000
    total_bytes: int = 2 * 1024**3
    entry_bytes: int = 512 * 1024**2
    ratio: int = 200
    ratio_floor: int = 4 * 1024**2


class Archive:
    """A zip archive whose entries have been judged. Raises UnsafeArchive, FileTooLarge or DamagedArtifact."""

    def __init__(self, data: bytes, limits: ArchiveLimits = ArchiveLimits()) -> None:
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError) as error:
            raise _damaged(str(error)) from error
        entries = self._zip.infolist()
        if len(entries) > limits.entries:
            message = f"The archive has {len(entries):,} entries; the limit is {limits.entries:,}."
            raise FileTooLarge(message)
        for entry in entries:
            _judge(entry, limits)
        _refuse_twins(entries)
        _refuse_overlaps(entries)
        if sum(entry.file_size for entry in entries) > limits.total_bytes:
            message = f"The archive unpacks to more than {limits.total_bytes:,} bytes."
            raise FileTooLarge(message)
        self._files = {entry.filename: entry for entry in entries if not entry.is_dir()}

    @property
    def names(self) -> list[str]:
        """The names of its files, with `/` between the parts."""
        return list(self._files)

    def read(self, name: str) -> bytes:
        """The bytes of one file; never more than its entry promises."""
        entry = self._files[name]
        try:
            with self._zip.open(entry) as file:
                data = file.read(entry.file_size + 1)
        except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, RuntimeError) as error:
            raise _damaged(str(error)) from error
        if len(data) != entry.file_size:
            raise _damaged(f"{name} has not the size that its entry gives")
        return data


def _judge(entry: zipfile.ZipInfo, limits: ArchiveLimits) -> None:
    name = entry.orig_filename
    shown = name.encode("unicode_escape").decode()[:120]
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if entry.flag_bits & _ENCRYPTED:
        raise UnsafeArchive(f"The entry `{shown}` is encrypted.")
    if kind not in {0, stat.S_IFREG, stat.S_IFDIR}:
        raise UnsafeArchive(f"The entry `{shown}` is a link or a device.")
    if not _is_plain_name(name):
        raise UnsafeArchive(f"The entry `{shown}` has a name that leads out of the archive, or none.")
    if entry.file_size > limits.entry_bytes:
        raise FileTooLarge(f"The entry `{shown}` unpacks to {entry.file_size:,} bytes.")
    if entry.file_size and not entry.compress_size:
        raise UnsafeArchive(f"The entry `{shown}` promises {entry.file_size:,} bytes and packs none.")
    if entry.file_size > limits.ratio_floor and entry.file_size > entry.compress_size * limits.ratio:
        raise UnsafeArchive(f"The entry `{shown}` unpacks to more than {limits.ratio} times its size.")


def _is_plain_name(name: str) -> bool:
    if not name or "\0" in name or "\\" in name or name.startswith("/") or _DRIVE.match(name):
        return False
    return all(part not in {"", ".", ".."} for part in name.removesuffix("/").split("/"))


def _refuse_twins(entries: Sequence[zipfile.ZipInfo]) -> None:
    seen: set[str] = set()
    for entry in entries:
        name = unicodedata.normalize("NFC", entry.filename).casefold().removesuffix("/")
        if name in seen:
            raise UnsafeArchive(f"The archive has two entries `{name[:120]}`.")
        seen.add(name)


def _refuse_overlaps(entries: Sequence[zipfile.ZipInfo]) -> None:
    """Entries that share their bytes let a small archive unpack to a huge one."""
    places = sorted((entry.header_offset, entry.compress_size) for entry in entries)
    for (offset, size), (following, _) in pairwise(places):
        if offset + _LOCAL_HEADER + size > following:
            raise UnsafeArchive("The archive has entries that overlap.")


def _damaged(reason: str) -> DamagedArtifact:
    return DamagedArtifact(f"The archive cannot be read: {reason}.")

"""Files as people have them: read whole without ever waiting, and names that can be stored."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from reading_model.errors import FileTooLarge, NotAPdf


def read_regular_file(path: Path, max_bytes: int) -> bytes:
    """The file's bytes.

    Raises OSError, FileTooLarge, and NotAPdf for what is no regular file: opening a pipe waits for a writer and a
    device may never end.
    """
    with open(path, "rb", opener=_without_waiting) as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise NotAPdf(f"{stored_name(path)} is no regular file.", hint="Give a file on disk.")
        if found.st_size > max_bytes:
            raise FileTooLarge(f"The file has {found.st_size:,} bytes; the limit is {max_bytes:,}.")
        return file.read()


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def stored_name(path: Path) -> str:
    """The file's name as Unicode text: a name is bytes, and each one that is no UTF-8 becomes U+FFFD."""
    return os.fsencode(path.name).decode("utf-8", "replace")

"""One owner a folder, settled before the engine looks at it.

The engine has a lock of its own, but it reads the segments first and takes the lock then: an open that coincides with
another process's close joins old segments with a new log, and points are lost.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from index.errors import IndexInUse


class FolderLock:
    """Holds `<folder>.pid` locked, with this process's number in it; a killed process lets go of it.

    Raises IndexInUse when another process, or this one, holds it already.
    """

    def __init__(self, folder: Path) -> None:
        folder.parent.mkdir(parents=True, exist_ok=True)
        self._descriptor = os.open(folder.with_name(folder.name + ".pid"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.pread(self._descriptor, 20, 0)
            os.close(self._descriptor)
            raise IndexInUse(folder, int(owner) if owner.isdigit() else None) from None
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, str(os.getpid()).encode("ascii"), 0)

    def release(self) -> None:
        """Let go of it. The file stays: removing it would let two processes lock two files of one name."""
        os.ftruncate(self._descriptor, 0)
        os.close(self._descriptor)

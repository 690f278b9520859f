"""The object store: whole files under content-addressed keys, such as `pdf/{sha256}.pdf`."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path, PurePosixPath
from typing import Protocol

from reading_model.errors import ObjectMissing


class ObjectStore(Protocol):
    """Bytes by key. Keys are relative paths with `/`; putting the same key again replaces the object."""

    def put(self, key: str, data: bytes) -> None:
        """Store an object; afterwards it is there whole, also after a crash."""
        ...

    def get(self, key: str) -> bytes:
        """The object's bytes. Raises ObjectMissing."""
        ...

    def delete(self, key: str) -> None:
        """Remove an object; one that is not there is no error."""
        ...

    def exists(self, key: str) -> bool:
        """Whether there is such an object."""
        ...


class LocalObjects:
    """Objects as files below one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, key: str, data: bytes) -> None:
        """Write to a temporary name beside the object, then rename: a reader sees all of it or nothing."""
        path = self._path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".new-", delete=False) as file:
            temporary = Path(file.name)
            try:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            except BaseException:
                temporary.unlink()
                raise
        temporary.replace(path)

    def get(self, key: str) -> bytes:
        """The object's bytes. Raises ObjectMissing."""
        try:
            return self._path(key).read_bytes()
        except FileNotFoundError as error:
            message = f"there is no object {key}"
            raise ObjectMissing(message) from error

    def delete(self, key: str) -> None:
        """Remove the file, if it is there."""
        self._path(key).unlink(missing_ok=True)

    def exists(self, key: str) -> bool:
        """Whether the file is there."""
        return self._path(key).is_file()

    def _path(self, key: str) -> Path:
        parts = PurePosixPath(key).parts
        if not parts or key.startswith("/") or ".." in parts or "\\" in key or "\0" in key:
            message = f"{key!r} is no key of an object"
            raise ValueError(message)
        return self._folder.joinpath(*parts)

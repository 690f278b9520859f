"""The collections of a library as folders side by side, each an embedded Qdrant; an alias is a small file.

    index/locations/            a collection (its physical name is the folder's)
    index/locations.contract    what it was made under
    index/locations.pid         who has it open
    index/locations.alias       the physical name that serves; absent while it is the alias itself

An alias is switched by renaming a file over it, which a killed process does or does not do, never half.
"""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ValidationError

from index.contract import IndexContract
from index.embedded import EmbeddedQdrant
from index.engine import CARDS, LOCATIONS
from index.errors import CollectionMismatch, IndexInUse, IndexUnavailable
from index.folder_lock import FolderLock
from index.form import OUR_VECTORS, vectors_text

_CONFIG = "edge_config.json"


class _SparseVector(BaseModel):
    modifier: str = "none"


class _Config(BaseModel):
    """What matters of the engine's own configuration file."""

    vectors: Mapping[str, object] = {}
    sparse_vectors: Mapping[str, _SparseVector] = {}


class EmbeddedEngine:
    """An `IndexEngine` over the folder `root`; it holds nothing open itself, so several processes may have one each."""

    def __init__(self, root: Path) -> None:
        self._root = root

    @property
    def sole_owner(self) -> bool:
        """The write-ahead log of a folder keeps every other process out."""
        return True

    def serving(self, alias: str, contract: IndexContract) -> EmbeddedQdrant:
        """Open the collection that serves under an alias; an empty one is made when there is none."""
        return self.create(self.target(alias) or alias, contract)

    def create(self, name: str, contract: IndexContract) -> EmbeddedQdrant:
        """Make a collection in a folder of its own, or open the one that is there under the same contract."""
        folder = self._root / name
        _require_form(folder)
        marker = self._beside(name, "contract")
        if marker.exists():
            contract.require(marker.read_text(encoding="utf-8"), where=f"the index {folder}")
        opened = EmbeddedQdrant(folder)
        # points carry the contract too, so a folder from before this file was written is not taken on trust
        marker.write_text(contract.text(), encoding="utf-8")
        return opened

    def target(self, alias: str) -> str | None:
        """The folder that an alias points to: the one its file names, else that of the alias's own name."""
        try:
            return self._beside(alias, "alias").read_text(encoding="utf-8").strip()
        except FileNotFoundError:
            return alias if self._exists(alias) else None

    def switch(self, alias: str, name: str) -> None:
        """Let an alias point to another folder; who has the old one open stays with it."""
        if not self._exists(name):
            message = f"there is no index {self._root / name} to switch to"
            raise IndexUnavailable(message)
        file = self._beside(alias, "alias")
        # a name of its own: who rebuilt the index and who follows may both be at it
        written = file.with_name(f"{alias}.{uuid.uuid4().hex}.new")
        written.write_text(name, encoding="utf-8")
        written.replace(file)

    def names(self) -> tuple[str, ...]:
        """The names of the folders that hold a collection, ascending."""
        return tuple(sorted(config.parent.name for config in self._root.glob(f"*/{_CONFIG}")))

    def held(self, name: str) -> bool:
        """Whether a process has a folder open."""
        if not self._exists(name):
            return False
        try:
            FolderLock(self._root / name).release()
        except IndexInUse:
            return True
        return False

    def delete(self, name: str) -> None:
        """Delete a folder and what lies beside it for it. Raises IndexInUse while a process has it open."""
        pointing = {file.stem: file.read_text(encoding="utf-8").strip() for file in self._root.glob("*.alias")}
        if name in pointing.values() or (name in {LOCATIONS, CARDS} and self.target(name) == name):
            message = f"the index {self._root / name} serves; switch its alias first"
            raise ValueError(message)
        if not (self._root / name).exists():
            return
        # who has a folder open goes on reading and writing its files
        lock = FolderLock(self._root / name)
        try:
            # the configuration goes first: what a killed deletion leaves is no collection any more
            (self._root / name / _CONFIG).unlink(missing_ok=True)
            shutil.rmtree(self._root / name, ignore_errors=True)
            for kind in ("contract", "pid"):
                self._beside(name, kind).unlink(missing_ok=True)
        finally:
            lock.release()

    def close(self) -> None:
        """Nothing is held open."""

    def _exists(self, name: str) -> bool:
        return (self._root / name / _CONFIG).exists()

    def _beside(self, name: str, kind: str) -> Path:
        return self._root / f"{name}.{kind}"


def _require_form(folder: Path) -> None:
    """Raise CollectionMismatch when a folder's configuration has another vector or modifier than ours."""
    try:
        config = _Config.model_validate_json((folder / _CONFIG).read_bytes())
    except (FileNotFoundError, ValidationError):
        return  # there is none yet, or the engine itself will say what is wrong with it
    found = vectors_text(config.vectors, {name: vector.modifier for name, vector in config.sparse_vectors.items()})
    if found != OUR_VECTORS:
        raise CollectionMismatch(where=f"the index {folder}", found=found, expected=OUR_VECTORS)

"""Errors of the index.

IndexingError
├── IndexInUse                 index_in_use: another process owns the folder of the embedded engine
├── IndexUnavailable           index_unavailable: the engine refused to open or to answer
│   ├── ServerUnavailable      the same code: a Qdrant server is not reached, too busy, or not a Qdrant server
│   └── ServerRefused          the same code: a Qdrant server answers with a status that another try will not change
├── IndexUnauthorized          index_unauthorized: the server refuses the key, or what the key may do
├── IdfScopeUnsupported        index_idf_scope_unsupported: the server cannot count IDF over a caller's scope
├── ContractMismatch           index_contract_mismatch: points were made under another contract
│   └── CollectionMismatch     the same code: a collection has another form than the contract asks for
├── ContractMalformed          index_contract_malformed: a stored contract cannot be read
├── PointsIncomplete           index_points_incomplete: the engine holds another number of points than were written
├── IndexOperationRunning      index_operation_running: another worker builds this paper's points
└── RebuildRunning             index_rebuild_running: another process is rebuilding the whole index

Every error has a stable `code` and says what to do next in `hint`.
"""

from __future__ import annotations

from pathlib import Path


class IndexingError(Exception):
    """Root of the package's errors: `code` is stable, `str(error)` is for people, `hint` says what to do next."""

    code = "index_error"
    hint = ""


class IndexInUse(IndexingError):
    """Another process owns the folder; `pid` is that process where its pid file could be read."""

    code = "index_in_use"

    def __init__(self, folder: Path, pid: int | None) -> None:
        owner = f"process {pid}" if pid else "another process"
        super().__init__(f"the library's index {folder} is in use by {owner}")
        self.pid = pid
        self.hint = "Stop that process, or let the running service answer."


class IndexUnavailable(IndexingError):
    """The engine refused to open its folder or to carry out a call."""

    code = "index_unavailable"
    hint = "Check the folder and the free space, then run `paperledger index verify`."


class ServerUnavailable(IndexUnavailable):
    """A Qdrant server is not reached, does not answer in time, or answers what is not Qdrant's."""

    hint = "Check that the server runs and that PAPERLEDGER_QDRANT_URL names it; `paperledger doctor` tries it."


class ServerRefused(IndexUnavailable):
    """A Qdrant server answers with a status that another try would not change; `status` is the HTTP status."""

    hint = "See what the server says; its log may say more."

    def __init__(self, message: str, *, status: int) -> None:
        super().__init__(message)
        self.status = status


class IndexUnauthorized(IndexingError):
    """The Qdrant server refuses the key, or does not let this key do what was asked."""

    code = "index_unauthorized"
    hint = "Set PAPERLEDGER_QDRANT_API_KEY (or _FILE) to a key that may read, write and create collections."


class IdfScopeUnsupported(IndexingError):
    """The Qdrant server is too old to count inverse document frequencies over a part of a collection."""

    code = "index_idf_scope_unsupported"
    hint = (
        "Upgrade the server to 1.19 or newer. Or set PAPERLEDGER_QDRANT_IDF=global for a new library: scores then "
        "depend on the papers of all users."
    )


class ContractMismatch(IndexingError):
    """Points were made under another contract than the one in use; scores of the two must not be mixed."""

    code = "index_contract_mismatch"
    hint = "Run `paperledger index rebuild` to build the index anew by this release's rules, or use the other release."

    def __init__(self, *, where: str, found: str, expected: str) -> None:
        super().__init__(f"{where} was indexed under the contract {found}, this program uses {expected}")
        self.found = found
        self.expected = expected


class CollectionMismatch(ContractMismatch):
    """A collection has another form than the contract asks for: its vectors, a modifier, an index, its shards."""

    hint = "Undo that change of the collection, or delete it: its points are then built again from the store."

    def __init__(self, *, where: str, found: str, expected: str) -> None:
        IndexingError.__init__(self, f"{where} has {found}, this program needs {expected}")
        self.found = found
        self.expected = expected


class ContractMalformed(IndexingError):
    """A stored contract is not one that this release can read."""

    code = "index_contract_malformed"
    hint = "Run `paperledger index rebuild` to build the index anew by this release's rules, or use the other release."


class PointsIncomplete(IndexingError):
    """After writing, the engine counts another number of points than it was given."""

    code = "index_points_incomplete"
    hint = "Run `paperledger index verify`, and add the paper again."


class IndexOperationRunning(IndexingError):
    """Another worker is building the points of this model."""

    code = "index_operation_running"
    hint = "Wait until it has finished; `paperledger index status` shows it."


class RebuildRunning(IndexingError):
    """Another process is rebuilding the whole index."""

    code = "index_rebuild_running"
    hint = "Wait until it has finished; `paperledger index status` shows how far it is."

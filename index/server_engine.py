"""The collections of a library on a Qdrant server.

Every name carries the library's prefix, and every collection the library's id in its metadata: libraries may share a
server. A new library's collections are `<prefix>_locations_1` and `<prefix>_papers_1`; their aliases lack the number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from qdrant_client import QdrantClient, models

from index.contract import IndexContract
from index.errors import CollectionMismatch, IdfScopeUnsupported, ServerRefused, ServerUnavailable
from index.server import ServerQdrant
from index.server_calls import Patience, ServerAddress, ServerCalls
from index.server_form import CollectionForm, belongs_to, missing_indexes, require_form, warn_of_replicas

SCOPED_IDF_SINCE = (1, 19)
METADATA_SINCE = (1, 16)

_NOT_FOUND = 404
_CONFLICT = 409
_VERSION = re.compile(r"(\d+)\.(\d+)")


@dataclass(frozen=True, slots=True)
class CollectionPlan:
    """How a library's collections are named and made on a server; see `CollectionForm`."""

    prefix: str
    library: str
    shards: int = 1
    replicas: int = 1
    write_consistency: int | None = None
    on_disk: bool = True


class ServerEngine:
    """An `IndexEngine` on a Qdrant server; several processes may have one each."""

    def __init__(self, address: ServerAddress, plan: CollectionPlan, patience: Patience | None = None) -> None:
        self._calls = ServerCalls(address, patience)
        self._plan = plan

    @property
    def sole_owner(self) -> bool:
        """A server is open to everyone: leases say who writes."""
        return False

    def version(self) -> str:
        """The server's version, as it tells it. Raises IndexUnavailable, IndexUnauthorized."""
        return self._calls.call("tell its version", lambda client: client.info()).version

    def describe(self) -> str:
        """Version and address, for people."""
        return f"Qdrant {self.version()} at {self._calls.label}"

    def serving(self, alias: str, contract: IndexContract) -> ServerQdrant:
        """Open the collection that serves under an alias; an empty one is made when there is none.

        Raises IdfScopeUnsupported for a server that is too old for the contract, and what `IndexEngine` names.
        """
        if self.target(alias) is None:
            first = f"{alias}_1"
            self.create(first, contract).close()
            self.switch(alias, first)
        return self._opened(self._full(alias), contract)

    def create(self, name: str, contract: IndexContract) -> ServerQdrant:
        """Make a collection with its payload indexes, or open the one of that name and complete it."""
        self._require_version(contract)
        full = self._full(name)
        if self._info(full) is None:
            form = self._form(full, contract)
            try:
                self._calls.call("create a collection", lambda client: _create(client, full, form))
            except ServerRefused as error:
                # another process was faster, or an answer was lost: what is there is held against the form below
                if error.status not in {400, _CONFLICT} or self._info(full) is None:
                    raise
        return self._opened(full, contract)

    def target(self, alias: str) -> str | None:
        """The physical name that an alias points to, without the prefix."""
        full = self._full(alias)
        found = self._calls.call("list its aliases", lambda client: client.get_aliases()).aliases
        targets = [entry.collection_name for entry in found if entry.alias_name == full]
        return self._short(targets[0]) if targets else None

    def switch(self, alias: str, name: str) -> None:
        """Let an alias point to another collection, in one request."""
        full = self._full(alias)
        actions: list[models.AliasOperations] = []
        if self.target(alias) is not None:
            actions.append(models.DeleteAliasOperation(delete_alias=models.DeleteAlias(alias_name=full)))
        pointing = models.CreateAlias(collection_name=self._full(name), alias_name=full)
        actions.append(models.CreateAliasOperation(create_alias=pointing))
        self._calls.call("switch an alias", lambda client: client.update_collection_aliases(actions))

    def names(self) -> tuple[str, ...]:
        """Physical names of this library's collections, without the prefix."""
        found = self._calls.call("list its collections", lambda client: client.get_collections()).collections
        ours = [entry.name for entry in found if entry.name.startswith(self._full(""))]
        return tuple(sorted(self._short(name) for name in ours if self._is_own(name)))

    def held(self, name: str) -> bool:  # noqa: ARG002 - the interface's name
        """Never: a server's collections can be deleted whoever asks them."""
        return False

    def delete(self, name: str) -> None:
        """Delete a collection of this library; one of another library is left alone."""
        full = self._full(name)
        found = self._calls.call("list its aliases", lambda client: client.get_aliases()).aliases
        if any(entry.collection_name == full for entry in found):
            message = f"the collection {full} serves; switch its alias first"
            raise ValueError(message)
        if self._is_own(full):
            self._calls.call("delete a collection", lambda client: client.delete_collection(full))

    def close(self) -> None:
        """Close the connections to the server."""
        self._calls.close()

    def _opened(self, full: str, contract: IndexContract) -> ServerQdrant:
        self._require_version(contract)
        form = self._form(full, contract)
        info = self._info(full)
        if info is None:
            message = f"the Qdrant server {self._calls.label} has no {form.where}"
            raise ServerUnavailable(message)
        require_form(info, form)
        warn_of_replicas(info, form)
        for field in missing_indexes(info):
            schema = form.payload_index(field)
            self._calls.call(
                "index a payload field",
                lambda client, field=field, schema=schema: client.create_payload_index(full, field, schema, wait=True),
            )
        return ServerQdrant(self._calls, full, form)

    def _require_version(self, contract: IndexContract) -> None:
        version = self.version()
        found = _numbers(version)
        if contract.scoped_idf and found < SCOPED_IDF_SINCE:
            message = (
                f"the Qdrant server {self._calls.label} has version {version}, which counts IDF over all points; "
                f"the contract says idf={contract.idf}, for which it needs {_text(SCOPED_IDF_SINCE)}"
            )
            raise IdfScopeUnsupported(message)
        if found < METADATA_SINCE:
            raise CollectionMismatch(
                where=f"the Qdrant server {self._calls.label}",
                found=f"version {version}",
                expected=f"version {_text(METADATA_SINCE)} or newer",
            )

    def _info(self, full: str) -> models.CollectionInfo | None:
        try:
            return self._calls.call("describe a collection", lambda client: client.get_collection(full))
        except ServerRefused as error:
            if error.status == _NOT_FOUND:
                return None
            raise

    def _is_own(self, full: str) -> bool:
        info = self._info(full)
        return info is not None and belongs_to(info, self._plan.library)

    def _form(self, full: str, contract: IndexContract) -> CollectionForm:
        plan = self._plan
        return CollectionForm(
            where=f"collection {full}",
            contract=contract,
            library=plan.library,
            shards=plan.shards,
            replicas=plan.replicas,
            write_consistency=plan.write_consistency,
            on_disk=plan.on_disk,
        )

    def _full(self, name: str) -> str:
        return f"{self._plan.prefix}_{name}"

    def _short(self, full: str) -> str:
        return full.removeprefix(self._full(""))


def _create(client: QdrantClient, full: str, form: CollectionForm) -> bool:
    return client.create_collection(
        full,
        sparse_vectors_config=form.vectors(),
        shard_number=form.shards,
        replication_factor=form.replicas,
        write_consistency_factor=form.write_consistency or form.replicas,
        on_disk_payload=True,
        metadata=form.metadata,
    )


def _numbers(version: str) -> tuple[int, int]:
    """Major and minor number; (0, 0) of a version that tells none."""
    found = _VERSION.match(version)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def _text(version: tuple[int, int]) -> str:
    return f"{version[0]}.{version[1]}"

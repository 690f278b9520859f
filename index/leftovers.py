"""Collections that no index in force and no unfinished build needs."""

from __future__ import annotations

from index.contract import IndexContract
from index.engine import CARDS, LOCATIONS, IndexEngine
from index.errors import ContractMalformed, IndexInUse
from reading_model.store import ACTIVE_CONTRACT, ReadingStore


def leftovers(store: ReadingStore, engine: IndexEngine) -> tuple[str, ...]:
    """Physical names of collections that may go: those of an older index, and of builds that were given up."""
    needed = {engine.target(alias) for alias in (LOCATIONS, CARDS)}
    running = store.builds.running()
    for contract in (store.control.get(ACTIVE_CONTRACT), None if running is None else running.contract):
        needed |= _collections_of(contract)
    return tuple(name for name in engine.names() if name not in needed)


def removable_leftovers(store: ReadingStore, engine: IndexEngine) -> tuple[str, ...]:
    """Those of `leftovers` that no process has open; who has one open deletes it with its next call."""
    return tuple(name for name in leftovers(store, engine) if not engine.held(name))


def remove_leftovers(store: ReadingStore, engine: IndexEngine) -> tuple[str, ...]:
    """Delete them, except those that a process has open, which deletes them itself; the names that went."""
    removed: list[str] = []
    for name in leftovers(store, engine):
        try:
            engine.delete(name)
        except IndexInUse:
            continue
        removed.append(name)
    return tuple(removed)


def _collections_of(contract: str | None) -> set[str]:
    if contract is None:
        return set()
    try:
        generation = IndexContract.parse(contract).generation
    except ContractMalformed:
        return set()  # of a release that names its collections differently; the aliases say what serves
    return {f"{alias}_{generation}" for alias in (LOCATIONS, CARDS)} if generation > 1 else set()

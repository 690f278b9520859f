"""The index that answers, and how a process that has it open moves on when another one was built.

Which index is in force is one row of the store: the contract, whose collection names the generation. A process notices
a switch by that row after its work is done, moves to the new collections and does the work again. So every call is
answered by one index from its beginning to its end, and none is lost.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from index.contract import IndexContract
from index.engine import CARDS, LOCATIONS, IndexEngine, SparseIndex
from index.errors import IndexingError, IndexInUse
from index.indexer import active_contract
from index.leftovers import remove_leftovers
from reading_model.errors import StoreError
from reading_model.store import ACTIVE_CONTRACT, ReadingStore

Result = TypeVar("Result")

_OPENING_SECONDS = 30.0
_PAUSE_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class OpenIndex:
    """Both collections of one generation, open, and the contract of the locations."""

    contract: IndexContract
    locations: SparseIndex
    cards: SparseIndex

    def close(self) -> None:
        """Release both collections."""
        self.locations.close()
        self.cards.close()


@dataclass(slots=True, eq=False)
class _Held:
    index: OpenIndex
    users: int = 0
    retired: bool = False


@dataclass(slots=True)
class ServingIndex:
    """The index in force, open. Threads share one; `idf` is how the settings want IDF counted.

    Opening raises ContractMismatch for an index of other rules, IndexInUse when another process owns it.
    """

    store: ReadingStore
    engine: IndexEngine
    idf: str
    sleep: Callable[[float], None] = time.sleep
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)
    _following: threading.Lock = field(default_factory=threading.Lock, init=False)
    _held: _Held = field(init=False)

    def __post_init__(self) -> None:
        self._held = _Held(self._open_in_force())
        if self.engine.sole_owner:
            # nobody else can be writing points, so whoever holds a lease is dead
            self.store.leases.end_all()

    @contextmanager
    def use(self) -> Generator[OpenIndex]:
        """The index in force, which stays open until the block ends."""
        with self._lock:
            held = self._held
            held.users += 1
        try:
            yield held.index
        finally:
            self._let_go(held)

    def run(self, work: Callable[[OpenIndex], Result]) -> Result:
        """The result of `work` over the index in force; when that was switched meanwhile, `work` is done again.

        So it must be repeatable: a search, or writing points of what the store says. Its errors are raised.
        """
        while True:
            with self.use() as index:
                try:
                    result = work(index)
                except (IndexingError, StoreError):
                    if self._is_in_force(index):
                        raise
                else:
                    if self._is_in_force(index):
                        return result
            self.follow()

    def follow(self) -> bool:
        """Move to the index in force; False when it is the one that is open.

        The old one is closed when its last user is done, and then removed. Raises ContractMismatch when the new one
        was made by other rules than this program's, IndexInUse, IndexUnavailable.
        """
        with self._following:
            contract = active_contract(self.store, idf=self.idf)
            old = self._held
            if contract == old.index.contract:
                return False
            # who made the switch has the new folders open for a moment yet
            new = _Held(self._open_in_force(tries=int(_OPENING_SECONDS / _PAUSE_SECONDS)))
            with self._lock:
                self._held = new
                old.retired = True
                unused = old.users == 0
            if unused:
                self._remove(old)
            return True

    def close(self) -> None:
        """Close the collections; later calls fail."""
        with self._lock:
            self._held.index.close()

    def _is_in_force(self, index: OpenIndex) -> bool:
        return self.store.control.get(ACTIVE_CONTRACT) in {None, index.contract.text()}

    def _open_in_force(self, *, tries: int = 1) -> OpenIndex:
        """Open what the store says; when another index is put into force at this moment, that one."""
        while True:
            contract = active_contract(self.store, idf=self.idf)
            try:
                index = open_index(self.engine, contract)
            except IndexInUse:
                tries -= 1
                if tries <= 0:
                    raise
                self.sleep(_PAUSE_SECONDS)
                continue
            if self._is_in_force(index):
                return index
            index.close()

    def _let_go(self, held: _Held) -> None:
        with self._lock:
            held.users -= 1
            done = held.retired and held.users == 0
        if done:
            self._remove(held)

    def _remove(self, held: _Held) -> None:
        held.index.close()
        remove_leftovers(self.store, self.engine)


def open_index(engine: IndexEngine, contract: IndexContract) -> OpenIndex:
    """Open both collections of a contract; what is missing is made empty, and the aliases are brought up to it.

    Raises ContractMismatch, IndexInUse, IndexUnavailable.
    """
    locations = _open(engine, LOCATIONS, contract, contract.generation)
    try:
        cards = _open(engine, CARDS, contract.for_cards(), contract.generation)
    except BaseException:
        locations.close()
        raise
    return OpenIndex(contract, locations, cards)


def collection_names(generation: int) -> tuple[str, str]:
    """The physical names of both collections of a generation that a full rebuild made (2 and more)."""
    return f"{LOCATIONS}_{generation}", f"{CARDS}_{generation}"


def _open(engine: IndexEngine, alias: str, contract: IndexContract, generation: int) -> SparseIndex:
    # by its physical name: what was opened by an alias would write into another index after a switch
    target = engine.target(alias)
    if generation == 1:
        if target is None:
            engine.serving(alias, contract).close()
            target = engine.target(alias) or alias
        return engine.create(target, contract)
    name = f"{alias}_{generation}"
    opened = engine.create(name, contract)
    if target != name:
        # a process that was killed between the store and the alias; the store is what counts
        engine.switch(alias, name)
    return opened

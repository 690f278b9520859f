"""The index contract: everything that changes a score or a point, as one line of text.

The text is stored with every paper's index state and in every point. Points of two contracts are never scored together.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, fields, replace
from functools import lru_cache

from index.errors import ContractMalformed, ContractMismatch

LOCATIONS_COLLECTION = "locations"
PAPERS_COLLECTION = "papers_bm25_v1"

DEFAULT_AVGDL = 240.0
"""Mean length of an indexed text in words that a new library starts with; a full rebuild measures the real one."""

CARD_AVGDL = 160.0
"""Mean weighted length of a paper card: a title, a few authors and an abstract of about 110 words."""


SCOPED_IDF = "scope"
GLOBAL_IDF = "global"


def idf_mode(over: str, shards: int = 1) -> str:
    """What the contract says of IDF. A server counts it in each shard alone, so their number changes scores."""
    return over if shards == 1 else f"{over}/{shards}-shards"


_GENERATION = re.compile(rf"{LOCATIONS_COLLECTION}(?:_([1-9]\d*))?")


@dataclass(frozen=True, slots=True)
class IndexContract:
    """What a score depends on. `avgdl` counts analysed words; `engine` names the engine's feature level.

    `idf` is how inverse document frequencies are counted (`idf_mode` writes it): `scope` over the caller's scope,
    `global` over the collection as the server counts by itself; in each shard alone where there are several.
    """

    avgdl: float
    collection: str = LOCATIONS_COLLECTION
    projection: str = "location-v1"
    analyzer: str = "scholar-v2"
    term_id: str = "sha256-int31-v1"
    scorer: str = "bm25-tf-norm-v1"
    k1: float = 1.2
    b: float = 0.75
    fields: str = "title:2,section:1,text:1"
    engine: str = "qdrant-1.19"
    idf: str = SCOPED_IDF

    def __post_init__(self) -> None:
        if not (math.isfinite(self.avgdl) and self.avgdl > 0 and self.k1 >= 0 and 0 <= self.b <= 1):
            message = f"k1 >= 0, 0 <= b <= 1 and a positive avgdl are needed, not {self.k1}, {self.b}, {self.avgdl}"
            raise ContractMalformed(message)
        self.field_weights()

    @classmethod
    def default(cls, *, avgdl: float = DEFAULT_AVGDL, idf: str = SCOPED_IDF) -> IndexContract:
        """The contract of this release for locations."""
        return cls(avgdl=avgdl, idf=idf)

    def for_cards(self) -> IndexContract:
        """The contract of the paper cards that belong to these locations: same rules, other fields, short texts."""
        return replace(
            self,
            avgdl=CARD_AVGDL,
            collection=PAPERS_COLLECTION + self.collection.removeprefix(LOCATIONS_COLLECTION),
            projection="card-v1",
            fields="title:3,abstract:1,authors:2,venue:1",
        )

    @property
    def scoped_idf(self) -> bool:
        """Whether IDF is counted over the caller's scope."""
        return self.idf.startswith(SCOPED_IDF)

    @property
    def names_generation(self) -> bool:
        """Whether the collection is one that a library of this release has."""
        return _GENERATION.fullmatch(self.collection) is not None

    @property
    def generation(self) -> int:
        """1 for the index that a library began with; a full rebuild makes the next one. Raises ContractMalformed."""
        named = _GENERATION.fullmatch(self.collection)
        if named is None:
            message = f"{self.collection!r} is no collection of locations"
            raise ContractMalformed(message)
        return int(named[1] or 1)

    def of_generation(self, number: int, *, avgdl: float) -> IndexContract:
        """The contract of a rebuilt index: the same rules, its own collection, the mean length that was measured."""
        return replace(self, avgdl=avgdl, collection=f"{LOCATIONS_COLLECTION}_{number}")

    def same_rules(self, other: IndexContract) -> bool:
        """Whether both differ at most in mean length and collection: their texts have the same terms and lengths."""
        return replace(self, avgdl=other.avgdl, collection=other.collection) == other

    def field_weights(self) -> dict[str, float]:
        """The weight of each field in term frequency and length."""
        return dict(_weights_of(self.fields))

    def text(self) -> str:
        """One line of `name=value` joined by `|`, in a fixed order; numbers in their shortest form."""
        return _text_of(self)

    @classmethod
    def parse(cls, text: str) -> IndexContract:
        """The contract that `text` wrote; raises ContractMalformed on anything else."""
        found = dict(part.split("=", 1) for part in text.split("|") if "=" in part)
        if set(found) != {field.name for field in fields(cls)}:
            message = f"not an index contract of this release: {text!r}"
            raise ContractMalformed(message)
        try:
            numbers = {name: float(found.pop(name)) for name in ("avgdl", "k1", "b")}
        except ValueError as error:
            message = f"not a number in the index contract {text!r}: {error}"
            raise ContractMalformed(message) from None
        return cls(**found, **numbers)  # pyright: ignore[reportArgumentType] -- names were compared above

    def require(self, found: str, *, where: str) -> None:
        """Raise ContractMismatch, naming both sides, unless `found` is this contract's text."""
        if found != self.text():
            raise ContractMismatch(where=where, found=found, expected=self.text())


@lru_cache(maxsize=16)
def _text_of(contract: IndexContract) -> str:
    return "|".join(f"{field.name}={_shortest(getattr(contract, field.name))}" for field in fields(contract))


@lru_cache(maxsize=16)
def _weights_of(names: str) -> tuple[tuple[str, float], ...]:
    try:
        pairs = [entry.split(":") for entry in names.split(",")]
        return tuple((name, float(weight)) for name, weight in pairs)
    except ValueError:
        message = f"not a list of fields with weights: {names}"
        raise ContractMalformed(message) from None


def _shortest(value: object) -> str:
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)

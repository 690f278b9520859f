"""Two users with different libraries: whatever one adds, deletes and adds again, nothing changes for the other.

One installation holds the papers of Alice alone, another one hers beside Bob's. Everything she can see is asked of both
gateways and has to be the same, letter for letter: scores, order, counts, ids, reasons, health.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

from corpus_gateway.memory import MemoryLocation, MemoryPaper
from corpus_gateway.protocol import CorpusGateway
from reading_model.models import LocationKind
from tests.contract import calls
from tests.contract.local_corpus import LocalCorpus
from tests.contract.seed import ALICE, BOB
from tests.corpus_gateway.installation import Installation, installation

WORDS = (
    *("gull", "tern", "auk", "puffin", "skua", "cliff", "colony", "egg", "nest"),
    *("drone", "count", "island", "dawn", "dusk", "storm", "salt", "wing", "chick"),
)
OWN = 4
OWN_LOCATIONS = 12
A_PAPER = 500
"""Locations of one of Bob's papers at most, when he adds many."""


@dataclass(frozen=True)
class Neighbours:
    """Alice alone, and Alice beside Bob."""

    alone: Installation
    beside: Installation

    def bob_adds(self, number: int, locations: int) -> None:
        """Bob's paper of this number, with so many locations of the words that Alice's papers have."""
        LocalCorpus(self.beside).put(paper(BOB, number, locations))

    def bob_removes(self, number: int) -> None:
        """Take a paper out of Bob's library, and with it its points."""
        self.beside.library.remove(BOB, paper_id(BOB, number))

    def bobs_papers(self) -> list[str]:
        return self.beside.store.access.accessible(BOB)

    def bobs_refs(self, count: int) -> list[str]:
        """References to places in Bob's papers."""
        models = self.beside.store.models.current(self.bobs_papers()).values()
        versions = sorted(model.model_version for model in models)
        records = self.beside.store.locations.of_models(versions, [LocationKind.PASSAGE])
        return [record.location.ref for record, _ in zip(records, range(count), strict=False)]

    def differences(self, queries: Sequence[str]) -> list[str]:
        """What Alice sees beside Bob and not alone, for some queries; in words, none when all is well."""
        return asyncio.run(self._differences(queries))

    async def _differences(self, queries: Sequence[str]) -> list[str]:
        foreign, refs = self.bobs_papers(), self.bobs_refs(5)
        found: list[str] = []
        for query in queries:
            wanted = await seen(self.alone.gateway, query, foreign, refs)
            got = await seen(self.beside.gateway, query, foreign, refs)
            found += [f"{query!r}: {one} became {two}" for one, two in zip(wanted, got, strict=True) if one != two]
            found += [f"{query!r} shows {name}" for name in foreign for text in got if name in text]
        return found


async def seen(gateway: CorpusGateway, query: str, foreign: Sequence[str], refs: Sequence[str]) -> list[str]:
    """All that Alice is told, as JSON; what she names of Bob's is hidden from the answer's echo of the question."""
    own = [paper_id(ALICE, number) for number in range(OWN)]
    both = [*foreign[:20], *own]
    hits = await calls.locations(gateway, query, scope=own, paper_ids=own, top_k=20)
    named = await calls.locations(gateway, query, scope=both, paper_ids=both, top_k=20)
    cards = await calls.papers(gateway, query, scope=both, limit=100)
    titled = await calls.identify(gateway, scope=both, title=title(BOB, 0))
    outline = await calls.structure(gateway, scope=both, paper_ids=both, structure_types=["SECTION", "PAGE"])
    own_refs = [hit.location_ref for hit in hits.locations[:4]]
    read = await calls.read(gateway, [*refs, *own_refs, "passage_ref_0"], scope=both)
    assert read.missing_location_refs == [*refs, "passage_ref_0"]
    health = await gateway.health()
    return [
        *(result.model_dump_json() for result in (hits, named, cards, titled, outline, health)),
        read.model_dump_json(exclude={"missing_location_refs"}),
    ]


@contextmanager
def neighbours(folder: Path) -> Generator[Neighbours]:
    """Both installations, with Alice's papers and none of Bob's."""
    with installation(folder / "alone") as alone, installation(folder / "beside") as beside:
        for parts in (alone, beside):
            for number in range(OWN):
                LocalCorpus(parts).put(paper(ALICE, number, OWN_LOCATIONS))
        yield Neighbours(alone, beside)


def paper(owner: str, number: int, locations: int) -> MemoryPaper:
    """The same paper for the same arguments. Bob's are made of the same words as Alice's."""
    random = Random(f"{owner}/{number}/{locations}")
    return MemoryPaper(
        paper_id=paper_id(owner, number),
        title=title(owner, number),
        filename=f"{owner}-{number}.pdf",
        owner=owner,
        locations=[
            MemoryLocation(text=" ".join(random.choices(WORDS, k=random.randint(4, 30))), page=place // 10 + 1)
            for place in range(locations)
        ],
    )


def paper_id(owner: str, number: int) -> str:
    return f"p-of-{owner}-{number}"


def title(owner: str, number: int) -> str:
    """Words that the other one's titles have too, so that their frequencies would move the scores of cards."""
    return f"{WORDS[number % len(WORDS)]} and {WORDS[(number + 5) % len(WORDS)]} of {owner}"


def run(folder: Path, *, locations: int, seed: int) -> list[str]:
    """Let Bob add so many locations, delete half of his papers, add them again, and delete all; what Alice noticed."""
    random = Random(seed)
    queries = [" ".join(random.sample(WORDS, random.randint(1, 4))) for _ in range(12)]
    sizes = [min(A_PAPER, locations - start) for start in range(0, locations, A_PAPER)]
    with neighbours(folder) as users:
        found = users.differences(queries)
        for number, size in enumerate(sizes):
            users.bob_adds(number, size)
        found += users.differences(queries)
        half = random.sample(range(len(sizes)), (len(sizes) + 1) // 2)
        for number in half:
            users.bob_removes(number)
        found += users.differences(queries)
        for number in half:
            users.bob_adds(number, sizes[number])
        found += users.differences(queries)
        for number in range(len(sizes)):
            users.bob_removes(number)
        return found + users.differences(queries)


def main(arguments: Sequence[str] | None = None) -> int:
    """Say what was found; 1 when Alice noticed anything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--locations", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="paperledger-neighbours-") as folder:
        found = run(Path(folder), locations=given.locations, seed=given.seed)
    for difference in found:
        sys.stdout.write(f"{difference}\n")
    sys.stdout.write(
        f"{given.locations} locations of somebody else, {len(found)} differences, {time.monotonic() - start:.0f} s\n"
    )
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())

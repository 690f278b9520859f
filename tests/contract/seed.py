"""The papers of the contract suite, as values that every implementation is filled with."""

from __future__ import annotations

from typing import Protocol

from corpus_gateway.memory import MemoryLocation, MemoryPaper
from corpus_gateway.protocol import CorpusGateway

ALICE = "alice"
BOB = "bob"

LONG_TEXT = " ".join(f"Gulls of island {number} were counted twice, at dawn and at dusk." for number in range(60))

GULLS = MemoryPaper(
    paper_id="p-gulls",
    title="Counting Gulls on Small Islands",
    authors=("Zoë O’Neil", "Ada Byron"),
    year=2021,
    venue="NeurIPS",
    doi="10.5555/Gulls.1",
    arxiv_id="2101.00001v2",
    filename="gulls.pdf",
    abstract="We count gulls with a drone.",
    owner=ALICE,
    locations=[
        MemoryLocation(
            text="We count gulls with a drone and compare it to counting by eye.", section="Abstract", page=1
        ),
        MemoryLocation(text=LONG_TEXT, section="1 Method", page=2),
        MemoryLocation(
            text="Table 1: Gulls per island\nisland | gulls\nNorth | 120\nSouth | 87",
            kind="table",
            section="2 Results",
            page=3,
            element_types=("table",),
        ),
        MemoryLocation(
            text="Figure 1: The drone above a colony of gulls.",
            kind="figure",
            section="2 Results",
            page=3,
            element_types=("figure",),
        ),
        MemoryLocation(
            text="E = m c\n\nThe energy of a flight.",
            section="2 Results > 2.1 Energy",
            page=4,
            element_types=("formula", "paragraph"),
        ),
    ],
)

TERNS = MemoryPaper(
    paper_id="p-terns",
    title="Terns at Night",
    authors=("Ada Byron",),
    year=2019,
    venue="Birds",
    filename="terns.pdf",
    owner=ALICE,
    locations=[
        MemoryLocation(text="Terns fly at night when gulls sleep.", section="1 Night", page=1),
        MemoryLocation(
            text="\N{TEST TUBE} Trial A ended early. Terns rose to 3.1 x\N{COMBINING MACRON} after dose two.", page=1
        ),
    ],
)

PRIVATE = MemoryPaper(
    paper_id="p-private",
    title="A Private Survey of Gulls",
    doi="10.5555/theirs",
    filename="private-gulls.pdf",
    owner=BOB,
    locations=[MemoryLocation(text="The private gulls survey found nine gulls.", section="1 Private", page=1)],
)

OPEN = MemoryPaper(
    paper_id="p-open",
    title="An Open Atlas of Auks",
    filename="auks.pdf",
    owner=BOB,
    published=True,
    locations=[MemoryLocation(text="Auks nest on cliffs above the gulls.", section="1 Atlas", page=1)],
)

WAITING = MemoryPaper(
    paper_id="p-waiting",
    title="Gulls not yet indexed",
    filename="waiting.pdf",
    owner=ALICE,
    searchable=False,
    locations=[MemoryLocation(text="These gulls wait for their index.", section="1 Waiting", page=1)],
)

BOBS_WAITING = MemoryPaper(
    paper_id="p-bobs-waiting",
    title="Gulls of Bob not yet indexed",
    filename="bobs-waiting.pdf",
    owner=BOB,
    searchable=False,
    locations=[MemoryLocation(text="Bob's gulls wait for their index.", section="1 Waiting", page=1)],
)

PAPERS = (GULLS, TERNS, PRIVATE, OPEN, WAITING, BOBS_WAITING)
EVERY_ID = tuple(paper.paper_id for paper in PAPERS)


class CorpusUnderTest(Protocol):
    """A gateway filled with `PAPERS`, and what happens to its papers behind its back."""

    @property
    def gateway(self) -> CorpusGateway: ...

    def share(self, paper_id: str, user_id: str) -> None: ...

    def withdraw(self, paper_id: str, user_id: str) -> None: ...

    def publish(self, paper_id: str) -> None: ...

    def unpublish(self, paper_id: str) -> None: ...

    def put(self, paper: MemoryPaper) -> None:
        """Store a paper's content as a new current version."""
        ...

"""Small papers that differ from one another, made from a seed."""

from __future__ import annotations

import random
from pathlib import Path

from tests.reading_model.parsing.pdf_writer import Page, write

MOST_PAGES = 5
_LINES = 44
_WORDS = [
    "the",
    "model",
    "of",
    "a",
    "paper",
    "keeps",
    "every",
    "passage",
    "with",
    "its",
    "place",
    "on",
    "the",
    "page",
    "and",
    "an",
    "index",
    "finds",
    "it",
    "again",
    "when",
    "somebody",
    "asks",
    "for",
    "evidence",
    "ledger",
    "span",
    "section",
    "table",
    "measure",
    "score",
    "query",
    "term",
    "statistics",
    "deleted",
    "segment",
    "seed",
    "layer",
    "training",
]


def write_papers(folder: Path, count: int, seed: int) -> list[Path]:
    """`count` PDFs of one to five pages each, no two alike."""
    folder.mkdir(parents=True, exist_ok=True)
    chance = random.Random(seed)
    paths = [folder / f"paper-{number:04}.pdf" for number in range(count)]
    for number, path in enumerate(paths):
        path.write_bytes(_paper(number, chance))
    return paths


def _paper(number: int, chance: random.Random) -> bytes:
    pages: list[Page] = []
    for count in range(chance.randint(1, MOST_PAGES)):
        page = Page()
        page.text(72, 80, f"Paper {number} on {chance.choice(_WORDS)}" if count == 0 else f"{count} More", size=16)
        rows = [" ".join(chance.choices(_WORDS, k=12)) for _ in range(_LINES)]
        pages.append(page.lines(72, 120, rows))
    return write(pages)

"""Papers of the large library: what the store and the index hold of them, made without a PDF and without the builder.

Texts are as long as those of `synthetic` and have its words; the sentences of a paper come in several of its locations,
because new ones for every location would take longer than everything else. There are no elements, so these papers can
be searched and not read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from evals.bench.synthetic import PARAGRAPH_CHARACTERS, Vocabulary, paper_title, sentence
from index.contract import IndexContract
from index.engine import IndexPoint
from index.points import card_point, location_point
from reading_model.documents import BlockType, Provenance
from reading_model.identity import location_ref_of, model_version_of, paper_id_of, sha256_hex
from reading_model.models import Location, LocationKind, LocationRecord, PaperMetadata, ReadingModel
from reading_model.store import NewPaper
from reading_model.store.rows import ModelRows, rows_of

_PROVENANCE = Provenance("synthetic", "large")
_SENTENCES = 120
_LOCATIONS_A_PAGE = 3


@dataclass(frozen=True, slots=True)
class LargePaper:
    """A paper as store and index take it, and some of its words to search for."""

    paper: NewPaper
    rows: ModelRows
    points: tuple[IndexPoint, ...]
    card: IndexPoint
    opening: str


def large_papers(first: int, count: int, locations: int, *, seed: int, contract: str) -> list[LargePaper]:
    """Papers `first` to `first + count - 1` of the seed's library, each with so many locations, under a contract."""
    parsed = IndexContract.parse(contract)
    return [_paper(number, locations, seed, parsed) for number in range(first, first + count)]


def _paper(number: int, locations: int, seed: int, contract: IndexContract) -> LargePaper:
    random = Random(f"{seed}/large/{number}")  # noqa: S311 - reproducible
    vocabulary = _vocabulary(seed)
    topic = vocabulary.topic(random)
    title = paper_title(topic, random)
    source = sha256_hex(f"large paper {number} of {title}")
    paper_id, filename = paper_id_of(source), f"large-{number:05}.pdf"
    version = model_version_of(paper_id, _PROVENANCE, source)
    pool = [sentence(vocabulary, topic, random) for _ in range(_SENTENCES)]
    texts = [_text(pool, random) for _ in range(locations)]
    metadata = PaperMetadata(title=title)
    model = ReadingModel(
        paper_id=paper_id,
        model_version=version,
        source_sha256=source,
        provenance=_PROVENANCE,
        pages=(),
        sections=(),
        elements=(),
        locations=tuple(_locations(paper_id, version, texts)),
        relationships=(),
        metadata=metadata,
    )
    records = (LocationRecord(paper_id, version, _PROVENANCE.parser, location) for location in model.locations)
    return LargePaper(
        paper=NewPaper(paper_id, source, filename, 1, f"pdf/{source}.pdf"),
        rows=rows_of(model),
        points=tuple(location_point(record, title, contract) for record in records),
        card=card_point(paper_id, filename, metadata, contract.for_cards()),
        opening=texts[0],
    )


@lru_cache(maxsize=1)
def _vocabulary(seed: int) -> Vocabulary:
    return Vocabulary(seed)


def _text(pool: list[str], random: Random) -> str:
    chosen: list[str] = []
    length = 0
    while length < PARAGRAPH_CHARACTERS:
        chosen.append(random.choice(pool))
        length += len(chosen[-1]) + 1
    return " ".join(chosen)


def _locations(paper_id: str, version: str, texts: list[str]) -> Iterator[Location]:
    for ordinal, text in enumerate(texts):
        page = ordinal // _LOCATIONS_A_PAGE + 1
        yield Location(
            ref=location_ref_of(paper_id, version, LocationKind.PASSAGE.value, ordinal, text),
            kind=LocationKind.PASSAGE,
            ordinal=ordinal,
            page=page,
            page_end=page,
            section=None,
            section_title=None,
            section_path=None,
            text=text,
            text_sha256=sha256_hex(text),
            parts=(),
            element_types=(BlockType.PARAGRAPH,),
        )

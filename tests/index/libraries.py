"""Small libraries of papers with given texts, for tests of the index."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from index.contract import IndexContract
from index.embedded_engine import EmbeddedEngine
from index.engine import CARDS, LOCATIONS, IndexEngine, SparseIndex
from index.indexer import Indexer
from index.papers import PaperRetrieval
from index.retrieval import LocationHits, LocationQuery, LocationRetrieval
from reading_model.documents import BlockType, Provenance
from reading_model.identity import location_ref_of, model_version_of, sha256_hex
from reading_model.models import (
    Element,
    Location,
    LocationKind,
    Page,
    PageStatus,
    PaperMetadata,
    Part,
    ReadingModel,
    Section,
)
from reading_model.store import NewPaper, ReadingStore, open_store, upgrade_schema


@dataclass(frozen=True)
class Place:
    """One searchable location to be made."""

    text: str
    kind: LocationKind = LocationKind.PASSAGE
    block: BlockType = BlockType.PARAGRAPH
    section: str | None = None
    page: int = 1
    page_end: int | None = None


def reading_model(
    paper_id: str, places: Iterable[Place | str], *, metadata: PaperMetadata | None = None, parse: str = "1"
) -> ReadingModel:
    """A model whose locations are these places; `parse` makes another version of it."""
    given = [place if isinstance(place, Place) else Place(place) for place in places]
    provenance = Provenance("hand", parse)
    version = model_version_of(paper_id, provenance, sha256_hex(parse))
    titles = list(dict.fromkeys(place.section for place in given if place.section))
    sections = {title: Section(number, title, 1, title, None, 1, 1, 0, 0) for number, title in enumerate(titles)}
    pages = range(1, max([1, *(place.page_end or place.page for place in given)]) + 1)
    return ReadingModel(
        paper_id=paper_id,
        model_version=version,
        source_sha256=sha256_hex(paper_id),
        provenance=provenance,
        pages=tuple(Page(n, str(n), "", sha256_hex(""), PageStatus.READABLE, 595.0, 842.0) for n in pages),
        sections=tuple(sections.values()),
        elements=tuple(_element(number, place, sections) for number, place in enumerate(given)),
        locations=tuple(_location(paper_id, version, number, place, sections) for number, place in enumerate(given)),
        relationships=(),
        metadata=metadata or PaperMetadata(),
    )


def _element(number: int, place: Place, sections: dict[str, Section]) -> Element:
    section = sections[place.section].ordinal if place.section else None
    return Element(number, place.block, place.page, place.page_end or place.page, section, place.text)


def _location(paper_id: str, version: str, number: int, place: Place, sections: dict[str, Section]) -> Location:
    return Location(
        ref=location_ref_of(paper_id, version, place.kind.value, number, place.text),
        kind=place.kind,
        ordinal=number,
        page=place.page,
        page_end=place.page_end or place.page,
        section=sections[place.section].ordinal if place.section else None,
        section_title=place.section,
        section_path=place.section,
        text=place.text,
        text_sha256=sha256_hex(place.text),
        parts=(Part(number, 0, len(place.text), 0),) if place.text else (),
        element_types=(place.block,),
    )


class Engines:
    """The two collections of a library, in a folder or an engine; making them takes a second, so tests share them."""

    def __init__(self, engine: Path | IndexEngine) -> None:
        self.engine = EmbeddedEngine(engine) if isinstance(engine, Path) else engine
        contract = IndexContract.default()
        self.locations = self.engine.serving(LOCATIONS, contract)
        self.cards = self.engine.serving(CARDS, contract.for_cards())

    def empty(self) -> Engines:
        empty(self.locations)
        empty(self.cards)
        return self

    def close(self) -> None:
        self.locations.close()
        self.cards.close()


def empty(index: SparseIndex) -> None:
    """Delete every point."""
    index.delete_models(sorted({payload.model_version for _, payload in index.scroll()}))


def store_paper(store: ReadingStore, model: ReadingModel, filename: str = "paper.pdf") -> str:
    """Store a paper with a model, without points; the model version."""
    store.papers.add(NewPaper(model.paper_id, sha256_hex(model.paper_id), filename, 1, f"pdf/{model.paper_id}"))
    store.models.save(model)
    return model.model_version


class Library:
    """A store on SQLite and an embedded index in one folder, with everything that searches them."""

    def __init__(self, folder: Path, engines: Engines | None = None) -> None:
        url = f"sqlite:///{folder / 'library.sqlite'}"
        if not (folder / "library.sqlite").exists():
            upgrade_schema(url)
        self.store: ReadingStore = open_store(url)
        self.contract = IndexContract.default()
        self.engines = engines or Engines(folder / "index")
        self.locations, self.cards = self.engines.locations, self.engines.cards
        self.indexer = Indexer(self.store, self.locations, self.cards, self.contract)
        self.location_search = LocationRetrieval(self.store, self.locations, self.contract)
        self.paper_search = PaperRetrieval(self.store, self.cards, self.contract)

    def put(
        self,
        paper_id: str,
        places: Iterable[Place | str],
        *,
        metadata: PaperMetadata | None = None,
        filename: str = "paper.pdf",
        parse: str = "1",
    ) -> str:
        """Store and index a paper; its model version."""
        version = self.save(paper_id, places, metadata=metadata, filename=filename, parse=parse)
        self.indexer.index_model(paper_id, version)
        return version

    def save(
        self,
        paper_id: str,
        places: Iterable[Place | str],
        *,
        metadata: PaperMetadata | None = None,
        filename: str = "paper.pdf",
        parse: str = "1",
    ) -> str:
        """Store a paper without points; its model version."""
        return store_paper(self.store, reading_model(paper_id, places, metadata=metadata, parse=parse), filename)

    def current(self, *paper_ids: str) -> dict[str, str]:
        """Current model versions, of all papers when none is named."""
        named = list(paper_ids) or [record.paper_id for record in self.store.papers.get()]
        return {paper: model.model_version for paper, model in self.store.models.current(named).items()}

    def search(self, text: str, *paper_ids: str, **options: object) -> LocationHits:
        """Search the named papers (all of them when none is named) with IDF over the whole library."""
        return self.location_search.search(
            LocationQuery(models=self.current(*paper_ids), corpus=None, text=text, **options)  # type: ignore[arg-type]
        )

    def found(self, text: str, *paper_ids: str, **options: object) -> list[str]:
        """The papers of the hits, in order."""
        return [hit.record.paper_id for hit in self.search(text, *paper_ids, **options).hits]

    def close(self) -> None:
        self.engines.close()
        self.store.close()


def one_paper_each(library: Library, texts: Sequence[tuple[str, str]]) -> None:
    """A paper of its own for every (id, text)."""
    for name, text in texts:
        library.put(name, [text])

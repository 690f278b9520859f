"""Papers given as simple values, and what a gateway knows of them once their ids are worked out."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from corpus_gateway.cards import PREVIEW_LENGTH
from corpus_gateway.wire import PaperCard
from reading_model.documents import Provenance
from reading_model.identity import location_ref_of, model_version_of, sha256_hex

LocationKindName = Literal["page", "section", "passage", "table", "figure"]

PARSER = Provenance(parser="memory", version="1")
"""What read items of the in-memory gateway name as their parser."""

SECTION_SEPARATOR = " > "


@dataclass(frozen=True, slots=True)
class MemoryLocation:
    """A place of a paper. An empty `ref` is worked out from the content, as the reading model does it.

    `section` is the path of headings, joined by " > ". `element_types` names what a passage contains
    (`paragraph`, `list`, `formula`, ...), for searches limited to it.
    """

    text: str
    ref: str = ""
    kind: LocationKindName = "passage"
    page: int = 1
    page_end: int | None = None
    section: str | None = None
    element_types: tuple[str, ...] = ("paragraph",)

    @property
    def section_title(self) -> str | None:
        """The innermost heading of the path."""
        return self.section.split(SECTION_SEPARATOR)[-1] if self.section else None


@dataclass(frozen=True, slots=True)
class MemoryPaper:
    """A paper with its places in reading order; `owner` has it in the own library, `published` shows it to everyone.

    Pages and sections that are not given as locations are put together from the passages, tables and figures on them.
    An empty `paper_version` is worked out from the content.
    """

    paper_id: str
    title: str | None = None
    locations: Sequence[MemoryLocation] = ()
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str | None = None
    doi: str | None = None
    arxiv_id: str | None = None
    filename: str | None = None
    abstract: str | None = None
    owner: str = "1"
    published: bool = False
    searchable: bool = True
    paper_version: str = ""


@dataclass(frozen=True, slots=True)
class PlacedLocation:
    """A location with its final ref and the paper version it belongs to."""

    paper_id: str
    paper_version: str
    ref: str
    order: int
    source: MemoryLocation

    @property
    def page_end(self) -> int:
        """The last page it touches."""
        return self.source.page if self.source.page_end is None else self.source.page_end


@dataclass(frozen=True, slots=True)
class PlacedPaper:
    """A paper, its card and its placed locations in reading order; pages and sections come after them."""

    source: MemoryPaper
    version: str
    card: PaperCard
    locations: tuple[PlacedLocation, ...] = field(repr=False)


def place(paper: MemoryPaper) -> PlacedPaper:
    """Work out version, card, pages, sections and refs of a paper."""
    content = "\x1e".join(f"{item.kind}\x1f{item.ref}\x1f{item.page}\x1f{item.text}" for item in paper.locations)
    version = paper.paper_version or model_version_of(paper.paper_id, PARSER, sha256_hex(content))
    given = {item.kind for item in paper.locations}
    items = list(paper.locations)
    if "section" not in given:
        items += _sections(paper.locations)
    if "page" not in given:
        items += _pages(paper.locations)
    counters = {kind: itertools.count() for kind in ("page", "section", "passage", "table", "figure")}
    locations = tuple(
        PlacedLocation(
            paper_id=paper.paper_id,
            paper_version=version,
            ref=item.ref or location_ref_of(paper.paper_id, version, item.kind, next(counters[item.kind]), item.text),
            order=order,
            source=item,
        )
        for order, item in enumerate(items)
    )
    return PlacedPaper(source=paper, version=version, card=_card(paper), locations=locations)


def _sections(locations: Iterable[MemoryLocation]) -> list[MemoryLocation]:
    runs = itertools.groupby(locations, key=lambda item: item.section)
    return [_joined("section", list(run), section) for section, run in runs if section]


def _pages(locations: Sequence[MemoryLocation]) -> list[MemoryLocation]:
    by_page: dict[int, list[MemoryLocation]] = {}
    for item in locations:
        by_page.setdefault(item.page, []).append(item)
    return [_joined("page", by_page[page], None) for page in sorted(by_page)]


def _joined(kind: LocationKindName, members: Sequence[MemoryLocation], section: str | None) -> MemoryLocation:
    first = members[0].page
    last = first if kind == "page" else max(item.page_end or item.page for item in members)
    text = "\n\n".join(item.text for item in members)
    return MemoryLocation(text=text, kind=kind, page=first, page_end=last, section=section)


def _card(paper: MemoryPaper) -> PaperCard:
    return PaperCard(
        paper_id=paper.paper_id,
        title=paper.title or paper.filename or paper.paper_id,
        authors=list(paper.authors),
        year=paper.year,
        venue=paper.venue,
        doi=paper.doi,
        arxiv_id=paper.arxiv_id,
        filename=paper.filename,
        preview=paper.abstract[:PREVIEW_LENGTH] if paper.abstract else None,
    )

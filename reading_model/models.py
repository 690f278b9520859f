"""The reading model: what the product keeps of a paper, and the records the store gives back.

Ordinals count from 0 inside one model. Offsets are code points. Pages are physical and 1-based.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from reading_model.documents import BlockType, Diagnostic, Line, PageBox, Provenance, Table


class PageStatus(StrEnum):
    """Whether a page's text can be read: it has usable text, it has none, or the parser left the page out."""

    READABLE = "readable"
    TEXTLESS = "textless"
    MISSING = "missing"


class LocationKind(StrEnum):
    """The kinds of places that can be reopened; passage, table and figure are also units of search and citation."""

    PAGE = "page"
    SECTION = "section"
    PASSAGE = "passage"
    TABLE = "table"
    FIGURE = "figure"


SEARCHABLE_KINDS = (LocationKind.PASSAGE, LocationKind.TABLE, LocationKind.FIGURE)
"""The kinds that get a point in the index."""


class RelationKind(StrEnum):
    """How two elements (or an element and a section) belong together."""

    CONTAINS = "contains"
    CAPTION_OF = "caption_of"
    FOOTNOTE_OF = "footnote_of"
    CONTINUES = "continues"
    MENTIONS = "mentions"
    CITES = "cites"


@dataclass(frozen=True, slots=True)
class Page:
    """A physical page. `text` joins its readable elements by a blank line; furniture stays out."""

    number: int
    label: str | None
    text: str
    text_sha256: str
    status: PageStatus
    width: float
    height: float
    rotation: int = 0


@dataclass(frozen=True, slots=True)
class Section:
    """A section: its heading, depth (1 = top), place in the tree, and the half-open range of elements it holds.

    `path` names the sections from the top down to this one, joined by " > ".
    """

    ordinal: int
    title: str
    level: int
    path: str
    parent: int | None
    page: int
    page_end: int
    first_element: int
    end_element: int


@dataclass(frozen=True, slots=True)
class Element:
    """A typed element, one block of the parsed document placed in a section.

    `text` is canonical and immutable. `searchable_text` is set only where it differs from `text`
    (decimals that a formula's spacing broke are repaired there).
    """

    ordinal: int
    type: BlockType
    page: int
    page_end: int
    section: int | None
    text: str
    searchable_text: str | None = None
    level: int | None = None
    lines: tuple[Line, ...] = ()
    boxes: tuple[PageBox, ...] = ()
    table: Table | None = None
    image: str | None = None
    parent: int | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a location's text that is a stretch of an element's text.

    location.text[start : start + element_end - element_start] == element.text[element_start:element_end].
    Characters between parts (blank lines that join elements) belong to no element.
    """

    element: int
    element_start: int
    element_end: int
    start: int


@dataclass(frozen=True, slots=True)
class Location:
    """A place that can be reopened; `text` is canonical, and every character of a part maps to page rectangles.

    `section_title` and `section_path` are those of the section in which the location starts.
    """

    ref: str
    kind: LocationKind
    ordinal: int
    page: int
    page_end: int
    section: int | None
    section_title: str | None
    section_path: str | None
    text: str
    text_sha256: str
    parts: tuple[Part, ...]
    searchable_text: str | None = None
    element_types: tuple[BlockType, ...] = ()


@dataclass(frozen=True, slots=True)
class Relationship:
    """A relation between elements; `proof_start`/`proof_end` cut the words in the source element that show it."""

    kind: RelationKind
    source: int
    target: int
    proof_start: int | None = None
    proof_end: int | None = None


@dataclass(frozen=True, slots=True)
class PaperMetadata:
    """Bibliographic facts of a paper. Unknown stays None; `sources` names where each known field came from."""

    title: str | None = None
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str | None = None
    doi: str | None = None
    arxiv_id: str | None = None
    abstract: str | None = None
    sources: dict[str, str] = field(default_factory=dict[str, str])


BY_USER = "user"
"""The source of a field that a person gave; no parser's finding replaces it."""


def with_given(known: PaperMetadata, fields: Mapping[str, object]) -> PaperMetadata:
    """Metadata with some fields set by a person; TypeError for a field that there is not."""
    if "sources" in fields:
        message = "sources cannot be edited"
        raise TypeError(message)
    sources = {**known.sources, **dict.fromkeys(fields, BY_USER)}
    return replace(known, **{**fields, "sources": sources})  # pyright: ignore[reportArgumentType] -- see the test of fields


@dataclass(frozen=True, slots=True)
class ReadingModel:
    """One version of a paper's reading model, complete and immutable."""

    paper_id: str
    model_version: str
    source_sha256: str
    provenance: Provenance
    pages: tuple[Page, ...]
    sections: tuple[Section, ...]
    elements: tuple[Element, ...]
    locations: tuple[Location, ...]
    relationships: tuple[Relationship, ...]
    metadata: PaperMetadata
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a location that can be cited: text == location.text[start:end], on one page, with its rectangles.

    `number` counts the spans of the location from 0; at most about 1,200 characters, cut at sentence ends.
    """

    number: int
    start: int
    end: int
    text: str
    page: int
    boxes: tuple[PageBox, ...]
    evidence_id: str


class IndexStatus(StrEnum):
    """Life cycle of a model's points: PENDING -> BUILDING -> READY | FAILED, READY -> REBUILDING -> READY | FAILED."""

    PENDING = "PENDING"
    BUILDING = "BUILDING"
    READY = "READY"
    REBUILDING = "REBUILDING"
    FAILED = "FAILED"

    @property
    def answers(self) -> bool:
        """Whether the model's points are searched: those that are ready, and the old ones while they are rebuilt."""
        return self in {IndexStatus.READY, IndexStatus.REBUILDING}


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a paper is not usable: a stable code and a sentence for people."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class PaperRecord:
    """A paper as the library lists it. `model_version` is the current model's, None while there is none.

    `searchable_count` is the number of locations that must have a point; `failure` is set when the last build failed.
    """

    paper_id: str
    filename: str
    size_bytes: int
    added_at: datetime
    metadata: PaperMetadata
    page_count: int
    model_version: str | None
    parser: str | None
    index_status: IndexStatus
    index_contract: str | None
    searchable_count: int
    failure: Failure | None
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class LocationRecord:
    """A stored location together with the paper and model version it belongs to."""

    paper_id: str
    model_version: str
    parser: str
    location: Location

"""Wire models of the corpus API; field names are those that existing clients and Java services speak.

Requests refuse unknown values of known fields and ignore unknown keys; responses may grow by new fields.
Offsets are code points; rectangles are PDF points from the top-left corner of the page at /Rotate 0.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticSerializationError

UserId = Annotated[
    str,
    BeforeValidator(lambda value: str(value) if isinstance(value, int) and not isinstance(value, bool) else value),
    Field(pattern=r"^[A-Za-z0-9_.:-]{1,64}$"),
]
"""1-64 characters of [A-Za-z0-9_.:-]; a JSON number is taken as its decimal text."""

ElementType = Literal[
    "passage",
    "paragraph",
    "heading",
    "table",
    "list",
    "image",
    "figure",
    "footnote",
    "chart",
    "formula",
    "aside",
]
"""What a location search may be limited to: table; image, figure and chart mean figures; the others mean passages that
contain such an element (`passage`: any passage)."""


class WireModel(BaseModel):
    """Immutable JSON object; unknown keys are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


def _once_each(values: object) -> object:
    if isinstance(values, list) and all(isinstance(value, str) for value in cast("list[object]", values)):
        return list(dict.fromkeys(cast("list[str]", values)))
    return cast("object", values)


class CorpusRequest(WireModel):
    """What every call carries: who asks, inside which scope, for which request and conversation."""

    user_id: UserId
    scope_paper_ids: Annotated[list[str], Field(min_length=1)]
    request_id: str = ""
    conversation_id: str = ""

    @model_validator(mode="after")
    def _is_unicode(self) -> Self:
        # text that is no Unicode (a lone surrogate) can be neither stored nor sent, so it can name nothing either
        try:
            self.model_dump_json()
        except PydanticSerializationError as error:
            message = "text must be Unicode: it holds a surrogate without its pair"
            raise ValueError(message) from error
        return self


class PaperSearchRequest(CorpusRequest):
    """Search or list the papers of the scope by metadata."""

    query_text: str = ""
    paper_ids: list[str] = []
    authors: list[str] = []
    venues: list[str] = []
    year_from: int | None = None
    year_to: int | None = None
    offset: Annotated[int, Field(ge=0)] = 0
    limit: Annotated[int, Field(ge=1, le=100)] = 20


class PaperIdentity(WireModel):
    """Clues that name one paper; every clue given must hold."""

    paper_id: str | None = None
    title: str | None = None
    filename: str | None = None
    doi: str | None = None
    arxiv_id: str | None = None
    authors: list[str] = []
    year: int | None = None


class IdentityRequest(CorpusRequest):
    """Resolve clues to one paper of the scope."""

    identity: PaperIdentity


class PaperCard(WireModel):
    """A paper as search shows it; null fields are unknown. `title` falls back to the filename, then to the id."""

    paper_id: str
    title: str
    authors: list[str] = []
    year: int | None = None
    venue: str | None = None
    doi: str | None = None
    arxiv_id: str | None = None
    filename: str | None = None
    preview: str | None = None


class PaperSearchResult(WireModel):
    """Papers of the scope, best first. `matched_count` counts all matches of the scope.

    `reason` says why there was nothing to search for, for instance a query of stop words alone.
    """

    query_text: str
    candidates: list[PaperCard]
    matched_count: int
    returned_count: int
    coverage: Literal["complete", "truncated"]
    next_offset: int | None = None
    unsearchable_papers: list[str] = []
    reason: str | None = None


class IdentityResult(WireModel):
    """`resolved` has exactly one match; `ambiguous` lists all of them and opens none."""

    status: Literal["resolved", "not_found", "ambiguous"]
    matches: list[PaperCard] = []
    reason: str | None = None


class LocationSearchRequest(CorpusRequest):
    """Search passages, tables and figures of some papers of the scope."""

    paper_ids: Annotated[list[str], Field(min_length=1)]
    query_text: str = ""
    section_query: str = ""
    element_types: list[ElementType] = []
    page_from: Annotated[int, Field(ge=1)] | None = None
    page_to: Annotated[int, Field(ge=1)] | None = None
    top_k: Annotated[int, Field(ge=1, le=20)] = 8


class LocationCandidate(WireModel):
    """A place to read. The preview helps to choose and cannot be cited."""

    paper_id: str
    title: str
    paper_version: str
    location_ref: str
    section: str | None = None
    page: int
    page_end: int
    element_type: Literal["page", "section", "passage", "table", "figure"]
    preview: str
    dense_score: float = 0.0
    sparse_score: float = 0.0
    fused_score: float = 0.0


class LocationSearchResult(WireModel):
    """Candidates, best first. `matched_count` counts the valid candidates inside the fetched window."""

    query_text: str
    locations: list[LocationCandidate]
    matched_count: int
    returned_count: int
    coverage: Literal["complete", "truncated"]
    index_version: str
    unsearchable_papers: list[str] = []
    reason: str | None = None


class LocationReadRequest(CorpusRequest):
    """Read locations exactly; at most 20 distinct references, a repeated one counts once."""

    location_refs: Annotated[list[str], BeforeValidator(_once_each), Field(min_length=1, max_length=20)]


class SpanBox(WireModel):
    """A rectangle on a page, in PDF points."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


class ReadSpan(WireModel):
    """A citable piece: `text` is `span_text[start:end]` of its item, code points, on one page."""

    number: int
    start: int
    end: int
    text: str
    page: int
    boxes: list[SpanBox] = []
    evidence_id: str


class ReadItem(WireModel):
    """The exact text of a location and the spans it divides into."""

    paper_id: str
    title: str
    paper_version: str
    location_ref: str
    element_type: Literal["page", "section", "passage", "table", "figure"]
    page: int
    page_end: int
    section: str | None = None
    span_text: str
    bbox_json: str | None = None
    parser_name: str | None = None
    parser_version: str | None = None
    source_object_id: str | None = None
    spans: list[ReadSpan] = []


class LocationReadResult(WireModel):
    """What could be read. A reference that is unknown, not yours or not current is in `missing_location_refs`."""

    items: list[ReadItem]
    missing_location_refs: list[str] = []


class StructureRequest(CorpusRequest):
    """The outline of papers of the scope."""

    paper_ids: Annotated[list[str], Field(min_length=1)]
    structure_types: list[Literal["SECTION", "PAGE"]] = ["SECTION"]


class StructureNode(WireModel):
    """One section or page of an outline, in reading order; `location_ref` opens it."""

    paper_id: str
    title: str
    location_ref: str
    structure_type: Literal["SECTION", "PAGE"]
    section_title: str | None = None
    section_level: int | None = None
    section_path: str | None = None
    display_order: int
    page_from: int
    page_to: int


class StructureResult(WireModel):
    """Outlines of the papers that the user may see, paper by paper."""

    nodes: list[StructureNode]
    unsearchable_papers: list[str] = []


class HealthReport(WireModel):
    """Whether the corpus can answer: one entry a part, `ok` or the reason why not."""

    ok: bool
    parts: dict[str, str] = {}

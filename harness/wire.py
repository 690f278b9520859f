"""Wire models of one research turn: the request, the response, and every line of the NDJSON stream.

Field names, status values and event types are those of the existing contract; additions are marked as such.
Times are epoch milliseconds, durations milliseconds, offsets code points, rectangles PDF points from the top left.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, cast

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, WithJsonSchema
from pydantic_core import PydanticCustomError

from corpus_gateway.wire import SpanBox, UserId


class WireModel(BaseModel):
    """Immutable JSON object; unknown keys are ignored. What we write always has every field, so its schema says so."""

    model_config = ConfigDict(frozen=True, extra="ignore", json_schema_serialization_defaults_required=True)


def _empty_object_when_none(value: object) -> object:
    return {} if value is None else value


def _empty_list_when_none(value: object) -> object:
    return [] if value is None else value


def _kept_messages(value: object) -> object:
    if not isinstance(value, list):
        return _empty_list_when_none(value)
    return [item for item in cast("list[object]", value) if not _dropped_message(item)]


def _dropped_message(item: object) -> bool:
    if not isinstance(item, dict):
        return False
    message = cast("dict[object, object]", item)
    content = message.get("content")
    blank = content is None or (isinstance(content, str) and not content.strip())
    return message.get("role") not in ("user", "assistant") or blank  # a tuple: a wrong role may be unhashable


def _distinct(values: list[str]) -> list[str]:
    return list(dict.fromkeys(value for value in values if value))


def _not_empty(values: list[str]) -> list[str]:
    if not values:
        raise PydanticCustomError("empty_scope", "A turn needs at least one paper id")
    return values


def _none_when_blank(value: object) -> object:
    return None if isinstance(value, str) and not value.strip() else value


StringList = Annotated[list[str], BeforeValidator(_empty_list_when_none)]
"""A list that may be null, which means empty."""

Identifier = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
"""An id that the caller chose: 1-200 characters, outer white space removed."""


class HistoryMessage(WireModel):
    """One message of the conversation so far. A request drops other roles than user and assistant, and blank ones."""

    role: str
    content: str


class ReferenceFocus(WireModel):
    """What the user clicked before asking; each id is re-checked through the gateway."""

    paper_ids: StringList = []
    location_refs: StringList = []
    evidence_ids: StringList = []
    reading_action: str | None = None


class TurnScope(WireModel):
    """The papers of the turn, trimmed and without repetitions; the gateway intersects them with what the user may see.

    Nothing is never everything: an empty list is refused.
    """

    mode: str | None = None
    paper_ids: Annotated[
        list[Annotated[str, StringConstraints(strip_whitespace=True)]],
        AfterValidator(_distinct),
        AfterValidator(_not_empty),
        Field(json_schema_extra={"minItems": 1}),
    ]
    reference_focus: ReferenceFocus | None = None


class PreviousEvidence(WireModel):
    """A span cited by an earlier accepted answer; it is read again before it counts."""

    evidence_id: str
    paper_id: str | None = None
    title: str | None = None
    section: str | None = None
    page: int | str | None = None
    location_ref: str | None = None
    element_type: str | None = None
    span_text: str | None = None
    citeable: bool = True


class ResearchMemory(WireModel):
    """What an accepted answer hands to the next turn: cited papers and cited evidence."""

    selected_paper_ids: StringList = []
    selected_evidence_ids: StringList = []
    previous_evidence: Annotated[list[PreviousEvidence], BeforeValidator(_empty_list_when_none)] = []


class RequestedRunLimits(WireModel):
    """Limits that the caller asks for; each is capped by the server. Absent means the server's default."""

    schema_version: str | None = None
    max_wall_clock_ms: Annotated[int, Field(ge=1)] | None = None
    max_model_turns: Annotated[int, Field(ge=1)] | None = None
    max_total_tokens: Annotated[int, Field(ge=1)] | None = None
    max_model_visible_tool_chars: Annotated[int, Field(ge=500)] | None = None
    max_history_chars: Annotated[int, Field(ge=0)] | None = None
    max_repairs: Annotated[int, Field(ge=0)] | None = None
    max_submissions: Annotated[int, Field(ge=1)] | None = None


class TurnOptions(WireModel):
    """How to run the turn; `on_disconnect` (addition) says what becomes of the run when its reader goes away."""

    include_trace: bool = True
    max_completion_tokens: Annotated[int, Field(ge=1)] | None = None
    on_disconnect: Literal["cancel"] = "cancel"
    run_limits: RequestedRunLimits | None = None


_USER_ID_SCHEMA = {"anyOf": [{"type": "string", "pattern": "^[A-Za-z0-9_.:-]{1,64}$"}, {"type": "integer"}]}


class RunOwner(WireModel):
    """Body of a request about a run: the user that asks, who must be the one the run was started for."""

    user_id: Annotated[UserId, WithJsonSchema(_USER_ID_SCHEMA)]


class ResearchTurnRequest(WireModel):
    """The body of `/v1/research/turn` and `/v1/research/stream`."""

    request_id: Annotated[Identifier | None, BeforeValidator(_none_when_blank)] = None
    conversation_id: Identifier
    user_id: Annotated[UserId, WithJsonSchema(_USER_ID_SCHEMA)]
    user_message: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
    history: Annotated[list[HistoryMessage], BeforeValidator(_kept_messages)] = []
    scope: TurnScope
    research_memory: Annotated[ResearchMemory, BeforeValidator(_empty_object_when_none)] = ResearchMemory()
    options: Annotated[TurnOptions, BeforeValidator(_empty_object_when_none)] = TurnOptions()


class Usage(WireModel):
    """Tokens of the whole run."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    total_tokens: int = 0


class UnsupportedBlockWire(WireModel):
    """A block of the draft that broke rules and was taken out of `markdown` (addition)."""

    text: str
    codes: list[str]


class CitationWire(WireModel):
    """A ledger item with its reference number; the fields after `reference_number` are additions."""

    evidence_id: str
    paper_id: str
    title: str
    paper_version: str
    section: str
    page: int | str
    location: str
    location_ref: str
    element_type: str
    span_text: str
    bbox_json: str | None = None
    parser_name: str | None = None
    parser_version: str | None = None
    source_kind: str = "canonical_location_read"
    reference_number: int
    quote: str
    page_end: int
    start: int
    end: int
    rectangles: list[SpanBox] = []
    text_sha256: str
    origin: Literal["this_turn", "previous_turn"]
    reference_id: str | None = None


class Answer(WireModel):
    """The answer of a turn. `markdown` has [n] and Sources; `marker_markdown` (addition) keeps [[ev_...]] markers."""

    answer_id: str
    question_id: str
    status: str
    outcome: Literal["answered", "needs_clarification", "partial", "abstained"] | None
    answer_type: str
    summary: str
    markdown: str
    fields: dict[str, str] | None = None
    cited_evidence_ids: list[str] = []
    marker_markdown: str = ""
    unsupported_blocks: list[UnsupportedBlockWire] = []
    derived_values: list[dict[str, Any]] = []
    notice: str | None = None


class ControlUsage(WireModel):
    """What the run had used when it ended."""

    model_calls: int = 0
    tokens: int = 0
    elapsed_ms: int = 0


class Control(WireModel):
    """Why a run ended without an accepted answer (addition)."""

    reason_code: str
    message: str
    limits: dict[str, int]
    usage: ControlUsage


TurnStatus = Literal[
    "COMPLETED", "NEEDS_CLARIFICATION", "INCOMPLETE_PRECISE", "FAILED_TECHNICAL", "LIMITED", "CANCELLED"
]


class ResearchTurnResponse(WireModel):
    """The body of `/v1/research/turn` and the `payload` of a stream's `result` line."""

    request_id: str
    conversation_id: str
    run_id: str
    status: TurnStatus
    answer: Answer
    citations: list[CitationWire] = []
    research_memory: ResearchMemory
    usage: Usage
    corpus: dict[str, Any] = {}
    trace: dict[str, Any] | None = None
    control: Control | None = None

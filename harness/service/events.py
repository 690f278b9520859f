"""Every line of the NDJSON stream, as types. Field names are the contract's; lines marked "addition" are new to it.

Each line carries the same envelope. Progress lines end with exactly one `result` or `error` line.
`harness.service.contracts` exports these models to `docs/contracts`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

from pydantic import ConfigDict, Field, TypeAdapter
from pydantic.alias_generators import to_camel

from harness.wire import ResearchTurnResponse, WireModel


def _is_none(value: object) -> bool:
    return value is None


_Value = TypeVar("_Value")
OnlyIfKnown = Annotated[_Value | None, Field(exclude_if=_is_none)]
"""A field that is left out of the JSON where there is nothing to tell."""


class CamelModel(WireModel):
    """A model whose JSON names are camelCase."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True, validate_by_alias=True)


class StreamLine(CamelModel):
    """The envelope. `sequence` counts the lines of a stream from 1 without gaps; `timestamp` is epoch milliseconds."""

    generation_id: Annotated[str, Field(description="The request's id: `request_id`, or one made by the service.")]
    run_id: str
    sequence: Annotated[int, Field(ge=1)]
    timestamp: Annotated[int, Field(description="Epoch milliseconds.")]


class JobStarted(StreamLine):
    """The first line of every stream."""

    type: Literal["job_started"]


class ModelCallStarted(StreamLine):
    """A model call begins; `attempt` counts the calls of the run from 1."""

    type: Literal["model_call_started"]
    attempt: int


class CallUsage(CamelModel):
    """Tokens of one model call, and of the run so far."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int
    cumulative_total_tokens: int


class ModelCallCompleted(StreamLine):
    """A model call ended."""

    type: Literal["model_call_completed"]
    attempt: int
    duration_ms: int
    usage: CallUsage


class Projection(CamelModel):
    """A model that leaves out what there is nothing to tell about."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=False)


class ToolInput(Projection):
    """What a tool was asked, in short; which fields are present depends on the tool (see the README beside)."""

    query: OnlyIfKnown[str] = None
    limit: OnlyIfKnown[int] = None
    paper_ids: OnlyIfKnown[list[str]] = None
    location_refs: OnlyIfKnown[list[str]] = None
    location_count: OnlyIfKnown[int] = None
    skill_id: OnlyIfKnown[str] = None
    paper_id: OnlyIfKnown[str] = None
    title: OnlyIfKnown[str] = None
    filename: OnlyIfKnown[str] = None
    doi: OnlyIfKnown[str] = None
    arxiv_id: OnlyIfKnown[str] = None
    authors: OnlyIfKnown[list[str]] = None
    year: OnlyIfKnown[int] = None


class PaperSummary(CamelModel):
    """A paper that a tool returned."""

    paper_id: str
    title: str


class LocationSummary(CamelModel):
    """A location that a search returned."""

    paper_id: str
    title: str
    section: str | None
    page: int
    location_ref: str


class EvidenceSummary(CamelModel):
    """A span that was read; `quote` is its beginning, at most 300 characters."""

    evidence_id: str
    paper_id: str
    title: str
    section: str | None
    page: int
    quote: str


class ToolOutput(Projection):
    """What a tool returned, in short: at most 10 papers, locations and pieces of evidence."""

    result_count: OnlyIfKnown[int] = None
    papers: OnlyIfKnown[list[PaperSummary]] = None
    locations: OnlyIfKnown[list[LocationSummary]] = None
    read_count: OnlyIfKnown[int] = None
    evidence_count: OnlyIfKnown[int] = None
    pages: OnlyIfKnown[list[str]] = None
    evidence: OnlyIfKnown[list[EvidenceSummary]] = None
    skill_id: OnlyIfKnown[str] = None
    found: OnlyIfKnown[bool] = None
    error: OnlyIfKnown[str] = None


class ToolStarted(StreamLine):
    """A tool call begins. Submissions are not reported as tool calls."""

    type: Literal["tool_started"]
    tool: str
    input: ToolInput


class ToolCompleted(StreamLine):
    """A tool call ended; `evidenceIds` are the spans that it read."""

    type: Literal["tool_completed"]
    tool: str
    status: Literal["success", "failed"]
    duration_ms: int
    input: ToolInput
    output: ToolOutput
    evidence_ids: list[str]


class SubmissionRejected(StreamLine):
    """The submission number `attempt` broke the rules `codes`; the run goes on (addition)."""

    type: Literal["submission_rejected"]
    attempt: int
    codes: list[str]


class Heartbeat(StreamLine):
    """Nothing happened for a while, and the run is alive (addition)."""

    type: Literal["heartbeat"]


class ProgressDropped(StreamLine):
    """The reader was too slow: `count` progress lines were left out here (addition)."""

    type: Literal["progress_dropped"]
    count: Annotated[int, Field(ge=1)]


class AnswerCompleted(StreamLine):
    """The run ended with an accepted answer."""

    type: Literal["answer_completed"]


class JobFailed(StreamLine):
    """The run failed; `errorType` is the reason code."""

    type: Literal["job_failed"]
    status: Literal["failed"]
    error_type: str
    message: str


class RunLimitedLine(StreamLine):
    """The run ended at a limit that the caller asked for (addition)."""

    type: Literal["run_limited"]
    reason_code: str
    message: str


class JobCancelled(StreamLine):
    """The run was cancelled (addition)."""

    type: Literal["job_cancelled"]
    reason_code: str
    message: str


class ResultLine(StreamLine):
    """The last line of a stream: the response, whatever its status."""

    type: Literal["result"]
    payload: ResearchTurnResponse


class ErrorLine(StreamLine):
    """The last line of a stream that could not have a result."""

    type: Literal["error"]
    error_type: str
    message: str


AnyLine = Annotated[
    JobStarted
    | ModelCallStarted
    | ModelCallCompleted
    | ToolStarted
    | ToolCompleted
    | SubmissionRejected
    | Heartbeat
    | ProgressDropped
    | AnswerCompleted
    | JobFailed
    | RunLimitedLine
    | JobCancelled
    | ResultLine
    | ErrorLine,
    Field(discriminator="type"),
]

STREAM_LINE: TypeAdapter[AnyLine] = TypeAdapter(AnyLine)
"""Validates one decoded line of a stream."""

RUNNER_EVENTS = frozenset(
    {"model_call_started", "model_call_completed", "tool_started", "tool_completed", "submission_rejected"}
)
"""The lines that a `TurnRunner` reports; all others are written by the service."""


def line_of(envelope: dict[str, Any], kind: str, fields: dict[str, Any]) -> AnyLine:
    """Build one line. Raises `pydantic.ValidationError` when the fields are not those of the type."""
    return STREAM_LINE.validate_python({**fields, **envelope, "type": kind})

"""From the bytes of a request body to a turn: everything that can be refused is refused here, before any run."""

from __future__ import annotations

import asyncio
from typing import Any, cast
from uuid import uuid4

from pydantic import ValidationError
from pydantic_core import ErrorDetails, from_json

from harness.service.errors import InvalidField, MalformedBody
from harness.turn import ProgressSink, RunLimits, TurnExecutionInput
from harness.wire import ResearchTurnRequest, RunOwner, TurnOptions

MAX_QUESTION_CHARACTERS = 32_000
"""As long as the history that a model is shown. Work on a question grows with its length and holds other runs up."""


def parse_body(body: bytes) -> dict[str, Any]:
    """The JSON object of a body. Raises `MalformedBody` for anything else."""
    try:
        value = from_json(body, allow_inf_nan=False)
    except ValueError as error:
        raise MalformedBody(f"the body is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise MalformedBody("the body is JSON, but not an object")
    return cast("dict[str, Any]", value)


def validate_request(body: dict[str, Any]) -> ResearchTurnRequest:
    """The request that an object holds. Raises `InvalidField` that names the first wrong field."""
    try:
        request = ResearchTurnRequest.model_validate(body)
    except ValidationError as error:
        raise _invalid_field(error) from error
    if len(request.user_message) > MAX_QUESTION_CHARACTERS:
        message = f"A question has at most {MAX_QUESTION_CHARACTERS} characters."
        raise InvalidField(message, field="user_message")
    return request


def validate_owner(body: dict[str, Any]) -> str:
    """The user that a request about a run comes from. Raises `InvalidField`."""
    try:
        return RunOwner.model_validate(body).user_id
    except ValidationError as error:
        raise _invalid_field(error) from error


def _invalid_field(error: ValidationError) -> InvalidField:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    return InvalidField(first["msg"], field=_path(first))


def _path(error: ErrorDetails) -> str:
    return ".".join(str(part) for part in error["loc"])


def effective_limits(options: TurnOptions, ceilings: RunLimits) -> RunLimits:
    """What the caller asked for, capped by the ceilings; a ceiling where nothing was asked for."""
    wanted = options.run_limits
    asked: dict[str, int] = {}
    if wanted is not None:
        asked = wanted.model_dump(exclude_none=True, exclude={"schema_version"})
    if options.max_completion_tokens is not None:
        asked["max_completion_tokens"] = options.max_completion_tokens
    numbers = {name: min(asked.get(name, ceiling), ceiling) for name, ceiling in ceilings.as_dict().items()}
    return RunLimits(**numbers, requested=wanted is not None)


def turn_of(
    request: ResearchTurnRequest, *, run_id: str, ceilings: RunLimits, cancel: asyncio.Event, progress: ProgressSink
) -> TurnExecutionInput:
    """The frozen input of the run that a request asks for; without `request_id` it gets one."""
    return TurnExecutionInput(
        run_id=run_id,
        request_id=request.request_id or f"req_{uuid4().hex}",
        conversation_id=request.conversation_id,
        user_id=request.user_id,
        question=request.user_message,
        scope_paper_ids=tuple(request.scope.paper_ids),
        limits=effective_limits(request.options, ceilings),
        cancel=cancel,
        progress=progress,
        history=tuple(request.history),
        memory=request.research_memory,
        focus=request.scope.reference_focus,
        include_trace=request.options.include_trace,
    )

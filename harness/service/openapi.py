"""The OpenAPI description: routes whose bodies the service reads itself, and the schemas of everything on the wire."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Literal

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import JsonSchemaMode
from starlette.responses import Response

from harness.service.bodies import CONTRACT_HEADER, CancelBody, FailureBody, HealthBody, ReadyBody, RefusalBody
from harness.service.events import STREAM_LINE
from harness.service.ndjson import MEDIA_TYPE
from harness.wire import ResearchTurnRequest, ResearchTurnResponse, RunOwner

RouteName = Literal["stream", "turn", "cancel", "health", "ready"]

_MODELS: Sequence[tuple[str, JsonSchemaMode, type[BaseModel]]] = (
    ("request", "validation", ResearchTurnRequest),
    ("response", "serialization", ResearchTurnResponse),
    ("owner", "validation", RunOwner),
    ("cancel", "serialization", CancelBody),
    ("health", "serialization", HealthBody),
    ("ready", "serialization", ReadyBody),
    ("refusal", "validation", RefusalBody),
    ("failure", "serialization", FailureBody),
)

_REFUSALS = {
    400: "The body is not a JSON object.",
    401: "No token, a wrong one, or a service without any.",
    403: "Without tokens: the caller is not a program or page of this machine.",
    408: "The body did not arrive in time.",
    404: "This user has no such run going on; another user's is answered alike.",
    409: "The same request of the same user is running.",
    413: "The body is too large.",
    422: "A field is missing or wrong; `field` is its dotted path.",
    429: "Every place for a run is taken; see Retry-After.",
    503: "The service is shutting down; see Retry-After.",
}


_OF_A_START = (400, 401, 403, 408, 409, 413, 422, 429, 503)
_OF_A_RUN = (400, 401, 403, 404, 408, 413, 422)
_OF_A_STATE = (401, 403)


@cache
def _schemas() -> tuple[dict[str, dict[str, Any]], dict[str, Any]]:
    """References by name, and the component schemas that they point to."""
    adapters: list[tuple[str, JsonSchemaMode, TypeAdapter[Any]]] = [
        (name, mode, TypeAdapter(model)) for name, mode, model in _MODELS
    ]
    adapters.append(("line", "serialization", STREAM_LINE))
    references, definitions = TypeAdapter.json_schemas(adapters, ref_template="#/components/schemas/{model}")
    return {name: schema for (name, _), schema in references.items()}, definitions["$defs"]


def _content(media_type: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {media_type: {"schema": schema}}


def operation(name: RouteName) -> dict[str, Any]:
    """Keyword arguments of FastAPI's route decorators that describe one of our routes."""
    schema, _ = _schemas()
    refusal = _content("application/json", schema["refusal"])
    version = {CONTRACT_HEADER: {"description": "Version of the contract.", "schema": {"type": "string"}}}

    def answer(text: str, content: dict[str, Any]) -> dict[str, Any]:
        return {"description": text, "content": content, "headers": version}

    described: dict[str, Any] = {"response_class": Response, "operation_id": name}
    statuses = _OF_A_STATE
    if name in {"stream", "turn", "cancel"}:
        statuses = _OF_A_RUN if name == "cancel" else _OF_A_START
        wanted = schema["owner" if name == "cancel" else "request"]
        described["openapi_extra"] = {
            "requestBody": {"required": True, "content": _content("application/json", wanted)},
            "security": [{"serviceToken": []}],
        }
    refusals = {status: answer(_REFUSALS[status], refusal) for status in statuses}
    match name:
        case "stream":
            described["summary"] = "One research turn as a stream of lines"
            ok = answer(
                "One JSON object a line; the last is `result` or `error`.", _content(MEDIA_TYPE, schema["line"])
            )
            extra: dict[int, Any] = {}
        case "turn":
            described["summary"] = "One research turn as one object"
            ok = answer("The response, whatever its status.", _content("application/json", schema["response"]))
            extra = {500: answer("No result could be made.", _content("application/json", schema["failure"]))}
        case "cancel":
            described["summary"] = "Ends a run, for the user whose run it is"
            ok = answer("The run is ending.", _content("application/json", schema["cancel"]))
            extra = {}
        case "health":
            described["summary"] = "Whether the process is alive"
            ok = answer("Alive.", _content("application/json", schema["health"]))
            extra = {}
        case "ready":
            described["summary"] = "Whether the corpus can answer"
            state = _content("application/json", schema["ready"])
            ok = answer("Ready.", state)
            extra = {503: answer("Some part cannot be reached.", state)}
    described["responses"] = {200: ok, **refusals, **extra}
    return described


def describe(app: FastAPI) -> None:
    """Let the application's OpenAPI document hold the schemas that its routes point to."""

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = get_openapi(title=app.title, version=app.version, routes=app.routes)
            components = schema.setdefault("components", {})
            components["schemas"] = {**components.get("schemas", {}), **_schemas()[1]}
            components["securitySchemes"] = {"serviceToken": {"type": "http", "scheme": "bearer"}}
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = document

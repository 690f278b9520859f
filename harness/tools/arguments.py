"""Arguments of a tool call: strict parsing of what the model wrote, and the schemas that the model is shown.

Valid JSON is taken as it is and never repaired; anything else is refused with a reason, never guessed.
"""

from __future__ import annotations

import copy
import json
from functools import cache
from typing import Any, NoReturn, TypeVar, cast

from pydantic import BaseModel, ConfigDict, ValidationError

_EXCERPT = 60
_MAX_PROBLEMS = 8


class Arguments(BaseModel):
    """Root of argument models: unknown keys are refused, types are not coerced."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ArgumentsRefused(Exception):
    """What a model wrote as arguments cannot be used; `problems` name field and reason."""

    def __init__(self, message: str, problems: list[dict[str, str]] | None = None) -> None:
        super().__init__(message)
        self.problems = problems or []


_Model = TypeVar("_Model", bound=BaseModel)


def parse_object(raw: str) -> dict[str, Any]:
    """The JSON object that `raw` is. `ArgumentsRefused` for broken JSON, NaN, a doubled key or another JSON value."""
    try:
        value: object = json.loads(raw, parse_constant=_refuse_constant, object_pairs_hook=_unique_keys)
    except ArgumentsRefused:
        raise
    except json.JSONDecodeError as error:
        if raw.strip() and (error.pos >= len(raw.rstrip()) or error.msg.startswith("Unterminated string")):
            message = f"The arguments break off after {len(raw)} characters: {_excerpt(raw)}"
            raise ArgumentsRefused(message) from error
        message = f"The arguments are not valid JSON ({error.msg} at character {error.pos}): {_excerpt(raw)}"
        raise ArgumentsRefused(message) from error
    except (ValueError, RecursionError) as error:
        message = f"The arguments hold a number that is too long or are nested too deeply: {_excerpt(raw)}"
        raise ArgumentsRefused(message) from error
    if not isinstance(value, dict):
        message = f"The arguments must be one JSON object, not {_json_type(value)}: {_excerpt(raw)}"
        raise ArgumentsRefused(message)
    return cast("dict[str, Any]", value)


def validate(model: type[_Model], values: dict[str, Any]) -> _Model:
    """The arguments as a model; null for an optional field counts as not given. `ArgumentsRefused` names each fault."""
    given = {
        key: value
        for key, value in values.items()
        if value is not None or key not in model.model_fields or model.model_fields[key].is_required()
    }
    try:
        return model.model_validate_json(json.dumps(given), strict=True)
    except ValidationError as error:
        problems = [
            {"field": ".".join(map(str, item["loc"])) or "(whole)", "problem": item["msg"]}
            for item in error.errors(include_url=False, include_context=False, include_input=False)
        ]
        named = "; ".join(f"{item['field']}: {item['problem']}" for item in problems[:_MAX_PROBLEMS])
        message = f"The arguments do not fit the tool: {named}"
        raise ArgumentsRefused(message, problems[:_MAX_PROBLEMS]) from error


def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema shown to the model: references inlined, no titles, an optional field as its plain type."""
    return json.loads(_schema_text(model))


@cache
def _schema_text(model: type[BaseModel]) -> str:
    """Kept as text, so that no run can change what another one shows; making it costs as much as a run."""
    schema = model.model_json_schema()
    definitions = schema.pop("$defs", {})
    return json.dumps(_plain_schema(schema, definitions))


def _plain_schema(node: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in node:
        target = copy.deepcopy(definitions[node["$ref"].rsplit("/", 1)[-1]])
        node = {**target, **{key: value for key, value in node.items() if key != "$ref"}}
    options = node.get("anyOf")
    if options is not None:
        [option] = [item for item in options if item.get("type") != "null"]
        node = {**option, **{key: value for key, value in node.items() if key != "anyOf"}}
        return _plain_schema(node, definitions)
    plain: dict[str, Any] = {}
    for key, value in node.items():
        if key == "title" or (key == "default" and value is None):
            continue
        if key == "properties":
            plain[key] = {name: _plain_schema(item, definitions) for name, item in value.items()}
        elif key in {"items", "additionalProperties"} and isinstance(value, dict):
            plain[key] = _plain_schema(cast("dict[str, Any]", value), definitions)
        else:
            plain[key] = value
    return plain


def _refuse_constant(name: str) -> NoReturn:
    message = f"The arguments hold {name}, which JSON does not know."
    raise ArgumentsRefused(message)


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) != len(pairs):
        message = "The arguments name the same key twice."
        raise ArgumentsRefused(message)
    return values


def _excerpt(raw: str) -> str:
    text = raw.strip()
    return repr(text if len(text) <= _EXCERPT else text[:_EXCERPT] + "…") if text else "(empty)"


def _json_type(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true or false"
        case str():
            return "a string"
        case list():
            return "a list"
        case _:
            return "a number"

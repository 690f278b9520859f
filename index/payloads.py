"""The routing fields of a point as an engine stores them: one flat JSON object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields as fields_of
from typing import Any

from pydantic import TypeAdapter, ValidationError

from index.engine import PointPayload
from index.errors import IndexUnavailable

_STORED = TypeAdapter(PointPayload)
_NAMES = tuple(field.name for field in fields_of(PointPayload))


def stored_fields(payload: PointPayload) -> dict[str, Any]:
    """What an engine is given of a point's payload."""
    return {name: getattr(payload, name) for name in _NAMES} | {"element_types": list(payload.element_types)}


def read_fields(fields: Mapping[str, Any] | None) -> PointPayload:
    """The payload that `fields` hold; raises IndexUnavailable when they are not those of a point of ours."""
    try:
        return _STORED.validate_python(fields)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "payload"
        message = f"the engine gave a point that is not one of this library: {where}: {first['msg']}"
        raise IndexUnavailable(message) from None

"""Reading JSON of unknown form: a value of the wrong kind counts as absent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, cast

from reading_model.errors import DamagedArtifact

Json = dict[str, Any]


def load(data: bytes, name: str) -> object:
    """The JSON value in `data`; raises DamagedArtifact. A byte order mark is allowed."""
    try:
        return cast("object", json.loads(data.decode("utf-8-sig")))
    except (ValueError, RecursionError) as error:
        raise DamagedArtifact(f"{name} is no JSON: {error}.") from error


def object_of(value: object) -> Json:
    """`value` where it is an object, else an empty one."""
    return cast("Json", value) if isinstance(value, dict) else {}


def list_of(value: object) -> list[object]:
    """`value` where it is a list, else an empty one."""
    return cast("list[object]", value) if isinstance(value, list) else []


def is_list(value: object) -> bool:
    """Whether `value` is a list."""
    return isinstance(value, list)


def text_of(value: object) -> str:
    """`value` where it is a string, else an empty one."""
    return value if isinstance(value, str) else ""


def whole_number(value: object) -> int | None:
    """`value` where it is a whole number (and no truth value)."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def numbers(value: object, count: int) -> tuple[float, ...] | None:
    """`value` where it is a list of that many finite numbers."""
    found = [float(item) for item in list_of(value) if isinstance(item, (int, float)) and abs(item) < 1e7]
    return tuple(found) if len(found) == count == len(list_of(value)) else None


def strings_in(value: object, skipped: frozenset[str]) -> Iterator[str]:
    """Every string inside a value, in order, but those under the skipped names. Iterative: depth is the writer's."""
    waiting: list[object] = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            if item.strip():
                yield item
        elif isinstance(item, list):
            waiting.extend(reversed(list_of(cast("object", item))))
        elif isinstance(item, dict):
            waiting.extend(
                part for name, part in reversed(object_of(cast("object", item)).items()) if name not in skipped
            )

"""Newline-delimited JSON that survives careless readers: one object a line, UTF-8, only LF ends a line.

U+2028, U+2029 and U+0085 end lines for many line splitters, so they are written as escapes; a lone surrogate has no
UTF-8 form and becomes U+FFFD. Format: https://github.com/ndjson/ndjson-spec.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError, from_json, to_json

from harness.unicode_text import well_formed

MEDIA_TYPE = "application/x-ndjson"

_LINE_ENDS = {"\u0085": b"\\u0085", "\u2028": b"\\u2028", "\u2029": b"\\u2029"}


def encode_object(value: object) -> bytes:
    """JSON bytes of a model or a plain value, without any character that some reader takes for a line end.

    Raises `PydanticSerializationError` for a value that has no JSON form.
    """
    try:
        data = _dump(value)
    except PydanticSerializationError:
        # Text with a lone surrogate is the one repairable cause; anything else fails again.
        plain = value.model_dump(mode="python", by_alias=True) if isinstance(value, BaseModel) else value
        data = _dump(well_formed(plain))
    for character, escape in _LINE_ENDS.items():
        data = data.replace(character.encode(), escape)
    return data


def encode_line(value: object) -> bytes:
    """One line: the object and LF."""
    return encode_object(value) + b"\n"


def _dump(value: object) -> bytes:
    return to_json(value, by_alias=True, inf_nan_mode="null")


class NdjsonDecoder:
    """Splits a byte stream, cut anywhere, into its JSON values."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def feed(self, data: bytes) -> list[Any]:
        """The values that the new bytes complete. Raises ValueError for a line that is not JSON."""
        self._rest += data
        *lines, rest = self._rest.split(b"\n")
        self._rest = bytearray(rest)
        return [from_json(bytes(line)) for line in lines if line.strip()]

    def finish(self) -> list[Any]:
        """The value of a last line without LF, if there is one. Raises ValueError when it was cut off."""
        return self.feed(b"\n")

"""Column types that are exact on every server: what is read back equals what was bound, or the bind is refused."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Any, Protocol

import sqlalchemy as sa
from sqlalchemy.dialects import mysql
from sqlalchemy.types import TypeDecorator, TypeEngine
from typing_extensions import override

from reading_model.errors import ValueNotStorable

_MYSQL = ("mysql", "mariadb")


def encoded(text: str) -> bytes:
    """UTF-8 bytes of a text; a lone surrogate raises ValueNotStorable."""
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        message = f"the text has a lone surrogate at character {error.start}"
        raise ValueNotStorable(
            message, hint="Repair the text before it is stored: half a character has no UTF-8 form."
        ) from error


class Key(TypeDecorator[str]):
    """A text that identifies, compared byte by byte: VARBINARY, because no collation that MySQL and MariaDB share keeps
    `span` and `span ` apart. `size` is in bytes."""

    impl = sa.LargeBinary
    cache_ok = True

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.size = size

    @override
    def load_dialect_impl(self, dialect: sa.Dialect) -> TypeEngine[Any]:
        if dialect.name in _MYSQL:
            return dialect.type_descriptor(mysql.VARBINARY(self.size))
        return dialect.type_descriptor(sa.LargeBinary())

    @override
    def process_bind_param(self, value: str | None, dialect: sa.Dialect) -> bytes | None:
        if value is None:
            return None
        data = encoded(value)
        if len(data) > self.size:
            message = f"an identifier has {len(data)} bytes, at most {self.size} are kept"
            raise ValueNotStorable(message, hint="Use a shorter identifier.")
        return data

    @override
    def result_processor(self, dialect: sa.Dialect, coltype: object) -> _Decoder:
        # `process_result_value` would do, at twice the price: keys are most of what the gateway reads
        return _decoded


class _Decoder(Protocol):
    def __call__(self, value: Any) -> str | None: ...


def _decoded(value: bytes | None) -> str | None:
    return None if value is None else str(value, "utf-8")


class LongText(TypeDecorator[str]):
    """Text of any length and any Unicode scalar value: LONGTEXT in utf8mb4 (TEXT would end at 65,535 bytes)."""

    impl = sa.Text
    cache_ok = True

    @override
    def load_dialect_impl(self, dialect: sa.Dialect) -> TypeEngine[Any]:
        if dialect.name in _MYSQL:
            return dialect.type_descriptor(mysql.LONGTEXT(charset="utf8mb4", collation="utf8mb4_bin"))
        return dialect.type_descriptor(sa.Text())

    @override
    def process_bind_param(self, value: str | None, dialect: sa.Dialect) -> str | None:
        if value is not None and not value.isascii():
            encoded(value)
        return value


class Timestamp(TypeDecorator[datetime]):
    """An instant with microseconds, kept in UTC: plain DATETIME would drop the fraction."""

    impl = sa.DateTime
    cache_ok = True

    @override
    def load_dialect_impl(self, dialect: sa.Dialect) -> TypeEngine[Any]:
        if dialect.name in _MYSQL:
            return dialect.type_descriptor(mysql.DATETIME(fsp=6))
        return dialect.type_descriptor(sa.DateTime())

    @override
    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        return None if value is None else value.astimezone(UTC).replace(tzinfo=None)

    @override
    def process_result_value(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        return None if value is None else value.replace(tzinfo=UTC)


class Length(TypeDecorator[float]):
    """A length in points: a double, never infinite and never not-a-number."""

    impl = sa.Double
    cache_ok = True

    @override
    def load_dialect_impl(self, dialect: sa.Dialect) -> TypeEngine[Any]:
        if dialect.name in _MYSQL:
            return dialect.type_descriptor(mysql.DOUBLE(asdecimal=False))
        return dialect.type_descriptor(sa.Double())

    @override
    def process_bind_param(self, value: float | None, dialect: sa.Dialect) -> float | None:
        if value is not None and not math.isfinite(value):
            message = f"{value} is no length"
            raise ValueNotStorable(message)
        return value

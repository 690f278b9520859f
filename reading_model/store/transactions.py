"""Transactions: short, retried where the server asks for it, and with errors of this package."""

from __future__ import annotations

import random
import sqlite3
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, OperationalError, StatementError

from reading_model.errors import StoreError, StoreUnavailable, ValueNotStorable
from reading_model.store.connection import WRITES

_RETRIED = frozenset({1205, 1213})  # lock wait timeout, deadlock: the server rolled back and asks for another try
_ATTEMPTS = 8
_FIRST_PAUSE = 0.01

Result = TypeVar("Result")


@contextmanager
def reading(engine: sa.Engine) -> Generator[sa.Connection, None, None]:
    """A connection with one short read transaction."""
    with _translated(), engine.connect() as connection:
        yield connection


def write(engine: sa.Engine, work: Callable[[sa.Connection], Result]) -> Result:
    """Run `work` in one transaction, all or nothing; after a deadlock it runs again, so it must have no other effects.

    Raises sqlalchemy.exc.IntegrityError as it is (what it means depends on the statement), ValueNotStorable for values
    that do not fit, StoreUnavailable for a database that does not answer.
    """
    pause = _FIRST_PAUSE
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            with (
                _translated(),
                engine.connect().execution_options(**{WRITES: True}) as connection,
                connection.begin(),
            ):
                return work(connection)
        except _Conflict as conflict:
            if attempt == _ATTEMPTS:
                message = "the database was too busy: other transactions kept winning"
                raise StoreUnavailable(message, hint="Run fewer writers at once, or try again.") from conflict
            time.sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311 - spreads retries, secures nothing
            pause *= 2
    raise AssertionError  # the last attempt returns or raises


class _Conflict(Exception):
    """The server rolled the transaction back because of another one."""


@contextmanager
def _translated() -> Generator[None, None, None]:
    try:
        yield
    except IntegrityError:
        raise
    except OperationalError as error:
        if _code(error) in _RETRIED:
            raise _Conflict from error
        raise _unavailable(error) from error
    except DBAPIError as error:
        if isinstance(error, DataError):
            message = "the database refuses a value that would not be kept whole"
            raise ValueNotStorable(message) from error
        raise _unavailable(error) from error
    except StatementError as error:
        # what a column type raised while it bound a value
        if isinstance(error.orig, StoreError):
            raise error.orig from error
        raise
    except OverflowError as error:
        message = "a number is too large for its column"
        raise ValueNotStorable(message) from error


def _unavailable(error: DBAPIError) -> StoreUnavailable:
    if error.connection_invalidated:
        return StoreUnavailable(f"the connection to the database broke: {error.orig}")
    return StoreUnavailable(f"the database cannot do what it was asked: {error.orig}", hint=_hint(error.orig))


def _hint(cause: BaseException | None) -> str | None:
    """What to do about a file, where the database is one; None leaves the hint for servers."""
    if not isinstance(cause, sqlite3.Error):
        return None
    if getattr(cause, "sqlite_errorcode", 0) & 0xFF in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}:
        return "The database file is damaged: restore it from a copy, or add the papers to a new library."
    return "Check the library's folder: its permissions, the free space, and that no other program holds the file."


def _code(error: DBAPIError) -> object:
    arguments = error.orig.args if error.orig is not None else ()
    return arguments[0] if arguments else None

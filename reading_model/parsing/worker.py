"""The process that runs parsers: one task after another over a pipe, under a memory limit."""

from __future__ import annotations

import gc
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from reading_model.documents import ParsedDocument
from reading_model.errors import ParseError, ParserCrashed, ReadingModelError
from reading_model.parsing.limits import ParseLimits
from reading_model.parsing.registry import load_parser
from reading_model.parsing.sources import bytes_for, importer_of

if TYPE_CHECKING:
    from reading_model.preparing import Prepared


NEW_OBJECTS = 50_000  # between two looks for cycles; a dense page makes about 5,000 that stay


@dataclass(frozen=True, slots=True)
class Task:
    """One file to parse; `prepares` asks for the document as the store needs it.

    The password is kept out of the representation, and so out of every log.
    """

    path: Path
    parser: str
    limits: ParseLimits
    password: str | None = None
    prepares: bool = False

    def __repr__(self) -> str:
        return f"Task(path={self.path!r}, parser={self.parser!r})"


@dataclass(frozen=True, slots=True)
class Ready:
    """Sent once, when the parser is imported."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A typed error on its way through the pipe."""

    error: type[ReadingModelError]
    message: str
    hint: str

    def to_error(self) -> ReadingModelError:
        """The error as it was raised."""
        return self.error(self.message, hint=self.hint)


Reply: TypeAlias = "ParsedDocument | Prepared | Failure"


def serve(connection: Connection, parser: str, parsers: Mapping[str, str], memory_mb: int) -> None:
    """Answer tasks until the other side closes the pipe or sends None.

    A task that runs out of memory is answered, and the process ends: what the native library holds by then is unknown.
    """
    # a side that goes away with a message of ours unread shows as a reset, not as an end of file
    with suppress(EOFError, ConnectionError):
        _converse(connection, parser, parsers, memory_mb)


def _converse(connection: Connection, parser: str, parsers: Mapping[str, str], memory_mb: int) -> None:
    try:
        load_parser(parser, parsers)
    except ParseError as error:
        connection.send(_failure(error))
        return
    limit_memory(memory_mb)
    _spare_collections()
    connection.send(Ready())
    while True:
        task: Task | None = connection.recv()
        if task is None:
            return
        try:
            reply = run(task, parsers)
        except MemoryError:
            message = f"Parsing ran out of memory (limit {memory_mb} MB)."
            connection.send(Failure(ParserCrashed, message, ParserCrashed.hint))
            return
        try:
            connection.send(reply)
        except OSError:
            return  # the process that asked is gone


def _prepared(document: ParsedDocument) -> Prepared:
    from reading_model.preparing import prepare  # noqa: PLC0415 - the store is not needed to parse only

    return prepare(document)


def run(task: Task, parsers: Mapping[str, str]) -> Reply:
    """Parse one file here; every typed error becomes a Failure. MemoryError passes."""
    try:
        data = bytes_for(task.path, task.parser, task.limits.max_bytes)
        parser = load_parser(importer_of(task.path, task.parser), parsers)
        document = parser(data, password=task.password, limits=task.limits)
        return _prepared(document) if task.prepares else document
    except ReadingModelError as error:
        return _failure(error)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - a fault of a parser must fail its own file only, with its trace kept
        return Failure(ParserCrashed, f"The parser failed: {_where(error)}", ParserCrashed.hint)


def _spare_collections() -> None:
    """Let the collector of cycles pass over what was imported, and look less often: a document has no cycles."""
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS)


def limit_memory(memory_mb: int) -> None:
    """Bound the address space of this process where the system can."""
    if sys.platform != "linux":
        return
    import resource  # noqa: PLC0415 - exists on POSIX only

    size = memory_mb * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_AS, (size, resource.getrlimit(resource.RLIMIT_AS)[1]))


def _failure(error: ReadingModelError) -> Failure:
    return Failure(type(error), str(error), error.hint)


def _where(error: Exception) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f" at {Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace else ""
    return f"{type(error).__name__}{place}: {error}"

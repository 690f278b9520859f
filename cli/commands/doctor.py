"""`paperledger doctor`: what works on this machine and in this library, and what to do about what does not."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.command import Invocation, paperledger_command
from cli.errors import CommandError
from cli.exit_codes import ExitCode
from cli.visible import visible

if TYPE_CHECKING:
    from cli.settings import Settings


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at: whether it is all right, what was seen, and what to do when it is not."""

    name: str
    ok: bool
    detail: str
    hint: str = ""


@click.command()
@paperledger_command
def doctor(invocation: Invocation) -> int:
    """Check this machine and this library; exit 3 when something does not work."""
    checks = list(run_checks(invocation.settings()))
    if invocation.json:
        invocation.emit({"ok": all(check.ok for check in checks), "checks": [asdict(check) for check in checks]})
    else:
        for check in checks:
            mark = click.style("ok  ", fg="green") if check.ok else click.style("FAIL", fg="red", bold=True)
            click.echo(f"{mark}  {check.name:<10} {visible(check.detail)}")
            if not check.ok and check.hint:
                click.echo(f"{'':18}{check.hint}")
    return int(ExitCode.DONE if all(check.ok for check in checks) else ExitCode.NOT_AVAILABLE)


def run_checks(settings: Settings) -> Iterator[Check]:
    """Every check in order: program, folder, database, index, model. Later ones run even when earlier ones fail."""
    version = metadata.version("paperledger")
    yield Check("program", ok=True, detail=f"paperledger {version}, Python {platform.python_version()}")
    yield _folder(settings.library)
    yield _checked("database", lambda: _database(settings))
    yield _checked("index", lambda: _index(settings))
    yield _checked("model", lambda: _model(settings))


def _checked(name: str, look: Callable[[], str]) -> Check:
    from corpus_gateway.errors import GatewayError
    from index.errors import IndexingError
    from reading_model.errors import ReadingModelError

    try:
        return Check(name, ok=True, detail=look())
    except (ReadingModelError, IndexingError, GatewayError, CommandError) as error:
        return Check(name, ok=False, detail=str(error), hint=error.hint)


def _folder(folder: Path) -> Check:
    exists = folder.is_dir()
    place = folder if exists else next(parent for parent in folder.absolute().parents if parent.is_dir())
    writable = os.access(place, os.W_OK)
    detail = f"{folder}{'' if exists else ' (not made yet)'}"
    return Check("library", ok=writable, detail=detail, hint=f"{place} is not writable; choose another --library.")


def _database(settings: Settings) -> str:
    from reading_model.errors import SchemaOutOfDate
    from reading_model.store import open_store, schema_revision

    kind = "SQLite in the library" if settings.database_url is None else "the server of PAPERLEDGER_DATABASE_URL"
    if settings.database_url is None and not settings.database_file.exists():
        return f"{kind}, not made yet"
    state = schema_revision(settings.store_url)
    if state.current is None:
        return f"{kind}, empty"
    if state.current != state.head:
        message = f"{kind} has schema {state.current}, this release needs {state.head}"
        raise SchemaOutOfDate(message)
    with closing(open_store(settings.store_url)) as store:
        return f"{kind}, schema {state.current}, {len(store.papers.get())} papers"


def _index(settings: Settings) -> str:
    from cli.wiring import describe_server, open_library

    made = settings.database_file.exists() if settings.database_url is None else _has_schema(settings)
    server = "" if settings.qdrant_url is None else f"{describe_server(settings)}, "
    if not made or (not server and not (settings.library / "index").exists()):
        return f"{server}not made yet"
    with open_library(settings) as library:
        report = library.indexer.status()
    return f"{server}{report.points} points of {report.expected_points}"


def _has_schema(settings: Settings) -> bool:
    from reading_model.store import schema_revision

    return schema_revision(settings.store_url).current is not None


def _model(settings: Settings) -> str:
    from cli.wiring import OFFLINE_MODEL, model_factory

    model_factory(settings)
    if settings.model == OFFLINE_MODEL:
        return "extractive: offline, quotes sentences of the papers"
    key = "with a key" if settings.model_api_key is not None else "without a key"
    return f"{settings.model} at {settings.model_base_url}, {key} (not called)"

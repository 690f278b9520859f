"""`paperledger db`: the schema of the canonical store."""

from __future__ import annotations

import click

from cli.command import Invocation, paperledger_command
from cli.exit_codes import ExitCode


@click.group()
def db() -> None:
    """The database schema: which revision it has, and bringing it up to date."""


@db.command()
@paperledger_command
def current(invocation: Invocation) -> int:
    """Say which schema revision the database has and which one this release needs; exit 3 when they differ."""
    from reading_model.store import schema_revision

    state = schema_revision(invocation.settings().store_url)
    up_to_date = state.current == state.head
    if invocation.json:
        invocation.emit({"current": state.current, "head": state.head, "up_to_date": up_to_date})
    else:
        click.echo(f"database {state.current or '(empty)'}, this release {state.head}")
        if not up_to_date:
            click.echo("Run: paperledger db upgrade", err=True)
    return int(ExitCode.DONE if up_to_date else ExitCode.NOT_AVAILABLE)


@db.command()
@paperledger_command
def upgrade(invocation: Invocation) -> None:
    """Bring the database to this release's schema; a database that has it already is left alone."""
    from cli.wiring import prepare_folder
    from reading_model.store import schema_revision, upgrade_schema

    settings = invocation.settings()
    prepare_folder(settings)
    before = schema_revision(settings.store_url).current
    upgrade_schema(settings.store_url)
    after = schema_revision(settings.store_url).current
    if invocation.json:
        invocation.emit({"before": before, "after": after})
    else:
        click.echo(f"{before or '(empty)'} -> {after}" if before != after else f"{after}: already up to date")

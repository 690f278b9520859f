"""`paperledger index`: the state of the index, and a comparison with the store."""

from __future__ import annotations

from dataclasses import asdict

import click

from cli.command import Invocation, paperledger_command
from cli.exit_codes import ExitCode


@click.group()
def index() -> None:
    """Look at the index: status, verify."""


@index.command()
@paperledger_command
def status(invocation: Invocation) -> None:
    """Papers by state, and how many points there are and should be."""
    from cli.wiring import open_library

    with open_library(invocation.settings()) as library:
        report = library.indexer.status()
    if invocation.json:
        invocation.emit(asdict(report))
        return
    states = ", ".join(f"{count} {state.value}" for state, count in report.papers.items()) or "no papers"
    click.echo(f"papers    {states}")
    click.echo(f"points    {report.points} of {report.expected_points}")
    click.echo(f"cards     {report.cards}")
    click.echo(f"contract  {report.contract}")


@index.command()
@paperledger_command
def verify(invocation: Invocation) -> int:
    """Compare the store and the index point by point; exit 1 when they differ."""
    from cli.wiring import open_library

    with open_library(invocation.settings()) as library:
        report = library.indexer.verify()
    if invocation.json:
        invocation.emit(asdict(report) | {"clean": report.clean})
    else:
        click.echo(f"{report.papers} papers, {report.points} points, {report.cards} cards")
        for name in ("missing", "unexpected", "altered", "unfinished"):
            for ref in getattr(report, name):
                click.secho(f"{name}: {ref}", fg="red")
        click.echo("clean" if report.clean else "not clean: add the papers again to build what is missing")
    return int(ExitCode.DONE if report.clean else ExitCode.SOME_FAILED)

"""`paperledger replay`: a recorded run once more, against the library of today."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from pathlib import Path

import click

from cli.command import Invocation, paperledger_command
from cli.exit_codes import ExitCode
from cli.visible import visible


@click.command()
@click.argument("run_dir", type=click.Path(path_type=Path, exists=True, file_okay=False))
@paperledger_command
def replay(invocation: Invocation, run_dir: Path) -> int:
    """Play the model side of the run recorded in RUN_DIR (from `ask --record`) again; exit 1 when anything differs.

    No model is asked. Every call is carried out against the library, and its result, the evidence ids, what the rules
    said and how the run ended are compared with the record.
    """
    from cli.identity import LOCAL_USER
    from cli.wiring import open_library
    from harness.replay import read_run
    from harness.replay import replay as replay_run

    recorded = read_run(run_dir)
    with open_library(invocation.settings()) as library:
        report = asyncio.run(replay_run(recorded, library.gateway, user_id=LOCAL_USER))
    if invocation.json:
        invocation.emit(
            {
                "same": report.same,
                "calls": report.calls,
                "evidence": report.evidence,
                "differences": [asdict(item) for item in report.differences],
            }
        )
        return int(ExitCode.DONE if report.same else ExitCode.SOME_FAILED)
    for item in report.differences:
        click.secho(visible(f"{item.where}: {item.kind}"), fg="red")
        for line in item.lines:
            click.echo(visible(line))
    verdict = "as recorded" if report.same else f"{len(report.differences)} differences"
    click.echo(f"{report.calls} calls, {report.evidence} spans of evidence: {verdict}")
    return int(ExitCode.DONE if report.same else ExitCode.SOME_FAILED)

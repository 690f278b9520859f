"""`paperledger verify`: an exported ledger, proved from the file alone."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from cli.command import Invocation, paperledger_command
from cli.exit_codes import ExitCode
from cli.visible import visible


@click.command()
@click.argument("ledger", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@paperledger_command
def verify(invocation: Invocation, ledger: Path) -> int:
    """Recompute every evidence id and the hash chain of LEDGER (from `ask --ledger`); exit 1 when one does not hold."""
    from harness.ledger_export import verify_ledger

    with ledger.open(encoding="utf-8", errors="surrogateescape", newline="\n") as lines:
        report = verify_ledger(lines)
    if invocation.json:
        invocation.emit(
            {
                "ok": report.ok,
                "run_id": report.run_id,
                "entries": len(report.entries),
                "head_sha256": report.head_sha256,
                "problems": [asdict(problem) for problem in report.problems],
            }
        )
    else:
        for problem in report.problems:
            click.secho(visible(f"line {problem.line}: {problem.message} ({problem.code})"), fg="red")
        verdict = "every id and the chain hold" if report.ok else "the ledger does not hold"
        click.echo(f"{len(report.entries)} entries: {verdict}")
    return int(ExitCode.DONE if report.ok else ExitCode.SOME_FAILED)

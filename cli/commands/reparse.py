"""`paperledger reparse`: new reading models for papers that are in the library."""

from __future__ import annotations

import os
import time
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.command import Invocation, paperledger_command
from cli.commands.parse import password_option, read_password
from cli.exit_codes import ExitCode

if TYPE_CHECKING:
    from reading_model.pruning import Pruned
    from reading_model.reparsing import ReparseOutcome


@click.command()
@click.argument("names", nargs=-1, metavar="[PAPER]...")
@click.option("--all", "all_papers", is_flag=True, help="Every paper of the library.")
@click.option("--parser", "parser_name", help="Which parser reads the files (default: pdfium).")
@click.option("--from-artifact", is_flag=True, help="Build from what the parser yielded then; nothing is parsed.")
@click.option("--jobs", type=click.IntRange(1), help="Worker processes (default: one a core).")
@click.option("--prune", is_flag=True, help="Then remove the models that serve no more, and their artifacts.")
@password_option
@paperledger_command
def reparse(
    invocation: Invocation,
    names: tuple[str, ...],
    all_papers: bool,
    parser_name: str | None,
    from_artifact: bool,
    jobs: int | None,
    prune: bool,
    password_file: Path | None,
) -> int:
    """Parse papers again from the files that the library keeps; the old model answers until the new one is ready.

    A paper that this parser made in this version is left alone. Stop with Ctrl-C and run the same command again to go
    on. Old models stay until --prune; references to them read as missing either way.
    """
    from cli.identity import resolve_papers
    from cli.progress import paper_progress
    from cli.wiring import open_library

    if all_papers == bool(names):
        raise click.UsageError("Name papers, or give --all.")
    password = read_password(password_file)
    outcomes: list[ReparseOutcome] = []
    started = time.monotonic()
    with open_library(invocation.settings()) as opened:
        known = [record.paper_id for record in opened.store.papers.get()]
        papers = known if all_papers else resolve_papers(names, known)
        library = opened.library
        with paper_progress(total=len(papers), quiet=invocation.json, what="Parsing papers again") as progress:
            for outcome in (
                library.rebuild(papers, parser=parser_name)
                if from_artifact
                else library.reparse(
                    papers, jobs=jobs or os.cpu_count() or 1, parser=parser_name or "pdfium", password=password
                )
            ):
                outcomes.append(outcome)
                pages = sum(item.pages for item in outcomes)
                rate = pages / max(time.monotonic() - started, 1e-6)
                progress.update(progress.task_ids[0], completed=len(outcomes), pages=pages, rate=rate)
        # the library is open here and nowhere else, so nobody reads what goes
        pruned = list(library.prune(papers, quiet=timedelta())) if prune else []
    if invocation.json:
        invocation.emit(_report(outcomes, pruned))
    else:
        _show(outcomes, pruned)
    return int(ExitCode.SOME_FAILED if any(item.status == "failed" for item in outcomes) else ExitCode.DONE)


def _report(outcomes: list[ReparseOutcome], pruned: list[Pruned]) -> dict[str, Any]:
    return {
        "papers": [
            {
                "paper_id": item.paper_id,
                "status": item.status,
                "model_version": item.model_version,
                "pages": item.pages,
                "failure": None
                if item.failure is None
                else {"code": item.failure.code, "message": item.failure.message},
            }
            for item in outcomes
        ],
        "counts": _counts(outcomes),
        "pruned": {
            "models": sum(len(item.models) for item in pruned),
            "artifacts": sum(item.artifacts for item in pruned),
        },
    }


def _show(outcomes: list[ReparseOutcome], pruned: list[Pruned]) -> None:
    for item in outcomes:
        if item.failure is not None:
            click.secho(f"{item.paper_id}: {item.failure.message} ({item.failure.code})", fg="red", err=True)
    counts = _counts(outcomes)
    click.echo(", ".join(f"{count} {status}" for status, count in counts.items() if count) or "no papers")
    if pruned:
        models, artifacts = sum(len(item.models) for item in pruned), sum(item.artifacts for item in pruned)
        click.echo(f"pruned: {models} models, {artifacts} artifacts")


def _counts(outcomes: list[ReparseOutcome]) -> dict[str, int]:
    found = Counter(item.status for item in outcomes)
    return {status: found[status] for status in ("ready", "unchanged", "failed")}

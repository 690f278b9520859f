"""`paperledger add`: files into the library."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.command import Invocation, paperledger_command
from cli.commands.parse import ocr_option, parser_for, password_option, read_password
from cli.errors import NothingToAdd
from cli.exit_codes import ExitCode
from cli.visible import visible

if TYPE_CHECKING:
    from corpus_gateway.bibliography import Bibliography
    from corpus_gateway.library import AddOutcome


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--parser", "parser_name", default="pdfium", show_default=True, help="Which parser reads the files.")
@ocr_option
@click.option("--jobs", type=click.IntRange(1), help="Worker processes (default: one a core).")
@click.option("--user", default="1", show_default=True, help="Whose library the papers go to.")
@click.option(
    "--bib",
    "bib_file",
    type=click.Path(path_type=Path),
    help="BibTeX or CSL-JSON file; what it says of a paper wins over what the file itself says.",
)
@password_option
@paperledger_command
def add(
    invocation: Invocation,
    paths: tuple[Path, ...],
    bib_file: Path | None,
    parser_name: str,
    ocr: str,
    jobs: int | None,
    user: str,
    password_file: Path | None,
) -> int:
    """Add PDF files, or all PDFs of folders, to the library: parse, build the reading model, index.

    The output of MinerU (a folder or an archive) and PaperLoom exports are taken over as they are.

    A file that is there already is skipped; a file that fails does not stop the others. Stop with Ctrl-C and run the
    same command again to go on.
    """
    from cli.progress import paper_progress
    from cli.wiring import open_library
    from reading_model.ingestion import discover
    from reading_model.models import PaperMetadata

    parser = parser_for(parser_name, ocr)
    files = discover(list(paths))
    if not files:
        message = f"No PDF under {', '.join(str(path) for path in paths)}."
        raise NothingToAdd(message)
    bibliography = None if bib_file is None else _bibliography(bib_file)
    outcomes: list[AddOutcome] = []
    started = time.monotonic()
    with (
        open_library(invocation.settings(), create=True) as library,
        paper_progress(total=len(files), quiet=invocation.json) as progress,
    ):
        pages = 0
        for outcome in library.library.add(
            files,
            user,
            jobs=jobs or os.cpu_count() or 1,
            parser=parser,
            password=read_password(password_file),
            given=None if bibliography is None else bibliography.given,
        ):
            outcomes.append(outcome)
            pages += outcome.pages
            rate = pages / max(time.monotonic() - started, 1e-6)
            progress.update(progress.task_ids[0], completed=len(outcomes), pages=pages, rate=rate)
        if any(outcome.status == "ready" for outcome in outcomes):
            library.indexer.settle()
    seconds = time.monotonic() - started
    if bibliography is not None:
        for outcome in outcomes:
            if outcome.status == "failed":
                # nothing is known of it but its name, and that may be what an entry gives
                bibliography.given(outcome.path, PaperMetadata())
    if invocation.json:
        invocation.emit(_report(outcomes, seconds) | _bibliography_report(bibliography))
    else:
        _show(outcomes, seconds)
        _show_bibliography(bibliography, outcomes)
    return int(ExitCode.SOME_FAILED if any(outcome.status == "failed" for outcome in outcomes) else ExitCode.DONE)


def _bibliography(path: Path) -> Bibliography:
    from corpus_gateway.bibliography import Bibliography
    from reading_model.bibliography import read_bibliography

    return Bibliography(read_bibliography(path))


def _bibliography_report(bibliography: Bibliography | None) -> dict[str, Any]:
    if bibliography is None:
        return {}
    entries = [{"key": entry.key, "title": entry.title} for entry in bibliography.unmatched()]
    files = [str(path) for path in bibliography.files_without()]
    return {"bibliography": {"entries_without_file": entries, "files_without_entry": files}}


def _show_bibliography(bibliography: Bibliography | None, outcomes: list[AddOutcome]) -> None:
    if bibliography is None:
        return
    from cli.console import say

    without = set(bibliography.files_without())
    matched = sum(outcome.status != "failed" and outcome.path not in without for outcome in outcomes)
    say(f"{matched} paper{'s' * (matched != 1)} with facts from the bibliography")
    for entry in bibliography.unmatched():
        say(f"no file for the entry {entry.key}: {entry.title or 'without a title'}")
    for path in bibliography.files_without():
        say(f"no entry for the file {path.name}")


def _report(outcomes: list[AddOutcome], seconds: float) -> dict[str, Any]:
    from reading_model.errors import hint_of

    pages = sum(outcome.pages for outcome in outcomes if outcome.status == "ready")
    return {
        "papers": [
            {
                "file": str(outcome.path),
                "paper_id": outcome.paper_id,
                "status": outcome.status,
                "title": outcome.title,
                "pages": outcome.pages,
                "failure": None
                if outcome.failure is None
                else {
                    "code": outcome.failure.code,
                    "message": outcome.failure.message,
                    "hint": hint_of(outcome.failure.code),
                },
            }
            for outcome in outcomes
        ],
        "counts": {
            status: sum(outcome.status == status for outcome in outcomes) for status in ("ready", "skipped", "failed")
        },
        "pages": pages,
        "seconds": round(seconds, 3),
        "pages_per_second": round(pages / seconds, 1) if seconds else 0.0,
    }


def _show(outcomes: list[AddOutcome], seconds: float) -> None:
    from rich.table import Table
    from rich.text import Text

    from cli.console import console_for_people
    from reading_model.errors import hint_of

    styles = {"ready": "green", "skipped": "dim", "failed": "bold red"}
    table = Table("", "paper", "pages", "file", box=None)
    for outcome in sorted(outcomes, key=lambda item: item.path):
        name = outcome.title or outcome.path.stem
        if outcome.failure is not None:
            name = f"{outcome.failure.message} {hint_of(outcome.failure.code)}".strip()
        status = Text(outcome.status, style=styles[outcome.status])
        table.add_row(
            status, Text(visible(name)), str(outcome.pages or ""), Text(visible(outcome.path.name), style="dim")
        )
    console = console_for_people()
    console.print(table)
    report = _report(outcomes, seconds)
    counts = report["counts"]
    words = {"ready": "ready", "skipped": "skipped (in the library already)", "failed": "failed"}
    summary = ", ".join(f"{counts[status]} {word}" for status, word in words.items() if counts[status])
    rate = f" · {report['pages']} pages, {report['pages_per_second']:.0f} pages/s" if counts["ready"] else ""
    console.print(f"{summary}{rate} · {seconds:.1f} s")

"""Progress on stderr: bars for papers, one moving line for a run."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.status import Status
from rich.text import Text

from cli.console import console_for_people

if TYPE_CHECKING:
    from index.reports import RebuildProgress

_TOOL_LINES = {
    "search_paper_candidates": "searching papers",
    "find_papers_by_identity": "looking a paper up",
    "find_reading_locations": "finding places to read",
    "get_paper_structure": "looking at an outline",
    "read_locations": "reading",
    "get_research_skill": "choosing a way of working",
    "submit_research_answer": "holding the answer against the evidence",
}


@contextmanager
def paper_progress(*, total: int, quiet: bool, what: str = "Adding papers") -> Generator[Progress]:
    """A bar over papers with pages a second; shows nothing when `quiet` or when stderr is no terminal."""
    console = console_for_people(stderr=True)
    progress = Progress(
        TextColumn("[bold]{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[pages]} pages, {task.fields[rate]:.0f} pages/s"),
        TimeElapsedColumn(),
        console=console,
        disable=quiet or not console.is_terminal,
        transient=True,
    )
    with progress:
        progress.add_task(what, total=total, pages=0, rate=0.0)
        yield progress


@contextmanager
def rebuild_progress(*, quiet: bool) -> Generator[Callable[[RebuildProgress], None]]:
    """A bar over papers while an index is built anew; the function inside takes how far it is."""
    console = console_for_people(stderr=True)
    progress = Progress(
        TextColumn("[bold]{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("papers"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
        disable=quiet or not console.is_terminal,
        transient=True,
    )
    words = {"measuring": "Measuring texts", "building": "Building the index"}
    with progress:
        tasks: dict[str, TaskID] = {}

        def show(now: RebuildProgress) -> None:
            if now.phase not in tasks:
                tasks[now.phase] = progress.add_task(words[now.phase], total=now.papers)
            progress.update(tasks[now.phase], completed=now.done, total=now.papers)

        yield show


class StatusLine:
    """A progress sink that turns a run's events into one moving line on stderr."""

    def __init__(self, status: Status) -> None:
        self._status = status

    def emit(self, type: str, /, **fields: Any) -> None:  # noqa: A002 - the contract's name
        """Show what the run is doing now."""
        if type == "tool_started":
            query = fields.get("input", {}).get("query", "")
            line = _TOOL_LINES.get(str(fields.get("tool")), "working")
            # as text: what a model searches for may look like markup
            self._status.update(Text(f"{line}{': ' + str(query)[:60] if query else ''} …"))
        elif type == "model_call_started":
            self._status.update("thinking …")
        elif type == "submission_rejected":
            self._status.update("an answer did not hold; trying again …")


@contextmanager
def run_progress(*, quiet: bool) -> Generator[StatusLine]:
    """One moving line while a run goes on."""
    console = console_for_people(stderr=True)
    console.quiet = quiet or not console.is_terminal
    with console.status("starting …") as status:
        yield StatusLine(status)

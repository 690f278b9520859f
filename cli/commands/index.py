"""`paperledger index`: the state of the index, a rebuild beside the one that serves, a comparison with the store."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from cli.command import Invocation, paperledger_command
from cli.exit_codes import ExitCode

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from index.reports import IndexState, MeanLength, RebuildReport, VerifyReport
    from reading_model.store import IndexBuild

_SHOWN = 20
_SEEN_DRIFT = 0.005
_REBUILD = "paperledger index rebuild"

_DIFFERENCES = {
    "missing": "should have a point and have none",
    "altered": "have a point that says something else than the store",
    "unexpected": "have a point and should have none",
    "unfinished": "papers wait for their points",
    "leftovers": "collections that nothing needs",
}


@click.group()
def index() -> None:
    """Look at the index, or build it anew: status, rebuild, verify."""


@index.command(short_help="Show papers, points and mean length.")
@paperledger_command
def status(invocation: Invocation) -> int:
    """Papers by state, points, mean length, and a rebuild that is not finished; also while `serve` runs."""
    from cli.wiring import open_engine, open_library_store
    from index.state import read_state

    settings = invocation.settings()
    with open_library_store(settings) as store:
        engine = open_engine(settings, store)
        try:
            state = read_state(store, engine, idf=settings.idf)
        finally:
            engine.close()
    if invocation.json:
        invocation.emit(_state_as_json(state))
    else:
        _show_state(state)
    return int(ExitCode.NOT_AVAILABLE if state.mismatch else ExitCode.DONE)


@index.command(short_help="Build a new index beside the old one.")
@click.option("--afresh", is_flag=True, help="Do not go on with an interrupted rebuild: throw it away.")
@paperledger_command
def rebuild(invocation: Invocation, afresh: bool) -> int:
    """Build the whole index anew beside the one that serves, verify it, and switch to it.

    The mean length of the texts is measured and frozen. A service that runs goes on answering and moves to the new
    index by itself. Stop with Ctrl-C and run the same command again to go on: papers that are done are kept.
    """
    from cli.progress import rebuild_progress
    from cli.wiring import open_engine, open_library_store
    from index.contract import IndexContract
    from index.leftovers import leftovers
    from index.rebuilding import IndexRebuild

    settings = invocation.settings()
    with open_library_store(settings) as store:
        engine = open_engine(settings, store)
        try:
            with rebuild_progress(quiet=invocation.json) as show:
                report = IndexRebuild(store, engine, IndexContract.default(idf=settings.idf), show).run(afresh=afresh)
            waiting = leftovers(store, engine)
        except KeyboardInterrupt:
            _say_stopped(invocation, store.builds.running())
            return int(ExitCode.SOME_FAILED)
        finally:
            engine.close()
    if invocation.json:
        invocation.emit(asdict(report))
    else:
        _show_rebuilt(report, waiting)
    return int(ExitCode.DONE)


@index.command(short_help="Compare the index with the store.")
@click.option("--repair", is_flag=True, help="Build, delete and remove what is not right.")
@paperledger_command
def verify(invocation: Invocation, repair: bool) -> int:
    """Compare the store and the index point by point; exit 1 when they differ. Changes nothing without --repair."""
    from cli.wiring import open_library

    with open_library(invocation.settings(), repair=False) as library:
        report = library.indexer.verify()
        if repair and not report.clean:
            library.indexer.put_right(report)
            report = library.indexer.verify()
    if invocation.json:
        invocation.emit(asdict(report) | {"clean": report.clean})
    else:
        _show_verified(report)
    return int(ExitCode.DONE if report.clean else ExitCode.SOME_FAILED)


def _state_as_json(state: IndexState) -> dict[str, Any]:
    mean = state.mean_length
    return {
        "contract": state.contract,
        "papers": {status.value: count for status, count in state.papers.items()},
        "expected_points": state.expected_points,
        "points": state.counts.points if state.counts else None,
        "cards": state.counts.cards if state.counts else None,
        "in_use": state.in_use,
        "mismatch": state.mismatch,
        "mean_length": None
        if mean is None
        else {**asdict(mean), "drift": round(mean.drift, 4), "rebuild_advised": mean.drifted},
        "rebuild": None if state.rebuild is None else _rebuild_as_json(state.rebuild),
        "leftovers": list(state.leftovers),
    }


def _rebuild_as_json(build: IndexBuild) -> dict[str, Any]:
    return {
        "collection": build.collection,
        "done": build.done,
        "papers": build.papers,
        "running": build.owned,
        "owner": build.owner,
        "started_at": build.started_at.isoformat(),
    }


def _show_state(state: IndexState) -> None:
    from rich.text import Text

    from cli.console import console_for_people, say

    rows = _rows()
    ready = " · ".join(f"{count:,} {status.value.lower()}" for status, count in state.papers.items())
    rows.add_row("papers", Text(ready or "none yet"))
    rows.add_row("points", _points(state))
    if state.counts is not None:
        rows.add_row("cards", Text(f"{state.counts.cards:,}"))
    if state.mean_length is not None:
        rows.add_row("mean length", _mean_text(state.mean_length))
    if state.rebuild is not None:
        rows.add_row("rebuild", _rebuild_text(state.rebuild))
    if state.leftovers:
        rows.add_row("leftovers", Text(", ".join(state.leftovers), style="yellow"))
    rows.add_row("contract", Text(state.contract.replace("|", " · "), style="dim"))
    console = console_for_people()
    console.print(rows)
    if state.mismatch:
        say(f"This release cannot search this index: {state.mismatch}.", err=True, fg="red")
        say(f"Run `{_REBUILD}` to build it anew.", err=True)
    for advice in _advice(state):
        console.print(advice)


def _points(state: IndexState) -> Text:
    from rich.text import Text

    if state.counts is None:
        return Text(f"{state.expected_points:,} expected, not counted", style="dim")
    whole = state.counts.points == state.expected_points
    return Text(f"{state.counts.points:,} of {state.expected_points:,}", style="green" if whole else "red")


def _mean_text(mean: MeanLength) -> Text:
    from rich.text import Text

    frozen = f"{mean.frozen:.1f} words frozen"
    if mean.measured is None:
        return Text(f"{frozen}, not measured yet")
    sign = "longer" if mean.drift > 0 else "shorter"
    drift = f" ({abs(mean.drift):.0%} {sign})" if abs(mean.drift) >= _SEEN_DRIFT else ""
    return Text(
        f"{frozen}, {mean.measured:.1f} measured{drift}",
        style="yellow" if mean.drifted else "",
    )


def _rebuild_text(build: IndexBuild) -> Text:
    from rich.text import Text

    done = f"{build.done:,} of {build.papers:,} papers into {build.collection}"
    return Text(f"{done}, under way" if build.owned else f"{done}, stopped", style="" if build.owned else "yellow")


def _advice(state: IndexState) -> list[Text]:
    from rich.text import Text

    advice: list[Text] = []
    if state.mean_length is not None and state.mean_length.drifted:
        advice.append(
            Text(
                f"Texts are more than 20 % off the frozen mean, which skews scores a little. `{_REBUILD}` measures it.",
                style="yellow",
            )
        )
    if state.rebuild is not None and not state.rebuild.owned:
        advice.append(Text(f"A rebuild was stopped. `{_REBUILD}` goes on with it.", style="yellow"))
    if state.in_use:
        advice.append(Text(f"Points were not counted: {state.in_use}.", style="dim"))
    elif state.counts is not None and state.counts.points != state.expected_points:
        advice.append(
            Text("Points are missing or left over: the next command that searches or adds puts it right.", style="red")
        )
    return advice


def _say_stopped(invocation: Invocation, build: IndexBuild | None) -> None:
    from cli.command import report_error

    done = "" if build is None else f" after {build.done:,} of {build.papers:,} papers"
    report_error(
        invocation,
        "index_rebuild_stopped",
        f"The rebuild was stopped{done}. The old index goes on serving.",
        f"Run `{_REBUILD}` to go on, or with --afresh to begin again.",
    )


def _show_rebuilt(report: RebuildReport, waiting: tuple[str, ...]) -> None:
    from cli.console import say

    kept = f" ({report.resumed:,} from the interrupted rebuild)" if report.resumed else ""
    plural = "s" * (report.papers != 1)
    say(f"{report.papers:,} paper{plural} in a new index{kept}, verified point by point. It serves now.")
    say(f"mean length {report.avgdl:.1f} words, frozen")
    if report.removed:
        say(f"removed {', '.join(report.removed)}")
    if waiting:
        say(f"{', '.join(waiting)} will be removed by the process that has them open, with its next call")


def _show_verified(report: VerifyReport) -> None:
    from rich.text import Text

    from cli.console import console_for_people

    console = console_for_people()
    console.print(
        f"{report.papers:,} papers · {report.points:,} points · {report.cards:,} cards compared with the store"
    )
    for name, meaning in _DIFFERENCES.items():
        found: tuple[str, ...] = getattr(report, name)
        if not found:
            continue
        console.print(Text(f"{len(found):,} {meaning} ({name})", style="bold red"))
        for ref in found[:_SHOWN]:
            console.print(Text(f"  {ref}"))
        if len(found) > _SHOWN:
            console.print(Text(f"  and {len(found) - _SHOWN:,} more", style="dim"))
    if report.clean:
        console.print(Text("clean", style="green"))
    else:
        console.print("Not clean. Run `paperledger index verify --repair` to put it right.")


def _rows() -> Table:
    from rich.table import Table

    rows = Table(box=None, show_header=False)
    rows.add_column(style="bold")
    rows.add_column()
    return rows

"""`paperledger ask`: one research turn from the command line."""

from __future__ import annotations

import asyncio
import signal
import uuid
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.command import Invocation, paperledger_command, report_error
from cli.exit_codes import ExitCode, exit_code_of_reason

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.ledger import EvidenceLedger
    from harness.runtime import ResearchRuntime
    from harness.turn import TurnExecutionInput
    from harness.wire import ResearchTurnResponse


@click.command()
@click.argument("question")
@click.option("--paper", "papers", multiple=True, metavar="ID", help="Ask this paper only (repeatable).")
@click.option("--model", metavar="NAME", help="`extractive` (offline, default) or a model of the endpoint.")
@click.option(
    "--record", type=click.Path(path_type=Path, file_okay=False), help="Keep the run's events in this folder."
)
@click.option(
    "--ledger", type=click.Path(path_type=Path, dir_okay=False), help="Export the evidence ledger (JSON lines) here."
)
@paperledger_command
def ask(
    invocation: Invocation,
    question: str,
    papers: tuple[str, ...],
    model: str | None,
    record: Path | None,
    ledger: Path | None,
) -> int:
    """Ask QUESTION about the papers of the library; every claim of the answer is cited word for word."""
    from cli.identity import LOCAL_USER, resolve_papers
    from cli.progress import run_progress
    from cli.wiring import model_factory, offline_notice, open_library, run_limits
    from harness.recorder import Recorder
    from harness.runtime import ResearchRuntime
    from harness.turn import TurnExecutionInput

    if not question.strip():
        raise click.BadParameter("The question is empty.", param_hint="QUESTION")
    settings = invocation.settings(model=model)
    _check_writable(record, ledger)
    with open_library(settings) as library, run_progress(quiet=invocation.json) as progress:
        scope = (
            resolve_papers(papers, library.store.access.accessible(LOCAL_USER))
            if papers
            else library.searchable(LOCAL_USER)
        )
        if not scope:
            report_error(
                invocation, "empty_scope", "The library has no searchable paper.", "Add some: paperledger add PATH"
            )
            return int(ExitCode.WRONG_USE)
        turn = TurnExecutionInput(
            run_id=f"run_{uuid.uuid4().hex}",
            request_id=f"cli-{uuid.uuid4().hex}",
            conversation_id="cli",
            user_id=LOCAL_USER,
            question=question.strip(),
            scope_paper_ids=tuple(scope),
            limits=run_limits(settings),
            cancel=asyncio.Event(),
            progress=progress,
        )
        runtime = ResearchRuntime(
            library.gateway,
            model_factory(settings),
            recorder=Recorder(record) if record is not None else None,
            notice=offline_notice(settings),
            on_ledger=_exporter(ledger) if ledger is not None else None,
        )
        response = asyncio.run(_run(runtime, turn))
    _show(invocation, response)
    return int(_exit_code(response))


async def _run(runtime: ResearchRuntime, turn: TurnExecutionInput) -> ResearchTurnResponse:
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGINT, turn.cancel.set)
    try:
        return await runtime.run(turn)
    finally:
        loop.remove_signal_handler(signal.SIGINT)


def _show(invocation: Invocation, response: ResearchTurnResponse) -> None:
    if invocation.json:
        invocation.emit(response.model_dump(mode="json"))
        return
    from cli.answer_view import answer_view
    from cli.console import console_for_people

    console_for_people().print(answer_view(response))


def _check_writable(record: Path | None, ledger: Path | None) -> None:
    """Raise OSError before the run, which may be long and cost money, for what could not be written after it."""
    if record is not None:
        record.mkdir(parents=True, exist_ok=True)
    if ledger is not None:
        with ledger.open("a", encoding="utf-8"):
            pass


def _exporter(path: Path) -> Callable[[str, EvidenceLedger], None]:
    def export(run_id: str, ledger: EvidenceLedger) -> None:
        from harness.ledger_export import export_ledger

        path.write_text("".join(line + "\n" for line in export_ledger(ledger, run_id=run_id)), encoding="utf-8")

    return export


def _exit_code(response: ResearchTurnResponse) -> ExitCode:
    if response.control is None:
        return ExitCode.DONE
    return exit_code_of_reason(response.control.reason_code)

"""The `paperledger` command: a table of commands whose modules are imported only when one is used."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Sequence

import click

from cli.exit_codes import ExitCode
from cli.visible import escaped_json

COMMANDS: dict[str, tuple[str, str]] = {
    "add": ("cli.commands.add:add", "Add PDFs to the library: parse, build, index."),
    "papers": ("cli.commands.papers:papers", "List, show, edit, publish or remove papers."),
    "reparse": ("cli.commands.reparse:reparse", "Parse papers again, or rebuild them from kept artifacts."),
    "search": ("cli.commands.search:search", "Search the papers' passages, tables and figures."),
    "read": ("cli.commands.read:read", "Read a location: its exact text and spans."),
    "structure": ("cli.commands.structure:structure", "Show the outline of a paper."),
    "ask": ("cli.commands.ask:ask", "Ask a question; every claim of the answer is cited."),
    "verify": ("cli.commands.verify:verify", "Prove an exported evidence ledger."),
    "replay": ("cli.commands.replay:replay", "Play a recorded run again and compare."),
    "parse": ("cli.commands.parse:parse", "Parse one file, without a library."),
    "serve": ("cli.commands.serve:serve", "Serve research turns over HTTP."),
    "index": ("cli.commands.index:index", "The index: status, rebuild, verify."),
    "eval": ("cli.commands.eval:evaluate", "Measure the product on data with known answers."),
    "db": ("cli.commands.db:db", "The database schema: current, upgrade."),
    "config": ("cli.commands.config:config", "Show the settings in force."),
    "doctor": ("cli.commands.doctor:doctor", "Check this machine and this library."),
}


class LazyCommands(click.Group):
    """A group that knows its commands' names and one-line help without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Names in the order of the table, which is the order of use."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Import the module of one command."""
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        module, name = entry[0].split(":")
        return getattr(importlib.import_module(module), name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """Write the table itself, so that help imports nothing."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(cls=LazyCommands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="paperledger", message="%(prog)s %(version)s")
def paperledger() -> None:
    """Ask a set of research papers a question; every claim of the answer opens the exact words it rests on.

    Start with `paperledger add PAPERS/`, then `paperledger ask "..."`. No server and no key is needed.
    Every command takes --library DIR and --json.
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    try:
        result = paperledger.main(
            args=list(arguments) if arguments is not None else None, prog_name="paperledger", standalone_mode=False
        )
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except click.Abort:
        click.echo("Stopped. Run the same command again to go on.", err=True)
        return 130
    except click.ClickException as error:
        _show_wrong_use(error, as_json="--json" in (sys.argv[1:] if arguments is None else arguments))
        return int(ExitCode.WRONG_USE)
    return result if isinstance(result, int) else int(ExitCode.DONE)


def _show_wrong_use(error: click.ClickException, *, as_json: bool) -> None:
    """An error of the command line itself, in the form of every other error."""
    if not as_json:
        error.show()
        return
    context = error.ctx if isinstance(error, click.UsageError) else None
    path = context.command_path if context is not None else "paperledger"
    body = {"error": "wrong_use", "message": error.format_message(), "hint": f"See `{path} --help`."}
    click.echo(escaped_json(json.dumps(body, ensure_ascii=False, indent=2)))


if __name__ == "__main__":
    sys.exit(main())

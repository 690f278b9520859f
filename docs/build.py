"""Writes the generated reference pages: `./run docs`. A test compares the repository's pages with what this makes."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

import click

import cli.errors
import corpus_gateway.errors
import evals.errors
import harness.errors
import harness.service.errors
import index.errors
import reading_model.errors
from cli.exit_codes import EXIT_MEANINGS, exit_code_of_error, exit_code_of_reason
from cli.main import paperledger
from harness.service.contracts import documents, rendered

FOLDER = Path(__file__).parent

_ERROR_TREES = (
    ("reading_model", reading_model.errors),
    ("index", index.errors),
    ("corpus_gateway", corpus_gateway.errors),
    ("harness", harness.errors),
    ("harness.service", harness.service.errors),
    ("evals", evals.errors),
    ("cli", cli.errors),
)


def pages() -> dict[str, str]:
    """Every generated page by its path below `docs/`."""
    return {
        "reference/commands.md": commands_page(),
        "reference/errors.md": errors_page(),
        **{f"contracts/{name}": rendered(document) for name, document in documents().items()},
    }


def commands_page() -> str:
    """The whole command line: what each command says of itself, and the table of exit codes."""
    parts = [
        "# Commands",
        "Made by `./run docs` from the commands themselves.",
        "| exit code | meaning |\n|---|---|\n"
        + "\n".join(f"| {int(code)} | {meaning} |" for code, meaning in EXIT_MEANINGS.items()),
    ]
    for path, command in _leaves(paperledger, ("paperledger",)):
        with click.Context(command, info_name=" ".join(path)) as context:
            parts += [f"## {' '.join(path)}", f"```text\n{_help(command, context)}\n```"]
    return "\n\n".join(parts) + "\n"


def errors_page() -> str:
    """Every error code of every package: what it means, what to do, and with which exit code a command ends."""
    parts = ["# Errors", "Made by `./run docs` from the error classes. `--json` prints `{error, message, hint}`."]
    for package, module in _ERROR_TREES:
        rows = [
            f"| `{kind.code}` | {_first_line(kind)} | {kind.hint} | {int(exit_code_of_error(kind.code))} |"
            for kind in vars(module).values()
            if inspect.isclass(kind)
            and issubclass(kind, Exception)
            and kind.__module__ == module.__name__
            and isinstance(getattr(kind, "code", None), str)
        ]
        table = "| code | meaning | what to do | exit |\n|---|---|---|---|\n" + "\n".join(rows)
        parts += [f"## {package}", table]
    reasons = "\n".join(f"| `{code}` | {int(exit_code_of_reason(code))} |" for code in harness.errors.ReasonCode)
    parts += [
        "## Reasons",
        "A run without an accepted answer ends with one of these in `control.reason_code`; see [runs](../runs.md).",
        f"| reason | exit of `ask` |\n|---|---|\n{reasons}",
    ]
    return "\n\n".join(parts) + "\n"


def _leaves(command: click.Command, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    if not isinstance(command, click.Group):
        yield path, command
        return
    with click.Context(command) as context:
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            assert child is not None
            yield from _leaves(child, (*path, name))


def _help(command: click.Command, context: click.Context) -> str:
    context.max_content_width = 100
    context.terminal_width = 100
    return "\n".join(line.rstrip() for line in command.get_help(context).splitlines())


def _first_line(kind: type) -> str:
    return " ".join((inspect.getdoc(kind) or "").split("\n\n")[0].split()).replace("|", "\\|")


def main() -> int:
    """Write every page that differs, and say which."""
    for name, text in pages().items():
        file = FOLDER / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
            sys.stdout.write(f"written: docs/{name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

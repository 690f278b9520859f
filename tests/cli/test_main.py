from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import click
import pytest

from cli.exit_codes import EXIT_MEANINGS, ExitCode, exit_code_of_error, exit_code_of_reason
from cli.main import COMMANDS, main

ROOT = Path(__file__).parents[2]


def test_every_command_of_the_table_exists_and_has_help() -> None:
    for name, (target, _) in COMMANDS.items():
        module, attribute = target.split(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command), name
        assert command.help, name


def test_every_leaf_command_takes_library_and_json() -> None:
    def leaves(command: click.Command) -> list[click.Command]:
        if isinstance(command, click.Group):
            return [leaf for child in command.commands.values() for leaf in leaves(child)]
        return [command]

    for target, _ in COMMANDS.values():
        module, attribute = target.split(":")
        for leaf in leaves(getattr(importlib.import_module(module), attribute)):
            options = {option for parameter in leaf.params for option in parameter.opts}
            assert {"--library", "--json", "--config"} <= options, leaf.name


def test_help_imports_no_heavy_library() -> None:
    script = (
        "import sys; from cli.main import main; main(['--help']); "
        "sys.exit(any(m in sys.modules for m in ('pydantic', 'sqlalchemy', 'agents', 'rich', 'numpy', 'fastapi')))"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert all(name in done.stdout for name in COMMANDS)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--help"], ExitCode.DONE),
        (["--version"], ExitCode.DONE),
        (["no-such-command"], ExitCode.WRONG_USE),
        (["add"], ExitCode.WRONG_USE),
        (["parse", "no-such-file.pdf"], ExitCode.WRONG_USE),
        (["config", "show", "--config", "no-such-file.toml"], ExitCode.WRONG_USE),
    ],
)
def test_exit_codes_of_the_command_line_itself(arguments: list[str], code: ExitCode) -> None:
    assert main(arguments) == code


def test_every_exit_code_has_a_meaning() -> None:
    assert set(EXIT_MEANINGS) == set(ExitCode)
    assert exit_code_of_error("library_in_use") is ExitCode.NOT_AVAILABLE
    assert exit_code_of_error("damaged") is ExitCode.SOME_FAILED
    assert exit_code_of_reason("PROVIDER_UNAVAILABLE") is ExitCode.NOT_AVAILABLE
    assert exit_code_of_reason("RUN_SUBMISSION_LIMIT_EXCEEDED") is ExitCode.SOME_FAILED

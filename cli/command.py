"""What every command shares: --library, --config, --json, and how an error becomes a message and an exit code."""

from __future__ import annotations

import errno
import functools
import json
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, cast

import click

from cli.errors import CommandError, FileForbidden, FileUnusable, SecretUnreadable
from cli.exit_codes import ExitCode, exit_code_of_error
from cli.visible import escaped_json, visible, well_formed

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE})


@dataclass(frozen=True, slots=True)
class Invocation:
    """The options that every command takes, as the command's code sees them."""

    library: Path | None
    config: Path | None
    json: bool

    def settings(self, **overrides: Any) -> Any:
        """The settings in force; keyword arguments are flags of the command and win."""
        from cli.settings import load_settings

        return load_settings(library=self.library, config=self.config, overrides=overrides)

    def emit(self, value: Any) -> None:
        """Print one JSON document on stdout."""
        click.echo(escaped_json(json.dumps(value, ensure_ascii=False, indent=2, default=str)))


def paperledger_command(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command --library, --config and --json, and turn typed errors into messages and exit codes.

    The function receives the invocation as its first argument and returns an exit code or None.
    """

    @click.option("--json", "as_json", is_flag=True, help="Print machine-readable JSON on stdout.")
    @click.option(
        "--config",
        type=click.Path(path_type=Path, dir_okay=False),
        help="Settings file (default: paperledger.toml in the library).",
    )
    @click.option("--library", type=click.Path(path_type=Path, file_okay=False), help="The library's folder.")
    @functools.wraps(function)
    def wrapped(library: Path | None, config: Path | None, as_json: bool, **arguments: Any) -> Any:
        invocation = Invocation(library=library, config=config, json=as_json)
        try:
            return function(invocation, **{name: _in_unicode(value) for name, value in arguments.items()})
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except KeyboardInterrupt:
            raise click.Abort from None
        except BrokenPipeError:
            sys.stderr.close()
            raise click.exceptions.Exit(int(ExitCode.DONE)) from None
        except Exception as error:  # noqa: BLE001 - the outermost edge: every error gets a message and an exit code
            _end_with(invocation, error)

    return wrapped


def _in_unicode(argument: Any) -> Any:
    """Words of the command line as Unicode; paths stay as they are, because a file may really be called so."""
    if isinstance(argument, str):
        return well_formed(argument)
    if isinstance(argument, tuple):
        return tuple(_in_unicode(item) for item in cast("tuple[Any, ...]", argument))
    return argument


def _end_with(invocation: Invocation, error: Exception) -> NoReturn:
    if isinstance(error, OSError) and (error.filename is not None or error.errno in _FULL):
        error = _file_unusable(error)
    code = getattr(error, "code", None)
    if not isinstance(code, str):
        report_error(invocation, "internal", f"{type(error).__name__}: an unexpected error", "Please report it.")
        traceback.print_exception(error, limit=-4, file=sys.stderr)
        raise click.exceptions.Exit(int(ExitCode.INTERNAL)) from None
    report_error(invocation, code, str(error), str(getattr(error, "hint", "")))
    raise click.exceptions.Exit(int(exit_code_of_error(code))) from None


def _file_unusable(error: OSError) -> CommandError:
    what = f"{error.strerror}: {error.filename}" if error.filename is not None else f"{error.strerror}"
    return FileForbidden(what) if isinstance(error, PermissionError) else FileUnusable(what)


def read_secret(path: Path) -> str:
    """The text of a password or token file. Raises SecretUnreadable, and OSError for a file that cannot be read."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        message = f"{path} is no text in UTF-8."
        raise SecretUnreadable(message) from None


def report_error(invocation: Invocation, code: str, message: str, hint: str, **more: Any) -> None:
    """Say what went wrong: one JSON object on stdout with --json, else two lines on stderr."""
    if invocation.json:
        body: Mapping[str, Any] = {"error": code, "message": message, "hint": hint, **more}
        invocation.emit(body)
        return
    click.secho(visible(message), fg="red", err=True)
    if hint:
        click.echo(visible(hint), err=True)

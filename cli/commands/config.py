"""`paperledger config`: the settings in force."""

from __future__ import annotations

import re
from typing import Any

import click
from pydantic import SecretStr

from cli.command import Invocation, paperledger_command

_USER_INFO = re.compile(r"(?<=://)[^/?#]*@")


@click.group()
def config() -> None:
    """Show the settings in force."""


@config.command()
@paperledger_command
def show(invocation: Invocation) -> None:
    """Print every setting and its value; secrets show only whether they are set."""
    from cli.settings import ENVIRONMENT_PREFIX, Settings

    settings = invocation.settings()
    values = {name: getattr(settings, name) for name in Settings.model_fields}
    shown = {name: _shown(value) for name, value in values.items()}
    if invocation.json:
        invocation.emit(shown)
        return
    from rich.table import Table
    from rich.text import Text

    from cli.console import console_for_people

    table = Table(box=None)
    table.add_column("setting", no_wrap=True)  # names are copied, so they are never cut
    table.add_column("value", overflow="fold")
    for name, value in shown.items():
        table.add_row(name, Text("not set", style="dim") if value is None else Text(str(value)))
    console = console_for_people()
    console.print(table)
    console.print(f"In the environment: {ENVIRONMENT_PREFIX}LIBRARY for library, and so on.")


def _shown(value: Any) -> Any:
    """What may be told of a value: whether a secret is set, and an address without the user info in it."""
    if isinstance(value, SecretStr):
        return "(set)"
    return _USER_INFO.sub("(set)@", value) if isinstance(value, str) else value

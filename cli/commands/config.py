"""`paperledger config`: the settings in force."""

from __future__ import annotations

import click
from pydantic import SecretStr

from cli.command import Invocation, paperledger_command


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
    shown = {name: "(set)" if isinstance(value, SecretStr) else value for name, value in values.items()}
    if invocation.json:
        invocation.emit(shown)
        return
    from rich.console import Console
    from rich.table import Table

    table = Table("setting", "environment", "value", box=None)
    for name, value in shown.items():
        table.add_row(name, ENVIRONMENT_PREFIX + name.upper(), "" if value is None else str(value))
    Console().print(table)

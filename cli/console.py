"""Where people read: consoles that show the control characters of what they print."""

from __future__ import annotations

from collections.abc import Iterable

import click
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from cli.visible import visible


class PlainConsole(Console):
    """A console whose only escape sequences are its own."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The segments of a renderable; those that are text made visible, those of the console itself kept."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(visible(segment.text), segment.style)


def console_for_people(*, stderr: bool = False, quiet: bool = False) -> Console:
    """A console that never cuts words, honours NO_COLOR, and takes nothing it prints for markup of its own."""
    return PlainConsole(stderr=stderr, quiet=quiet, soft_wrap=False, highlight=False, markup=False)


def hanging(label: Text, text: Text) -> Table:
    """A label with a text beside it; the lines that follow the first begin under the text, in column 4."""
    grid = Table.grid()
    grid.add_column(min_width=4, no_wrap=True)
    grid.add_column()
    grid.add_row(label, text)
    return grid


def say(text: str, *, err: bool = False, fg: str | None = None) -> None:
    """Print one line of plain text."""
    click.secho(visible(text), err=err, fg=fg)

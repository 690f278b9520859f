"""`paperledger read`: the exact text of a location."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import click

from cli.command import Invocation, paperledger_command
from cli.errors import LocationNotFound
from cli.visible import visible

if TYPE_CHECKING:
    from corpus_gateway.wire import ReadItem


@click.command()
@click.argument("location_refs", nargs=-1, required=True, metavar="LOCATION_REF...")
@paperledger_command
def read(invocation: Invocation, location_refs: tuple[str, ...]) -> None:
    """Read locations by their references: exact text, span by span, each with its page and evidence id."""
    from cli.identity import LOCAL_USER
    from cli.wiring import open_library
    from corpus_gateway.wire import LocationReadRequest

    with open_library(invocation.settings()) as library:
        accessible = library.store.access.accessible(LOCAL_USER)
        if not accessible:
            message = f"No such location: {location_refs[0]}"
            raise LocationNotFound(message)
        request = LocationReadRequest(
            user_id=LOCAL_USER, scope_paper_ids=accessible, location_refs=list(dict.fromkeys(location_refs))
        )
        result = asyncio.run(library.gateway.read_locations(request))
    if result.missing_location_refs and not result.items:
        message = f"No such location: {', '.join(result.missing_location_refs)}"
        raise LocationNotFound(message)
    if invocation.json:
        invocation.emit(result.model_dump(mode="json"))
        return
    for item in result.items:
        _show(item)
    for ref in result.missing_location_refs:
        click.secho(visible(f"No such location: {ref}"), fg="red", err=True)


def _show(item: ReadItem) -> None:
    from rich.rule import Rule
    from rich.text import Text

    from cli.console import console_for_people

    console = console_for_people()
    pages = f"p. {item.page}" if item.page == item.page_end else f"p. {item.page}-{item.page_end}"
    console.print(Rule(Text(f"{item.title} · {item.section + ', ' if item.section else ''}{pages}"), align="left"))
    for span in item.spans:
        console.print(Text(span.text))
        console.print(Text(f"p. {span.page} · characters {span.start}-{span.end} · {span.evidence_id}\n", style="dim"))

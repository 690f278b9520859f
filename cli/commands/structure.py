"""`paperledger structure`: the outline of a paper."""

from __future__ import annotations

import asyncio

import click

from cli.command import Invocation, paperledger_command


@click.command()
@click.argument("paper")
@click.option("--by-page", is_flag=True, help="List pages instead of sections.")
@paperledger_command
def structure(invocation: Invocation, paper: str, by_page: bool) -> None:
    """Show the sections (or pages) of PAPER, each with the reference that reads it."""
    from cli.identity import LOCAL_USER, resolve_papers
    from cli.wiring import open_library
    from corpus_gateway.wire import StructureRequest

    with open_library(invocation.settings()) as library:
        accessible = library.store.access.accessible(LOCAL_USER)
        named = resolve_papers([paper], accessible)
        request = StructureRequest(
            user_id=LOCAL_USER,
            scope_paper_ids=accessible,
            paper_ids=named,
            structure_types=["PAGE" if by_page else "SECTION"],
        )
        result = asyncio.run(library.gateway.paper_structure(request))
    if invocation.json:
        invocation.emit(result.model_dump(mode="json"))
        return
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    from cli.console import console_for_people

    console = console_for_people()
    if not result.nodes:
        console.print("The paper is not searchable, so it has no outline. See: paperledger papers", style="yellow")
        return
    console.print(Text(result.nodes[0].title, style="bold"))
    table = Table("page" if by_page else "section", "pages", "reference", box=None)
    for node in result.nodes:
        name = f"page {node.page_from}" if by_page else node.section_title or "(no title)"
        indent = 0 if by_page else 2 * ((node.section_level or 1) - 1)
        pages = str(node.page_from) if node.page_from == node.page_to else f"{node.page_from}-{node.page_to}"
        # the second line of a long name stands under its first
        table.add_row(Padding(Text(name), (0, 0, 0, indent)), pages, Text(node.location_ref, style="dim"))
    console.print(table)

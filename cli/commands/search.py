"""`paperledger search`: what the location tool of a run sees."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

import click

from cli.command import Invocation, paperledger_command
from cli.exit_codes import ExitCode

if TYPE_CHECKING:
    from corpus_gateway.wire import LocationSearchResult

_EMPTY_BECAUSE = {
    "only_stop_words": "The query holds only words that any text holds; add one that matters.",
    "query_required": "The query holds no words.",
}
_PAGES = re.compile(r"^(\d+)(?:-(\d+))?$")


class PageRange(click.ParamType[tuple[int, int]]):
    """`3` or `3-7`, physical pages counted from 1."""

    name = "A-B"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        """Both ends, inclusive."""
        match = _PAGES.match(str(value))
        if match is None:
            self.fail("Give a page or a range, for instance 3 or 3-7.", param, ctx)
        first, last = int(match[1]), int(match[2] or match[1])
        if first < 1 or last < first:
            self.fail("Pages count from 1 and a range goes upwards.", param, ctx)
        return first, last


@click.command()
@click.argument("query")
@click.option("--paper", "papers", multiple=True, metavar="ID", help="Search this paper only (repeatable).")
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice(["passage", "table", "figure", "formula", "list"]),
    help="Only such places (repeatable).",
)
@click.option("--section", default="", metavar="WORDS", help="Words of the section's title, as a hint.")
@click.option("--pages", type=PageRange(), help="Only places on these pages.")
@click.option("--top-k", type=click.IntRange(1, 20), default=8, show_default=True, help="How many places.")
@paperledger_command
def search(
    invocation: Invocation,
    query: str,
    papers: tuple[str, ...],
    kinds: tuple[str, ...],
    section: str,
    pages: tuple[int, int] | None,
    top_k: int,
) -> int:
    """Search passages, tables and figures for QUERY. Previews help to choose; `paperledger read` gives exact text."""
    if not query.strip():
        raise click.BadParameter("The query is empty.", param_hint="QUERY")
    from cli.identity import LOCAL_USER, resolve_papers
    from cli.wiring import open_library
    from corpus_gateway.wire import LocationSearchRequest

    with open_library(invocation.settings()) as library:
        accessible = library.store.access.accessible(LOCAL_USER)
        scope = resolve_papers(papers, accessible) if papers else accessible
        if not scope:
            click.echo("The library holds no papers yet. Add some: paperledger add PATH", err=True)
            return int(ExitCode.WRONG_USE)
        request = LocationSearchRequest.model_validate(
            {
                "user_id": LOCAL_USER,
                "scope_paper_ids": accessible,
                "paper_ids": scope,
                "query_text": query,
                "section_query": section,
                "element_types": list(kinds),
                "page_from": pages[0] if pages else None,
                "page_to": pages[1] if pages else None,
                "top_k": top_k,
            }
        )
        result = asyncio.run(library.gateway.search_locations(request))
    if invocation.json:
        invocation.emit(result.model_dump(mode="json"))
    else:
        _show(result)
    return int(ExitCode.DONE)


def _show(result: LocationSearchResult) -> None:
    from rich.padding import Padding
    from rich.text import Text

    from cli.console import console_for_people, hanging

    console = console_for_people()
    for number, place in enumerate(result.locations, start=1):
        head = Text()
        head.append(place.title, style="bold")
        head.append(f" · {place.section + ', ' if place.section else ''}p. {place.page} · {place.element_type}")
        console.print(hanging(Text(f"{number:2}. ", style="bold cyan"), head))
        console.print(Padding(Text(" ".join(place.preview.split())), (0, 0, 0, 4)))
        console.print(Padding(Text(f"{place.location_ref}  score {place.sparse_score:.2f}", style="dim"), (0, 0, 0, 4)))
    if not result.locations:
        console.print(f"Nothing found. {_EMPTY_BECAUSE.get(result.reason or '', 'No place holds these words.')}")
    if result.unsearchable_papers:
        console.print(
            f"Not searched, because they are not searchable: {', '.join(result.unsearchable_papers)}", style="yellow"
        )

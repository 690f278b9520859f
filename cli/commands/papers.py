"""`paperledger papers`: the papers of the library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cli.command import Invocation, paperledger_command
from cli.exit_codes import ExitCode
from cli.visible import visible

if TYPE_CHECKING:
    from corpus_gateway.listing import LibraryPaper

_EDITABLE = ("title", "authors", "year", "venue", "doi", "arxiv_id", "abstract")


class ListByDefault(click.Group):
    """A group that means `list` when its first word is no command, so that `papers --json` works."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put `list` in front unless a command or a call for help stands there."""
        if not args or (args[0] not in self.commands and args[0] not in ctx.help_option_names):
            args = ["list", *args]
        return super().parse_args(ctx, args)


@click.group(cls=ListByDefault)
def papers() -> None:
    """List, show, edit, publish or remove papers. Without a word behind it: list."""


@papers.command("list")
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "bibtex", "csl", "ris"]),
    default="table",
    show_default=True,
    help="`bibtex` and `csl` can be given to `add --bib`.",
)
@paperledger_command
def list_papers(invocation: Invocation, form: str) -> None:
    """List the papers of the library, failed ones included."""
    from cli.identity import LOCAL_USER
    from cli.wiring import open_listing

    with open_listing(invocation.settings()) as listing:
        found = listing.papers(LOCAL_USER)
    if invocation.json or form == "json":
        invocation.emit({"papers": [_as_json(paper) for paper in found]})
        return
    if form != "table":
        click.echo(visible(_as_bibliography(found, form)), nl=False)
        return
    from rich.table import Table
    from rich.text import Text

    from cli.console import console_for_people

    console = console_for_people()
    if not found:
        console.print("No papers yet. Add some: paperledger add PATH")
        return
    table = Table("paper", "title", "year", "pages", "state", box=None)
    for paper in found:
        state = Text("searchable", style="green") if paper.searchable else Text(_state(paper), style="red")
        title = Text(visible(paper.record.metadata.title or paper.filename))
        year = str(paper.record.metadata.year or "")
        table.add_row(paper.record.paper_id[:12], title, year, str(paper.record.page_count or ""), state)
    console.print(table)


@papers.command(short_help="Show what is known about a paper.")
@click.argument("paper")
@paperledger_command
def show(invocation: Invocation, paper: str) -> None:
    """Show what is known about PAPER and where each fact comes from."""
    found = _one(invocation, paper)
    if invocation.json:
        invocation.emit(_as_json(found))
        return
    from rich.table import Table
    from rich.text import Text

    from cli.console import console_for_people

    metadata = found.record.metadata
    table = Table(box=None, show_header=False)
    table.add_column(style="dim")
    table.add_column()
    table.add_column(style="dim")
    for name in _EDITABLE:
        value = ", ".join(metadata.authors) if name == "authors" else getattr(metadata, name)
        shown = "" if value is None else str(value)
        table.add_row(name, Text(shown), metadata.sources.get(name, ""))
    table.add_row("paper id", found.record.paper_id, "")
    table.add_row("model", found.record.model_version or "", found.record.parser or "")
    table.add_row("file", Text(found.filename), "published" if found.published else "")
    table.add_row("state", "searchable" if found.searchable else _state(found), "")
    for diagnostic in found.record.diagnostics:
        page = "" if diagnostic.page is None else f"p. {diagnostic.page}: "
        table.add_row("note", Text(page + diagnostic.message), diagnostic.code)
    console_for_people().print(table)


@papers.command(short_help="Set bibliographic facts by hand.")
@click.argument("paper")
@click.option("--title")
@click.option("--author", "authors", multiple=True, help="Once for each author, in order.")
@click.option("--year", type=int)
@click.option("--venue")
@click.option("--doi")
@click.option("--arxiv-id")
@paperledger_command
def edit(invocation: Invocation, paper: str, authors: tuple[str, ...], **fields: Any) -> int:
    """Set bibliographic facts of PAPER by hand; they win over what was found in the file."""
    from cli.identity import LOCAL_USER, resolve_papers
    from cli.wiring import open_library

    given = {name: value for name, value in fields.items() if value is not None}
    if authors:
        given["authors"] = authors
    if not given:
        raise click.UsageError("Nothing to set: give --title, --author, --year, --venue, --doi or --arxiv-id.")
    with open_library(invocation.settings()) as library:
        (paper_id,) = resolve_papers([paper], library.store.access.accessible(LOCAL_USER))
        edited = library.library.edit(LOCAL_USER, paper_id, given)
    if invocation.json:
        invocation.emit(_as_json(edited))
    else:
        from cli.console import say

        say(f"{edited.record.metadata.title or edited.filename}: set {', '.join(given)}.")
    return int(ExitCode.DONE)


@papers.command()
@click.argument("names", nargs=-1, required=True, metavar="PAPER...")
@click.option("--keep-objects", is_flag=True, help="Keep the PDF and the parser's output.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@paperledger_command
def remove(invocation: Invocation, names: tuple[str, ...], keep_objects: bool, yes: bool) -> int:
    """Remove papers from the library. When nobody else holds one, its model, points and objects go too."""
    from cli.identity import LOCAL_USER, resolve_papers
    from cli.wiring import open_library

    with open_library(invocation.settings()) as library:
        paper_ids = resolve_papers(names, library.store.access.accessible(LOCAL_USER))
        if not (yes or invocation.json or _is_wanted(len(paper_ids))):
            click.echo("Nothing was removed. Answer y, or give --yes.", err=True)
            return int(ExitCode.SOME_FAILED)
        removed = [library.library.remove(LOCAL_USER, name, keep_objects=keep_objects) for name in paper_ids]
    if invocation.json:
        invocation.emit({"removed": [{"paper_id": item.paper_id, "deleted": item.deleted} for item in removed]})
        return int(ExitCode.DONE)
    for item in removed:
        click.echo(f"{item.paper_id}: {'deleted' if item.deleted else 'removed; others still hold it'}")
    return int(ExitCode.DONE)


@papers.command(short_help="Show a paper to every user.")
@click.argument("paper")
@paperledger_command
def publish(invocation: Invocation, paper: str) -> None:
    """Show PAPER to every user of this installation; it must be searchable."""
    _set_published(invocation, paper, published=True)


@papers.command(short_help="Show a paper only to those who hold it.")
@click.argument("paper")
@paperledger_command
def unpublish(invocation: Invocation, paper: str) -> None:
    """Show PAPER only to those who hold it; when nobody does, it is deleted."""
    _set_published(invocation, paper, published=False)


def _is_wanted(papers: int) -> bool:
    try:
        return click.confirm(f"Remove {papers} paper{'s' * (papers > 1)}?", err=True)
    except click.Abort:  # also where nobody is there to answer
        click.echo(err=True)
        return False


def _set_published(invocation: Invocation, paper: str, *, published: bool) -> None:
    from cli.identity import LOCAL_USER, resolve_papers
    from cli.wiring import open_library

    with open_library(invocation.settings()) as library:
        (paper_id,) = resolve_papers([paper], library.store.access.accessible(LOCAL_USER))
        if published:
            library.library.publish(paper_id, by=LOCAL_USER)
        else:
            library.library.unpublish(paper_id)
    if invocation.json:
        invocation.emit({"paper_id": paper_id, "published": published})
    else:
        click.echo(f"{paper_id}: {'published' if published else 'no longer published'}")


def _one(invocation: Invocation, paper: str) -> LibraryPaper:
    from cli.identity import LOCAL_USER, resolve_papers
    from cli.wiring import open_listing

    with open_listing(invocation.settings()) as listing:
        (paper_id,) = resolve_papers([paper], (known.record.paper_id for known in listing.papers(LOCAL_USER)))
        return listing.paper(LOCAL_USER, paper_id)


def _as_bibliography(found: list[LibraryPaper], form: str) -> str:
    from reading_model.bibliography import write_bibtex, write_csl, write_ris

    write = {"bibtex": write_bibtex, "csl": write_csl, "ris": write_ris}[form]
    return write((paper.record.metadata, paper.filename) for paper in found)


def _state(paper: LibraryPaper) -> str:
    failure = paper.record.failure
    return f"failed: {failure.code}" if failure is not None else paper.record.index_status.value.lower()


def _as_json(paper: LibraryPaper) -> dict[str, Any]:
    record, metadata = paper.record, paper.record.metadata
    failure = record.failure
    return {
        "paper_id": record.paper_id,
        "filename": paper.filename,
        "searchable": paper.searchable,
        "published": paper.published,
        "own": paper.own,
        **{name: getattr(metadata, name) for name in _EDITABLE},
        "sources": metadata.sources,
        "pages": record.page_count,
        "model_version": record.model_version,
        "parser": record.parser,
        "index_status": record.index_status.value,
        "failure": None if failure is None else {"code": failure.code, "message": failure.message},
        "diagnostics": [{"code": d.code, "message": d.message, "page": d.page} for d in record.diagnostics],
        "size_bytes": record.size_bytes,
        "added_at": record.added_at.isoformat(),
    }

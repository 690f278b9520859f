"""`paperledger parse`: the parsed document of one file."""

from __future__ import annotations

from pathlib import Path

import click

from cli.command import Invocation, paperledger_command, read_secret
from cli.visible import visible


def read_password(path: Path | None) -> str | None:
    """The first line of a password file, without its line end; None when no file is given."""
    if path is None:
        return None
    return read_secret(path).split("\n", 1)[0].rstrip("\r")


password_option = click.option(
    "--password-file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="File whose first line is the password of encrypted PDFs.",
)


ocr_option = click.option(
    "--ocr",
    type=click.Choice(["off", "auto"]),
    default="off",
    show_default=True,
    help="`auto` reads pages that have no text of their own, as scans, with Tesseract or the extra `ocr`.",
)


def parser_for(name: str, ocr: str) -> str:
    """The parser that was asked for, with OCR or without; raises ParserUnavailable where no engine is installed."""
    if ocr == "off":
        return name
    if name != "pdfium":
        raise click.UsageError(f"--ocr {ocr} goes with the parser `pdfium`, not with `{name}`.")
    from reading_model.parsing.ocr import find_engine

    find_engine()
    return "pdfium+ocr"


@click.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True))
@click.option("--format", "form", type=click.Choice(["json", "markdown"]), default="json", help="Form of the output.")
@click.option("--parser", "parser_name", default="pdfium", help="Which parser reads the file.")
@ocr_option
@password_option
@paperledger_command
def parse(
    invocation: Invocation,
    file: Path,
    form: str,
    parser_name: str,
    ocr: str,
    password_file: Path | None,
) -> None:
    """Parse FILE (a PDF, or the folder or archive of a MinerU output) and print its blocks in reading order.

    As JSON with places and diagnostics, or as Markdown to read. A file without text is no error: see `diagnostics`."""
    from reading_model.markdown import to_markdown
    from reading_model.parsing import document_to_json, parse_file

    document = parse_file(file, parser=parser_for(parser_name, ocr), password=read_password(password_file))
    if form == "markdown" and not invocation.json:
        click.echo(visible(to_markdown(document)), nl=False)
        for note in document.diagnostics:
            where = f" (page {note.page})" if note.page is not None else ""
            click.echo(visible(f"{note.code}: {note.message}{where}"), err=True)
    else:
        invocation.emit(document_to_json(document))

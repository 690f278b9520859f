"""`paperledger eval`: how well the product does, measured on data with known answers."""

from __future__ import annotations

from pathlib import Path

import click

from cli.command import Invocation, paperledger_command

_DATA = click.Path(path_type=Path, exists=True, file_okay=False)
_OUT = click.Path(path_type=Path, file_okay=False)


@click.group(name="eval")
def evaluate() -> None:
    """Measure the product on data with known answers. No library is read or changed."""


@evaluate.command()
@click.option("--data", type=_DATA, required=True, help="Folder of a data set in BEIR form.")
@click.option("--split", default="test", show_default=True, metavar="NAME", help="Which judgments: qrels/NAME.tsv.")
@click.option("--out", type=_OUT, help="Folder for report.json, table.md and a run file of each system.")
@paperledger_command
def retrieval(invocation: Invocation, data: Path, split: str, out: Path | None) -> None:
    """Search a data set's documents with the product and with textbook BM25, side by side."""
    from evals.retrieval.beir import load_beir
    from evals.retrieval.comparison import compare_on, table, write_files
    from index.contract import IndexContract

    comparison = compare_on(load_beir(data, split), IndexContract.default())
    if out is not None:
        write_files(comparison, out)
    if invocation.json:
        invocation.emit(comparison.summary())
    else:
        click.echo(table(comparison), nl=False)

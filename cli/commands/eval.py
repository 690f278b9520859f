"""`paperledger eval`: how well the product does, measured on data with known answers."""

from __future__ import annotations

from pathlib import Path

import click

from cli.command import Invocation, paperledger_command
from cli.exit_codes import ExitCode

_DATA = click.Path(path_type=Path, exists=True, file_okay=False)
_OUT = click.Path(path_type=Path, file_okay=False)


@click.group(name="eval")
def evaluate() -> None:
    """Measure the product on data with known answers. No library is read or changed."""


@evaluate.command(short_help="Search a data set beside textbook BM25.")
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


@evaluate.command(short_help="Search for the places of golden cases.")
@click.option("--data", type=_DATA, required=True, help="Folder with manifest.yaml and reading-models.")
@click.option("--out", type=_OUT, help="Folder for obligations.json and obligations.md.")
@paperledger_command
def obligations(invocation: Invocation, data: Path, out: Path | None) -> None:
    """Search for the places that golden cases rest on, in all their papers."""
    from evals.retrieval.golden import load_golden
    from evals.retrieval.obligations import (
        measure_obligations,
        obligations_summary,
        obligations_table,
        write_obligations,
    )

    results = measure_obligations(load_golden(data))
    if out is not None:
        write_obligations(results, out)
    if invocation.json:
        invocation.emit(obligations_summary(results))
    else:
        click.echo(obligations_table(results), nl=False)


@evaluate.command(short_help="Ask frozen queries of a folder of PDFs.")
@click.option("--papers", type=_DATA, required=True, help="Folder with the PDFs that the queries are about.")
@click.option(
    "--queries",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    required=True,
    help="YAML file of queries, each with paper, page, quotation and rank.",
)
@paperledger_command
def frozen(invocation: Invocation, papers: Path, queries: Path) -> int:
    """Ask frozen queries of all PDFs of a folder; exit 1 when one finds its place too late."""
    from evals.retrieval.frozen import ask_frozen, frozen_summary, frozen_table, load_frozen

    results = ask_frozen(load_frozen(queries), papers)
    if invocation.json:
        invocation.emit(frozen_summary(results))
    else:
        click.echo(frozen_table(results), nl=False)
    return int(ExitCode.DONE if all(result.holds for result in results) else ExitCode.SOME_FAILED)

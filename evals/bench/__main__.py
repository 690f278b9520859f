"""`python -m evals.bench ingest|retrieval|harness|rules`: one benchmark; table on stdout, progress on stderr."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click
from pydantic import TypeAdapter

from evals.bench.figures import Report
from evals.bench.harness import bench_harness
from evals.bench.ingestion import IngestInputs, bench_ingest
from evals.bench.progress import Progress
from evals.bench.retrieval import bench_retrieval
from evals.bench.rules import RulesInputs, bench_rules
from evals.bench.table import table

_ROOT = Path(__file__).parents[2]
_SHARED = _ROOT.parent / "shared"

as_json = click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON object.")
quick = click.option("--quick", is_flag=True, help="Small inputs and few repetitions: seconds instead of minutes.")


@click.group()
def bench() -> None:
    """Speeds as ratios of one run; the exit code does not depend on the targets."""


@bench.command()
@click.option("--papers", type=click.Path(path_type=Path), default=_ROOT / "examples" / "papers", help="Sample papers.")
@click.option("--shared", type=click.Path(path_type=Path), default=_SHARED / "data" / "papers", help="More papers.")
@click.option(
    "--long",
    "long_file",
    type=click.Path(path_type=Path),
    default=_SHARED / "cases" / "inputs" / "f34-thousand-pages.pdf",
    help="A document of 1,000 pages.",
)
@as_json
@quick
def ingest(papers: Path, shared: Path, long_file: Path, as_json: bool, quick: bool) -> None:
    """Pages a second from PDF to reading model, beside a bare pdfium pass; memory of a long document."""
    inputs = IngestInputs(sample_papers=papers, shared_papers=shared, long_file=long_file)
    _show(lambda progress: bench_ingest(inputs, quick=quick, progress=progress), as_json=as_json)


@bench.command()
@as_json
@quick
def retrieval(as_json: bool, quick: bool) -> None:
    """Latency of location search and exact reading, beside the engine's own query; speed of indexing."""
    _show(lambda progress: bench_retrieval(quick=quick, progress=progress), as_json=as_json)


@bench.command()
@as_json
@quick
def harness(as_json: bool, quick: bool) -> None:
    """Overhead of a scripted run without model time; concurrent streams through the service on loopback."""
    _show(lambda progress: bench_harness(quick=quick, progress=progress), as_json=as_json)


@bench.command()
@click.option("--papers", type=click.Path(path_type=Path), default=_ROOT / "examples" / "papers", help="Sample papers.")
@click.option("--shared", type=click.Path(path_type=Path), default=_SHARED / "data" / "papers", help="More papers.")
@click.option("--golden", type=click.Path(path_type=Path), default=_SHARED / "data" / "paperloom", help="Golden data.")
@as_json
@quick
def rules(papers: Path, shared: Path, golden: Path, as_json: bool, quick: bool) -> None:
    """What the submission rules accept and refuse: mutations by kind, valid answers, labelled pairs of statements."""
    inputs = RulesInputs(sample_papers=papers, shared_papers=shared, golden=golden)
    _show(lambda progress: bench_rules(inputs, quick=quick, progress=progress), as_json=as_json)


def _show(measure: Callable[[Progress], Report], *, as_json: bool) -> None:
    report = measure(Progress())
    click.echo(TypeAdapter(Report).dump_json(report, indent=2).decode() if as_json else table(report))


if __name__ == "__main__":
    bench()

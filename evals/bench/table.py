"""A report as a table for people."""

from __future__ import annotations

from collections.abc import Iterator

from evals.bench.figures import Figure, Report

_HEAD = ("", "median", "lowest", "highest", "target", "")


def table(report: Report) -> str:
    """The report as plain text: a table for each group, then the notes."""
    kind = ", quick" if report.quick else ""
    lines = [f"bench {report.benchmark}{kind}: Python {report.python}, {report.cores} cores"]
    cells = [[_HEAD, *map(_cells, group.figures)] for group in report.groups]
    rows = [row for group in cells for row in group]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(len(_HEAD))]
    for group, group_rows in zip(report.groups, cells, strict=True):
        lines += ["", group.title, *_aligned(group_rows, widths)]
    if report.notes:
        lines += ["", *(f"* {note}" for note in report.notes)]
    return "\n".join(lines)


def number(value: float) -> str:
    """Three significant digits, whole from 100 on, with thousands separated."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _cells(figure: Figure) -> tuple[str, ...]:
    once = figure.repetitions == 1
    return (
        figure.name,
        f"{number(figure.median)} {figure.unit}",
        "" if once else number(figure.lowest),
        "" if once else number(figure.highest),
        "" if figure.target is None else str(figure.target),
        figure.verdict.value,
    )


def _aligned(rows: list[tuple[str, ...]], widths: list[int]) -> Iterator[str]:
    for name, *values in rows:
        first, *rest = widths
        numbers = [value.rjust(width) for value, width in zip(values[:-1], rest[:-1], strict=True)]
        yield "  ".join(["  " + name.ljust(first), *numbers, values[-1]]).rstrip()

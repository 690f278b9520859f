from __future__ import annotations

import pytest

from evals.bench.figures import FigureGroup, Report, at_least, figure
from evals.bench.table import number, table

REPORT = Report(
    benchmark="ingest",
    quick=True,
    python="3.11.7",
    cores=2,
    groups=(
        FigureGroup("papers", (figure("pages/s", "/s", [10.0, 12.0], at_least(20)), figure("text", "ms", [5.0]))),
        FigureGroup("a long one", (figure("memory", "MB", [1234.5]),)),
    ),
    notes=("Something was skipped.",),
)


def test_a_table_tells_figures_targets_and_verdicts_in_aligned_columns() -> None:
    assert table(REPORT).splitlines() == [
        "bench ingest, quick: Python 3.11.7, 2 cores",
        "",
        "papers",
        "             median  lowest  highest  target",
        "  pages/s     11 /s      10       12   >= 20  not reached",
        "  text         5 ms",
        "",
        "a long one",
        "             median  lowest  highest  target",
        "  memory   1,234 MB",
        "",
        "* Something was skipped.",
    ]


@pytest.mark.parametrize(
    ("value", "shown"), [(0.0, "0"), (0.04567, "0.0457"), (5.614, "5.61"), (99.96, "100"), (12345.6, "12,346")]
)
def test_numbers_are_shown_with_three_digits(value: float, shown: str) -> None:
    assert number(value) == shown

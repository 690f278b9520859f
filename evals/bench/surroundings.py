"""Where a report was made."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable

from evals.bench.figures import FigureGroup, Report


def report(benchmark: str, groups: Iterable[FigureGroup], notes: Iterable[str], *, quick: bool) -> Report:
    """A report of this process: its Python and the cores it may use."""
    return Report(
        benchmark=benchmark,
        quick=quick,
        python=platform.python_version(),
        cores=os.cpu_count() or 1,
        groups=tuple(groups),
        notes=tuple(notes),
    )

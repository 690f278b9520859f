"""Packages that only evaluations need; they come with an extra, so they are imported when they are used."""

from __future__ import annotations

import importlib
from typing import Any

from evals.errors import EvaluationPackageMissing

_COMPARISON = {"ir_measures": "ir-measures", "rank_bm25": "rank-bm25", "bm25s": "bm25s"}


def imported(module: str, package: str) -> Any:
    """A module, by its name and that of the package that holds it. Raises EvaluationPackageMissing."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise EvaluationPackageMissing(package) from None


def require_packages() -> None:
    """Raise EvaluationPackageMissing when a comparison would miss a package at its end, after all its work."""
    for module, package in _COMPARISON.items():
        imported(module, package)

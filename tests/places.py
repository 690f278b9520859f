"""Where the tests' papers are: our own sample papers always, the shared data where it exists."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SAMPLE_PAPERS = ROOT / "examples" / "papers"
SHARED = ROOT.parent / "shared"
DATA = SHARED / "data"
CASES = SHARED / "cases"


def needs_data() -> pytest.MarkDecorator:
    """Skip where the shared data is absent; in CI its absence is a failure, so the mark does not skip there."""
    absent = not DATA.is_dir() and "CI" not in os.environ
    return pytest.mark.skipif(absent, reason="the shared papers are not beside this checkout (../shared/data)")

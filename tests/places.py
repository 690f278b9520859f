"""Where the tests' papers are: our own sample papers always, the shared data where it exists."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from reading_model.parsing.ocr.tesseract import find_tesseract

ROOT = Path(__file__).parents[1]
SAMPLE_PAPERS = ROOT / "examples" / "papers"
SHARED = ROOT.parent / "shared"
DATA = SHARED / "data"
CASES = SHARED / "cases"


def needs_data() -> pytest.MarkDecorator:
    """Skip where the shared data is absent; in CI its absence is a failure, so the mark does not skip there."""
    absent = not DATA.is_dir() and "CI" not in os.environ
    return pytest.mark.skipif(absent, reason="the shared papers are not beside this checkout (../shared/data)")


needs_tesseract = pytest.mark.skipif(
    find_tesseract() is None and "CI" not in os.environ,
    reason="tesseract is not installed: apt-get install tesseract-ocr",
)

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.index.libraries import Library


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    opened = Library(tmp_path)
    yield opened
    opened.close()

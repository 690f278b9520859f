from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.e2e.command_line import paperledger
from tests.places import SAMPLE_PAPERS


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    for name in [name for name in os.environ if name.startswith("PAPERLEDGER_")]:
        monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def built_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of the three sample papers; tests copy it and never write to it."""
    folder = tmp_path_factory.mktemp("built") / "library"
    ran = paperledger("add", SAMPLE_PAPERS, "--library", folder, "--json", "--jobs", "1")
    assert ran.code == 0, ran.out + ran.err
    return folder


@pytest.fixture
def library(built_library: Path, tmp_path: Path) -> Path:
    """A private copy of the built library."""
    folder = tmp_path / "library"
    shutil.copytree(built_library, folder)
    return folder

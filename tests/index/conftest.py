from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.index.libraries import Engines, Library

OpenLibrary = Callable[[Path, Engines | None], Library]


@pytest.fixture(scope="session")
def open_library(sqlite_template: Path) -> OpenLibrary:
    """Opens the library in a folder; a new one starts from the schema's template."""

    def opened(folder: Path, engines: Engines | None) -> Library:
        if not (folder / "library.sqlite").exists():
            shutil.copy(sqlite_template, folder / "library.sqlite")
        return Library(folder, engines)

    return opened


@pytest.fixture(scope="session")
def engines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engines]:
    made = Engines(tmp_path_factory.mktemp("engines"))
    yield made
    made.close()


@pytest.fixture(scope="session")
def module_engines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engines]:
    made = Engines(tmp_path_factory.mktemp("engines"))
    yield made
    made.close()


@pytest.fixture
def library(tmp_path: Path, open_library: OpenLibrary, engines: Engines) -> Iterator[Library]:
    opened = open_library(tmp_path, engines.empty())
    yield opened
    opened.store.close()


@pytest.fixture(scope="module")
def shared_library(
    tmp_path_factory: pytest.TempPathFactory, open_library: OpenLibrary, module_engines: Engines
) -> Iterator[Library]:
    """One library for a module's tests, which must not change its papers."""
    opened = open_library(tmp_path_factory.mktemp("library"), module_engines.empty())
    yield opened
    opened.store.close()

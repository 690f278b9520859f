from __future__ import annotations

import contextlib
import os
import shutil
import uuid
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr
from qdrant_client import QdrantClient

from index.embedded import EmbeddedQdrant
from index.engine import SparseIndex
from index.server_calls import ServerAddress
from index.server_engine import CollectionPlan, ServerEngine
from tests.index.libraries import Engines, Library, empty
from tests.index.points import CONTRACT

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


def real_server() -> ServerAddress:
    """The server that the environment names; skips the test when it names none."""
    url = os.environ.get("PAPERLEDGER_TEST_QDRANT_URL")
    if url is None:
        pytest.skip("PAPERLEDGER_TEST_QDRANT_URL names no Qdrant server to test with")
    key = os.environ.get("PAPERLEDGER_TEST_QDRANT_API_KEY")
    return ServerAddress(url, SecretStr(key) if key else None)


@contextlib.contextmanager
def on_server(address: ServerAddress) -> Generator[ServerEngine]:
    """An engine with a prefix of its own; its collections are deleted afterwards."""
    name = f"test_{uuid.uuid4().hex[:12]}"
    engine = ServerEngine(address, CollectionPlan(prefix=name, library=name))
    try:
        yield engine
    finally:
        engine.close()
        key = address.api_key.get_secret_value() if address.api_key else None
        client = QdrantClient(address.url, headers={"api-key": key} if key else None, check_compatibility=False)
        for collection in client.get_collections().collections:
            if collection.name.startswith(name):
                client.delete_collection(collection.name)
        client.close()


@pytest.fixture(scope="module", params=["embedded", "facade", "server"])
def opened_index(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparseIndex]:
    """One collection in each engine, for a module's tests."""
    with contextlib.ExitStack() as stack:
        if request.param == "embedded":
            made: SparseIndex = EmbeddedQdrant(tmp_path_factory.mktemp("engine") / "locations")
        else:
            known = request.param == "facade"
            address = ServerAddress(request.getfixturevalue("running_facade").url) if known else real_server()
            made = stack.enter_context(on_server(address)).serving("locations", CONTRACT)
        stack.callback(made.close)
        yield made


@pytest.fixture
def index(opened_index: SparseIndex) -> SparseIndex:
    """The engine's collection, emptied."""
    empty(opened_index)
    return opened_index


@contextlib.contextmanager
def engines_of(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Generator[Engines]:
    """The two collections of a library in the engine that the fixture's parameter names."""
    with contextlib.ExitStack() as stack:
        if request.param == "embedded":
            made = Engines(tmp_path_factory.mktemp("engines"))
        else:
            address = ServerAddress(request.getfixturevalue("running_facade").url)
            made = Engines(stack.enter_context(on_server(address)))
        stack.callback(made.close)
        yield made

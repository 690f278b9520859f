"""Fixtures that several packages share: a private MariaDB server, and databases of both kinds."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest

from evals.mariadb import MariaDB, missing_parts, start
from reading_model.store import upgrade_schema

if TYPE_CHECKING:
    from tests.qdrant_facade import QdrantFacade

# examples come from the source, not from chance or from the machine's speed: a run can be repeated
hypothesis.settings.register_profile("repeatable", deadline=None, derandomize=True)
hypothesis.settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def mariadb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MariaDB]:
    """A MariaDB server of this test process alone; each test makes databases of its own in it."""
    missing = missing_parts()
    if missing:
        reason = f"{', '.join(missing)} not installed: apt-get install mariadb-server"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    with start(tmp_path_factory.mktemp("mariadb")) as server:
        yield server


_MEMORY = Path("/dev/shm")


@pytest.fixture
def quick_folder(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory where the system has one: the engine flushes every file that it makes or closes."""
    if not os.access(_MEMORY, os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(prefix="paperledger-", dir=_MEMORY) as folder:
        yield Path(folder)


BOTH = ["sqlite", pytest.param("mariadb", marks=pytest.mark.mariadb)]


@pytest.fixture(params=BOTH)
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database, once as an SQLite file and once on MariaDB."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'store.db'}"
    server: MariaDB = request.getfixturevalue("mariadb")
    return server.new_database()


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with the schema, to be copied."""
    file = tmp_path_factory.mktemp("sqlite") / "template.db"
    upgrade_schema(f"sqlite:///{file}")
    return file


@pytest.fixture(scope="session")
def mariadb_schema(mariadb: MariaDB) -> str:
    """The URL of a MariaDB database with the schema, which tests empty before they use it."""
    url = mariadb.new_database()
    upgrade_schema(url)
    return url


@pytest.fixture(params=BOTH)
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database with the schema and no rows, once as an SQLite file and once on MariaDB."""
    if request.param == "sqlite":
        file = tmp_path / "store.db"
        shutil.copyfile(request.getfixturevalue("sqlite_template"), file)
        return f"sqlite:///{file}"
    url: str = request.getfixturevalue("mariadb_schema")
    database = url.rsplit("/", 1)[1]
    server: MariaDB = request.getfixturevalue("mariadb")
    for table in ("papers", "retrieval_control", "index_builds"):  # all other rows go with their papers
        server.execute(f"DELETE FROM {database}.{table}")
    return url


@pytest.fixture(scope="session")
def running_facade(tmp_path_factory: pytest.TempPathFactory) -> Iterator[QdrantFacade]:
    """A facade that lasts; it keeps what was made in it, so every user has a prefix of its own."""
    from tests.qdrant_facade import serve

    with serve(tmp_path_factory.mktemp("qdrant")) as facade:
        yield facade


@pytest.fixture
def facade(running_facade: QdrantFacade) -> Iterator[QdrantFacade]:
    """The facade for one test that lets it misbehave; nothing broke in it that was not meant to."""
    running_facade.behave()
    yield running_facade
    running_facade.behave()
    assert running_facade.broken == []

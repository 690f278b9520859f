from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from corpus_gateway.memory import MemoryCorpusGateway
from corpus_gateway.protocol import CorpusGateway
from tests.contract.local_corpus import LocalCorpus
from tests.contract.seed import PAPERS, CorpusUnderTest
from tests.corpus_gateway.installation import installation


class MemoryCorpus(MemoryCorpusGateway):
    @property
    def gateway(self) -> CorpusGateway:
        return self


@contextmanager
def filled(folder: Path) -> Iterator[CorpusUnderTest]:
    with installation(folder) as parts:
        local = LocalCorpus(parts)
        for paper in PAPERS:
            local.put(paper)
        yield local


@pytest.fixture(params=["memory", "local"])
def corpus(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[CorpusUnderTest]:
    """A corpus of its own, for tests that change it."""
    if request.param == "memory":
        yield MemoryCorpus(PAPERS)
        return
    with filled(tmp_path) as local:
        yield local


@pytest.fixture(scope="session")
def shared_local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CorpusUnderTest]:
    with filled(tmp_path_factory.mktemp("shared")) as local:
        yield local


@pytest.fixture(params=["memory", "local"])
def gateway(request: pytest.FixtureRequest) -> CorpusGateway:
    """A gateway for tests that only ask; the local one is opened once for all of them."""
    if request.param == "memory":
        return MemoryCorpus(PAPERS)
    shared: CorpusUnderTest = request.getfixturevalue("shared_local")
    return shared.gateway

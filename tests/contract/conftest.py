from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from corpus_gateway.memory import MemoryCorpusGateway
from corpus_gateway.protocol import CorpusGateway
from tests.contract.local_corpus import LocalCorpus, make_template
from tests.contract.seed import PAPERS, CorpusUnderTest
from tests.corpus_gateway.installation import copy_installation, installation


class MemoryCorpus(MemoryCorpusGateway):
    @property
    def gateway(self) -> CorpusGateway:
        return self


@pytest.fixture(scope="session")
def contract_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_template(tmp_path_factory.mktemp("contract") / "template")


@pytest.fixture(params=["memory", "local"])
def corpus(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[CorpusUnderTest]:
    """A corpus of its own, for tests that change it."""
    if request.param == "memory":
        yield MemoryCorpus(PAPERS)
        return
    template: Path = request.getfixturevalue("contract_template")
    copy_installation(template, tmp_path / "corpus")
    with installation(tmp_path / "corpus") as parts:
        yield LocalCorpus(parts)


@pytest.fixture(scope="session")
def shared_local(contract_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[CorpusUnderTest]:
    folder = tmp_path_factory.mktemp("shared") / "corpus"
    copy_installation(contract_template, folder)
    with installation(folder) as parts:
        yield LocalCorpus(parts)


@pytest.fixture(params=["memory", "local"])
def gateway(request: pytest.FixtureRequest) -> CorpusGateway:
    """A gateway for tests that only ask; the local one is opened once for all of them."""
    if request.param == "memory":
        return MemoryCorpus(PAPERS)
    shared: CorpusUnderTest = request.getfixturevalue("shared_local")
    return shared.gateway

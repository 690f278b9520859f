from __future__ import annotations

import pytest

from corpus_gateway.memory import MemoryCorpusGateway
from corpus_gateway.protocol import CorpusGateway
from tests.contract.seed import PAPERS, CorpusUnderTest


class MemoryCorpus(MemoryCorpusGateway):
    @property
    def gateway(self) -> CorpusGateway:
        return self


@pytest.fixture(params=["memory"])
def corpus(request: pytest.FixtureRequest) -> CorpusUnderTest:
    return MemoryCorpus(PAPERS)


@pytest.fixture
def gateway(corpus: CorpusUnderTest) -> CorpusGateway:
    return corpus.gateway

"""What the local gateway checks again, whatever the index says."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from corpus_gateway.errors import ContractMismatch
from corpus_gateway.local import LocalCorpusGateway
from index.contract import IndexContract
from index.papers import PaperRetrieval
from index.points import location_point
from index.retrieval import LocationRetrieval
from reading_model.models import IndexStatus, LocationRecord
from tests.contract import calls
from tests.contract.local_corpus import make_template
from tests.contract.seed import GULLS
from tests.contract.small_models import model_of
from tests.corpus_gateway.installation import Installation, copy_installation, installation


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_template(tmp_path_factory.mktemp("local") / "template")


@pytest.fixture
def parts(template: Path, tmp_path: Path) -> Iterator[Installation]:
    copy_installation(template, tmp_path / "corpus")
    with installation(tmp_path / "corpus") as opened:
        yield opened


def record_of(parts: Installation, paper_id: str) -> LocationRecord:
    version = parts.store.models.current([paper_id])[paper_id].model_version
    return next(parts.store.locations.of_models([version]))


def plant(parts: Installation, record: LocationRecord) -> None:
    """Put a point into the engine that SQL knows nothing of, or something else."""
    parts.locations.upsert([location_point(record, "Gulls gulls gulls", parts.contract)])


async def refs_found(parts: Installation, query: str = "gulls") -> set[str]:
    return {hit.location_ref for hit in (await calls.locations(parts.gateway, query, top_k=20)).locations}


async def test_points_that_sql_contradicts_are_left_out(parts: Installation) -> None:
    before = await refs_found(parts)
    theirs = record_of(parts, "p-private")
    mine = record_of(parts, "p-gulls")
    # another paper's place under a model that may be searched, a place that is not there, a text that has changed
    plant(parts, replace(theirs, paper_id="p-gulls", model_version=mine.model_version))
    plant(parts, replace(mine, location=replace(mine.location, ref="passage_ref_unknown")))
    assert await refs_found(parts) == before
    plant(parts, replace(mine, location=replace(mine.location, text_sha256="0" * 64)))
    assert await refs_found(parts) == before - {mine.location.ref}


@pytest.mark.parametrize("status", [IndexStatus.PENDING, IndexStatus.BUILDING, IndexStatus.FAILED])
async def test_a_paper_whose_points_are_not_ready_is_named_and_left_out(
    parts: Installation, status: IndexStatus
) -> None:
    version = parts.store.models.current(["p-gulls"])["p-gulls"].model_version
    parts.store.models.set_index_status(version, status, expected=tuple(IndexStatus))
    hits = await calls.locations(parts.gateway)
    assert hits.unsearchable_papers == ["p-gulls", "p-waiting"]
    assert {hit.paper_id for hit in hits.locations} == {"p-terns", "p-open"}
    ref = record_of(parts, "p-gulls").location.ref
    assert (await calls.read(parts.gateway, [ref])).missing_location_refs == [ref]


async def test_a_paper_answers_while_its_points_are_rebuilt(parts: Installation) -> None:
    before = await calls.locations(parts.gateway)
    version = parts.store.models.current(["p-gulls"])["p-gulls"].model_version
    parts.store.models.set_index_status(version, IndexStatus.REBUILDING, expected=(IndexStatus.READY,))
    assert await calls.locations(parts.gateway) == before


async def test_a_model_that_is_not_current_yet_is_not_read(parts: Installation) -> None:
    newer = model_of(replace(GULLS, locations=GULLS.locations[:1]))
    parts.store.models.save(newer)
    ref = newer.locations[0].ref
    assert (await calls.read(parts.gateway, [ref])).missing_location_refs == [ref]


async def test_papers_of_another_contract_are_unsearchable(parts: Installation) -> None:
    other = IndexContract.default(avgdl=100.0)
    gateway = LocalCorpusGateway(
        parts.store,
        LocationRetrieval(parts.store, parts.locations, other),
        PaperRetrieval(parts.store, parts.cards, other),
        contract=other.text(),
    )
    hits = await calls.locations(gateway, paper_ids=["p-gulls", "p-private"])
    assert (hits.locations, hits.unsearchable_papers) == ([], ["p-gulls"])


async def test_points_of_another_contract_are_an_error_that_names_both(parts: Installation) -> None:
    record = record_of(parts, "p-gulls")
    other = IndexContract.default(avgdl=100.0)
    parts.locations.upsert([location_point(record, GULLS.title, other)])
    with pytest.raises(ContractMismatch) as caught:
        await calls.locations(parts.gateway, "drone")
    assert other.text() in str(caught.value)
    assert parts.contract.text() in str(caught.value)


async def test_calls_at_the_same_time_do_not_disturb_each_other(parts: Installation) -> None:
    users = ["alice", "bob", "stranger"] * 5
    alone = {user: await calls.locations(parts.gateway, user=user) for user in set(users)}
    together = await asyncio.gather(*(calls.locations(parts.gateway, user=user) for user in users))
    assert together == [alone[user] for user in users]


async def test_the_index_version_is_the_contract(parts: Installation) -> None:
    assert (await calls.locations(parts.gateway)).index_version == parts.contract.text()

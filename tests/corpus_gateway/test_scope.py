from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from corpus_gateway.errors import InvalidCorpusRequest
from corpus_gateway.scope import CallScope, call_scope, is_searchable
from corpus_gateway.wire import CorpusRequest
from reading_model.models import SEARCHABLE_KINDS, IndexStatus
from reading_model.store import CurrentModel, NewPaper, ReadingStore, open_store, upgrade_schema
from tests.contract.seed import ALICE, BOB, EVERY_ID, PAPERS
from tests.contract.small_models import model_of

CONTRACT = "contract-1"
MODEL = CurrentModel(
    paper_id="p",
    model_version="rm_1",
    parser="pdfium",
    parser_version="1",
    page_count=1,
    index_status=IndexStatus.READY,
    index_contract=CONTRACT,
    point_count=3,
    searchable_count=3,
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ReadingStore]:
    url = f"sqlite:///{tmp_path / 'store.sqlite3'}"
    upgrade_schema(url)
    opened = open_store(url)
    for paper in PAPERS:
        model = model_of(paper)
        opened.papers.add(NewPaper(paper.paper_id, "0" * 64, f"{paper.paper_id}.pdf", 1, f"pdf/{paper.paper_id}"))
        opened.access.grant(paper.owner, paper.paper_id, f"{paper.paper_id}.pdf")
        opened.models.save(model)
        if paper.searchable:
            count = sum(location.kind in SEARCHABLE_KINDS for location in model.locations)
            opened.models.activate(paper.paper_id, model.model_version, contract=CONTRACT, point_count=count)
        if paper.published:
            opened.access.publish(paper.paper_id, "root")
    yield opened
    opened.close()


def ask(*scope: str, user: str = ALICE) -> CorpusRequest:
    return CorpusRequest(user_id=user, scope_paper_ids=list(scope))


@pytest.mark.parametrize("status", [IndexStatus.READY, IndexStatus.REBUILDING])
def test_complete_points_answer_also_while_they_are_rebuilt(status: IndexStatus) -> None:
    assert is_searchable(replace(MODEL, index_status=status), CONTRACT)


@pytest.mark.parametrize(
    "model",
    [
        replace(MODEL, index_status=IndexStatus.PENDING),
        replace(MODEL, index_status=IndexStatus.BUILDING),
        replace(MODEL, index_status=IndexStatus.FAILED),
        replace(MODEL, index_contract="contract-0"),
        replace(MODEL, index_contract=None),
        replace(MODEL, point_count=2),
        replace(MODEL, index_status=IndexStatus.REBUILDING, point_count=2),
        replace(MODEL, point_count=0, searchable_count=0),
    ],
)
def test_nothing_else_answers(model: CurrentModel) -> None:
    assert not is_searchable(model, CONTRACT)


def test_the_scope_keeps_its_order_and_splits_by_state(store: ReadingStore) -> None:
    scope = call_scope(store, ask("p-terns", "p-waiting", "p-private", "p404", "p-gulls", "p-terns"), CONTRACT)
    assert list(scope.searchable) == ["p-terns", "p-gulls"]
    assert scope.unsearchable == ("p-waiting",)


def test_another_contract_makes_papers_unsearchable(store: ReadingStore) -> None:
    scope = call_scope(store, ask("p-terns", "p-gulls"), "contract-2")
    assert (dict(scope.searchable), scope.unsearchable) == ({}, ("p-terns", "p-gulls"))


def test_a_part_of_the_scope_never_grows(store: ReadingStore) -> None:
    scope = call_scope(store, ask("p-terns", "p-waiting", "p-gulls"), CONTRACT)
    part = scope.only(["p-open", "p-gulls", "p-waiting", "p404", "p-gulls"])
    assert (list(part.searchable), part.unsearchable) == (["p-gulls"], ("p-waiting",))
    assert scope.only([]) == CallScope({}, ())


def test_only_the_current_model_of_a_searchable_paper_is_current(store: ReadingStore) -> None:
    scope = call_scope(store, ask(*EVERY_ID), CONTRACT)
    version = scope.searchable["p-gulls"].model_version
    assert scope.is_current("p-gulls", version)
    assert not scope.is_current("p-terns", version)
    assert not scope.is_current("p-gulls", "rm_older")
    assert not scope.is_current("p-private", model_of(PAPERS[2]).model_version)


def test_each_user_has_a_scope_of_their_own(store: ReadingStore) -> None:
    assert list(call_scope(store, ask(*EVERY_ID), CONTRACT).searchable) == ["p-gulls", "p-terns", "p-open"]
    assert list(call_scope(store, ask(*EVERY_ID, user=BOB), CONTRACT).searchable) == ["p-private", "p-open"]
    assert list(call_scope(store, ask(*EVERY_ID, user="stranger"), CONTRACT).searchable) == ["p-open"]


def test_an_empty_scope_is_refused_before_the_store_is_asked(store: ReadingStore) -> None:
    store.close()
    with pytest.raises(InvalidCorpusRequest):
        call_scope(store, ask(" "), CONTRACT)


def test_a_call_that_touches_few_papers_has_a_scope_of_those_alone(store: ReadingStore) -> None:
    touched = ["p-gulls", "p-private", "p-open"]
    scope = call_scope(store, ask("p-terns", "p-gulls", "p-private"), CONTRACT, touched=touched)
    assert (list(scope.searchable), scope.unsearchable, list(scope.titles)) == (["p-gulls"], (), ["p-gulls"])
    with pytest.raises(InvalidCorpusRequest):
        call_scope(store, ask(" "), CONTRACT, touched=[])


def test_an_id_too_long_to_exist_is_not_there(store: ReadingStore) -> None:
    assert list(call_scope(store, ask("p" * 129, "p-gulls"), CONTRACT).titles) == ["p-gulls"]

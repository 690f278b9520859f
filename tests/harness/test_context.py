"""The ladder at the place where things are written down."""

from __future__ import annotations

import dataclasses

import pytest

from corpus_gateway.errors import CorpusContractViolation
from corpus_gateway.wire import PaperCard
from harness.budgets import RepairBudget
from harness.context import DisclosedLocation, ResearchRunContext
from harness.errors import ReasonCode, RunFailed
from harness.ledger import EvidenceEntry
from harness.recorder import RunRecording
from tests.harness.runs import FOREIGN, GULLS, TERNS, turn

CARD = PaperCard(paper_id=GULLS, title="Gulls")
PLACE = DisclosedLocation("loc_1", GULLS, "gulls")
ENTRY = EvidenceEntry(
    evidence_id="ev_1",
    paper_id=GULLS,
    title="Gulls",
    model_version="rm_1",
    location_ref="loc_1",
    kind="passage",
    section=None,
    page=1,
    page_end=1,
    start=0,
    end=5,
    boxes=(),
    text="Gulls",
    parser=None,
    parser_version=None,
    origin="this_turn",
    query=None,
    order=1,
)


@pytest.fixture
def context() -> ResearchRunContext:
    return ResearchRunContext(turn(), RunRecording())


def test_each_rung_needs_the_one_below(context: ResearchRunContext) -> None:
    with pytest.raises(CorpusContractViolation):
        context.disclose_locations([PLACE])
    context.disclose_papers([CARD])
    with pytest.raises(CorpusContractViolation):
        context.record_evidence(ENTRY)
    context.disclose_locations([PLACE])
    assert context.record_evidence(ENTRY) is True
    assert context.record_evidence(ENTRY) is False
    snapshot = context.snapshot()
    assert snapshot.authorized_paper_ids == (GULLS,)
    assert snapshot.disclosed_location_refs == ("loc_1",)
    assert snapshot.evidence_ids == ("ev_1",)


def test_a_paper_outside_the_scope_discloses_none_of_its_batch(context: ResearchRunContext) -> None:
    with pytest.raises(CorpusContractViolation):
        context.disclose_papers([CARD, PaperCard(paper_id=FOREIGN, title="Theirs")])
    assert context.snapshot().authorized_paper_ids == ()


def test_a_location_cannot_move_to_another_paper(context: ResearchRunContext) -> None:
    context.disclose_papers([CARD, PaperCard(paper_id=TERNS, title="Terns")])
    context.disclose_locations([PLACE])
    with pytest.raises(CorpusContractViolation):
        context.disclose_locations([dataclasses.replace(PLACE, paper_id=TERNS)])


def test_a_span_of_another_paper_than_its_location_is_refused(context: ResearchRunContext) -> None:
    context.disclose_papers([CARD, PaperCard(paper_id=TERNS, title="Terns")])
    context.disclose_locations([PLACE])
    with pytest.raises(CorpusContractViolation):
        context.record_evidence(dataclasses.replace(ENTRY, paper_id=TERNS))


def test_one_evidence_id_stands_for_one_text(context: ResearchRunContext) -> None:
    context.disclose_papers([CARD])
    context.disclose_locations([PLACE])
    context.record_evidence(ENTRY)
    with pytest.raises(CorpusContractViolation):
        context.record_evidence(dataclasses.replace(ENTRY, text="Terns"))
    assert [entry.text for entry in context.ledger] == ["Gulls"]


def test_one_evidence_id_stands_for_one_place(context: ResearchRunContext) -> None:
    context.disclose_papers([CARD])
    context.disclose_locations([PLACE, dataclasses.replace(PLACE, location_ref="loc_2")])
    context.record_evidence(ENTRY)
    with pytest.raises(CorpusContractViolation):
        context.record_evidence(dataclasses.replace(ENTRY, location_ref="loc_2"))


def test_the_first_search_stays_the_query_of_a_location(context: ResearchRunContext) -> None:
    context.disclose_papers([CARD])
    context.disclose_locations([PLACE])
    context.disclose_locations([dataclasses.replace(PLACE, query="later")])
    assert context.locations["loc_1"].query == "gulls"


def test_the_first_reason_to_end_stays(context: ResearchRunContext) -> None:
    first = RunFailed("a", reason_code=ReasonCode.CORPUS_UNAVAILABLE)
    assert context.end(first) is first
    assert context.end(RunFailed("b", reason_code=ReasonCode.RUN_CANCELLED)) is first


def test_several_faults_of_one_reply_count_once() -> None:
    budget = RepairBudget(in_a_row=1, in_total=9)
    budget.note("wrote text")
    budget.note("wrote text")
    budget.settle()
    assert (budget.in_a_row, budget.in_total) == (1, 1)
    assert not budget.exhausted
    budget.note("wrote text")
    budget.settle()
    assert budget.exhausted
    budget.settle()
    assert (budget.in_a_row, budget.in_total) == (0, 2)

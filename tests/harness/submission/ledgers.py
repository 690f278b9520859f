"""Ledgers and shorthands for the tests of the submission rules."""

from __future__ import annotations

from dataclasses import replace

from corpus_gateway.wire import PaperCard
from harness.ledger import EvidenceEntry, EvidenceLedger
from harness.submission import judge
from harness.submission.draft import AcceptedAnswer, DerivedValue, Draft, Rejection, ViolationCode

TOOLS = frozenset({"read_locations", "search_paper_candidates"})

_ENTRY = EvidenceEntry(
    evidence_id="ev_a1",
    paper_id="a" * 32,
    title="Gulls at Night",
    model_version="rm_0123456789abcdef",
    location_ref="passage_ref_0123456789abcdef0123",
    kind="passage",
    section="4 Results",
    page=4,
    page_end=4,
    start=0,
    end=0,
    boxes=(),
    text="Most gulls slept before 9 pm, but 3.5% of them did not.",
    parser="pdfium",
    parser_version="1",
    origin="this_turn",
    query="gulls",
    order=1,
)


def entry(evidence_id: str = "ev_a1", text: str = _ENTRY.text, **changes: object) -> EvidenceEntry:
    return replace(_ENTRY, evidence_id=evidence_id, text=text, end=len(text), **changes)  # type: ignore[arg-type]


def ledger(*entries: EvidenceEntry | str) -> EvidenceLedger:
    held = EvidenceLedger()
    for item in entries:
        held.add(entry(item) if isinstance(item, str) else item)
    return held


def judged(
    markdown: str,
    *entries: EvidenceEntry | str,
    outcome: str = "answered",
    question: str = "",
    papers: tuple[PaperCard, ...] = (),
    fields: dict[str, str] | None = None,
    derived: tuple[DerivedValue, ...] = (),
    counts: frozenset[int] = frozenset(),
    located: frozenset[str] = frozenset(),
) -> AcceptedAnswer | Rejection:
    draft = Draft(outcome=outcome, markdown=markdown, fields=fields, derived_values=list(derived))
    held = ledger(*(entries or ("ev_a1", "ev_b2", "ev_c3")))
    return judge(
        draft,
        held,
        tool_names=TOOLS,
        question=question,
        papers=papers,
        result_counts=counts,
        located_papers=located,
    )


def codes(result: AcceptedAnswer | Rejection) -> list[ViolationCode]:
    return [] if isinstance(result, AcceptedAnswer) else [item.code for item in result.violations]


def cited(result: AcceptedAnswer | Rejection) -> list[str]:
    assert isinstance(result, AcceptedAnswer), codes(result)
    return [citation.evidence.evidence_id for citation in result.citations]


def body(result: AcceptedAnswer | Rejection) -> str:
    """The rendered answer without the list of sources."""
    assert isinstance(result, AcceptedAnswer), codes(result)
    return result.markdown.split("\n\nSources\n\n")[0]

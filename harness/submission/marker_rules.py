"""Rules about citation markers: their shape, and that each names a citable span of the ledger."""

from __future__ import annotations

from collections.abc import Iterator

from harness.ledger import EvidenceEntry
from harness.submission.blocks import normalised_newlines
from harness.submission.draft import Violation, ViolationCode
from harness.submission.markers import FaultKind, canonical, find_markers
from harness.submission.parsed import DraftBlock, Submission
from harness.submission.protected import protected_spans


def well_formed_markers(submission: Submission) -> Iterator[Violation]:
    """MALFORMED_MARKER: everything that looks like a marker is one, and stands where a reader sees it."""
    for block in submission.blocks:
        for fault in block.faults:
            yield _in_block(
                block,
                ViolationCode.MALFORMED_MARKER,
                f"{_quoted(fault.written)}: {fault.kind}. Write [[ev_...]] behind the statement, in plain text.",
                (fault.written,),
            )


def known_evidence(submission: Submission) -> Iterator[Violation]:
    """UNKNOWN_EVIDENCE: every id was read in this run or taken over from an accepted answer."""
    for block in submission.blocks:
        unknown = [i for marker in block.markers for i in marker.ids if i not in submission.ledger]
        if unknown:
            named = tuple(dict.fromkeys(unknown))
            yield _in_block(
                block,
                ViolationCode.UNKNOWN_EVIDENCE,
                f"{_listed(named)}: no span with such an id was read in this run. Use the evidence_id of a span that "
                "read_locations returned, or read the location first.",
                named,
            )


def known_inputs(submission: Submission) -> Iterator[Violation]:
    """UNKNOWN_EVIDENCE for the inputs of computed numbers."""
    for derived in submission.draft.derived_values:
        named = tuple(item.evidence_id for item in derived.inputs if item.evidence_id not in submission.ledger)
        if named:
            yield Violation(
                ViolationCode.UNKNOWN_EVIDENCE,
                f"The inputs of the computed value {derived.value} name {', '.join(named)}: not read in this run.",
                markers=named,
            )


def citable_evidence(submission: Submission) -> Iterator[Violation]:
    """EVIDENCE_NOT_CITABLE: a cited span holds words or numbers."""
    for block in submission.blocks:
        ids = [i for marker in block.markers for i in marker.ids]
        blank = tuple(entry.evidence_id for entry in submission.evidence_of(ids) if not is_citable(entry))
        if blank:
            yield _in_block(
                block,
                ViolationCode.EVIDENCE_NOT_CITABLE,
                f"{_listed(blank)}: the span holds no text that could support a statement. Cite another span.",
                blank,
            )


def plain_fields(submission: Submission) -> Iterator[Violation]:
    """MALFORMED_MARKER: `fields` hold values; markers have their place in `markdown`."""
    for name, value in (submission.draft.fields or {}).items():
        text = normalised_newlines(value)
        markers, faults = find_markers(text, protected_spans(text))
        written = tuple(item.written for item in (*markers, *faults))
        if written:
            yield Violation(
                ViolationCode.MALFORMED_MARKER,
                f"Field {name!r} holds {_listed(written)}: {FaultKind.IN_FIELD}. Cite in `markdown`.",
                markers=written,
            )


def is_citable(entry: EvidenceEntry) -> bool:
    """Whether a span can support anything: a letter or a digit is the least."""
    return any(char.isalnum() for char in entry.text)


def _in_block(block: DraftBlock, code: ViolationCode, message: str, markers: tuple[str, ...]) -> Violation:
    return Violation(code, message, block.block.index, block.block.text, markers)


def _quoted(marker: str) -> str:
    return f"`{marker.strip()}`"


def _listed(ids: tuple[str, ...]) -> str:
    return ", ".join(_quoted(canonical((i,))) if i.isidentifier() else _quoted(i) for i in ids)

"""A draft as the rules see it: its blocks with their markers and roles, beside the ledger they are held against."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from corpus_gateway.wire import PaperCard
from harness.ledger import EvidenceEntry, EvidenceLedger
from harness.submission.blocks import Block, BlockKind, normalised_newlines, parse_blocks
from harness.submission.catalogue import Catalogue, CatalogueReading
from harness.submission.draft import Draft
from harness.submission.markers import FaultKind, Marker, MarkerFault, find_markers
from harness.submission.protected import MASK, Protected, ProtectedKind, masked, protected_spans
from harness.submission.roles import Role, carries_on_a_formula, is_gap, plain, role_of, words


@dataclass(frozen=True, slots=True)
class DraftBlock:
    """A block of a draft.

    `source` is its text with container signs; offsets of `protected`, `markers` and `faults` count in it. `prose` is
    the source with code, formulas, HTML and markers hidden behind masks.
    `rests_on` are the ids that its statements rest on: its own, or those of the formula that it belongs to.
    """

    block: Block
    source: str
    protected: tuple[Protected, ...]
    markers: tuple[Marker, ...]
    faults: tuple[MarkerFault, ...]
    prose: str
    role: Role
    rests_on: tuple[str, ...] = ()

    @property
    def needs_evidence(self) -> bool:
        """Whether the block states something about a paper's content."""
        return self.role in {Role.CLAIM, Role.FORMULA}


@dataclass(frozen=True, slots=True)
class Submission:
    """One call of `submit_research_answer`, parsed. `text` is the draft's Markdown with normalised newlines.

    `papers` are the cards that this run's searches returned, `located_papers` those of which it found places,
    `question` is what the person asked.
    """

    draft: Draft
    text: str
    blocks: tuple[DraftBlock, ...]
    ledger: EvidenceLedger
    tool_names: frozenset[str]
    question: str = ""
    papers: tuple[PaperCard, ...] = ()
    located_papers: frozenset[str] = frozenset()

    def evidence_of(self, ids: Sequence[str]) -> list[EvidenceEntry]:
        """The entries of those ids that the ledger holds."""
        entries = (self.ledger.get(evidence_id) for evidence_id in ids)
        return [entry for entry in entries if entry is not None]

    def cited_ids(self) -> Iterator[str]:
        """Ids of all markers in the order of the text, repetitions included; they may be unknown."""
        for block in self.blocks:
            for marker in block.markers:
                yield from marker.ids


def parse_submission(
    draft: Draft,
    ledger: EvidenceLedger,
    *,
    tool_names: frozenset[str],
    question: str = "",
    papers: Sequence[PaperCard] = (),
    result_counts: frozenset[int] = frozenset(),
    located_papers: frozenset[str] = frozenset(),
) -> Submission:
    """Parse a draft; every draft can be parsed, whatever it holds."""
    text = normalised_newlines(draft.markdown)
    blocks = parse_blocks(text)
    parsed = [_draft_block(text, block, ledger) for block in blocks]
    catalogue = Catalogue.of(papers, result_counts)
    judged = [_with_role(parsed, at, draft.outcome, catalogue) for at in range(len(parsed))]
    linked = tuple(_with_evidence(judged, at) for at in range(len(judged)))
    return Submission(draft, text, linked, ledger, tool_names, question, tuple(papers), located_papers)


_CATALOGUE_ROLES = {
    CatalogueReading.AGREES: Role.CATALOGUE,
    CatalogueReading.DISAGREES: Role.FALSE_CATALOGUE,
    CatalogueReading.OTHER: Role.CLAIM,
}
_FORMULA = re.compile(r"\$\$.*?\$\$|\\\[.*?\\\]", re.DOTALL)


def _draft_block(text: str, block: Block, ledger: EvidenceLedger) -> DraftBlock:
    source = text[block.start : block.end]
    if block.kind is BlockKind.CODE:
        whole = Protected(ProtectedKind.CODE, 0, len(source))
        return DraftBlock(block, source, (whole,), (), (), masked(source, (whole,)), Role.CODE)
    protected = tuple(_protected(source, block.kind))
    found, faults = find_markers(source, protected)
    markers = tuple(_resolved(marker, ledger) for marker in found)
    if block.kind is BlockKind.TABLE_ROW:
        unseen = _past_last_column(source, block.columns)
        faults += tuple(
            MarkerFault(FaultKind.UNSEEN, mark.start, mark.end, mark.written)
            for mark in markers
            if mark.start >= unseen
        )
        markers = tuple(marker for marker in markers if marker.start < unseen)
    prose = masked(source, protected)
    for marker in markers:
        prose = prose[: marker.start] + MASK * (marker.end - marker.start) + prose[marker.end :]
    ids = tuple(dict.fromkeys(evidence_id for marker in markers for evidence_id in marker.ids))
    return DraftBlock(block, source, protected, markers, faults, prose, Role.CLAIM, ids)


def _protected(source: str, kind: BlockKind) -> Iterator[Protected]:
    if kind is BlockKind.MATHS:
        formula = _FORMULA.search(source)
        assert formula is not None
        yield Protected(ProtectedKind.MATHS, formula.start(), formula.end())
        yield from _shifted(source[formula.end() :], formula.end())
    elif kind in {BlockKind.TABLE_ROW, BlockKind.TABLE_HEADER}:
        for start, end in _cells(source):
            yield from _shifted(source[start:end], start)
    else:
        yield from protected_spans(source)


def _shifted(text: str, by: int) -> Iterator[Protected]:
    for span in protected_spans(text):
        yield Protected(span.kind, span.start + by, span.end + by)


def _cells(source: str) -> list[tuple[int, int]]:
    """Ranges between the unescaped pipes of a table row."""
    bars = [match.start() for match in re.finditer(r"(?<!\\)\|", source)]
    edges = [-1, *bars, len(source)]
    return [(left + 1, right) for left, right in pairwise(edges)]


def _past_last_column(source: str, columns: int) -> int:
    """The offset from which a row's text is not shown, its length where all of it is."""
    cells = _cells(source)
    leading = 0 if source[cells[0][0] : cells[0][1]].strip(" >\t") else 1
    return cells[leading + columns][0] if leading + columns < len(cells) else len(source) + 1


def _resolved(marker: Marker, ledger: EvidenceLedger) -> Marker:
    """Ids in the ledger's spelling; what it does not hold stays as written."""
    ids = tuple(dict.fromkeys(i.lower() if i not in ledger and i.lower() in ledger else i for i in marker.ids))
    return Marker(marker.start, marker.end, marker.written, ids)


def _with_role(blocks: list[DraftBlock], at: int, outcome: str, catalogue: Catalogue) -> DraftBlock:
    block = blocks[at]
    following = blocks[at + 1].block if at + 1 < len(blocks) else None
    role = role_of(block.block, _content(block), following, shows_code=bool(block.protected))
    if role is Role.CLAIM and not block.rests_on:
        if outcome == "partial" and is_gap(plain(block.source)):
            role = Role.GAP
        elif words(plain(_content(block))):
            role = _CATALOGUE_ROLES[catalogue.read(block.source)]
    return replace(block, role=role)


def _content(block: DraftBlock) -> str:
    """The prose of a block without list markers and quote signs at its start."""
    return re.sub(r"\A(?:\s*(?:>|[-+*]\s|\d{1,9}[.)]\s))*(?:\[[ xX]\]\s)?", "", block.prose)


def _with_evidence(blocks: list[DraftBlock], at: int) -> DraftBlock:
    """A display formula and the prose around it share evidence; every other block stands on its own markers."""
    block = blocks[at]
    before = blocks[at - 1] if at else None
    after = blocks[at + 1] if at + 1 < len(blocks) else None
    if block.rests_on:
        return block
    if block.role is Role.FORMULA:
        around = [other.rests_on for other in (before, after) if other is not None]
        return replace(block, rests_on=tuple(dict.fromkeys(i for ids in around for i in ids)))
    if before is not None and before.role is Role.FORMULA and carries_on_a_formula(plain(_content(block))):
        return replace(block, rests_on=before.rests_on)
    return block

"""What the reader sees: markers become numbers by first appearance, and the list of sources is made from the ledger."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from harness.ledger import ledger_item
from harness.submission.blocks import BlockKind
from harness.submission.draft import AcceptedAnswer, Citation, Outcome, UnsupportedBlock
from harness.submission.languages import source_words
from harness.submission.markers import Marker, canonical
from harness.submission.parsed import DraftBlock, Submission
from harness.submission.protected import Protected, ProtectedKind
from harness.wire import CitationWire

SUMMARY_CHARACTERS = 400

_Edit = tuple[int, int, str]


def accepted(submission: Submission, *, unsupported: tuple[UnsupportedBlock, ...] = ()) -> AcceptedAnswer:
    """The answer of a submission that breaks no rule."""
    numbers = {evidence_id: at for at, evidence_id in enumerate(dict.fromkeys(submission.cited_ids()), start=1)}
    citations: list[Citation] = []
    for evidence_id, number in numbers.items():
        entry = submission.ledger.get(evidence_id)
        assert entry is not None  # the rules let no unknown id pass
        citations.append(Citation(number, entry))
    body = _edited(submission, [edit for block in submission.blocks for edit in _reader_edits(block, numbers)])
    return AcceptedAnswer(
        outcome=_outcome(submission.draft.outcome),
        marker_markdown=_edited(submission, [edit for block in submission.blocks for edit in _canonical_edits(block)]),
        markdown=body.rstrip("\n") + sources(citations, submission.question or submission.text),
        citations=tuple(citations),
        fields=submission.draft.fields,
        derived_values=tuple(submission.draft.derived_values),
        unsupported_blocks=unsupported,
    )


def sources(citations: list[Citation], question: str) -> str:
    """The list of sources as it stands below the answer, one line a citation; empty without citations.

    `[n] title, section, p. N` in the language of the question, with hard line breaks (two blanks).
    """
    if not citations:
        return ""
    word = source_words(question)
    lines: list[str] = []
    for citation in citations:
        entry = citation.evidence
        form = word.page if entry.page_end <= entry.page else word.pages
        page = form.format(first=entry.page, last=entry.page_end)
        parts = [entry.title or entry.paper_id, entry.section or ""]
        named = ", ".join(escaped(part) for part in parts if part.strip())
        lines.append(f"[{citation.number}] {named}, {page}")
    return f"\n\n{word.title}\n\n" + "  \n".join(lines)


def escaped(text: str) -> str:
    """Text as Markdown that shows exactly these characters on one line."""
    return re.sub(r"([\\`*_\[\]<>|~$&])", r"\\\1", re.sub(r"\s+", " ", text).strip())


def summary_of(answer: AcceptedAnswer) -> str:
    """The first 400 characters of the rendered answer."""
    return answer.markdown[:SUMMARY_CHARACTERS]


def to_wire(citation: Citation) -> CitationWire:
    """A citation as the contract names its fields; the quote is the whole span."""
    entry = citation.evidence
    item = ledger_item(entry)
    return CitationWire(
        **item,
        location=f"{item['section']}, p. {entry.page}",
        bbox_json=json.dumps([box.model_dump() for box in entry.boxes]) if entry.boxes else None,
        reference_number=citation.number,
        quote=entry.text,
        rectangles=list(entry.boxes),
    )


def _outcome(outcome: str) -> Outcome:
    match outcome:
        case "answered" | "needs_clarification" | "partial" | "abstained":
            return outcome
        case _:
            message = f"outcome {outcome!r} was not judged"
            raise ValueError(message)


def _edited(submission: Submission, edits: list[_Edit]) -> str:
    text = submission.text
    for start, end, replacement in sorted(edits, reverse=True):
        text = text[:start] + replacement + text[end:]
    return text


def _canonical_edits(block: DraftBlock) -> Iterator[_Edit]:
    for marker in block.markers:
        yield block.block.start + marker.start, block.block.start + marker.end, canonical(marker.ids)


def _reader_edits(block: DraftBlock, numbers: dict[str, int]) -> Iterator[_Edit]:
    offset = block.block.start
    for marker in block.markers:
        shown = "".join(f"[{numbers[evidence_id]}]" for evidence_id in marker.ids)
        yield offset + marker.start, offset + marker.end, shown + _gap_after(block, marker)
    for number in re.finditer(r"(?<!\\)\[(\d{1,3})\]", block.prose):
        # a number in brackets that is no citation of ours must not look like one
        yield offset + number.start(), offset + number.end(), f"\\[{number.group(1)}\\]"
    for span in block.protected:
        if span.kind is ProtectedKind.MATHS and _closes_a_line(block, span):
            rest = re.match(r"[ \t]*(?=\S)", block.source[span.end :])
            if rest is not None:
                yield offset + span.end, offset + span.end + rest.end(), "\n" + _container_prefix(block, span)


_CONTAINER_SIGNS = re.compile(r"(?:[\s>]|[-+*]\s|\d{1,9}[.)]\s)*")


def _gap_after(block: DraftBlock, marker: Marker) -> str:
    """A blank where what follows would turn the number into a link or a link definition."""
    following = block.source[marker.end : marker.end + 1]
    defines = following == ":" and len(marker.ids) == 1 and _CONTAINER_SIGNS.fullmatch(block.source[: marker.start])
    return " " if following == "(" or defines else ""


def _closes_a_line(block: DraftBlock, span: Protected) -> bool:
    formula = block.source[span.start : span.end]
    display = formula.startswith(("$$", "\\["))
    return display and (block.block.kind is BlockKind.MATHS or "\n" in formula)


def _container_prefix(block: DraftBlock, span: Protected) -> str:
    """Quote signs and indentation of the line on which a formula ends; a list marker counts as indentation."""
    line = block.source[block.source.rfind("\n", 0, span.end) + 1 : span.end]
    prefix = re.match(r"[\s>]*(?:(?:[-+*]|\d{1,9}[.)])\s+)*", line)
    return re.sub(r"[^\s>]", " ", prefix.group()) if prefix else ""

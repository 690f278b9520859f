"""The evidence ledger as a file: JSON lines, each holding the SHA-256 of the line before it.

Line 1 is a header `{format, run_id, entries, previous_sha256}`, each further line one entry in reading order. The hash
is taken over a line's UTF-8 bytes without its line feed; the header's `previous_sha256` is 64 zeros. The chain shows
that a file is whole and unchanged since its last hash was noted; it is no signature.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from corpus_gateway.evidence import evidence_id_of
from corpus_gateway.wire import SpanBox
from harness.ledger import EvidenceEntry, EvidenceLedger

FORMAT = "paperledger-ledger/v1"
_START = "0" * 64

_Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class LedgerHeader(BaseModel):
    """The first line: which run, and how many entries follow."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal["paperledger-ledger/v1"] = FORMAT
    run_id: str
    entries: Annotated[int, Field(ge=0)]
    previous_sha256: _Sha256 = _START


class LedgerLine(BaseModel):
    """One span read. Offsets are code points into the location's text, rectangles PDF points."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    previous_sha256: _Sha256
    order: Annotated[int, Field(ge=1)]
    evidence_id: str
    paper_id: str
    title: str
    model_version: str
    location_ref: str
    kind: str
    section: str | None
    page: int
    page_end: int
    start: Annotated[int, Field(ge=0)]
    end: Annotated[int, Field(ge=0)]
    boxes: tuple[SpanBox, ...]
    text: str
    text_sha256: _Sha256
    parser: str | None
    parser_version: str | None
    origin: Literal["this_turn", "previous_turn"]
    query: str | None


@dataclass(frozen=True, slots=True)
class LedgerProblem:
    """Something that does not hold: `line` counts from 1, `code` is stable.

    Codes: `not_an_entry`, `chain_broken`, `text_hash_wrong`, `evidence_id_wrong`, `span_length_wrong`, `repeated`,
    `entries_missing`, `entries_too_many`, `empty`.
    """

    line: int
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class LedgerReport:
    """What a file holds: its entries as far as they can be read, the hash of its last line, and all problems."""

    run_id: str | None
    entries: tuple[LedgerLine, ...]
    head_sha256: str
    problems: tuple[LedgerProblem, ...]

    @property
    def ok(self) -> bool:
        """Whether everything holds."""
        return not self.problems


def export_ledger(ledger: EvidenceLedger, *, run_id: str) -> Iterator[str]:
    """Lines of the file without line feeds; the same ledger gives the same bytes."""
    line = _as_line(LedgerHeader(run_id=run_id, entries=len(ledger)))
    yield line
    for entry in ledger:
        line = _as_line(_line_of(entry, sha256_of_line(line)))
        yield line


def verify_ledger(lines: Iterable[str]) -> LedgerReport:
    """Check chain, text hashes, evidence ids, span lengths and completeness from the file alone. Never raises."""
    return _Verifier().verify(line.rstrip("\r\n") for line in lines)


def sha256_of_line(line: str) -> str:
    """64 hex digits over a line's UTF-8 bytes without its line feed."""
    return hashlib.sha256(line.encode("utf-8", "surrogatepass")).hexdigest()


class _Verifier:
    """Holds what the lines so far have shown."""

    def __init__(self) -> None:
        self._header: LedgerHeader | None = None
        self._entries: list[LedgerLine] = []
        self._seen: set[str] = set()
        self._problems: list[LedgerProblem] = []
        self._previous = _START

    def verify(self, lines: Iterator[str]) -> LedgerReport:
        count = 0
        for count, line in enumerate(lines, start=1):
            self._take(count, line)
            self._previous = sha256_of_line(line)
        self._check_count(count)
        run_id = self._header.run_id if self._header else None
        return LedgerReport(run_id, tuple(self._entries), self._previous, tuple(self._problems))

    def _take(self, number: int, line: str) -> None:
        model = LedgerHeader if number == 1 else LedgerLine
        try:
            read = model.model_validate_json(line)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"]) or "line"
            self._add(number, "not_an_entry", f"{where}: {first['msg']}")
            return
        if read.previous_sha256 != self._previous:
            self._add(number, "chain_broken", "the line before it was changed, removed or put in")
        if isinstance(read, LedgerHeader):
            self._header = read
        else:
            self._check_entry(number, read)

    def _check_entry(self, number: int, entry: LedgerLine) -> None:
        self._entries.append(entry)
        if _text_sha256(entry.text) != entry.text_sha256:
            self._add(number, "text_hash_wrong", "the text is not the one that was hashed")
        if _evidence_id(entry) != entry.evidence_id:
            self._add(number, "evidence_id_wrong", f"{entry.evidence_id} does not follow from paper, place and text")
        if entry.end - entry.start != len(entry.text):
            self._add(
                number, "span_length_wrong", f"offsets span {entry.end - entry.start}, the text {len(entry.text)}"
            )
        if entry.evidence_id in self._seen:
            self._add(number, "repeated", f"{entry.evidence_id} is listed twice")
        self._seen.add(entry.evidence_id)

    def _check_count(self, lines: int) -> None:
        if not lines:
            self._add(1, "empty", "the file has no lines")
        elif self._header is not None and lines - 1 != self._header.entries:
            code = "entries_missing" if lines - 1 < self._header.entries else "entries_too_many"
            self._add(lines, code, f"the header counts {self._header.entries} entries, the file has {lines - 1}")

    def _add(self, line: int, code: str, message: str) -> None:
        self._problems.append(LedgerProblem(line, code, message))


def _line_of(entry: EvidenceEntry, previous: str) -> LedgerLine:
    return LedgerLine(previous_sha256=previous, text_sha256=entry.text_sha256, **asdict(entry))


def _as_line(model: LedgerHeader | LedgerLine) -> str:
    return json.dumps(model.model_dump(mode="json"), ensure_ascii=True, sort_keys=True, separators=(",", ":"))


def _text_sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _evidence_id(entry: LedgerLine) -> str | None:
    try:
        return evidence_id_of(
            entry.paper_id, entry.model_version, entry.location_ref, entry.start, entry.end, entry.text
        )
    except ValueError:
        return None  # a part holds the separator: no identifier was ever made of it

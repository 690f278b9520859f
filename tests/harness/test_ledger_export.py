from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_gateway.evidence import evidence_id_of
from corpus_gateway.wire import SpanBox
from harness.ledger import EvidenceEntry
from harness.ledger_export import export_ledger, sha256_of_line, verify_ledger
from tests.harness.submission.ledgers import entry, ledger


def read(text: str, start: int = 0) -> EvidenceEntry:
    place = entry()
    evidence_id = evidence_id_of(
        place.paper_id, place.model_version, place.location_ref, start, start + len(text), text
    )
    changed = entry(evidence_id, text, start=start, boxes=(SpanBox(page=4, x0=1, y0=2.5, x1=3, y1=4),))
    return replace(changed, end=start + len(text))


def lines() -> list[str]:
    return list(export_ledger(ledger(read("Gulls sleep."), read("Terns wake 🐦.", 13)), run_id="run_1"))


def test_a_written_ledger_verifies_from_the_file_alone() -> None:
    report = verify_ledger(line + "\n" for line in lines())
    assert report.ok
    assert report.run_id == "run_1"
    assert [item.text for item in report.entries] == ["Gulls sleep.", "Terns wake 🐦."]
    assert report.head_sha256 == sha256_of_line(lines()[-1])


def test_the_same_ledger_gives_the_same_bytes() -> None:
    assert lines() == lines()


def test_each_line_holds_the_hash_of_the_one_before() -> None:
    written = lines()
    held = [json.loads(line)["previous_sha256"] for line in written]
    assert held == ["0" * 64, sha256_of_line(written[0]), sha256_of_line(written[1])]


def changed(line: str, **values: object) -> str:
    return json.dumps(json.loads(line) | values, sort_keys=True, separators=(",", ":"))


@pytest.mark.parametrize(
    ("tamper", "expected"),
    [
        (
            lambda x: [x[0], changed(x[1], text="Gulls sleeq."), x[2]],
            [(2, "text_hash_wrong"), (2, "evidence_id_wrong"), (3, "chain_broken")],
        ),
        (lambda x: [x[0], changed(x[1], page=9), x[2]], [(3, "chain_broken")]),
        (lambda x: [x[0], x[1], changed(x[2], start=12)], [(3, "evidence_id_wrong"), (3, "span_length_wrong")]),
        (lambda x: [x[0], x[1], changed(x[2], paper_id="b" * 32)], [(3, "evidence_id_wrong")]),
        (lambda x: [x[0], x[1], changed(x[2], paper_id="b\x1fc")], [(3, "evidence_id_wrong")]),
        (lambda x: [x[0], x[2]], [(2, "chain_broken"), (2, "entries_missing")]),
        (lambda x: x[:2], [(2, "entries_missing")]),
        (
            lambda x: [*x, changed(x[2], previous_sha256=sha256_of_line(x[2]))],
            [(4, "repeated"), (4, "entries_too_many")],
        ),
        (lambda x: [x[0], x[2], x[1]], [(2, "chain_broken"), (3, "chain_broken")]),
        (lambda x: x[1:], [(1, "not_an_entry")]),
        (lambda x: [x[0], "no json", x[2]], [(2, "not_an_entry"), (3, "chain_broken")]),
        (lambda x: [changed(x[0], more=1), *x[1:]], [(1, "not_an_entry"), (2, "chain_broken")]),
        (lambda x: [changed(x[0], previous_sha256="1" * 64)], [(1, "chain_broken"), (1, "entries_missing")]),
        (lambda _: [], [(1, "empty")]),
    ],
)  # fmt: skip
def test_every_change_is_named(tamper: Callable[[list[str]], list[str]], expected: list[tuple[int, str]]) -> None:
    report = verify_ledger(tamper(lines()))
    assert not report.ok
    found = [(problem.line, problem.code) for problem in report.problems]
    assert found == expected


def test_an_empty_ledger_is_a_header_alone() -> None:
    written = list(export_ledger(ledger(), run_id="run_1"))
    assert len(written) == 1
    assert verify_ledger(written).ok


@given(st.lists(st.text(min_size=1, max_size=30), max_size=5), st.data())
def test_whatever_was_read_survives_and_no_byte_can_be_changed(texts: list[str], data: st.DataObject) -> None:
    held = ledger(*(read(text, at * 100) for at, text in enumerate(texts)))
    written = list(export_ledger(held, run_id="run_1"))
    report = verify_ledger(written)
    assert report.ok
    assert [item.text for item in report.entries] == texts
    number = data.draw(st.integers(0, len(written) - 1))
    position = data.draw(st.integers(0, len(written[number]) - 1))
    char = data.draw(st.characters(codec="ascii"))
    tampered = written.copy()
    tampered[number] = written[number][:position] + char + written[number][position + 1 :]
    if tampered != written:
        again = verify_ledger(tampered)
        assert again.problems or again.head_sha256 != report.head_sha256

from __future__ import annotations

import hashlib

from tests.harness.submission.ledgers import entry, ledger


def test_reading_again_adds_nothing_and_changes_nothing() -> None:
    held = ledger()
    assert held.add(entry("ev_a1", "first")) is True
    assert held.add(entry("ev_a1", "second")) is False
    kept = held.get("ev_a1")
    assert kept is not None
    assert kept.text == "first"


def test_entries_come_in_reading_order_and_are_found_by_id_alone() -> None:
    held = ledger("ev_b2", "ev_a1")
    assert [item.evidence_id for item in held] == ["ev_b2", "ev_a1"]
    assert len(held) == 2
    assert "ev_a1" in held
    assert "ev_zz" not in held
    assert held.get("ev_zz") is None


def test_text_hash_is_sha256_over_utf8() -> None:
    assert entry(text="möwe").text_sha256 == hashlib.sha256("möwe".encode()).hexdigest()

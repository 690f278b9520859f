"""Cases F21, F22 and F23 (its rule part), row by row, as the case file states them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from harness.submission import rejection_message
from harness.submission.draft import Rejection, ViolationCode
from tests.harness.submission.ledgers import body, cited, codes, entry, judged

CASES = Path(__file__).resolve().parents[4] / "shared" / "cases" / "cases.yaml"


def _case(name: str) -> dict[str, Any]:
    if not CASES.exists():
        return {"given": {"answers": {}, "turns": [{}]}, "then": []}
    cases = yaml.safe_load(CASES.read_text())["cases"]
    return next(case for case in cases if case["id"] == name)


pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif(not CASES.exists(), reason="../shared/cases is not here"),
]

F21 = [row for row in _case("F21")["then"] if "markdown" in row]
F22 = _case("F22")
F23 = _case("F23")

EXPECTED_CODE = {
    "the marker is not closed": ViolationCode.MALFORMED_MARKER,
    "a marker has two brackets": ViolationCode.MALFORMED_MARKER,
    "ev_zz is not known": ViolationCode.UNKNOWN_EVIDENCE,
    "the marker is empty": ViolationCode.MALFORMED_MARKER,
}


@pytest.mark.parametrize("row", F21, ids=lambda row: f"F21 {row['markdown']!r}")
def test_f21_shapes_of_a_marker(row: dict[str, Any]) -> None:
    result = judged(
        row["markdown"], *(entry(name, "Recall rose by 4.1 at ten.") for name in ("ev_a1", "ev_b2", "ev_c3"))
    )
    if row["check"] == "rejected":
        assert isinstance(result, Rejection)
        assert codes(result) == [EXPECTED_CODE[row["cause"]]]
        written = row["markdown"].removeprefix("Recall rose ").removesuffix(".")
        assert written in result.violations[0].message, "a rejection quotes the marker it speaks of"
    else:  # every tolerant form of the case is read, none is refused
        assert cited(result) == row["value"]
        assert "ev_" not in body(result).casefold()


@pytest.mark.parametrize("row", F22["then"], ids=lambda row: f"F22 {row['answer']}")
def test_f22_markers_in_code_and_maths(row: dict[str, Any]) -> None:
    markdown = F22["given"]["answers"][row["answer"]]
    result = judged(markdown, "ev_a1", "ev_b2")
    if row["answer"] == "code_only":
        assert codes(result) == [ViolationCode.CITATION_REQUIRED, ViolationCode.UNCITED_CLAIM]
        return
    assert cited(result) == row["value"]
    shown = body(result)
    match row["answer"]:
        case "tilde_fence":
            assert "a[[ev_a1]]" in shown
        case "display_maths":
            assert shown.splitlines()[:4] == ["$$", "x = 1", "$$", "[1]"]
        case "inline_maths":
            assert "$x[[1]] = 2$" in shown
        case "unclosed_fence":
            assert "loop[[ev_b2]]" in shown
        case other:
            pytest.fail(f"a new row: {other}")


def test_f23_all_unread_markers_are_named_at_once() -> None:
    first, _, last = F23["given"]["turns"]
    refused = judged(first["markdown"], "ev_a1")
    assert isinstance(refused, Rejection)
    message = rejection_message(refused)
    assert message["accepted"] is False
    assert message["unknown_evidence"] == F23["then"][0]["value"]["unknown"]
    assert cited(judged(last["markdown"], "ev_a1", "ev_b2")) == ["ev_a1", "ev_b2"]

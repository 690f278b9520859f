"""The examples of docs/submission-rules.md do what the page says, and every rule has its heading."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from corpus_gateway.wire import PaperCard
from harness.submission.draft import DerivedValue, ViolationCode
from tests.harness.submission.ledgers import codes, entry, judged

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "submission-rules.md").read_text(encoding="utf-8")
EXAMPLES = [
    (verdict, words, markdown, derived)
    for _, verdict, words, markdown, derived in re.findall(
        r"^(`{3,4})markdown (accepted|refused)([^\n]*)\n(.*?)^\1$(?:\n\n```json\n(.*?)^```$)?",
        PAGE,
        re.DOTALL | re.MULTILINE,
    )
]
EVIDENCE = dict(re.findall(r"^\| `(ev_\w+)` \| (.*) \|$", PAGE, re.MULTILINE))
SPANS = [entry(name, "–" if text.startswith("(nothing") else text) for name, text in EVIDENCE.items()]
PAPERS = (
    PaperCard(paper_id=SPANS[0].paper_id, title="Gulls at Night", authors=["Ada Byron"], year=2019),
    PaperCard(paper_id="p2", title="Terns by Day", authors=["Jo Fox"], year=2021),
)


@pytest.mark.parametrize(("verdict", "words", "markdown", "derived"), EXAMPLES)
def test_the_example_does_what_the_page_says(verdict: str, words: str, markdown: str, derived: str) -> None:
    named = [word for word in words.split() if word in ViolationCode.__members__]
    outcome = next((word for word in words.split() if word not in named), "answered")
    result = judged(
        markdown,
        *SPANS,
        outcome=outcome,
        question="How many gulls sleep, 40% or more?",
        papers=PAPERS,
        derived=tuple(TypeAdapter(list[DerivedValue]).validate_json(derived or "[]")),
        counts=frozenset({16}),
        located=frozenset({"p2"}),
    )
    assert sorted(set(codes(result))) == sorted(named)
    assert (verdict == "accepted") is (not named)


def test_the_page_has_examples_and_evidence() -> None:
    assert len(EXAMPLES) == PAGE.count("```markdown ")
    assert len(EVIDENCE) == 4


def test_every_rule_has_a_heading_and_every_heading_a_rule() -> None:
    assert sorted(re.findall(r"^### (\w+)$", PAGE, re.MULTILINE)) == sorted(ViolationCode)

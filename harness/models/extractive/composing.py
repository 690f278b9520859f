"""The submission: quoted sentences with their markers, or the reason why there are none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from harness.models.extractive.choice import Choice, Scored, gives_number, quoted_range
from harness.models.extractive.phrases import Phrases, phrases
from harness.models.extractive.question import Question, Shape
from harness.models.extractive.transcript import Paper
from harness.submission.draft import Outcome
from harness.submission.rendering import escaped

ANSWERED_SUPPORT = 0.62
ANSWERED_DIRECT = 0.45
PARTIAL_SUPPORT = 0.42
PARTIAL_DIRECT = 0.22
MIN_COUNTED = 0.75
MAX_LISTED = 30

_MARKS = (("“", "”"), ("«", "»"), ("「", "」"), ("『", "』"))


@dataclass(frozen=True, slots=True)
class Submission:
    """The arguments of `submit_research_answer`."""

    outcome: Outcome
    markdown: str

    def arguments(self) -> dict[str, Any]:
        """As the tool takes them."""
        return {"outcome": self.outcome, "markdown": self.markdown}


def outcome_of(question: Question, choice: Choice) -> Outcome:
    """How far the chosen sentences answer the question."""
    counts = question.shape is not Shape.COUNT or any(item.counted >= MIN_COUNTED for item in choice.sentences)
    if not counts or choice.support < PARTIAL_SUPPORT or choice.direct < PARTIAL_DIRECT:
        return "abstained"
    enough = choice.support >= ANSWERED_SUPPORT and choice.direct >= ANSWERED_DIRECT
    if question.shape is Shape.NUMBER and not any(gives_number(question, item.sentence) for item in choice.sentences):
        return "partial" if enough else "abstained"
    return "answered" if enough else "partial"


def quoting(question: Question, choice: Choice, outcome: Outcome) -> Submission:
    """An answer of quoted sentences, each a block of its own: title, page, quotation, marker."""
    blocks = [_quotation(item, question) for item in choice.sentences]
    if outcome == "partial":
        blocks.append(phrases(question.language).rest_missing)
    return Submission(outcome, "\n\n".join(blocks))


def greeting(question: Question) -> Submission:
    """A reply to a greeting."""
    return Submission("answered", phrases(question.language).greeting)


def abstaining(sentence: str) -> Submission:
    """An abstention for a stated reason."""
    return Submission("abstained", sentence)


def asking_which(question: Question, papers: Sequence[Paper]) -> Submission:
    """The question back when a name fits several papers."""
    lines = [f"- {escaped(paper.title)}" + (f" ({paper.year})" if paper.year else "") for paper in papers]
    return Submission("needs_clarification", "\n".join([phrases(question.language).which_paper, "", *lines]))


def listing(question: Question, papers: Sequence[Paper], count: int) -> Submission:
    """A list of the library's papers: facts of the catalogue alone."""
    said: Phrases = phrases(question.language)
    lines = [f"- {escaped(paper.title)}" + (f" ({paper.year})" if paper.year else "") for paper in papers[:MAX_LISTED]]
    lead = said.papers_listed.format(count=count)
    return Submission("answered", "\n".join([lead, "", *lines]))


def _quotation(item: Scored, question: Question) -> str:
    span = item.sentence.span
    start, end = quoted_range(item, question)
    words = re.sub(r"\s+", " ", span.text[start:end]).strip()
    opening, closing = next((pair for pair in _MARKS if not any(mark in words for mark in pair)), _MARKS[0])
    page = "" if span.page is None else f", p. {span.page}"
    return f"**{escaped(span.title)}**{page}: {opening}{escaped(words)}{closing} [[{span.evidence_id}]]"

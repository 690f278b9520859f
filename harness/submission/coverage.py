"""COVERAGE_MISSING: a paper that the answer names, or the question, has cited evidence; else the stage it got to."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum

from harness.ledger import EvidenceEntry
from harness.submission.draft import Violation, ViolationCode
from harness.submission.form_rules import CONTENT_OUTCOMES
from harness.submission.parsed import DraftBlock, Submission

MAX_ALIAS_CHARACTERS = 60
MIN_ALIAS_CHARACTERS = 3
_COMMON_WORDS = 2
"""A name of at most so many words counts only as it is written in the title: it may be ordinary words otherwise."""


class Stage(StrEnum):
    """How far this run got with a paper."""

    NOT_FOUND = "not found"
    NOT_READ = "not read"
    NOT_CITED = "not cited"
    HEADING_ONLY = "heading only"


_ADVICE = {
    Stage.NOT_FOUND: "no place in it was found in this run. Find locations in it and read them",
    Stage.NOT_READ: "places in it were found, but none was read. Read them",
    Stage.NOT_CITED: "spans of it were read, but none is cited. Cite what supports the statement",
    Stage.HEADING_ONLY: "only a heading of it is cited. Read and cite the text below it",
}


def named_papers_are_covered(submission: Submission) -> Iterator[Violation]:
    """COVERAGE_MISSING, for papers that a claim names, and in an `answered` answer for those of the question.

    A claim may name a paper on the word of another: when the span that it cites holds the name. A paper of the question
    counts once this run has found places in it or read it.
    """
    if submission.draft.outcome not in CONTENT_OUTCOMES:
        return
    titles = {entry.paper_id: entry.title for entry in submission.ledger}
    titles |= {card.paper_id: card.title for card in submission.papers}
    stages = {paper_id: stage for paper_id in titles if (stage := _stage(submission, paper_id)) is not None}
    aliases = aliases_of(titles)
    missed = {paper_id: forms for paper_id, forms in aliases.items() if paper_id in stages}
    named: set[str] = set()
    for block in submission.blocks if missed else ():
        if not block.needs_evidence:
            continue
        for paper_id in _named_on_their_own(submission, block, missed):
            if paper_id not in named:
                yield _violation(titles[paper_id], stages[paper_id], block)
            named.add(paper_id)
    if submission.draft.outcome == "answered":
        engaged = submission.located_papers | {entry.paper_id for entry in submission.ledger}
        for paper_id, forms in missed.items():
            if paper_id in engaged and paper_id not in named and names(submission.question, forms):
                yield _violation(titles[paper_id], stages[paper_id], None)


def aliases_of(titles: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """What each paper (by id) may be called: its title, and the name before the title's colon.

    A name that two papers share belongs to neither.
    """
    wanted = {paper_id: [*_names_in(title)] for paper_id, title in titles.items()}
    owners = Counter(name.casefold() for names in wanted.values() for name in {*names})
    return {
        paper_id: tuple(name for name in names if owners[name.casefold()] == 1) for paper_id, names in wanted.items()
    }


def names(text: str, aliases: Iterable[str]) -> bool:
    """Whether a text calls a paper by one of its aliases, as whole words."""
    plain = _plain(text)
    folded = plain.casefold()
    return any(_holds(plain, folded, alias) for alias in aliases)


def _holds(plain: str, folded: str, alias: str) -> bool:
    as_written = len(alias.split()) <= _COMMON_WORDS
    sought = re.escape(alias if as_written else alias.casefold())
    return re.search(rf"(?<![\w-]){sought}(?![\w-])", plain if as_written else folded) is not None


def _names_in(title: str) -> Iterator[str]:
    before, colon, _ = title.partition(":")
    for name in dict.fromkeys((_plain(title), _plain(before) if colon else "")):
        long_enough = sum(char.isalnum() for char in name) >= MIN_ALIAS_CHARACTERS
        short_form = name == _plain(before) and bool(colon)
        if long_enough and _is_a_name(name) and not (short_form and len(name) > MAX_ALIAS_CHARACTERS):
            yield name


def _is_a_name(name: str) -> bool:
    """A single word is a name where it is coined (`BERT`, `GPT-3`), two where a capital starts each."""
    parts = name.split()
    if len(parts) == 1:
        return re.search(r"[^\W\d_][A-Z0-9]|\d|[㐀-鿿]{3}", name) is not None
    return len(parts) > _COMMON_WORDS or all(part[0].isupper() or part[0].isdigit() for part in parts)


def _plain(text: str) -> str:
    text = unicodedata.normalize("NFKC", re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text))
    return re.sub(r"\s+", " ", re.sub(r"[*_`￼]", " ", text)).strip(" .")


def _named_on_their_own(
    submission: Submission, block: DraftBlock, missed: Mapping[str, tuple[str, ...]]
) -> Iterator[str]:
    cited = " ".join(entry.text for entry in submission.evidence_of(block.rests_on))
    for paper_id, forms in missed.items():
        if names(block.prose, forms) and not names(cited, forms):
            yield paper_id


def _stage(submission: Submission, paper_id: str) -> Stage | None:
    """The stage at which a paper stopped, None where it is cited."""
    read = [entry for entry in submission.ledger if entry.paper_id == paper_id]
    if not read:
        return Stage.NOT_READ if paper_id in submission.located_papers else Stage.NOT_FOUND
    cited_ids = set(submission.cited_ids())
    cited = [entry for entry in read if entry.evidence_id in cited_ids]
    if not cited:
        return Stage.NOT_CITED
    return Stage.HEADING_ONLY if all(_is_heading(entry) for entry in cited) else None


def _is_heading(entry: EvidenceEntry) -> bool:
    return entry.kind == "heading" or _plain(entry.text).casefold() == _plain(entry.section or "").casefold()


def _violation(title: str, stage: Stage, block: DraftBlock | None) -> Violation:
    where = "The answer names" if block is not None else "The question names"
    return Violation(
        ViolationCode.COVERAGE_MISSING,
        f"{where} “{title}” ({stage}): {_ADVICE[stage]}, or leave the paper out.",
        None if block is None else block.block.index,
        None if block is None else block.block.text,
    )

"""What to call next: identity where a paper is named, candidates, places in several papers, reading, submission."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.models.extractive.choice import Choice, choose
from harness.models.extractive.composing import (
    Submission,
    abstaining,
    asking_which,
    greeting,
    listing,
    outcome_of,
    quoting,
)
from harness.models.extractive.phrases import phrases
from harness.models.extractive.question import Question, understand
from harness.models.extractive.transcript import Call, Paper, Place, Transcript, paper_of
from harness.models.extractive.words import tokens
from harness.submission.coverage import aliases_of, names
from harness.submission.languages import language_of

SUBMIT = "submit_research_answer"
_SEARCH, _IDENTITY = "search_paper_candidates", "find_papers_by_identity"
_FIND, _READ = "find_reading_locations", "read_locations"

MAX_READS = 3
ENOUGH_SUPPORT = 0.8
"""Reading ends before the last read when one sentence holds this much of the question."""
LOCATIONS_A_READ = 8
_TOP_K = (20, 10, 10)
_RRF = 20.0
"""Damping of reciprocal rank fusion (Cormack et al. 2009); smaller than usual, since the lists are short."""
_MIN_ALIAS_CHARACTERS = 4


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """A tool call to make."""

    name: str
    arguments: Mapping[str, Any]


def next_calls(transcript: Transcript, offered: frozenset[str]) -> list[PlannedCall]:
    """The calls of the next step; a submission always stands alone. Only `offered` tools are called, and
    the submission.
    """
    question = understand(transcript.question, transcript.earlier_questions)
    for step in (_at_once, _identify, _search, _refuse, _find, _read):
        calls = step(question, transcript)
        if calls and all(call.name in {SUBMIT, *offered} for call in calls):
            return calls
    return [_submit(_answer(question, transcript))]


def _submit(submission: Submission) -> PlannedCall:
    return PlannedCall(SUBMIT, submission.arguments())


def _at_once(question: Question, transcript: Transcript) -> list[PlannedCall]:
    if question.greeting:
        return [_submit(greeting(question))]
    if not question.terms:
        return [_submit(Submission("needs_clarification", phrases(question.language).no_question))]
    searched = transcript.named(_SEARCH)
    if question.catalogue and searched and (papers := transcript.papers()):
        total = max(_count(call.reply) for call in searched)
        return [_submit(listing(question, papers, max(total, len(papers))))]
    return []


def _identify(question: Question, transcript: Transcript) -> list[PlannedCall]:
    if transcript.named(_IDENTITY):
        return []
    return [PlannedCall(_IDENTITY, {clue.field: clue.value}) for clue in question.clues]


def _search(question: Question, transcript: Transcript) -> list[PlannedCall]:
    if transcript.named(_SEARCH) or _resolved(transcript):
        return []
    everything = PlannedCall(_SEARCH, {"query_text": "", "limit": 50})
    if question.catalogue:
        return [everything]
    return [PlannedCall(_SEARCH, {"query_text": question.keywords[:1000], "limit": 20}), everything]


def _refuse(question: Question, transcript: Transcript) -> list[PlannedCall]:
    """End where no paper can be opened, or where it is open which one is meant."""
    said = phrases(question.language)
    for clue, call in zip(question.clues, transcript.named(_IDENTITY), strict=False):
        if call.reply.get("status") == "ambiguous":
            return [_submit(asking_which(question, _matches(call.reply)))]
        if call.reply.get("status") == "not_found" and clue.certain and not _resolved(transcript):
            return [_submit(abstaining(said.not_in_scope.format(clue=clue.value)))]
    named = named_papers(question, transcript.papers())
    if len(named) > 1 and not _resolved(transcript) and len({_alias(paper.title) for paper in named}) == 1:
        return [_submit(asking_which(question, named))]
    if not transcript.papers() and not transcript.noted and not transcript.focus_papers:
        return [_submit(abstaining(said.no_papers))]
    return []


def _find(question: Question, transcript: Transcript) -> list[PlannedCall]:
    if transcript.named(_FIND):
        return []
    papers = _papers_to_search(question, transcript)
    if not papers:
        return []
    queries = [question.keywords, *question.runs, *question.quoted]
    distinct = list(dict.fromkeys(query[:500] for query in queries if query.strip()))[:3]
    calls = [
        PlannedCall(_FIND, {"paper_ids": papers, "query_text": query, "top_k": top})
        for query, top in zip(distinct, _TOP_K, strict=False)
    ]
    best = [paper.paper_id for paper in _ranked_first(transcript)][:2]
    if len(papers) > 3 and best:
        calls.append(PlannedCall(_FIND, {"paper_ids": best, "query_text": distinct[0], "top_k": 10}))
    return calls


def _read(question: Question, transcript: Transcript) -> list[PlannedCall]:
    reads = transcript.named(_READ)
    if len(reads) >= MAX_READS or transcript.named(SUBMIT):
        return []
    if reads and choose(question, transcript.spans()).support >= ENOUGH_SUPPORT:
        return []
    tried = {ref for call in reads for ref in call.arguments.get("location_refs", ())}
    unread = _unread(reads)
    places = [place.location_ref for place in ranked_places(question, transcript)]
    wanted = [ref for ref in places if ref in unread or ref not in tried][:LOCATIONS_A_READ]
    if not wanted:
        return []
    arguments: dict[str, Any] = {"location_refs": [ref for ref in wanted if ref not in unread]}
    ranges = [part for ref in wanted for part in unread.get(ref, ())]
    if ranges:
        arguments["span_ranges"] = ranges[:LOCATIONS_A_READ]
    return [PlannedCall(_READ, arguments)]


def _unread(reads: Sequence[Call]) -> dict[str, list[Mapping[str, Any]]]:
    """Parts of locations that did not fit into a reply and were not asked for since, by location."""
    unread: dict[str, list[Mapping[str, Any]]] = {}
    for call in reads:
        for part in call.arguments.get("span_ranges", ()):
            unread.pop(str(part.get("location_ref")), None)
        for part in call.reply.get("unread_spans", ()):
            unread.setdefault(str(part.get("location_ref")), []).append(part)
    return unread


def ranked_places(question: Question, transcript: Transcript) -> list[Place]:
    """The places found, best first: fused ranks of all searches, and the share of the question that a preview holds."""
    gains: dict[str, float] = {}
    places: dict[str, Place] = {}
    for found in transcript.found_places():
        for rank, place in enumerate(found, start=1):
            gains[place.location_ref] = gains.get(place.location_ref, 0.0) + 1 / (_RRF + rank)
            places.setdefault(place.location_ref, place)
    total = sum(question.terms.values()) or 1.0
    for ref, place in places.items():
        shown = {token.term for token in tokens(f"{place.preview} {place.section} {place.title}", question.language)}
        gains[ref] += sum(weight for term, weight in question.terms.items() if term in shown) / total / _RRF
    return sorted(places.values(), key=lambda place: -gains[place.location_ref])


def named_papers(question: Question, papers: Sequence[Paper]) -> list[Paper]:
    """Papers whose title, or the name before its colon, stands in the question."""
    asked = f" {_plain(question.text)} "
    return [
        paper
        for paper in papers
        if f" {_plain(paper.title)} " in asked or ((alias := _alias(paper.title)) and f" {alias} " in asked)
    ]


def _alias(title: str) -> str:
    """The name before a title's colon, empty where it could be an ordinary word."""
    name = re.sub(r"^\s*\[[^\]]*\]\s*", "", title.split(":", 1)[0]) if ":" in title else ""
    coined = re.search(r"[^\W\d_][A-Z0-9-]|\d", name) is not None or " " in name.strip()
    return _plain(name) if coined and len(name) >= _MIN_ALIAS_CHARACTERS else ""


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))


def _papers_to_search(question: Question, transcript: Transcript) -> list[str]:
    if transcript.focus_papers:
        return list(transcript.focus_papers)
    resolved = [line for call in _resolved(transcript) for line in _matches(call.reply)]
    named = named_papers(question, transcript.papers())
    chosen = resolved or named or transcript.papers()
    return [paper.paper_id for paper in chosen][:100]


def _ranked_first(transcript: Transcript) -> list[Paper]:
    first = [call for call in transcript.named(_SEARCH) if call.arguments.get("query_text")]
    return [paper_of(line) for call in first[:1] for line in call.reply.get("candidates", ())]


def _resolved(transcript: Transcript) -> list[Call]:
    return [call for call in transcript.named(_IDENTITY) if call.reply.get("status") == "resolved"]


def _matches(reply: Mapping[str, Any]) -> list[Paper]:
    return [paper_of(line) for line in reply.get("matches", ())]


def _count(reply: Mapping[str, Any]) -> int:
    count = reply.get("matched_count")
    return count if isinstance(count, int) else 0


def _answer(question: Question, transcript: Transcript) -> Submission:
    spans = transcript.spans()
    excluded: frozenset[str] = frozenset()
    for call in transcript.named(SUBMIT):
        excluded |= _refused(call.reply, choose(question, spans, excluded))
    choice = choose(question, spans, excluded)
    outcome = outcome_of(question, choice)
    if outcome == "answered" and _leaves_out_a_named_paper(transcript, choice):
        outcome = "partial"
    if outcome != "abstained":
        return quoting(question, choice, outcome)
    return abstaining(_why_not(question, transcript))


def _leaves_out_a_named_paper(transcript: Transcript, choice: Choice) -> bool:
    """Whether the question names a paper in which places were found, and no sentence of it was chosen."""
    found = {place.title for places in transcript.found_places() for place in places}
    quoted = {item.sentence.span.title for item in choice.sentences}
    aliases = aliases_of({title: title for title in found})
    return any(title not in quoted and names(transcript.question, aliases[title]) for title in found)


def _refused(reply: Mapping[str, Any], choice: Choice) -> frozenset[str]:
    """The sentences that broke rules in a rejected submission; all of them where the reply names no block."""
    shown = [item.sentence.text for item in choice.sentences]
    blocks = {line.get("block") for line in reply.get("violations", ())}
    named = {text for at, text in enumerate(shown) if at in blocks}
    return frozenset(named or shown)


def _why_not(question: Question, transcript: Transcript) -> str:
    said = phrases(question.language)
    shown = [place.preview for places in transcript.found_places() for place in places]
    shown += [f"{paper.title} {paper.preview}" for paper in transcript.papers()]
    languages = {language_of(text) for text in shown if text.strip()}
    if languages and question.language not in languages:
        return said.other_language
    return said.nothing_found

"""The conversation as the model is shown it: the question, what was called so far, and what came back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from harness.tools.replies import unwrap_paper_text


@dataclass(frozen=True, slots=True)
class Call:
    """A finished tool call; a reply that is no JSON object counts as an empty one."""

    name: str
    arguments: Mapping[str, Any]
    reply: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper as a search or identity reply shows it."""

    paper_id: str
    title: str
    year: int | None
    preview: str


@dataclass(frozen=True, slots=True)
class Place:
    """A location that a search found, with its preview's words."""

    location_ref: str
    paper_id: str
    title: str
    section: str
    preview: str


@dataclass(frozen=True, slots=True)
class ReadSpan:
    """A span that may be cited: exactly its words."""

    evidence_id: str
    paper_id: str
    title: str
    section: str
    page: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Transcript:
    """What the model knows in this turn. `noted` are spans of earlier answers that may be cited."""

    question: str
    earlier_questions: tuple[str, ...]
    calls: tuple[Call, ...]
    noted: tuple[ReadSpan, ...] = ()
    focus_papers: tuple[str, ...] = ()

    def named(self, name: str) -> list[Call]:
        """The finished calls of one tool."""
        return [call for call in self.calls if call.name == name]

    def papers(self) -> list[Paper]:
        """Papers that may be searched, in the order in which they were found."""
        replies = [line for call in self.named("search_paper_candidates") for line in _lines(call.reply, "candidates")]
        for call in self.named("find_papers_by_identity"):
            if call.reply.get("status") == "resolved":
                replies = [*_lines(call.reply, "matches"), *replies]
        found = {paper.paper_id: paper for paper in map(paper_of, replies)}
        return list(found.values())

    def found_places(self) -> list[list[Place]]:
        """The ranked places of each location search."""
        return [
            [_place(line) for line in _lines(call.reply, "locations")] for call in self.named("find_reading_locations")
        ]

    def spans(self) -> list[ReadSpan]:
        """Every span that may be cited, in reading order, each once."""
        read = [
            span
            for call in self.named("read_locations")
            for item in _lines(call.reply, "items")
            for span in _spans(item)
        ]
        return list({span.evidence_id: span for span in [*self.noted, *read]}.values())


def read_transcript(items: str | Sequence[Any]) -> Transcript:
    """The transcript of a model call's input. The last message of the person before any call is the question."""
    if isinstance(items, str):
        return Transcript(items, (), ())
    entries = [cast("Mapping[str, Any]", item) for item in items if isinstance(item, Mapping)]
    first_call = next((at for at, item in enumerate(entries) if item.get("type") == "function_call"), len(entries))
    said = [_text(item) for item in entries[:first_call] if item.get("role") == "user"]
    notes = [note for text in said[:-1] if (note := _note(text)) is not None]
    questions = [text for text in said if _note(text) is None or text is said[-1]]
    return Transcript(
        question=questions[-1] if questions else "",
        earlier_questions=tuple(questions[:-1]),
        calls=tuple(_calls(entries)),
        noted=tuple(_span(line, line) for note in notes for line in _lines(note, "evidence")),
        focus_papers=tuple(str(line["paper_id"]) for note in notes for line in _lines(note, "focus_papers")),
    )


def paper_of(line: Mapping[str, Any]) -> Paper:
    """A paper line of a reply."""
    year = line.get("year")
    return Paper(
        paper_id=str(line.get("paper_id", "")),
        title=str(line.get("title", "")),
        year=year if isinstance(year, int) else None,
        preview=unwrap_paper_text(str(line.get("preview", ""))),
    )


def _calls(entries: Sequence[Mapping[str, Any]]) -> Iterator[Call]:
    outputs = {item.get("call_id"): item for item in entries if item.get("type") == "function_call_output"}
    for item in entries:
        if item.get("type") == "function_call" and item.get("call_id") in outputs:
            reply = _object(outputs[item.get("call_id")].get("output"))
            yield Call(str(item.get("name", "")), _object(item.get("arguments")), reply)


def _object(value: object) -> Mapping[str, Any]:
    if isinstance(value, list):
        parts = [cast("Mapping[str, Any]", part) for part in cast("list[object]", value) if isinstance(part, Mapping)]
        value = "".join(str(part.get("text", "")) for part in parts)
    try:
        read: object = json.loads(value) if isinstance(value, str) else value
    except ValueError:
        return {}
    return cast("Mapping[str, Any]", read) if isinstance(read, Mapping) else {}


def _lines(reply: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    listed: object = reply.get(name)
    if not isinstance(listed, list):
        return []
    return [cast("Mapping[str, Any]", line) for line in cast("list[object]", listed) if isinstance(line, Mapping)]


def _text(item: Mapping[str, Any]) -> str:
    content: object = item.get("content")
    if isinstance(content, list):
        parts = [cast("Mapping[str, Any]", part) for part in cast("list[object]", content) if isinstance(part, Mapping)]
        return "".join(str(part.get("text", "")) for part in parts)
    return str(content or "")


def _note(text: str) -> Mapping[str, Any] | None:
    """The application's note about earlier evidence; it is JSON with a notice."""
    if not text.startswith("{"):
        return None
    note = _object(text)
    return note if "notice" in note else None


def _place(line: Mapping[str, Any]) -> Place:
    return Place(
        location_ref=str(line.get("location_ref", "")),
        paper_id=str(line.get("paper_id", "")),
        title=str(line.get("title", "")),
        section=str(line.get("section") or ""),
        preview=unwrap_paper_text(str(line.get("preview", ""))),
    )


def _spans(item: Mapping[str, Any]) -> Iterator[ReadSpan]:
    for line in _lines(item, "spans"):
        yield _span(item, line)


def _span(item: Mapping[str, Any], line: Mapping[str, Any]) -> ReadSpan:
    page = line.get("page")
    return ReadSpan(
        evidence_id=str(line.get("evidence_id", "")),
        paper_id=str(item.get("paper_id", "")),
        title=str(item.get("title", "")),
        section=str(item.get("section") or ""),
        page=page if isinstance(page, int) else None,
        text=unwrap_paper_text(str(line.get("text", ""))),
    )

"""Real papers as the rules meet them: their texts in memory, answers of the offline model, and golden statements."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import yaml

from corpus_gateway.memory import MemoryCorpusGateway, MemoryLocation, MemoryPaper
from evals.rules.specimens import Fact, Specimen
from harness.models.extractive import ExtractiveModel
from harness.runtime import ResearchRuntime
from harness.submission.number_text import number_text
from harness.submission.roles import sentences
from harness.turn import NoProgress, RunLimits, TurnExecutionInput
from reading_model.builder import build_reading_model
from reading_model.models import SEARCHABLE_KINDS
from reading_model.parsing.pdfium.parser import parse

_SENTENCE = re.compile(r"[A-Z][^\n“”\"„«»「」`$\\|<>\[\]*_{}~#]{50,260}[^\W\d_][.]")
"""A whole sentence of plain words: no marks that would mean something in Markdown."""

_MIN_WORDS = 8


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper's title and the texts of its places, in order."""

    paper_id: str
    title: str
    texts: tuple[str, ...]

    @property
    def sentences(self) -> list[str]:
        """Its plain sentences."""
        found = [sentence for text in self.texts for sentence in sentences(text)]
        return [item for item in found if _SENTENCE.fullmatch(item) and len(item.split()) >= _MIN_WORDS]


def read_folder(folder: Path) -> Iterator[Paper]:
    """The PDFs of a folder, parsed; nothing where the folder does not exist."""
    for number, file in enumerate(sorted(folder.glob("*.pdf"))):
        model = build_reading_model(parse(file.read_bytes()), paper_id=f"p{number}", artifact_sha256="0" * 64)
        texts = tuple(place.text for place in model.locations if place.kind in SEARCHABLE_KINDS)
        yield Paper(file.stem, model.metadata.title or file.stem, texts)


def read_golden(folder: Path) -> Iterator[Paper]:
    """Exported reading models, each paper by its pages."""
    for file in sorted((folder / "reading-models").glob("*.json")):
        model: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        texts = tuple(str(page["pageText"]) for page in model["pages"])
        yield Paper(str(model["paper_id"]), str(model["metadata"]["title"]), texts)


def golden_statements(folder: Path) -> Iterator[Specimen]:
    """The golden statements as answers that cite, of each paper they require, the page that shares most of their words.

    The references of the data belong to another installation, so the page is found by its words.
    """
    papers = {paper.paper_id: paper for paper in read_golden(folder)}
    for file in sorted((folder / "claims").glob("*.yaml")):
        claims: dict[str, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))["claims"]
        for claim in claims.values():
            required = dict.fromkeys(str(wanted["paper_id"]) for wanted in claim["required_evidence"])
            if not required.keys() <= papers.keys():
                continue
            statement = " ".join(str(claim["statement"]).split())
            facts = tuple(Fact("page", _nearest(statement, papers[paper_id].texts), ()) for paper_id in required)
            ids = tuple(f"ev_{at:02x}" for at in range(len(facts)))
            text = statement + "".join(f" [[{evidence_id}]]" for evidence_id in ids)
            yield Specimen(facts, ids, (text,), verbatim=False, title="Golden")


def _nearest(statement: str, pages: Sequence[str]) -> str:
    """The page that shares most words with a statement, each weighed by the pages that it is not on."""
    held = [set(re.findall(r"\w+", number_text(page).casefold())) for page in pages]
    wanted = set(re.findall(r"\w+", statement.casefold()))
    weights = {word: 1 / (1 + sum(word in words for words in held)) for word in wanted}
    return pages[max(range(len(pages)), key=lambda at: sum(weights[word] for word in wanted & held[at]))]


def told_otherwise(paper: Paper, random: Random, count: int, *, verbatim: bool) -> Iterator[Specimen]:
    """Sentences of a paper as answers of two blocks: quoted word by word, or reported with other forms of numbers."""
    plain = paper.sentences
    for _ in range(count if len(plain) >= 2 else 0):
        chosen = random.sample(plain, 2)
        ids = tuple(f"ev_{random.getrandbits(64):016x}" for _ in chosen)
        told = [f"“{item}”" if verbatim else _reported(item, random) for item in chosen]
        blocks = tuple(f"{text} [[{evidence_id}]]" for text, evidence_id in zip(told, ids, strict=True))
        yield Specimen(tuple(Fact("sentence", item, ()) for item in chosen), ids, blocks, verbatim)


def _reported(sentence: str, random: Random) -> str:
    text = re.sub(r"(?<=\d)%", random.choice(("%", " %", " percent", " per cent")), sentence.rstrip("."))
    text = re.sub(r"(?<![\d.])(\d{1,3}),(\d{3})(?![\d,.])", random.choice((r"\1\2", r"\1 \2", r"\1,\2")), text)
    opening, closing = random.choice(
        (
            ("The paper states the following. ", "."),
            ("In this paper, one reads: ", ""),
            ("", ", according to the authors."),
            ("- ", " (as reported)."),
            ("> ", ", the text says."),
        )
    )
    return f"{opening}{text}{closing}"


def offline_answers(papers: Sequence[Paper], questions: Sequence[str]) -> Iterator[tuple[str, int]]:
    """The offline model asked about the papers: the outcome, and how often it had to submit; -1 where it failed."""
    gateway = MemoryCorpusGateway(
        MemoryPaper(
            f"p{number}",
            title=paper.title,
            locations=[MemoryLocation(text=text, page=at) for at, text in enumerate(paper.texts, 1) if text.strip()],
        )
        for number, paper in enumerate(papers)
    )
    runtime = ResearchRuntime(gateway, ExtractiveModel)
    for number, question in enumerate(questions):
        turn = TurnExecutionInput(
            run_id=f"run_{number}",
            request_id=f"request_{number}",
            conversation_id="rules",
            user_id="1",
            question=question,
            scope_paper_ids=tuple(f"p{at}" for at in range(len(papers))),
            limits=RunLimits(),
            cancel=asyncio.Event(),
            progress=NoProgress(),
        )
        response = asyncio.run(runtime.run(turn))
        attempts = (response.trace or {}).get("citation_validation", {}).get("submission_attempts", -1)
        yield response.answer.outcome or "failed", attempts if response.answer.outcome else -1


def questions_about(papers: Sequence[Paper], random: Random, count: int) -> list[str]:
    """Questions with words of sentences that stand in the papers."""
    found = [sentence for paper in papers for sentence in paper.sentences]
    asked = random.sample(found, min(count, len(found)))
    return [f"What is said about {' '.join(sentence.rstrip('.').split()[1:9])}?" for sentence in asked]

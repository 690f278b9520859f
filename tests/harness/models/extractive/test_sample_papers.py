"""Every question about the sample papers is answered with the sentence that answers it, from the right page."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from corpus_gateway.memory import MemoryLocation, MemoryPaper
from harness.submission.quotes import holds
from reading_model.builder import build_reading_model
from reading_model.models import SEARCHABLE_KINDS
from reading_model.parsing.pool import ParserPool
from tests.harness.models.extractive.runs import ask, said

SAMPLES = Path(__file__).resolve().parents[4] / "examples" / "papers"
QUESTIONS = yaml.safe_load((SAMPLES / "questions.yaml").read_text(encoding="utf-8"))


@cache
def sample_papers() -> tuple[MemoryPaper, ...]:
    paths = sorted(SAMPLES.glob("*.pdf"))
    with ParserPool(workers=1) as pool:
        return tuple(_paper(path, pool.parse(path)) for path in paths)


def _paper(path: Path, document: Any) -> MemoryPaper:
    paper_id = hashlib.sha256(path.read_bytes()).hexdigest()[:32]
    model = build_reading_model(document, paper_id=paper_id, artifact_sha256="0" * 64)
    places = [
        MemoryLocation(place.text, place.ref, place.kind.value, place.page, place.page_end, place.section_path)
        for place in model.locations
        if place.kind in SEARCHABLE_KINDS
    ]
    return MemoryPaper(paper_id, title=model.metadata.title, locations=places, filename=path.name)


@pytest.mark.parametrize("row", QUESTIONS, ids=lambda row: row["id"])
def test_the_sentence_that_answers_is_quoted(row: dict[str, Any]) -> None:
    response = ask(row["question"], sample_papers())
    assert response.answer.outcome == "answered"
    assert holds(said(response), row["answer"])
    assert any(citation.page == row["page"] and holds(citation.quote, row["answer"]) for citation in response.citations)

"""Rectangles of spans, read by pdfium itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from evals import roundtrip
from evals.roundtrip import folded, main, readings
from reading_model.documents import Block, Line, PageBox, Rect
from reading_model.models import LocationKind
from reading_model.parsing.pdfium.parser import parse
from tests.places import DATA, needs_data

PAPERS = ["hindawi2016-nsaids-bleeding", "peerj-vespa", "rescience-virial", "emnlp2024-main-126"]


@pytest.mark.data
@needs_data()
def test_pdfium_reads_the_words_of_a_span_in_its_rectangles(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(DATA / "papers" / f"{name}.pdf") for name in PAPERS]) == 0, capsys.readouterr().out


@pytest.mark.data
@needs_data()
def test_a_rectangle_in_the_wrong_place_is_noticed() -> None:
    data = (DATA / "papers" / "jose-pyqint.pdf").read_bytes()
    document = parse(data)
    moved = replace(document, blocks=tuple(_raised(block) for block in document.blocks))
    passages = [reading for reading in readings(data, moved) if reading.kind is LocationKind.PASSAGE]
    assert passages
    assert not any(reading.agrees for reading in passages)


def _raised(block: Block) -> Block:
    lines = tuple(
        Line(line.start, line.end, line.page, Rect(line.rect.x0, 1.0, line.rect.x1, 2.0), line.edges)
        for line in block.lines
    )
    boxes = tuple(PageBox(box.page, Rect(box.rect.x0, 1.0, box.rect.x1, 2.0)) for box in block.boxes)
    return replace(block, lines=lines, boxes=boxes)


def test_a_paper_below_the_limit_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paper = tmp_path / "paper.pdf"
    paper.write_bytes(b"")
    wrong = roundtrip.Reading(LocationKind.PASSAGE, 1, "some words", "somewords", "someword")
    monkeypatch.setattr(roundtrip, "readings", lambda _data: iter([wrong]))
    assert main([str(paper)]) == 1


def test_accents_hyphens_and_signs_without_a_name_are_folded() -> None:
    assert folded("caf´e is na\u00efve, x \u2260 y\u0338 | well-known") == folded(
        "cafe\u0301 is naive, x 6= 6y wellknown"
    )
    assert folded("a b") != folded("a c")

from __future__ import annotations

from random import Random

from evals.bench.long_pdf import long_pdf
from evals.bench.synthetic import Vocabulary, query_from, synthetic_papers
from reading_model.builder import build_reading_model
from reading_model.models import SEARCHABLE_KINDS
from reading_model.parsing.pdfium.parser import parse


def test_the_same_seed_gives_the_same_papers_and_another_seed_others() -> None:
    one, again, other = (list(synthetic_papers(2, paragraphs=3, seed=seed)) for seed in (1, 1, 2))
    assert one == again
    assert one[0].source_sha256 != other[0].source_sha256
    assert one[0].source_sha256 != one[1].source_sha256


def test_every_paragraph_becomes_one_passage_with_lines_and_edges() -> None:
    [document] = synthetic_papers(1, paragraphs=14, seed=1)
    model = build_reading_model(document, paper_id="p", artifact_sha256="0" * 64)
    passages = [location for location in model.locations if location.kind in SEARCHABLE_KINDS]
    assert len([location for location in passages if len(location.text) > 1000]) == 14
    for block in document.blocks:
        assert " ".join(block.text[line.start : line.end] for line in block.lines) == block.text
        assert all(len(line.edges or ()) == line.end - line.start + 1 for line in block.lines)
    assert max(line.rect.y1 for block in document.blocks for line in block.lines) < document.pages[0].height


def test_words_are_distinct() -> None:
    words = Vocabulary(3, 6000).words
    assert len(set(words)) == len(words) == 6000


def test_a_query_has_words_of_its_text() -> None:
    text = "Sessile barnacles filter plankton. Barnacles settle gregariously on harbour pilings."
    words = query_from(text, Random(5)).split()
    assert 3 <= len(words) <= 7
    assert all(word in text.lower() for word in words)


def test_a_long_pdf_opens_with_all_its_pages_and_text() -> None:
    document = parse(long_pdf(7))
    assert len(document.pages) == 7
    assert sum(len(block.text) for block in document.blocks) > 7 * 1000
    assert long_pdf(7) == long_pdf(7)

"""The text of a paper beside its publisher's XML."""

from __future__ import annotations

import pytest

from evals.jats import body_text, coverage, main
from reading_model.documents import Block, BlockType, ParsedDocument, Provenance
from tests.places import DATA, needs_data

XML = b"""<article><front><p>Not this.</p></front><body><sec><title>A</title><p>One <italic>two</italic>
<fig><caption><p>nor this</p></caption></fig> three.</p><table-wrap><p>nor that</p></table-wrap><p>Four</p></sec></body>
<back><p>Nor here.</p></back></article>"""
SENTENCE = "the quick brown fox jumps over the lazy dog and runs back "


def document(*texts: str) -> ParsedDocument:
    blocks = tuple(Block(ordinal, BlockType.PARAGRAPH, text, 1) for ordinal, text in enumerate(texts))
    return ParsedDocument("0" * 64, (), blocks, Provenance("test", "1"))


@pytest.mark.data
@needs_data()
def test_the_paragraphs_of_the_xml_are_there_in_their_order(capsys: pytest.CaptureFixture[str]) -> None:
    papers = [DATA / "papers" / f"{name}.pdf" for name in ("hindawi2016-nsaids-bleeding", "jose-pyqint")]
    assert main([str(paper) for paper in papers]) == 0, capsys.readouterr().out


def test_only_paragraphs_of_the_body_count() -> None:
    assert body_text(XML) == "OnetwothreeFour"


def test_text_out_of_order_or_in_short_pieces_is_missing() -> None:
    one, other = (SENTENCE * 2).replace(" ", ""), (SENTENCE.upper() * 2).replace(" ", "")
    assert coverage(one + other, document(SENTENCE * 2, SENTENCE.upper() * 2)).share == 1.0
    swapped = coverage(one + other, document(SENTENCE.upper() * 2, SENTENCE * 2))
    assert swapped.missing == (other,)
    assert coverage(one, document(*one[::30])).share == 0.0
    assert coverage("", document()).share == 1.0

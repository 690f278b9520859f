"""Relations between elements that only the whole text shows."""

from __future__ import annotations

from dataclasses import replace

from reading_model.builder import build_reading_model
from reading_model.documents import Block, BlockType, NoteMark, ParsedDocument, ParsedPage, Provenance
from reading_model.models import ReadingModel, RelationKind


def build(*blocks: tuple[BlockType, str, int]) -> ReadingModel:
    pages = tuple(ParsedPage(number, 600, 800) for number in (1, 2))
    made = tuple(Block(ordinal, kind, text, page) for ordinal, (kind, text, page) in enumerate(blocks))
    document = ParsedDocument("0" * 64, pages, made, Provenance("test", "1"))
    return build_reading_model(document, paper_id="p", artifact_sha256="0" * 64)


def related(model: ReadingModel, kind: RelationKind) -> list[tuple[int, int, str | None]]:
    return [
        (
            relation.source,
            relation.target,
            None
            if relation.proof_start is None
            else model.elements[relation.source].text[relation.proof_start : relation.proof_end],
        )
        for relation in model.relationships
        if relation.kind is kind
    ]


def test_a_paragraph_that_a_page_end_cuts_goes_on_with_the_one_before() -> None:
    model = build(
        (BlockType.HEADING, "1 Introduction", 1),
        (BlockType.PARAGRAPH, "It begins here and", 1),
        (BlockType.FOOTNOTE, "1 A note.", 1),
        (BlockType.FOOTER, "Journal", 1),
        (BlockType.PARAGRAPH, "goes on there.", 2),
        (BlockType.PARAGRAPH, "Another one.", 2),
        (BlockType.HEADING, "2 Next", 2),
        (BlockType.PARAGRAPH, "and not this.", 2),
    )
    assert related(model, RelationKind.CONTINUES) == [(4, 1, None)]


def test_a_citation_leads_to_its_entry_with_the_words_that_name_it() -> None:
    model = build(
        (BlockType.HEADING, "1 Introduction", 1),
        (BlockType.PARAGRAPH, "Graphs (Ammar et al., 2018) and Section 1 are known.", 1),
        (BlockType.HEADING, "References", 2),
        (BlockType.REFERENCE, "Waleed Ammar and Iz Beltagy. 2018. A graph.", 2),
        (BlockType.REFERENCE, "Kyle Lo. 2020. A corpus (Ammar et al., 2018).", 2),
    )
    assert related(model, RelationKind.CITES) == [(1, 3, "Ammar et al., 2018")]
    assert related(model, RelationKind.MENTIONS) == [(1, 0, "Section 1")]


def test_a_paper_without_references_cites_nothing() -> None:
    model = build((BlockType.PARAGRAPH, "As in [1].", 1))
    assert related(model, RelationKind.CITES) == []


def test_text_and_note_lead_to_each_other_with_the_mark_in_each() -> None:
    blocks = [
        Block(10, BlockType.PARAGRAPH, "The code is public.1 And 1.", 1),
        Block(20, BlockType.FOOTNOTE, "1 See there.", 1),
        Block(30, BlockType.FOOTNOTE, "2 Bound to nothing.", 1),
    ]
    marks = (NoteMark(19, 20, 20, 0, 1), NoteMark(25, 26, 20, 0, 1))
    document = ParsedDocument(
        "0" * 64, (ParsedPage(1, 600, 800),), (replace(blocks[0], note_marks=marks), *blocks[1:]), Provenance("t", "1")
    )
    model = build_reading_model(document, paper_id="p", artifact_sha256="0" * 64)
    assert related(model, RelationKind.FOOTNOTE_OF) == [(1, 0, "1")]
    assert related(model, RelationKind.MENTIONS) == [(0, 1, "1")]
    (mention,) = (relation for relation in model.relationships if relation.kind is RelationKind.MENTIONS)
    assert mention.proof_start == 19

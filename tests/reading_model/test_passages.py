from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from reading_model.composition import Piece, joined
from reading_model.documents import BlockType
from reading_model.models import Element
from reading_model.passages import LEAST, MOST, plan_passages, token_estimate
from tests.reading_model.sample_documents import long_text

PARAGRAPH, FLOAT, NOTE = BlockType.PARAGRAPH, BlockType.TABLE, BlockType.FOOTNOTE
SENTENCE_TOKENS = token_estimate(long_text(1))


def plan(*content: tuple[BlockType, str]) -> list[str]:
    elements = [Element(number, kind, 1, 1, 0, text) for number, (kind, text) in enumerate(content)]
    floats = frozenset(element.ordinal for element in elements if element.type is FLOAT)
    return [joined(pieces)[0] for pieces in plan_passages(elements, floats)]


def text_of(tokens: int) -> str:
    return long_text(max(1, round(tokens / SENTENCE_TOKENS)))


def test_the_estimate_counts_characters_that_are_no_blanks() -> None:
    assert [token_estimate(text) for text in ("", "a", "a b\nc d", "abcde", "日本語の")] == [0, 1, 1, 2, 1]


def test_paragraphs_are_collected_to_about_the_target() -> None:
    passages = plan(*[(PARAGRAPH, text_of(150))] * 9)
    assert [passage.count("\n\n") + 1 for passage in passages] == [3, 3, 3]


def test_a_short_rest_goes_to_the_passage_before_it() -> None:
    assert len(plan((PARAGRAPH, text_of(450)), (PARAGRAPH, text_of(60)))) == 1
    assert len(plan((PARAGRAPH, text_of(450)), (PARAGRAPH, text_of(300)))) == 2


def test_a_table_ends_a_passage() -> None:
    assert len(plan((PARAGRAPH, text_of(200)), (FLOAT, "a | b"), (PARAGRAPH, text_of(200)))) == 2


def test_a_short_rest_after_a_table_is_a_passage_of_its_own() -> None:
    assert len(plan((PARAGRAPH, text_of(200)), (FLOAT, "a | b"), (PARAGRAPH, text_of(30)))) == 2


def test_a_table_before_which_there_is_too_little_ends_nothing() -> None:
    assert len(plan((PARAGRAPH, text_of(60)), (FLOAT, "a | b"), (PARAGRAPH, text_of(200)))) == 1


def test_a_table_in_a_sentence_does_not_cut_it() -> None:
    (passage,) = plan((PARAGRAPH, text_of(200) + " The literature,"), (FLOAT, "a | b"), (PARAGRAPH, "2017). It ends."))
    assert passage.endswith("The literature, 2017). It ends.")
    (passage,) = plan((PARAGRAPH, "We used the"), (FLOAT, "a | b"), (PARAGRAPH, "“clean” command (twice)."))
    assert passage == "We used the “clean” command (twice)."
    (passage,) = plan((PARAGRAPH, "結果は"), (FLOAT, "x"), (PARAGRAPH, "次の通り。"))
    assert passage == "結果は次の通り。"


def test_paragraphs_that_end_are_not_joined_into_one() -> None:
    assert plan((PARAGRAPH, "It ends."), (PARAGRAPH, "and another")) == ["It ends.\n\nand another"]
    assert plan((PARAGRAPH, "Ada Lovelace"), (PARAGRAPH, "Émile Zola")) == ["Ada Lovelace\n\nÉmile Zola"]
    assert plan((BlockType.LIST, "one"), (PARAGRAPH, "two")) == ["one\n\ntwo"]


def test_a_note_of_the_page_stands_at_the_end_of_its_passage() -> None:
    (passage,) = plan(
        (PARAGRAPH, "The sentence goes,"), (NOTE, "1 A note."), (PARAGRAPH, "on here."), (PARAGRAPH, "Next.")
    )
    assert passage == "The sentence goes, on here.\n\nNext.\n\n1 A note."


def test_a_long_paragraph_is_cut_at_sentence_ends() -> None:
    passages = plan((PARAGRAPH, text_of(2500)))
    assert len(passages) > 3
    assert all(passage.endswith(".") for passage in passages)
    assert " ".join(passages) == text_of(2500)
    assert all(LEAST <= token_estimate(passage) <= MOST for passage in passages)


def test_furniture_and_blank_elements_are_no_text() -> None:
    assert plan((BlockType.HEADER, "Journal"), (PARAGRAPH, " \n "), (BlockType.ASIDE, "arXiv")) == []


content = st.lists(
    st.tuples(
        st.sampled_from([PARAGRAPH, PARAGRAPH, FLOAT, NOTE, BlockType.LIST, BlockType.FORMULA]),
        st.integers(5, 1200).map(text_of) | st.text(max_size=30) | st.just("goes on,"),
    ),
    max_size=9,
)


@settings(max_examples=80, deadline=None)
@given(content)
def test_every_character_lies_in_exactly_one_passage_of_allowed_size(items: list[tuple[BlockType, str]]) -> None:
    elements = [Element(number, kind, 1, 1, 0, text) for number, (kind, text) in enumerate(items)]
    floats = frozenset(element.ordinal for element in elements if element.type is FLOAT)
    passages = plan_passages(elements, floats)
    seen: dict[int, list[Piece]] = {}
    for pieces in passages:
        assert token_estimate(joined(pieces)[0]) <= MOST
        for piece in pieces:
            seen.setdefault(piece.element.ordinal, []).append(piece)
    for element in elements:
        kept = "".join("".join(piece.text.split()) for piece in seen.get(element.ordinal, []))
        assert kept == ("" if element.ordinal in floats else "".join(element.text.split()))
    barriers = sum(kind is FLOAT for kind, _ in items)
    small = sum(token_estimate(joined(pieces)[0]) < LEAST for pieces in passages)
    # a barrier leaves at most one short passage, the end of the section one, and what fits nowhere another
    assert small <= barriers + sum(token_estimate(text) > MOST - LEAST for _, text in items) + 1

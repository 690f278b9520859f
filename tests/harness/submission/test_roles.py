from __future__ import annotations

import pytest

from corpus_gateway.wire import PaperCard
from harness.submission.catalogue import catalogue_facts, states_only_catalogue_facts
from harness.submission.draft import Draft
from harness.submission.parsed import parse_submission
from harness.submission.roles import Role, sentences, words
from tests.harness.submission.ledgers import TOOLS, ledger

PAPERS = (
    PaperCard(
        paper_id="p1",
        title="Gulls at Night: A Survey",
        authors=["Ada Byron", "Jo Fox"],
        year=2019,
        venue="Birds",
        doi="10.1/x",
    ),
)


def roles(markdown: str, outcome: str = "answered") -> list[Role]:
    draft = Draft(outcome=outcome, markdown=markdown)
    parsed = parse_submission(draft, ledger("ev_a1"), tool_names=TOOLS, papers=PAPERS)
    return [block.role for block in parsed.blocks]


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("# Results", [Role.STRUCTURE]),
        ("# Most gulls slept well before nine.", [Role.CLAIM]),
        ("---", [Role.STRUCTURE]),
        ("```\nx\n```", [Role.CODE]),
        ("$$x$$", [Role.FORMULA]),
        ("$$x$$ holds for all gulls", [Role.CLAIM]),
        ("**Results:**", [Role.LABEL]),
        ("**Main results**", [Role.LABEL]),
        ("**Most gulls slept before nine.**", [Role.CLAIM]),
        ("**9 gulls**", [Role.CLAIM]),
        ("The survey finds:\n\n- a", [Role.LABEL, Role.CLAIM]),
        ("The survey finds 3 things:\n\n- a", [Role.CLAIM, Role.CLAIM]),
        ("The survey finds:", [Role.CLAIM]),
        ("The bound is\n\n$$x$$", [Role.LABEL, Role.FORMULA]),
        ("The bound is tight.\n\n$$x$$", [Role.CLAIM, Role.FORMULA]),
        ("Hello! Happy to help.", [Role.GREETING]),
        ("你好！", [Role.GREETING]),
        ("Hello, gulls sleep early.", [Role.CLAIM]),
        ("Would you like more detail? Which part matters to you?", [Role.QUESTION]),
        ("您想了解哪一篇？", [Role.QUESTION]),
        ("Do gulls sleep early?", [Role.CLAIM]),
        ("Did you know that 90% sleep early?", [Role.CLAIM]),
        ("Gulls sleep early. Do you want more?", [Role.CLAIM]),
        ("| a |\n|---|\n| 37 |", [Role.STRUCTURE, Role.CLAIM]),
        ("- [[ev_a1]]", [Role.STRUCTURE]),
        ("| a | b |\n|---|---|\n| gulls | – |\n| terns | n/a |", [Role.STRUCTURE] * 3),
        ("| a | b |\n|---|---|\n| – | gulls |\n| gulls |", [Role.STRUCTURE, Role.CLAIM, Role.CLAIM]),
        ("Key takeaways\n\n- a", [Role.LABEL, Role.CLAIM]),
        ("Gulls sleep.\n\n- a", [Role.CLAIM, Role.CLAIM]),
        ("Gulls sleep much longer than terns\n\n- a", [Role.CLAIM, Role.CLAIM]),
        ("I hope this helps! 😊", [Role.GREETING]),
        ("Let me know if you would like more details!", [Role.QUESTION]),
        ("If you want, I can also look up the wind. Would you like that?", [Role.QUESTION]),
        ("Let me know if you need 3 gulls.", [Role.CLAIM]),
        ("Let me know if you need more. Gulls sleep.", [Role.CLAIM]),
        ("`x = 1`", [Role.CLAIM]),
    ],
)
def test_roles_of_blocks(markdown: str, expected: list[Role]) -> None:
    assert roles(markdown) == expected


@pytest.mark.parametrize(
    ("markdown", "outcome", "expected"),
    [
        ("The papers do not report the wind.", "partial", Role.GAP),
        ("论文中没有提到风速。", "partial", Role.GAP),
        ("The papers do not report the wind.", "answered", Role.CLAIM),
        ("The papers do not report the wind, but gulls avoid it.", "partial", Role.CLAIM),
        ("No paper reports more than 3 gulls.", "partial", Role.CLAIM),
        ("Gulls do not sleep.", "partial", Role.CLAIM),
        ("No evidence was found. No passage says so. No source mentions it.", "partial", Role.CLAIM),
    ],
)
def test_a_gap_is_stated_without_evidence_only_in_a_partial_answer(markdown: str, outcome: str, expected: Role) -> None:
    assert roles(markdown, outcome) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "There are 16 papers in your library.",
        "The library holds “Gulls at Night: A Survey” (Byron et al., 2019, Birds).",
        "Gulls at Night: A Survey by Ada Byron and Jo Fox, doi 10.1/x",
        "Die Bibliothek enthält 16 Artikel.",
        "文献库中共有 16 篇论文。",
    ],
)
def test_catalogue_facts_need_no_marker(text: str) -> None:
    assert states_only_catalogue_facts(text, catalogue_facts(PAPERS))


@pytest.mark.parametrize(
    "text",
    [
        "There are 16 good papers in your library.",
        "The graph has 37 papers.",
        "There are 280000000 papers.",
        "37",
        "There are 16 of them.",
        "Gulls at Night: A Survey shows that gulls sleep early.",
        "Another title (Byron, 2019)",
    ],
)
def test_anything_else_is_a_claim(text: str) -> None:
    assert not states_only_catalogue_facts(text, catalogue_facts(PAPERS))


def test_words_count_two_han_characters_as_one() -> None:
    assert words("It's 3.5 % of them") == ["It's", "3.5", "of", "them"]
    assert len(words("召回率上升了")) == 3


def test_sentences_end_at_terminal_punctuation() -> None:
    assert sentences("One is 3.5 high. Two? “Three!” 四。五") == ["One is 3.5 high.", "Two?", "“Three!”", "四。", "五"]

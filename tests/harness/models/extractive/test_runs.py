"""What a person gets from the offline model, through the whole runtime."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.turn import RunLimits
from tests.harness.models.extractive.runs import BIRDS, SHIPS, ask, paper, said, tools_used


def test_the_number_that_is_quoted_is_the_one_of_what_is_counted() -> None:
    response = ask("How many unique gull nests does the survey have?")
    assert response.answer.outcome == "answered"
    assert (
        said(response)
        == "**Gulls at Night: A Survey**, p. 2: “We removed doubles, which left 37K unique gull nests.” [1]"
    )
    assert response.citations[0].page == 2
    assert "12K" not in said(response)
    assert "280K" not in said(response)


def test_a_modifier_may_stand_in_the_sentence_before() -> None:
    counted = paper("p1", "A Graph", "Each node of this type is an author. The graph has 12M nodes of this type.",
                    "The graph has 280M nodes, among them authors and papers.")  # fmt: skip
    assert "12M" in said(ask("How many author nodes does the graph have?", [counted]))


def test_a_number_of_something_else_is_not_taken_for_the_count() -> None:
    counted = paper("p1", "A Study", "The 12-month cost of a patient was high. A total of 524 patients took part.")
    assert "12-month" not in said(ask("How many patients took part in the study?", [counted]))


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What is HarbourNet?", "HarbourNet is a model of ships that predicts their arrival."),
        ("Why do gulls sleep early?", "because the light of the harbour is switched off"),
        ("What random seed did HarbourNet use?", r"Its random seed was 42 \[7\]."),
        ("How much shore power do ships use?", r"They use 3.5 MW of shore power \*at berth\*, see \`port\_5\`."),
    ],
)
def test_answers_quote_the_sentence_that_answers(question: str, words: str) -> None:
    response = ask(question)
    assert response.answer.outcome == "answered"
    assert words in said(response)


def test_a_sentence_that_goes_back_is_quoted_with_the_one_before() -> None:
    response = ask("What random seed did HarbourNet use?")
    assert "arrival. Its random seed" in said(response)


def test_a_reason_is_quoted_with_what_explains_it() -> None:
    reasons = paper("p1", "On Gulls", "A gull is no pigeon for two reasons. It is larger. And it swims in the sea.")
    assert "It is larger. And it swims" in said(ask("Why is a gull no pigeon?", [reasons]))


@pytest.mark.parametrize("question", ["What is the boiling point of helium?", "How many penguins live in Antarctica?"])
def test_a_question_about_nothing_in_the_papers_is_abstained_from(question: str) -> None:
    response = ask(question)
    assert response.answer.outcome == "abstained"
    assert response.citations == []
    assert "No passage" in said(response)


def test_a_name_that_no_sentence_holds_is_not_answered_from_a_neighbour() -> None:
    assert ask("What random seed did SkyNet use?").answer.outcome == "abstained"


def test_a_part_that_is_found_is_a_partial_answer_that_says_so() -> None:
    response = ask("Which shore power do ships use in winter?")
    assert response.answer.outcome == "partial"
    assert said(response).endswith("The papers that were read do not state the rest of the answer.")


def test_a_language_that_the_papers_do_not_use_is_named_as_the_reason() -> None:
    response = ask("有多少独特的海鸥巢穴？")
    assert response.answer.outcome == "abstained"
    assert "语言" in said(response)
    assert "Sprache" in said(ask("Wie viele Möwen schlafen in der Nacht am Hafen?"))


def test_a_question_in_the_language_of_a_paper_is_answered_in_it() -> None:
    chinese = paper("p3", "海鸥调查", "这次调查发现海鸥在九点之前睡觉。燕鸥不睡觉。")
    response = ask("海鸥什么时候睡觉？", [chinese, SHIPS])
    assert "这次调查发现海鸥在九点之前睡觉。" in said(response)
    assert "来源" in response.answer.markdown


def test_no_paper_at_all_is_said() -> None:
    response = ask("How many gulls?", [])
    assert response.answer.outcome == "abstained"
    assert said(response) == "No paper that could answer this question was found."


@pytest.mark.parametrize("question", ["Hello!", "Thank you", "what is it?"])
def test_what_is_no_question_gets_a_question_back(question: str) -> None:
    response = ask(question)
    assert response.status in {"COMPLETED", "NEEDS_CLARIFICATION"}
    assert "What would you like to know" in said(response)


def test_questions_about_the_library_are_answered_from_the_catalogue() -> None:
    response = ask("How many papers are in the library?")
    assert said(response).startswith("There are 2 papers in the library:\n\n- ")
    assert "Gulls at Night: A Survey (2019)" in said(response)
    assert tools_used(response) == ["search_paper_candidates", "submit_research_answer"]


def test_a_paper_that_is_named_is_looked_up_first_and_asked_alone() -> None:
    response = ask("What is predicted in 10.1234/ships?")
    assert tools_used(response)[0] == "find_papers_by_identity"
    assert {citation.paper_id for citation in response.citations} == {"p2"}


@pytest.mark.parametrize(
    "clue", ["10.9999/none", "arXiv:2301.00001", "missing.pdf", "the paper “Penguins of the South”"]
)
def test_a_named_paper_that_is_not_there_is_not_replaced_by_another(clue: str) -> None:
    response = ask(f"How many gull nests does {clue} count?")
    assert response.answer.outcome == "abstained"
    assert "is not among the papers" in said(response)


def test_a_quotation_that_is_no_title_is_searched_for() -> None:
    assert "37K" in said(ask('What is said of "unique gull nests" in the survey?'))


def test_an_ambiguous_title_is_asked_about() -> None:
    twins = [paper("p1", "Gulls", "Gulls sleep.", year=2001), paper("p2", "Gulls", "Gulls wake.", year=2002)]
    response = ask("What does the paper “Gulls” say of sleep?", twins)
    assert response.answer.outcome == "needs_clarification"
    assert "Gulls (2001)" in said(response)
    assert "Gulls (2002)" in said(response)


def test_a_name_that_two_papers_share_is_asked_about() -> None:
    twins = [paper("p1", "GullNet: First Version", "It sleeps."), paper("p2", "GullNet: Second Version", "It wakes.")]
    assert ask("What does GullNet predict?", twins).answer.outcome == "needs_clarification"


def test_a_paper_whose_name_stands_in_the_question_is_asked_alone() -> None:
    other = paper("p3", "Terns", "The random seed of terns was 43 in HarbourNet experiments.")
    response = ask("What random seed was used in HarbourNet?", [BIRDS, SHIPS, other])
    assert {citation.paper_id for citation in response.citations} == {"p2"}


def test_a_follow_up_takes_over_what_was_asked_before() -> None:
    history = [("user", "How many unique gull nests does the survey have?"), ("assistant", "37K [[ev_1]].")]
    response = ask("And why do they sleep early?", history=history)
    assert "switched off at nine" in said(response)


def test_evidence_of_an_earlier_answer_may_be_cited_again() -> None:
    first = ask("How many unique gull nests does the survey have?")
    again = ask("How many unique gull nests does the survey have?", memory=first.research_memory)
    assert again.citations[0].origin == "previous_turn"


def test_the_last_call_submits_what_has_been_read() -> None:
    response = ask("How many unique gull nests does the survey have?", limits=RunLimits(max_model_turns=1))
    assert response.answer.outcome == "abstained"
    assert tools_used(response) == ["submit_research_answer"]


def test_a_sentence_that_breaks_a_rule_gives_way_to_the_next() -> None:
    odd = paper(
        "p1", "On Tools", "The gull tool read_locations opens gull nests. The gull tool opens a nest with a claw.",
    )  # fmt: skip
    response = ask("What does the gull tool open?", [odd])
    assert "read_locations" not in said(response)
    assert "with a claw" in said(response)


def test_nothing_is_said_where_every_sentence_breaks_a_rule() -> None:
    odd = paper("p1", "On Tools", "The gull tool read_locations opens gull nests.")
    assert ask("What does the gull tool open?", [odd]).answer.outcome == "abstained"


def test_the_same_question_gives_the_same_bytes() -> None:
    first, second = (ask("Why do gulls sleep early?") for _ in range(2))
    assert first.answer.model_dump_json() == second.answer.model_dump_json()
    assert first.citations == second.citations
    assert first.trace == second.trace


TEXTS = st.text(
    alphabet=st.one_of(st.sampled_from('aegl nst.?!\n*_[]()$`<>|“”"12,;:#-'), st.characters(codec="utf-8")),
    max_size=200,
)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(TEXTS, TEXTS, st.sampled_from(["gulls nest", "How many nests", "why", "", "x"]))
def test_whatever_papers_and_questions_hold_the_run_ends_with_an_accepted_answer(
    title: str, text: str, words: str
) -> None:
    held = paper("p1", title, f"Gulls nest here. {text} How many nests are 12 nests.", text)
    question = f"{words} {text[:40]}".strip() or "gulls"
    response = ask(question, [held, SHIPS])
    assert response.answer.outcome is not None, response.control
    quoted = re.findall(r"[“«「『](.+)[”»」』] \[\[", response.answer.marker_markdown)
    assert bool(quoted) == bool(response.citations)

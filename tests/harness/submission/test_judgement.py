from __future__ import annotations

import json
import re
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_gateway.wire import PaperCard
from harness.submission import judge, rejection_message, salvage
from harness.submission.draft import AcceptedAnswer, DerivedInput, DerivedValue, Draft, Rejection, ViolationCode
from harness.submission.parsed import parse_submission
from tests.harness.submission.ledgers import TOOLS, body, cited, codes, entry, judged, ledger

C = ViolationCode


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("Gulls sleep [[ev_a1]].", []),
        ("Gulls sleep.", [C.CITATION_REQUIRED, C.UNCITED_CLAIM]),
        ("Gulls sleep [[ev_a1]].\n\nThey wake.", [C.UNCITED_CLAIM]),
        ("| bird | time |\n|---|---|\n| gull | 9 pm [[ev_a1]] |\n| tern | 8 |", [C.UNCITED_CLAIM]),
        ("Hello!", []),
        ("```\ncode\n```", [C.CITATION_REQUIRED]),
        ("", [C.MARKDOWN_REQUIRED]),
        (" \n", [C.MARKDOWN_REQUIRED]),
        ("Gulls sleep [[ev_a1]] " + "x" * (16_000 - 22), []),
        ("Gulls sleep [[ev_a1]] " + "x" * (16_000 - 21), [C.MARKDOWN_TOO_LONG]),
        ("Gulls sleep [[ev_zz]] [[loc_2]].", [C.UNKNOWN_EVIDENCE]),
        ("Gulls sleep [[ev_blank]].", [C.EVIDENCE_NOT_CITABLE]),
        ("Gulls sleep [ev_a1].", [C.MALFORMED_MARKER]),
        ("| a |\n|---|\n| gull | [[ev_a1]] |", [C.MALFORMED_MARKER]),
        ("The rule is\n\n$$x$$ [[ev_a1]]\n\nwhere $x$ is the hour.", []),
        ("The rule is\n\n$$x$$ [[ev_a1]]\n\nwhere $x$ is the hour. Gulls sleep.", [C.UNCITED_CLAIM]),
        ("The rule is [[ev_a1]]\n\n$$x$$", []),
        ("Gulls sleep [[ev_a1]].\n\n***\n\n$$x$$", [C.UNCITED_CLAIM]),
    ],
)  # fmt: skip
def test_answers_with_content(markdown: str, expected: list[ViolationCode]) -> None:
    assert codes(judged(markdown, "ev_a1", entry("ev_blank", " – "))) == expected


@pytest.mark.parametrize(
    "markdown",
    [
        "## Sources\n\n- Gulls at Night",
        "**References**\n\n1. Gulls at Night [[ev_a1]]",
        "References: Gulls at Night [[ev_a1]]",
        "参考文献：夜鸥 [[ev_a1]]",
        "Quellen\n\n- Nachtmöwen [[ev_a1]]",
        "3. Bibliography",
        "## Sour\u200bces\n\n- Gulls at Night [[ev_a1]]",
        "Refer\u00adences: Gulls at Night [[ev_a1]]",
        "Gulls sleep [[ev_a1]][^1].\n\n[^1]: Gulls at Night [[ev_a1]]",
        "[1] Gulls at Night [[ev_a1]]",
        "[1]: http://example.org",
    ],
)
def test_lists_of_sources_are_refused_in_every_form(markdown: str) -> None:
    result = judged("Gulls sleep [[ev_a1]].\n\n" + markdown)
    assert C.HANDWRITTEN_SOURCES in codes(result)


@pytest.mark.parametrize(
    "markdown",
    [
        "The sources of error are few [[ev_a1]].",
        "Source: the night count [[ev_a1]]",
        "| Source |\n|---|\n| x [[ev_a1]] |",
    ],
)
def test_words_about_sources_are_no_list_of_sources(markdown: str) -> None:
    assert cited(judged(markdown)) == ["ev_a1"]


def test_a_section_after_the_sources_is_judged_on_its_own() -> None:
    result = judged(
        "## Sources\n\n- one [[ev_a1]]\n\n**More:**\n\n- Gulls sleep [[ev_a1]]\n\n## End\n\nGulls [[ev_a1]]"
    )
    assert isinstance(result, Rejection)
    assert [item.block_text for item in result.violations] == ["Sources", "one [[ev_a1]]"]


@pytest.mark.parametrize(
    "markdown",
    [
        "Gulls sleep [1] [[ev_a1]].",
        "Gulls [1, 2] sleep [[ev_a1]].",
        "Gulls【1】sleep [[ev_a1]].",
        "Fox [12] shows it [[ev_a1]].",
        "As in [1], gulls sleep [[ev_a1]].",
        "As shown in [1, 2], gulls sleep [[ev_a1]].",
        "It sleeps[3–5] [[ev_a1]].",
        "It sleeps [[1]] [[ev_a1]].",
    ],
)
def test_numbers_that_stand_as_citations_are_refused(markdown: str) -> None:
    assert codes(judged(markdown)) == [C.NUMERIC_CITATION]


@pytest.mark.parametrize(
    "prose",
    [
        "`a[1]` sleeps",
        "$x[1]$ sleeps",
        "the rate lies in [0, 1]",
        "rates in the interval [1, 2]",
        "x is in [1, 10]",
        "a shape of [3, 3, 64]",
        "x = [1, 2]",
        "x[1] and b_2[3] grow",
        "[1, 2] × [3, 4] grows",
        "the matrix [[1, 2], [3, 4]] grows",
        "the row [2, 1] falls",
        "[0.5] and [-1] and [1234] and [a] hold",
    ],
)
def test_intervals_arrays_code_and_formulas_pass(prose: str) -> None:
    assert cited(judged(f"{prose} [[ev_a1]].", entry("ev_a1", prose))) == ["ev_a1"]


def test_a_number_inside_a_verbatim_quotation_passes_and_cannot_be_taken_for_a_citation() -> None:
    span = entry("ev_a1", "As Fox [12] says, gulls sleep.")
    result = judged("It says “As Fox [12] says, gulls sleep” [[ev_a1]].", span)
    assert body(result) == "It says “As Fox \\[12\\] says, gulls sleep” [1]."


@pytest.mark.parametrize(
    "words",
    [
        "read_locations said so",
        "read\\_locations said so",
        "see passage_ref_0123456789abcdef0123",
        "see loc_2",
        "model rm_0123456789abcdef",
        "paper " + "a" * 32,
        "<think>hm</think> it is",
        "<|im_end|> it is",
        "</tool_call> it is",
    ],
)
def test_internal_text_is_refused(words: str) -> None:
    assert codes(judged(f"Gulls: {words} [[ev_a1]].")) == [C.INTERNAL_TEXT]


def test_internal_words_in_code_pass() -> None:
    assert cited(judged("It calls `read_locations` [[ev_a1]].\n\n```\n<think> loc_2\n```")) == ["ev_a1"]


def test_everything_between_reasoning_tags_is_hidden_reasoning() -> None:
    result = judged("<think>\n\nGulls [[ev_a1]]\n\n</think>\n\nGulls sleep [[ev_a1]].")
    assert isinstance(result, Rejection)
    assert {item.block for item in result.violations if item.code is C.INTERNAL_TEXT} == {0, 1, 2}
    unopened = judged("Gulls [[ev_a1]]\n\n</think> now [[ev_a1]]\n\nGulls sleep [[ev_a1]].")
    assert isinstance(unopened, Rejection)
    assert [item.block for item in unopened.violations] == [0, 1]


@pytest.mark.parametrize(
    ("statement", "is_citation"),
    [
        ("Bits [0, 7] are set", False),
        ("Gulls sleep (mostly)[3]", True),
        ("The figure is in [3]", True),
        ("Gulls sleep at a[[3]]", True),
        ("Gulls sleep at a[3]", False),
        ("The figure is in [3, 7]", False),
        ("Gulls sleep, “see [12]”", True),
        ("The set $\\{a\\}[3]$ and {a}[3]", False),
    ],
)
def test_a_number_in_brackets_is_a_citation_unless_it_plainly_is_not(statement: str, is_citation: bool) -> None:
    assert codes(judged(f"{statement} [[ev_a1]].")) == ([C.NUMERIC_CITATION] if is_citation else [])


@pytest.mark.parametrize(
    ("statement", "is_gap"),
    [
        ("The papers do not report the wind.", True),
        ("The papers are not long.", False),
        ("Gulls were not found.", False),
        ("The papers report the wind.", False),
        ("The papers do not report the wind. They do not mention it. No paper reports rain.", False),
        ("No paper reports rain. No paper reports wind. No paper reports snow.", False),
    ],
)
def test_only_what_the_papers_do_not_hold_goes_without_a_marker(statement: str, is_gap: bool) -> None:
    result = judged(f"Gulls sleep [[ev_a1]].\n\n{statement}", outcome="partial")
    assert codes(result) == ([] if is_gap else [C.UNCITED_CLAIM])


def test_a_question_back_is_short() -> None:
    assert codes(judged("Do you want " + "more and " * 20 + "more?")) == []
    assert codes(judged("Do you want " + "more and " * 40 + "more?")) == [C.CITATION_REQUIRED, C.UNCITED_CLAIM]


def test_an_angle_in_a_formula_is_no_reasoning_tag() -> None:
    assert codes(judged("The rate is $a <think> b$ [[ev_a1]].")) == []


@pytest.mark.parametrize(
    ("quotation", "holds"),
    [
        ("Most gulls slept before 9 pm", True),
        ("most gulls … 3.5% of them", True),
        ("most gulls [[ev_a1]] slept before 9 pm", True),
        ("Most terns slept before 9 pm", False),
        ("Most gulls slept before 90 pm", False),
        ("too short here", True),
        ("just long enough here", False),
        ("how many gulls slept", True),
        ("A Long Title of Terns", True),
    ],
)
def test_quotations_stand_in_what_their_block_cites(quotation: str, holds: bool) -> None:
    papers = (PaperCard(paper_id="p2", title="A Long Title of Terns"),)
    result = judged(f"It says “{quotation}” [[ev_a1]].", question="how many gulls slept there?", papers=papers)
    found = [code for code in codes(result) if code is not C.COVERAGE_MISSING]
    assert found == ([] if holds else [C.QUOTE_NOT_IN_EVIDENCE])


@pytest.mark.parametrize("name", ["A Long Title of Gulls", "4 What the gulls did"])
def test_title_and_section_of_a_span_that_was_read_may_be_quoted(name: str) -> None:
    held = replace(entry("ev_a1"), title="A Long Title of Gulls", section="4 What the gulls did")
    assert codes(judged(f"It stands in “{name}” [[ev_a1]].", held)) == []
    assert codes(judged(f"It stands in “{name}” [[ev_a1]].")) == [C.QUOTE_NOT_IN_EVIDENCE]


def test_a_quotation_from_a_span_that_another_block_cites_is_refused() -> None:
    other = entry("ev_b2", "Terns never slept at all in May.")
    result = judged("“Terns never slept at all” [[ev_a1]]\n\nTerns [[ev_b2]]", "ev_a1", other)
    assert codes(result) == [C.QUOTE_NOT_IN_EVIDENCE]


@pytest.mark.parametrize("outcome", ["abstained", "needs_clarification"])
def test_short_outcomes_need_no_citation_but_keep_the_other_rules(outcome: str) -> None:
    assert cited(judged("The papers do not say.", outcome=outcome)) == []
    assert codes(judged("See [[ev_zz]] [1].", outcome=outcome)) == [C.UNKNOWN_EVIDENCE, C.NUMERIC_CITATION]
    assert cited(judged("x" * 1200, outcome=outcome)) == []
    assert codes(judged("x" * 1201, outcome=outcome)) == [C.SHORT_OUTCOME_TOO_LONG]


def test_an_invented_quotation_is_refused_in_an_abstention_too() -> None:
    assert codes(judged("Nobody says “gulls never sleep at all”.", outcome="abstained")) == [C.QUOTE_NOT_IN_EVIDENCE]
    assert codes(judged("Do you mean “gulls that never sleep”, or not?", outcome="needs_clarification")) == []


def test_a_question_back_quotes_freely_what_it_asks_about_but_not_what_it_cites() -> None:
    options = "Which one is meant?\n\n- “gulls that never sleep”\n- “gulls that sleep late”"
    assert codes(judged(options, outcome="needs_clarification")) == []
    assert codes(judged(options, outcome="abstained")) == [C.QUOTE_NOT_IN_EVIDENCE] * 2
    cited_option = "Is it this one?\n\n- “gulls that never sleep” [[ev_a1]]"
    assert codes(judged(cited_option, outcome="needs_clarification")) == [C.QUOTE_NOT_IN_EVIDENCE]


def test_form_of_the_call() -> None:
    assert codes(judged("Gulls [[ev_a1]]", outcome="done")) == [C.OUTCOME_INVALID]


def test_fields_hold_plain_values() -> None:
    assert codes(judged("Gulls [[ev_a1]]", fields={"n": "37"})) == []
    assert codes(judged("Gulls [[ev_a1]]", fields={"n": "37 [[ev_a1]]"})) == [C.MALFORMED_MARKER]
    assert codes(judged("Gulls [[ev_a1]]", fields={"n": "37 [ev_a1]"})) == [C.MALFORMED_MARKER]
    assert codes(judged("Gulls [[ev_a1]]", fields={"n": "`cell[[ev_a1]]`"})) == []
    assert codes(judged("Gulls [[ev_a1]]", fields={"n": "loc_2"})) == [C.INTERNAL_TEXT]


def test_inputs_of_computed_values_are_evidence() -> None:
    inputs = [DerivedInput(name="a", value="3", evidence_id=i) for i in ("ev_a1", "ev_zz")]
    draft = Draft(
        outcome="answered",
        markdown="Gulls [[ev_a1]]",
        derived_values=[DerivedValue(value="6", formula="2*a", inputs=inputs)],
    )
    result = judge(draft, ledger("ev_a1"), tool_names=TOOLS)
    assert isinstance(result, Rejection)
    assert [(item.code, item.markers) for item in result.violations] == [(C.UNKNOWN_EVIDENCE, ("ev_zz",))]


def test_all_violations_come_at_once_in_the_order_of_the_blocks() -> None:
    result = judged("Gulls [1] wake.\n\nThey use read_locations [[ev_zz]].\n\n## Sources", fields={"n": "loc_2"})
    assert isinstance(result, Rejection)
    assert [(item.block, item.code) for item in result.violations] == [
        (None, C.INTERNAL_TEXT),
        (0, C.NUMERIC_CITATION),
        (0, C.UNCITED_CLAIM),
        (1, C.UNKNOWN_EVIDENCE),
        (1, C.INTERNAL_TEXT),
        (2, C.HANDWRITTEN_SOURCES),
    ]
    message = rejection_message(result)
    assert json.loads(json.dumps(message)) == message
    assert message["unknown_evidence"] == ["ev_zz"]
    assert "Repair only the listed blocks" in message["error"]["next_action"]
    assert message["violations"][3]["block_text"] == "They use read_locations [[ev_zz]]."


def test_a_rejection_names_all_faults_and_stays_short() -> None:
    few = judged("\n\n".join(["Gulls sleep " + "x" * 500] * 20) + "\n\nGulls [[ev_a1]]")
    assert isinstance(few, Rejection)
    message = rejection_message(few)
    assert len(message["violations"]) == 20
    assert all(len(item["block_text"]) == 240 for item in message["violations"])
    assert "unknown_evidence" not in message
    assert "omitted" not in message
    many = judged("\n\n".join(["Gulls sleep " + "x" * 200] * 60) + "\n\nGulls [[ev_a1]]")
    assert isinstance(many, Rejection)
    message = rejection_message(many)
    assert (len(message["violations"]), message["omitted"]) == (40, 20)
    assert all(len(item["block_text"]) == 150 for item in message["violations"])
    assert len(json.dumps(message)) < 16_000


def saved(markdown: str, outcome: str = "answered") -> AcceptedAnswer | None:
    draft = Draft(outcome=outcome, markdown=markdown)
    return salvage(draft, ledger("ev_a1", "ev_b2"), tool_names=TOOLS)


def test_what_holds_is_saved_and_what_does_not_is_handed_over_with_its_codes() -> None:
    answer = saved("## Sleep\n\nGulls sleep [[ev_a1]].\n\nThey wake.\n\n## Wind\n\nNone [1].\n\n### Sources\n\n- x")
    assert answer is not None
    assert answer.outcome == "partial"
    assert answer.marker_markdown == "## Sleep\n\nGulls sleep [[ev_a1]]."
    assert [(block.text, block.codes) for block in answer.unsupported_blocks] == [
        ("They wake.", (C.UNCITED_CLAIM,)),
        ("None [1].", (C.NUMERIC_CITATION, C.UNCITED_CLAIM)),
        ("Sources", (C.HANDWRITTEN_SOURCES,)),
        ("x", (C.HANDWRITTEN_SOURCES, C.UNCITED_CLAIM)),
    ]


def test_what_rested_on_a_block_that_goes_is_judged_again_and_goes_too() -> None:
    answer = saved("Gulls [1] [[ev_a1]].\n\n$$\nx = 1\n$$\n\n## Next\n\nGulls sleep [[ev_b2]].")
    assert answer is not None
    assert answer.marker_markdown == "## Next\n\nGulls sleep [[ev_b2]]."
    assert [block.codes for block in answer.unsupported_blocks] == [(C.NUMERIC_CITATION,), (C.UNCITED_CLAIM,)]


@pytest.mark.parametrize(
    ("markdown", "left"),
    [
        ("- gone\n  - kept [[ev_a1]]\n- gone too\n  - and this", "- …\n  - kept [[ev_a1]]"),
        ("Kept [[ev_a1]]\n\nLead-in:\n\n- gone", "Kept [[ev_a1]]"),
        ("Lead-in:\n\n- gone\n- kept [[ev_a1]]", "Lead-in:\n\n- kept [[ev_a1]]"),
        ("| a |\n|---|\n| gone |\n| kept [[ev_a1]] |", "| a |\n|---|\n| kept [[ev_a1]] |"),
        ("Kept [[ev_a1]]\n\n| a |\n|---|\n| gone |", "Kept [[ev_a1]]"),
        ("Kept [[ev_a1]]\n\n| loc_2 |\n|---|\n| kept not [[ev_a1]] |", "Kept [[ev_a1]]"),
        ("Kept [[ev_a1]]\n# Head\ngone\n# Next\nKept [[ev_a1]]", "Kept [[ev_a1]]\n\n\n# Next\nKept [[ev_a1]]"),
        ("Top\n===\n\ngone\n\nSub\n---\n\nkept [[ev_a1]]", "Top\n===\n\n\n\nSub\n---\n\nkept [[ev_a1]]"),
    ],
)
def test_the_rest_stays_well_formed(markdown: str, left: str) -> None:
    answer = saved(markdown)
    assert answer is not None
    assert answer.marker_markdown == left


@pytest.mark.parametrize(
    ("markdown", "outcome"),
    [
        ("Nothing cited.", "answered"),
        ("Gulls [[ev_zz]].", "answered"),
        ("[[ev_a1]]\n\nNothing else.", "answered"),
        ("Gulls [[ev_a1]].", "done"),
        ("", "answered"),
    ],
)
def test_nothing_is_saved_where_no_cited_claim_holds(markdown: str, outcome: str) -> None:
    assert saved(markdown, outcome) is None


PIECES = st.sampled_from(
    [
        *("Gulls sleep", " [[ev_a1]]", " [[ev_b2]]", "[[ EV_C3, ev_a1 ]]", " [[ev_zz]]", "[[ev_a1]", " [1]"),
        *("\\[\\[ev_b2\\]\\]", "\n\n", "\n", "- ", "  - ", "1. ", "> ", "| a | b |\n|---|---|\n| c | ", " |"),
        *("# Sources", "**Label:**", "`x[[ev_a1]]`", "```\n", "$$", "$x$", "<b>", "<!-- ", " -->", "[x](", ")"),
        *("(", "x[1]", ":", "?", ".", "“", "”", "召回率", "read_locations", "¶"),
    ]
)


@given(st.lists(PIECES, max_size=24).map("".join), st.sampled_from(["answered", "partial", "abstained"]))
def test_an_accepted_answer_shows_numbers_only_and_cites_only_the_ledger(markdown: str, outcome: str) -> None:
    held = ledger("ev_a1", "ev_b2", "ev_c3")
    draft = Draft(outcome=outcome, markdown=markdown)
    result = judge(draft, held, tool_names=TOOLS)
    rescued = salvage(draft, held, tool_names=TOOLS)
    for answer in (result, rescued):
        if not isinstance(answer, AcceptedAnswer):
            continue
        shown = answer.markdown.split("\n\nSources\n\n")[0]
        reparsed = parse_submission(Draft(outcome="answered", markdown=shown), held, tool_names=TOOLS)
        assert not any(block.markers or block.faults for block in reparsed.blocks), shown
        numbers = [number for block in reparsed.blocks for number in _numbers(block.prose)]
        assert list(dict.fromkeys(numbers)) == list(range(1, len(answer.citations) + 1))
        assert all(citation.evidence.evidence_id in held for citation in answer.citations)
        again = judge(Draft(outcome=answer.outcome, markdown=answer.marker_markdown), held, tool_names=TOOLS)
        assert isinstance(again, AcceptedAnswer)
        assert again.markdown == answer.markdown
    if isinstance(result, AcceptedAnswer) and "[[ev_zz]]" in markdown:
        assert "[[ev_zz]]" in result.markdown, "an unknown id is accepted only as code"


@pytest.mark.parametrize(
    "piece", ["[", "\\(", "\\[=", "$", "`", "<!--", "“", "« “", "[[ev_a1]] ", "- x\n", "| a |\n|--|\n"]
)
def test_no_draft_takes_long_to_judge(piece: str) -> None:
    markdown = (piece * 16_000)[:15_900]
    started = time.monotonic()
    judged(markdown)
    saved(markdown + "\n\nGulls [[ev_a1]]")
    assert time.monotonic() - started < 20, "quadratic at worst: 16,000 characters take a second or two"


def _numbers(prose: str) -> list[int]:
    return [int(number) for number in re.findall(r"(?<!\\)\[(\d+)\]", prose)]

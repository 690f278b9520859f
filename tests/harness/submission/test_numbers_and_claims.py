"""Rules about numbers, computed values, contradictions, metadata, coverage and claims in disguise."""

from __future__ import annotations

from dataclasses import replace

import pytest

from corpus_gateway.wire import PaperCard
from harness.submission import salvage
from harness.submission.draft import DerivedInput, DerivedValue, Draft, Rejection, ViolationCode
from tests.harness.submission.ledgers import TOOLS, codes, entry, judged, ledger

C = ViolationCode


def numbers(claim: str, span: str, **surroundings: object) -> list[ViolationCode]:
    return codes(judged(f"{claim} [[ev_a1]].", entry("ev_a1", span), **surroundings))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("claim", "span"),
    [
        ("There are 37 million gulls", "37M gulls"),
        ("There are 1.234 Vögel und die Möwen", "1,234 gulls"),
        ("Accuracy is 93.2%", "| Accuracy (%) | 93.2 |"),
        ("It fell by 5%", "a change of −5 %"),
        ("The change was -5%", "a change of −5 %"),
        ("Half of them slept", "50% of them slept"),
        ("75% slept", "three quarters or 3/4 slept"),
        ("The split is 80/20", "80 for training and 20 for testing"),
        ("Between 3 and 5% slept", "3–5 % slept"),
        ("Twelve layers", "12 layers"),
        ("12 layers", "L = 12"),
        ("12 blocks", "12 layers"),
        ("Twice as fast", "2x faster"),
        ("It makes three contributions", "gulls"),
        ("These two methods sleep", "gulls"),
        ("(1) gulls and (2) terns", "gulls"),
        ("1. **First**: gulls", "gulls"),
        ("GPT-2 in Table 3 of Section 4.2 on page 7", "gulls"),
        ("The array [0, 1] and $x_2 = 2$ and `a + 1`", "gulls"),
        ("| gull | 37 |", "37 gulls"),
        ("As “gulls slept for 38 hours in all” says", "gulls slept for 38 hours in all"),
        ("10⁻⁴", "1e-4"),
    ],
)
def test_numbers_that_a_span_states_pass_in_any_writing(claim: str, span: str) -> None:
    assert numbers(claim, span) == []


@pytest.mark.parametrize(
    ("claim", "span"),
    [
        ("There are 38 million gulls", "37M gulls"),
        ("There are 1.234 birds", "1,234 birds"),
        ("There are 37 billion gulls", "37M gulls"),
        ("Accuracy is 93.2%", "| Accuracy | 93.2 |"),
        ("Accuracy is 93.2", "accuracy of 93.2%"),
        ("It rose by 5%", "a change of −5 %"),
        ("The change was -5%", "a change of 5 %"),
        ("It took 5 h", "it took 5 ms"),
        ("It took 5 W", "it took 5 mW"),
        ("12 heads", "12 layers"),
        ("Thirteen layers", "12 layers"),
        ("Two thirds slept", "50% slept"),
        ("1/3 slept", "1/4 slept, 3 woke"),
        ("The rate is 1e-4", "the rate is 1e-5"),
        ("It has 7 modes", "gulls"),
        ("Table 3% is high", "gulls"),
        ("It has `37` modes", "gulls"),
        ("It is $x = 0.37$", "gulls"),
        ("It is $3\u200b7$ and <b>38</b>", "37"),
        ("三十七层", "36 层"),
    ],
)
def test_numbers_that_no_cited_span_states_are_refused(claim: str, span: str) -> None:
    assert numbers(claim, span) == [C.NUMBER_NOT_IN_EVIDENCE]


def test_a_number_of_another_block_s_span_does_not_count() -> None:
    spans = (entry("ev_a1", "gulls slept"), entry("ev_b2", "37 terns slept"))
    result = judged("37 terns slept [[ev_a1]].\n\nTerns slept [[ev_b2]].", *spans)
    assert isinstance(result, Rejection)
    assert [(item.code, item.block) for item in result.violations] == [(C.NUMBER_NOT_IN_EVIDENCE, 0)]
    assert "“37”" in result.violations[0].message


@pytest.mark.parametrize(
    ("claim", "passes"),
    [
        ("It is 0.98, not 0.999", True),
        ("You asked about 0.999; it is 0.98", True),
        ("It is 0.999", False),
        ("It is 0.999 and 0.98", False),
        ("It is 0.98%, not 0.999", False),
        ("It is 0.98, not 0.997", False),
    ],
)
def test_a_number_of_the_question_passes_only_against_that_of_the_span(claim: str, passes: bool) -> None:
    found = numbers(claim, "beta2 is 0.98", question="Is beta2 0.999?")
    assert found == ([] if passes else [C.NUMBER_NOT_IN_EVIDENCE])


def test_years_of_cited_papers_and_numbers_of_titles_pass() -> None:
    papers = (
        PaperCard(paper_id="a" * 32, title="Gulls at Night", year=2019),
        PaperCard(paper_id="p2", title="37 Terns", year=2021),
    )
    assert numbers("Published in 2019, gulls slept", "gulls slept", papers=papers) == []
    assert numbers("Published in 2021, gulls slept", "gulls slept", papers=papers) == [C.NUMBER_NOT_IN_EVIDENCE]
    named = replace(entry("ev_a1", "gulls slept"), title="[Rp] Gulls, J. Chem. 112, 4417 (2000)")
    told = "**\\[Rp\\] Gulls, J. Chem. 112, 4417 (2000)**, p. 2: gulls slept [[ev_a1]]."
    assert codes(judged(told, named)) == []
    assert C.NUMBER_NOT_IN_EVIDENCE not in numbers("Unlike 37 Terns, gulls slept", "gulls slept", papers=papers)


def computed(value: str, unit: str | None, formula: str, span: str = "3.5% of 1,200 gulls", **given: str) -> list[str]:
    inputs = [DerivedInput(name=name, value=text, evidence_id="ev_a1") for name, text in given.items()]
    derived = (DerivedValue(value=value, unit=unit, formula=formula, inputs=inputs),)
    result = judged(f"It is {value} {unit or ''} [[ev_a1]].", entry("ev_a1", span), derived=derived)
    if not isinstance(result, Rejection):
        return []
    assert codes(result) == [C.DERIVED_VALUE_INVALID, C.NUMBER_NOT_IN_EVIDENCE]
    return [item.message.split(": ", 1)[1].split(",")[0] for item in result.violations][:1]


@pytest.mark.parametrize(
    ("value", "unit", "formula", "given"),
    [
        ("42", None, "a * n", {"a": "3.5%", "n": "1,200"}),
        ("42", None, "a * n / 100", {"a": "3.5", "n": "1200"}),
        ("96.5", "%", "1 - a", {"a": "3.5%"}),
        ("96.5", "%", "100 - a", {"a": "3.5"}),
        ("96.5", "%", "100% - a", {"a": "3.5%"}),
        ("0.3", "%", "a / 12", {"a": "3.5%"}),
        ("2.4", "thousand", "n * 2", {"n": "1200"}),
        ("1.75", "percentage points", "a / 2", {"a": "3.5%"}),
        ("8.3", "%", "100 / n * 100", {"n": "1200"}),
    ],
)
def test_a_computed_number_passes_at_the_digits_it_states(
    value: str, unit: str | None, formula: str, given: dict[str, str]
) -> None:
    assert computed(value, unit, formula, **given) == []


@pytest.mark.parametrize(
    ("value", "unit", "formula", "given", "code"),
    [
        ("43", None, "a * n", {"a": "3.5%", "n": "1,200"}, "RESULT_DIFFERS"),
        ("96.4", "%", "1 - a", {"a": "3.5%"}, "RESULT_DIFFERS"),
        ("0.965", "%", "1 - a", {"a": "3.5%"}, "RESULT_DIFFERS"),
        ("42", None, "a * n", {"a": "3.5%", "n": "1,201"}, "INPUT_NOT_IN_SPAN"),
        ("42", None, "a * n", {"a": "3.5 ms", "n": "1,200"}, "INPUT_NOT_IN_SPAN"),
        ("42", None, "a * n", {"a": "many", "n": "1,200"}, "INPUT_NOT_A_NUMBER"),
        ("42", None, "6 * 7", {}, "NO_INPUTS"),
        ("12", None, "n - n + 12", {"n": "1,200"}, "INPUT_WITHOUT_EFFECT"),
        ("1243", None, "n + 43", {"n": "1,200"}, "CONSTANT_WITHOUT_SPAN"),
        ("7", None, "n / (n - n)", {"n": "1,200"}, "DIVISION_BY_ZERO"),
        ("7", None, "n ^ n", {"n": "1,200"}, "EXPONENT_OUT_OF_RANGE"),
        ("7", None, "n +", {"n": "1,200"}, "FORMULA_SYNTAX"),
        ("7", None, "n + m", {"n": "1,200"}, "FORMULA_UNKNOWN_NAME"),
    ],
)
def test_a_computed_number_that_does_not_follow_is_refused_by_name(
    value: str, unit: str | None, formula: str, given: dict[str, str], code: str
) -> None:
    assert computed(value, unit, formula, **given) == [code]


def test_a_computed_number_needs_a_block_that_cites_an_input() -> None:
    derived = (
        DerivedValue(value="74", formula="2 * n", inputs=[DerivedInput(name="n", value="37", evidence_id="ev_a1")]),
    )
    spans = (entry("ev_a1", "37 gulls"), entry("ev_b2", "terns"))
    assert codes(judged("74 gulls [[ev_b2]].", *spans, derived=derived)) == [C.NUMBER_NOT_IN_EVIDENCE]
    assert codes(judged("74 gulls [[ev_a1]].", *spans, derived=derived)) == []
    assert codes(judged("75 gulls [[ev_a1]].", *spans, derived=derived)) == [C.NUMBER_NOT_IN_EVIDENCE]


def test_a_computed_value_that_is_no_number_is_refused() -> None:
    derived = (DerivedValue(value="a lot", formula="n", inputs=[]),)
    result = judged("Gulls slept [[ev_a1]].", derived=derived)
    assert codes(result) == [C.DERIVED_VALUE_INVALID]


def test_computed_values_that_do_not_hold_are_dropped_when_the_rest_is_saved() -> None:
    wrong = DerivedValue(value="7", formula="n +", inputs=[])
    right = DerivedValue(value="74", formula="2 * n", inputs=[DerivedInput(name="n", value="37", evidence_id="ev_a1")])
    draft = Draft(outcome="answered", markdown="74 [[ev_a1]].\n\n7 [[ev_a1]].", derived_values=[wrong, right])
    answer = salvage(draft, ledger(entry("ev_a1", "37 gulls")), tool_names=TOOLS)
    assert answer is not None
    assert answer.marker_markdown == "74 [[ev_a1]]."
    assert answer.derived_values == (right,)
    assert [block.codes for block in answer.unsupported_blocks] == [(C.NUMBER_NOT_IN_EVIDENCE,)]


@pytest.mark.parametrize(
    ("claim", "refused"),
    [
        ("Gulls do not sleep on the water", True),
        ("“Gulls sleep on the water”, but they do not", False),
        ("Gulls sleep on the water", False),
        ("Some gulls do not sleep on the water", False),
    ],
)
def test_a_claim_must_not_say_the_opposite(claim: str, refused: bool) -> None:
    found = numbers(claim, "We saw that gulls sleep on the water.")
    assert found == ([C.CLAIM_CONTRADICTS_EVIDENCE] if refused else [])


def test_another_sentence_about_the_same_makes_it_uncertain() -> None:
    span = "Early on, recall increased with depth. Recall decreased with depth in deeper nets."
    assert numbers("Recall decreased with depth", span) == []
    assert numbers("Recall decreased with depth", "Recall increased with depth.") == [C.CLAIM_CONTRADICTS_EVIDENCE]


CARDS = (
    PaperCard(paper_id="a" * 32, title="Gulls at Night", authors=["Ada Byron"], year=2019, venue="Birds"),
    PaperCard(paper_id="p2", title="Terns by Day: A Study", authors=["Jo Fox"], year=2021),
)


@pytest.mark.parametrize(
    ("markdown", "agrees"),
    [
        ("There are 16 papers in your library.", True),
        ("There are two papers.", True),
        ("There are 17 papers in your library.", False),
        ("There are seventeen papers.", False),
        ("“Gulls at Night” (Byron, 2019) and “Terns by Day: A Study” (Fox, 2021)", True),
        ("“Gulls at Night” (Byron, 2021) and “Terns by Day: A Study” (Fox, 2019)", False),
        ("“Gulls at Night” (Fox, 2019)", False),
        ("| Gulls at Night | Byron | 2019 | Birds |", True),
        ("| Terns by Day: A Study | Birds |", False),
        ("One paper is “Owls” (Lee, 2020).", False),
        ("The paper *Owls* was published in 2019 by Ann Lee.", False),
        ("文献库中共有 16 篇论文。", True),
        ("文献库中共有 5 篇论文。", False),
    ],
)
def test_facts_of_the_catalogue_agree_with_the_results(markdown: str, agrees: bool) -> None:
    result = judged(markdown, papers=CARDS, counts=frozenset({16}))
    assert codes(result) == ([] if agrees else [C.METADATA_NOT_IN_RESULT])


def test_metadata_of_two_papers_with_one_title_belongs_to_either() -> None:
    cards = (CARDS[0], PaperCard(paper_id="p3", title="Gulls at Night", year=2023))
    options = "Which one do you mean?\n\n- Gulls at Night (2019)\n- Gulls at Night (2023)"
    assert codes(judged(options, papers=cards, outcome="needs_clarification")) == []
    wrong = options.replace("2023", "2022")
    assert codes(judged(wrong, papers=cards, outcome="needs_clarification")) == [C.METADATA_NOT_IN_RESULT]


def stages(
    markdown: str, *, outcome: str = "answered", question: str = "", located: bool = False, **changes: object
) -> list[str]:
    spans = [entry("ev_a1", "Most gulls slept.")]
    if changes:
        spans.append(entry("ev_b2", paper_id="p2", title=CARDS[1].title, **changes))  # type: ignore[arg-type]
    result = judged(
        markdown,
        *spans,
        outcome=outcome,
        question=question,
        papers=CARDS,
        located=frozenset({"p2"}) if located else frozenset(),
    )
    violations = result.violations if isinstance(result, Rejection) else ()
    assert {item.code for item in violations} <= {C.COVERAGE_MISSING}
    return [item.message.split("(", 1)[1].split(")", 1)[0] for item in violations]


def test_a_named_paper_without_evidence_is_refused_with_its_stage() -> None:
    named = "Gulls slept, as Terns by Day says [[ev_a1]]."
    assert stages(named) == ["not found"]
    assert stages(named, located=True) == ["not read"]
    assert stages(named, text="Terns slept.") == ["not cited"]
    headed = "Gulls slept, as Terns by Day says [[ev_a1]] [[ev_b2]]."
    assert stages(headed, text="2 Terns", kind="heading") == ["heading only"]
    assert stages(headed, text="2 Terns", section="2 Terns") == ["heading only"]
    assert stages(headed, text="Terns slept.") == []


def test_a_paper_may_be_named_on_the_word_of_a_cited_span_and_in_a_list() -> None:
    span = entry("ev_a1", "Unlike Terns by Day, we saw gulls.")
    assert codes(judged("It goes beyond Terns by Day [[ev_a1]].", span, papers=CARDS)) == []
    assert stages("One paper is Terns by Day: A Study (2021).") == []


def test_a_paper_of_the_question_counts_once_it_was_looked_into() -> None:
    asked = "What does Terns by Day: A Study say?"
    assert stages("Gulls slept [[ev_a1]].", question=asked, located=True) == ["not read"]
    assert stages("Gulls slept [[ev_a1]].", question=asked) == []
    assert stages("Gulls slept [[ev_a1]].", question=asked, located=True, outcome="partial") == []


@pytest.mark.parametrize(
    "markdown",
    [
        "## Accuracy rose to 37%",
        "```\nGulls slept early in the night.\nThey woke before the sun rose.\n```",
        "**Gulls never sleep at night**",
        "Dropout improves recall:\n\n- x [[ev_a1]]",
        "Did you know that gulls sleep?",
    ],
)
def test_claims_in_disguise_need_a_marker(markdown: str) -> None:
    result = judged(f"Gulls slept [[ev_a1]].\n\n{markdown}")
    assert set(codes(result)) == {C.UNCITED_CLAIM}


@pytest.mark.parametrize(
    "markdown",
    [
        "## Results after 3 years",
        "```python\n# Compute the mean of all values.\nx = mean(values)\n```",
        "**What is a gull**\n\n- x [[ev_a1]]",
        "The results are as follows:\n\n- x [[ev_a1]]",
    ],
)
def test_headings_code_and_lead_ins_need_none(markdown: str) -> None:
    assert codes(judged(f"Gulls slept [[ev_a1]].\n\n{markdown}")) == (
        [] if "follows" not in markdown else [C.UNCITED_CLAIM]
    )


@pytest.mark.parametrize(
    ("markdown", "refused"),
    [
        ("Nobody says so, but 61% of them slept.", True),
        ("The value of 3.5 is unknown.", True),
        ("The papers do not say how 40% slept.", False),
        ("The papers of 2019 do not say.", False),
    ],
)
def test_a_measured_number_in_an_abstention_needs_a_marker(markdown: str, refused: bool) -> None:
    found = codes(judged(markdown, outcome="abstained", question="Why did 40% sleep?"))
    assert found == ([C.UNCITED_CLAIM] if refused else [])

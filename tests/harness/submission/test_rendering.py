from __future__ import annotations

import json

import pytest

from corpus_gateway.wire import SpanBox
from harness.submission import summary_of, to_wire
from harness.submission.draft import AcceptedAnswer, Citation
from harness.submission.languages import language_of
from harness.submission.rendering import escaped, sources
from tests.harness.submission.ledgers import body, entry, judged


def test_numbers_follow_first_appearance_and_sources_follow_numbers() -> None:
    other = entry("ev_b2", title="Terns [draft] *v2*", section=None, page=2, page_end=3)
    result = judged("Terns [[ev_b2]] and gulls [[ev_a1]][[ev_b2]].", "ev_a1", other)
    assert isinstance(result, AcceptedAnswer)
    assert result.markdown == (
        "Terns [1] and gulls [2][1].\n\nSources\n\n"
        "[1] Terns \\[draft\\] \\*v2\\*, pp. 2–3  \n[2] Gulls at Night, 4 Results, p. 4"
    )
    assert result.marker_markdown == "Terns [[ev_b2]] and gulls [[ev_a1]][[ev_b2]]."


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        ("Gulls [[ev_a1]](and terns).", "Gulls [1] (and terns)."),
        ("[[ev_a1]]: gulls", "[1] : gulls"),
        ("> 1. [[ev_a1]]: gulls", "> 1. [1] : gulls"),
        ("[[ev_a1, ev_b2]]: gulls", "[1][2]: gulls"),
        ("Gulls [[ev_a1]]: sleep", "Gulls [1]: sleep"),
        ("x[1] holds [[ev_a1]]", "x\\[1\\] holds [1]"),
        ("> $$ x $$ [[ev_a1]]", "> $$ x $$\n> [1]"),
        ("- $$ x $$ [[ev_a1]]", "- $$ x $$\n  [1]"),
        ("- $$\n  x\n  $$ [[ev_a1]]", "- $$\n  x\n  $$\n  [1]"),
        ("The loss is\n$$\nx\n$$ [[ev_a1]]", "The loss is\n$$\nx\n$$\n[1]"),
        ("\\[\nx = 1\n\\] [[ev_a1]]", "\\[\nx = 1\n\\]\n[1]"),
        ("Gulls $$x$$ sleep [[ev_a1]]", "Gulls $$x$$ sleep [1]"),
        ("Gulls [[ev_a1]]\r\nsleep", "Gulls [1]\nsleep"),
    ],
)
def test_numbers_never_become_links_or_parts_of_formulas(markdown: str, shown: str) -> None:
    assert body(judged(markdown)) == shown


def test_an_answer_without_citations_has_no_sources() -> None:
    result = judged("Hello!")
    assert isinstance(result, AcceptedAnswer)
    assert result.markdown == "Hello!"
    assert sources([], "x") == ""


@pytest.mark.parametrize(
    ("question", "title", "page"),
    [
        ("How many gulls sleep?", "Sources", "p. 4"),
        ("有多少海鸥在睡觉？", "来源", "第 4 页"),
        ("カモメは何羽ですか", "出典", "4 ページ"),
        ("갈매기는 몇 마리입니까", "출처", "4쪽"),
        ("Wie viele Möwen schlafen in der Nacht?", "Quellen", "S. 4"),
        ("Combien de mouettes dorment dans le port ?", "Sources", "p. 4"),
        ("¿Cuántas gaviotas duermen en el puerto?", "Fuentes", "p. 4"),
        ("Quanti gabbiani dormono nel porto di notte?", "Fonti", "p. 4"),
        ("Quantas gaivotas dormem no porto? Como são?", "Fontes", "p. 4"),
        ("Сколько чаек спит?", "Источники", "с. 4"),
        ("كم عدد النوارس؟", "المصادر", "ص. 4"),
    ],
)
def test_the_list_speaks_the_language_of_the_question(question: str, title: str, page: str) -> None:
    shown = sources([Citation(1, entry())], question)
    assert shown == f"\n\n{title}\n\n[1] Gulls at Night, 4 Results, {page}"


@pytest.mark.parametrize(
    ("text", "language"),
    [("", "en"), ("BERT β₂", "en"), ("What is ε in ADAM и?", "en"), ("in", "en"), ("BERT是什么模型 of", "zh")],
)
def test_english_unless_something_speaks_for_another(text: str, language: str) -> None:
    assert language_of(text) == language


def test_titles_show_exactly_their_characters_on_one_line() -> None:
    assert escaped("a_b\n $5 <i> \\x & [c]") == "a\\_b \\$5 \\<i\\> \\\\x \\& \\[c\\]"


def test_a_citation_on_the_wire_has_the_contracts_fields() -> None:
    box = SpanBox(page=4, x0=1, y0=2, x1=3, y1=4)
    wire = to_wire(Citation(2, entry(section=None, boxes=(box,), start=7)))
    assert wire.model_dump(exclude={"text_sha256"}) == {
        "evidence_id": "ev_a1",
        "paper_id": "a" * 32,
        "title": "Gulls at Night",
        "paper_version": "rm_0123456789abcdef",
        "section": "unsectioned",
        "page": 4,
        "location": "unsectioned, p. 4",
        "location_ref": "passage_ref_0123456789abcdef0123",
        "element_type": "passage",
        "span_text": entry().text,
        "bbox_json": json.dumps([{"page": 4, "x0": 1.0, "y0": 2.0, "x1": 3.0, "y1": 4.0}]),
        "parser_name": "pdfium",
        "parser_version": "1",
        "source_kind": "canonical_location_read",
        "reference_number": 2,
        "quote": entry().text,
        "page_end": 4,
        "start": 7,
        "end": len(entry().text),
        "rectangles": [box.model_dump()],
        "origin": "this_turn",
        "reference_id": None,
    }
    assert wire.text_sha256 == entry().text_sha256
    assert to_wire(Citation(1, entry())).bbox_json is None


def test_the_summary_is_the_beginning_of_what_is_shown() -> None:
    result = judged("Gulls sleep " + "x" * 500 + " [[ev_a1]]")
    assert isinstance(result, AcceptedAnswer)
    assert summary_of(result) == result.markdown[:400]

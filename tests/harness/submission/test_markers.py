from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.submission.markers import FaultKind, canonical, find_markers
from harness.submission.protected import protected_spans


def found(text: str) -> tuple[list[tuple[str, ...]], list[tuple[FaultKind, str]]]:
    markers, faults = find_markers(text, protected_spans(text))
    return [marker.ids for marker in markers], [(fault.kind, fault.written) for fault in faults]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("x [[ev_1]]", [("ev_1",)]),
        ("x [[ev_1 ,  ev_2]]", [("ev_1", "ev_2")]),
        ("x [[ev_1、ev_2；ev_3]]", [("ev_1", "ev_2", "ev_3")]),
        ("x [[ev_1 ev_2]]", [("ev_1", "ev_2")]),
        ("x [[ev_1,\nev_2]]", [("ev_1", "ev_2")]),
        ("x [[ev_1, ev_1]]", [("ev_1",)]),
        ("x [[ev\\_1]]", [("ev_1",)]),
        ("x [[ev_\u200b1]]", [("ev_1",)]),
        ("x ［［ｅｖ＿１］］", [("ev_1",)]),
        ("x \\[\\[ev_1\\]\\]", [("ev_1",)]),
        ("x [[loc_2]] [[Gulls]]", [("loc_2",), ("Gulls",)]),
        ("`x[[ev_1]]` and $y[[1]]$", []),
        ("a matrix [[1, 2], [3, 4]] and [[0.5, -1]]", []),
    ],
)
def test_read_as_a_marker(text: str, ids: list[tuple[str, ...]]) -> None:
    assert found(text) == (ids, [])


@pytest.mark.parametrize(
    ("text", "kind", "written"),
    [
        ("x [[]]", FaultKind.EMPTY, "[[]]"),
        ("x [[ \u200b ]]", FaultKind.EMPTY, "[[ \u200b ]]"),
        ("x [[ev_1|two]]", FaultKind.SHAPE, "[[ev_1|two]]"),
        ("x [[see page 2]]", FaultKind.SHAPE, "[[see page 2]]"),
        ("x [[ev_1]", FaultKind.UNCLOSED, "[[ev_1]"),
        ("x [ev_1]", FaultKind.BRACKETS, "[ev_1]"),
        ("x ev_1]]", FaultKind.BRACKETS, "ev_1]]"),
        ("x (ev_1)", FaultKind.BARE, "(ev_1)"),
        ("x ev_1, ev_2", FaultKind.BARE, "ev_1, ev_2"),
        ("x ev\\_1", FaultKind.BARE, "ev\\_1"),
        ("x [[`ev_1`]]", FaultKind.SHAPE, "[[`ev_1`]]"),
        ("$x [[ev_1]]$", FaultKind.IN_FORMULA, "[[ev_1]]"),
        ("<b title='[[ev_1]]'>", FaultKind.IN_HTML, "[[ev_1]]"),
        ("x <!-- [[ev_1]] -->", FaultKind.IN_HTML, "[[ev_1]]"),
        ("<http://a/[[ev_1]]>", FaultKind.IN_HTML, "[[ev_1]]"),
        ("[x](http://a/[[ev_1]])", FaultKind.IN_LINK, "[[ev_1]]"),
    ],
)
def test_refused_by_name(text: str, kind: FaultKind, written: str) -> None:
    assert found(text) == ([], [(kind, written)])


@pytest.mark.parametrize("text", ["prev_run and dev_set", "every [x] is [1]", "level ev 5"])
def test_other_words_are_no_markers(text: str) -> None:
    assert found(text) == ([], [])


def test_canonical_form_has_one_id_a_marker() -> None:
    assert canonical(("ev_1", "ev_2")) == "[[ev_1]][[ev_2]]"


@given(st.text(alphabet="ev_1a[]［］【】\\ ,`$<>()\n", max_size=60))
def test_no_id_outside_code_is_overlooked(text: str) -> None:
    spans = protected_spans(text)
    markers, faults = find_markers(text, spans)
    covered = [(item.start, item.end) for item in (*markers, *faults)] + [
        (span.start, span.end) for span in spans if span.kind.value == "code"
    ]
    at = text.find("ev_1")
    if at >= 0 and (at == 0 or not text[at - 1].isalnum()):
        assert any(start <= at < end for start, end in covered)

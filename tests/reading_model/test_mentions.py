from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reading_model.mentions import Label, Labelled, caption_label, heading_label, mentions

FIGURE, TABLE, SECTION = Labelled.FIGURE, Labelled.TABLE, Labelled.SECTION


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see Figure 3.", [("Figure 3", FIGURE, "3")]),
        ("see Fig. 3a and fig 4", [("Fig. 3", FIGURE, "3"), ("fig 4", FIGURE, "4")]),
        ("Tables 1 and 2", [("Tables 1", TABLE, "1"), ("Tables 1 and 2", TABLE, "2")]),
        ("Figs. 2–4", [("Figs. 2", FIGURE, "2"), ("Figs. 2–4", FIGURE, "3"), ("Figs. 2–4", FIGURE, "4")]),
        ("Table B.1 and §4.2", [("Table B.1", TABLE, "B.1"), ("§4.2", SECTION, "4.2")]),
        ("in Section 3.1, we", [("Section 3.1", SECTION, "3.1")]),
        ("如图 2 和表3所示", [("图 2", FIGURE, "2"), ("表3", TABLE, "3")]),
        ("Abb. 3 zeigt", [("Abb. 3", FIGURE, "3")]),
        ("a vegetable 3, stable 4, config 5, Table 5%", []),
        ("Figure shows nothing", []),
        ("Figs. 2-900", [("Figs. 2", FIGURE, "2"), ("Figs. 2-900", FIGURE, "900")]),
    ],
)
def test_mentions_name_labels_with_their_words(text: str, expected: list[tuple[str, Labelled, str]]) -> None:
    found = [(text[item.start : item.end], item.label.kind, item.label.number) for item in mentions(text)]
    assert found == expected


@pytest.mark.parametrize(
    ("caption", "label"),
    [
        ("Figure 1: Growth.", Label(FIGURE, "1")),
        ("Fig. S2. More", Label(FIGURE, "S2")),
        ("TABLE IV RESULTS", Label(TABLE, "IV")),
        ("表 3 结果", Label(TABLE, "3")),
        ("Growth in Figure 1", None),
    ],
)
def test_captions_carry_labels(caption: str, label: Label | None) -> None:
    assert caption_label(caption) == label


def test_headings_carry_numbers() -> None:
    assert heading_label("3.1 Data") == Label(SECTION, "3.1")
    assert heading_label("A.1 Lemma") == Label(SECTION, "A.1")
    assert heading_label("Results") is None


@given(st.text(alphabet="Figure. 12–3,andTabl§ae", max_size=60))
def test_any_text_gives_ranges_inside_it(text: str) -> None:
    for item in mentions(text):
        assert 0 <= item.start < item.end <= len(text)

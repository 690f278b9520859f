"""Blocks of every form and type."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reading_model.documents import BlockType, PageBox, Rect
from tests.reading_model.parsing.mineru.outputs import block, layout, of_type, parsed

T = BlockType


def kinds(folder: Path, *blocks: Any) -> list[tuple[str, str]]:
    return [(item.type.value, item.text) for item in parsed(folder, content_list=list(blocks)).blocks]


@pytest.mark.parametrize(
    ("given_block", "expected"),
    [
        ({"type": "text", "text": "E<sup>2</sup> &amp; $0 . 9 8$"}, ("paragraph", "E2 & 0.98")),
        ({"type": "title", "text": "Results"}, ("heading", "Results")),
        ({"type": "text", "text": "1 Results", "text_level": 2}, ("heading", "1 Results")),
        ({"type": "ref_text", "text": "[1] A."}, ("reference", "[1] A.")),
        ({"type": "equation", "text": "$$\na = b\\tag{3}\n$$"}, ("formula", "a = b (3)")),
        ({"type": "code", "code_body": "```python\nx = 1  \n  y\n```"}, ("code", "x = 1\n  y")),
        ({"type": "algorithm", "text": "1: go"}, ("code", "1: go")),
        ({"type": "list", "list_items": ["a", "b", ""]}, ("list", "a\nb")),
        ({"type": "list", "text": "only text"}, ("list", "only text")),
        ({"type": "header", "text": "H"}, ("header", "H")),
        ({"type": "aside_text", "text": "arXiv"}, ("aside", "arXiv")),
        ({"type": "page_footnote", "text": "1 note"}, ("footnote", "1 note")),
        ({"type": "table", "table_body": "no html"}, ("table", "no html")),
        (
            {"type": "text", "lines": [{"spans": [{"content": "in "}, {"type": "inline_equation", "content": "x"}]}]},
            ("paragraph", "in x"),
        ),
        ({"type": "seal", "words": ["kept", {"deep": "too"}]}, ("paragraph", "kept\ntoo")),
        ("a bare string", ("paragraph", "a bare string")),
    ],
)
def test_each_type_becomes_its_block(tmp_path: Path, given_block: Any, expected: tuple[str, str]) -> None:
    assert kinds(tmp_path, block("Before."), given_block)[1:] == [expected]


def test_what_is_not_known_is_kept_and_noted(tmp_path: Path) -> None:
    document = parsed(tmp_path, content_list=[block("Kept.", type="hologram")])
    assert document.blocks[0].text == "Kept."
    assert "unknown_block" in {note.code for note in document.diagnostics}
    no_page = parsed(tmp_path, content_list=[block("A", 2), {"type": "text", "text": "B"}])
    assert [item.page for item in no_page.blocks] == [2, 2]
    assert "unknown_page" in {note.code for note in no_page.diagnostics}


def test_captions_and_notes_are_blocks_of_their_own_with_their_parent(tmp_path: Path) -> None:
    document = parsed(
        tmp_path,
        content_list=[
            block(
                type="table",
                table_body="<table><tr><td>a</td></tr></table>",
                table_caption=["Table 1: T"],
                table_footnote=["n"],
            ),
            block(type="image", img_path="images/x.jpg", img_caption="Figure 1: F", image_footnote=[{"content": "m"}]),
            block(type="code", code_body="x", code_caption=["Listing 1"]),
        ],
    )
    assert [(item.type, item.text, item.parent) for item in document.blocks] == [
        (T.CAPTION, "Table 1: T", 1),
        (T.TABLE, "a", None),
        (T.FOOTNOTE, "n", 1),
        (T.FIGURE, "", None),
        (T.CAPTION, "Figure 1: F", 3),
        (T.FOOTNOTE, "m", 3),
        (T.CODE, "x", None),
        (T.CAPTION, "Listing 1", 6),
    ]
    assert document.blocks[3].image == "images/x.jpg"


def test_captions_of_panels_belong_to_the_figure_with_the_whole_caption(tmp_path: Path) -> None:
    document = parsed(
        tmp_path,
        content_list=[
            block(type="chart", chart_caption=["(a)"]),
            block(type="chart", y=200, chart_caption=["(b)", "Figure 1: Two panels."]),
            block(type="chart", y=300, page=2, chart_caption=["(c)"]),
        ],
    )
    charts = of_type(document, T.CHART)
    captions = of_type(document, T.CAPTION)
    assert [item.parent for item in captions] == [
        charts[1].ordinal,
        charts[1].ordinal,
        charts[1].ordinal,
        charts[2].ordinal,
    ]


def test_a_chart_with_its_numbers_holds_them_as_a_table(tmp_path: Path) -> None:
    document = parsed(
        tmp_path, content_list=[block(type="chart", content="<table><tr><td>x</td><td>1</td></tr></table>")]
    )
    (chart,) = document.blocks
    assert (chart.type, chart.text) == (T.CHART, "x | 1")
    assert chart.table is not None


def test_an_empty_block_continues_the_paragraph_before_it(tmp_path: Path) -> None:
    document = parsed(
        tmp_path,
        content_list=[block("Goes on."), block("7", type="page_number"), block("", 2), block("Next.", 2, y=400)],
    )
    first, _, following = document.blocks
    assert [box.page for box in first.boxes] == [1, 2]
    assert following.text == "Next."


@pytest.mark.parametrize(
    ("between", "tables"),
    [([], 1), ([block("9", type="page_number")], 1), ([block("Words.")], 1), ([block("W.", 3)], 1)],
)
def test_an_empty_table_is_never_a_table(tmp_path: Path, between: list[Any], tables: int) -> None:
    full = block(type="table", table_body="<table><tr><td>a</td></tr></table>")
    empty = block("", 2, type="table", table_body="", img_path="images/", table_footnote=["a note"])
    document = parsed(tmp_path, content_list=[full, *between, empty])
    assert len([item for item in of_type(document, T.TABLE) if item.text]) == tables
    assert [item.text for item in of_type(document, T.FOOTNOTE)] == ["a note"]


def test_the_title_is_the_first_heading_unless_it_is_a_part_of_the_paper(tmp_path: Path) -> None:
    assert parsed(tmp_path, content_list=[block("A Paper", text_level=1)]).metadata.title is not None
    for text in ("Abstract", "1 Introduction", "References"):
        assert parsed(tmp_path, content_list=[block(text, text_level=1)]).metadata.title is None
    later = [block("Words."), block("A Part", 2, text_level=1)]
    assert parsed(tmp_path, content_list=later).metadata.title is None


def test_an_identifier_is_taken_from_the_margins_only(tmp_path: Path) -> None:
    document = parsed(
        tmp_path,
        content_list=[
            block("We follow arXiv:1111.22222."),
            block("arXiv:1706.03762v7 [cs.CL]", type="aside_text"),
            block("https://doi.org/10.1000/x.1.", type="footer"),
        ],
    )
    assert document.metadata.arxiv_id is not None
    assert document.metadata.arxiv_id.value == "1706.03762v7"
    assert document.metadata.doi is not None
    assert document.metadata.doi.value == "10.1000/x.1"


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("Ann Lee<sup>1</sup>, Bo de la Cruz and Cy Fox∗", ["Ann Lee", "Bo de la Cruz", "Cy Fox"]),
        ("Ann Lee Bo Cruz, Cy Fox", []),
        ("Ann Lee, University of X", []),
        ("A Short Subtitle", []),
        ("We read spans, we cite them.", []),
    ],
)
def test_authors_are_names_that_stand_apart_or_none(tmp_path: Path, line: str, names: list[str]) -> None:
    document = parsed(tmp_path, content_list=[block("A Paper", text_level=1), block(line, y=200)])
    assert [author.value for author in document.metadata.authors] == names


LAID_OUT = layout(
    {
        "page_size": [500, 800],
        "para_blocks": [
            {
                "type": "text",
                "bbox": [50, 80, 450, 120],
                "lines": [
                    {"bbox": [50, 80, 450, 100], "spans": [{"type": "text", "content": "A long para-"}]},
                    {
                        "bbox": [50, 100, 450, 120],
                        "spans": [
                            {"type": "text", "content": "graph of "},
                            {"type": "inline_equation", "content": "x _ { 1 }"},
                        ],
                    },
                    {
                        "bbox": [50, 80, 450, 100],
                        "spans": [{"type": "text", "content": "and more.", "cross_page": True}],
                    },
                ],
            },
            {
                "type": "interline_equation",
                "bbox": [50, 200, 450, 240],
                "lines": [
                    {"bbox": [50, 200, 450, 240], "spans": [{"type": "interline_equation", "content": "a=b\\tag{1}"}]}
                ],
            },
            {
                "type": "table",
                "bbox": [50, 300, 450, 400],
                "blocks": [
                    {
                        "type": "table_caption",
                        "bbox": [50, 280, 450, 295],
                        "lines": [{"bbox": [50, 280, 450, 295], "spans": [{"content": "Table 1: T"}]}],
                    },
                    {
                        "type": "table_body",
                        "bbox": [50, 300, 450, 400],
                        "lines": [
                            {
                                "spans": [
                                    {
                                        "type": "table",
                                        "html": "<table><tr><td>a</td></tr></table>",
                                        "image_path": "t.jpg",
                                    }
                                ]
                            }
                        ],
                    },
                ],
            },
            {
                "type": "list",
                "bbox": [50, 500, 450, 560],
                "blocks": [
                    {
                        "type": "ref_text",
                        "bbox": [50, 500, 450, 560],
                        "lines": [{"bbox": [50, 500, 450, 520], "spans": [{"content": "[1] A. B."}]}],
                    }
                ],
            },
            {
                "type": "title",
                "bbox": [50, 600, 450, 620],
                "level": 2,
                "lines": [{"bbox": [50, 600, 450, 620], "spans": [{"content": "2 Next"}]}],
            },
        ],
        "discarded_blocks": [
            {
                "type": "discarded",
                "bbox": [0, 0, 500, 10],
                "lines": [{"bbox": [0, 0, 500, 10], "spans": [{"content": "margin"}]}],
            }
        ],
    },
    {
        "page_size": [500, 800],
        "para_blocks": [{"type": "text", "bbox": [50, 80, 450, 120], "lines": [], "lines_deleted": True}],
    },
    _version_name="3.4.4",
    _backend="pipeline",
)


def test_lines_of_the_layout_give_places_to_the_words_of_the_list(tmp_path: Path) -> None:
    text = "A long paragraph of $x _ { 1 }$ and more."
    listed = [
        {"type": "text", "text": text, "bbox": [100, 100, 900, 150], "page_idx": 0},
        {"type": "text", "text": "", "bbox": [100, 100, 900, 150], "page_idx": 1},
    ]
    document = parsed(tmp_path, content_list=listed, layout=LAID_OUT)
    first = document.blocks[0]
    assert first.text == "A long paragraph of $x_{1}$ and more."
    assert [(first.text[line.start : line.end], line.page) for line in first.lines] == [
        ("A long para", 1),
        ("graph of $x_{1}$", 1),
        ("and more.", 2),
    ]
    assert first.lines[1].rect == Rect(50, 100, 450, 120)
    assert first.boxes == (PageBox(1, Rect(50, 80, 450, 120)), PageBox(2, Rect(50, 80, 450, 120)))
    assert document.provenance.config == "3.4.4 pipeline"
    assert [(page.width, page.height) for page in document.pages] == [(500, 800), (500, 800)]


def test_what_the_list_lacks_is_taken_from_the_layout_in_its_place_and_noted(tmp_path: Path) -> None:
    listed = [
        {
            "type": "text",
            "text": "A long paragraph of $x _ { 1 }$ and more.",
            "bbox": [100, 100, 900, 150],
            "page_idx": 0,
        },
        {"type": "table", "table_body": "", "bbox": [100, 375, 900, 500], "page_idx": 0},
    ]
    document = parsed(tmp_path, content_list=listed, layout=LAID_OUT)
    assert [(item.type.value, item.text) for item in document.blocks] == [
        ("paragraph", "A long paragraph of $x_{1}$ and more."),
        ("formula", "a=b (1)"),
        ("caption", "Table 1: T"),
        ("table", "a"),
        ("reference", "[1] A. B."),
        ("heading", "2 Next"),
        ("aside", "margin"),
    ]
    assert "block_completed" in {note.code for note in document.diagnostics}


def test_a_layout_alone_gives_all_of_it(tmp_path: Path) -> None:
    document = parsed(tmp_path, paper_middle=LAID_OUT)
    assert [item.type for item in document.blocks] == [
        T.PARAGRAPH, T.FORMULA, T.CAPTION, T.TABLE, T.REFERENCE, T.HEADING, T.ASIDE,
    ]  # fmt: skip
    assert document.blocks[0].text == "A long paragraph of $x_{1}$ and more."
    assert document.blocks[3].image == "t.jpg"


def test_the_second_form_of_the_list_alone_gives_the_same_blocks(tmp_path: Path) -> None:
    spans = [{"type": "text", "content": "Words "}, {"type": "equation_inline", "content": "0 . 5"}]
    pages = [
        [
            {
                "type": "title",
                "content": {"title_content": [{"type": "text", "content": "A Paper"}], "level": 1},
                "bbox": [1, 1, 9, 9],
            },
            {"type": "paragraph", "content": {"paragraph_content": spans}},
            {
                "type": "equation_interline",
                "content": {"math_content": "a\\tag{2}", "image_source": {"path": "images/e.jpg"}},
            },
            {
                "type": "algorithm",
                "content": {"algorithm_content": spans, "algorithm_caption": [{"content": "Algorithm 1"}]},
            },
            {
                "type": "table",
                "content": {"html": "<table><tr><td>a</td></tr></table>", "table_caption": [{"content": "Table 1"}]},
            },
            {
                "type": "list",
                "content": {"list_type": "reference_list", "list_items": [{"item_content": [{"content": "[1] A."}]}]},
            },
            {"type": "list", "content": {"list_type": "text_list", "list_items": [{"item_content": "one"}]}},
        ],
        [
            {"type": "page_header", "content": {"page_header_content": [{"content": "H", "children": []}]}},
            {"type": "page_number", "content": {"page_number_content": [{"children": [{"content": "2"}]}]}},
            {"type": "novelty", "content": {"novelty_parts": ["kept"]}},
        ],
    ]
    document = parsed(tmp_path, content_list_v2=pages)
    assert [(item.type.value, item.text, item.page) for item in document.blocks] == [
        ("title", "A Paper", 1),
        ("paragraph", "Words 0.5", 1),
        ("formula", "a (2)", 1),
        ("code", "Words  $0 . 5$", 1),
        ("caption", "Algorithm 1", 1),
        ("caption", "Table 1", 1),
        ("table", "a", 1),
        ("reference", "[1] A.", 1),
        ("list", "one", 1),
        ("header", "H", 2),
        ("page_number", "2", 2),
        ("paragraph", "kept", 2),
    ]


def test_structured_content_alone_gives_blocks(tmp_path: Path) -> None:
    document = parsed(
        tmp_path,
        structured_content={
            "pages": [
                {
                    "page_idx": 1,
                    "blocks": [
                        {"type": "doc_title", "content": "A Paper"},
                        {"type": "paragraph_title", "text": "1 In", "level": 2},
                        {
                            "type": "image",
                            "image_source": {"path": "images/a.jpg"},
                            "captions": [{"content": "Figure 1"}],
                        },
                        {"type": "table", "html": "<table><tr><td>a</td></tr></table>", "footnotes": ["n"]},
                    ],
                }
            ]
        },
    )
    assert [(item.type.value, item.text) for item in document.blocks] == [
        ("title", "A Paper"),
        ("heading", "1 In"),
        ("figure", ""),
        ("caption", "Figure 1"),
        ("table", "a"),
        ("footnote", "n"),
    ]
    assert [page.number for page in document.pages] == [1, 2]

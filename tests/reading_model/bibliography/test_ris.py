from __future__ import annotations

from hypothesis import given

from reading_model.bibliography import write_ris
from reading_model.models import PaperMetadata
from tests.reading_model.bibliography.values import papers


def test_a_paper_is_written_with_its_tags() -> None:
    paper = PaperMetadata(
        title="A Title", authors=("Ann van der Berg", "Plato"), year=2020, venue="Journal", doi="10.1/x", arxiv_id="1.2"
    )
    lines = write_ris([(paper, "a.pdf")]).split("\n")
    assert lines == [
        "TY  - JOUR",
        "TI  - A Title",
        "AU  - van der Berg, Ann",
        "AU  - Plato",
        "PY  - 2020",
        "T2  - Journal",
        "DO  - 10.1/x",
        "AN  - arXiv:1.2",
        "L1  - a.pdf",
        "ER  - ",
        "",
    ]


@given(papers())
def test_every_line_is_a_tag_and_its_value(paper: PaperMetadata) -> None:
    *lines, last = write_ris([(paper, "a.pdf")]).split("\n")
    assert last == ""
    assert [line for line in lines if line[2:6] != "  - "] == []
    assert sum(line.startswith("AU") for line in lines) == len(paper.authors)

"""The same three papers from their PDFs and from MinerU's output: the same questions find the same facts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.command_line import paperledger
from tests.places import DATA, needs_data

pytestmark = [needs_data(), pytest.mark.data]

PAPERS = ["emnlp2024-main-12", "emnlp2024-main-126", "naacl2024-long-47"]

ASKED = [
    ("What random seed is set for reproducibility in Dial-MAE?", 6, "42"),
    ("How much does the MMLU accuracy of STEM tasks change with NumeroLogic?", 4, "+0.79%"),
    ("How much does MMLU accuracy change for tasks with numbers?", 4, "+1.16%"),
    ("What accuracy does NanoGPT reach on addition with the NumeroLogic encoding?", 3, "99.96"),
    ("What is the R10@1 of TF-IDF on Ubuntu?", 6, "0.410"),
    ("What is the token recovery accuracy of the obfuscated model after glide-reflection?", 3, "100%"),
    ("To which value does the model accuracy decrease if each element is random?", 2, "nearly 50%"),
    ("Which learning rate is used for fine-tuning on Ubuntu?", 6, "5e-5"),
    ("How many epochs do we fine-tune for Ubuntu?", 6, "5 epochs"),
    ("What vulnerability does this paper investigate in embedding obfuscation?", 4, "glide-reflection"),
    ("What does a causal language model not know when a digit is read?", 1, "place value"),
    ("Which pre-trained model initializes the encoder of Dial-MAE?", 5, "12-layer BERT-base"),
]
ROWS = [
    ("Llama2-7B arithmetic tasks accuracy with NumeroLogic", 4, "3 | float | 24.73 | 31.03"),
    ("MMLU accuracy change on different fields STEM", 4, "+0.79%"),
    ("Dial-MAE main results on Ubuntu and E-commerce", 6, "0.918"),
    ("Dial-MAE main results on Ubuntu and E-commerce", 6, "0.930"),
]


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("parsers")
    sources = {
        "pdfium": [DATA / "papers" / f"{name}.pdf" for name in PAPERS],
        "mineru-artifact": [DATA / "mineru"],
    }
    for parser, paths in sources.items():
        ran = paperledger("add", *paths, "--library", folder / parser, "--json", "--jobs", "1")
        assert ran.code == 0, ran.out + ran.err
        assert ran.json["counts"] == {"ready": 3, "skipped": 0, "failed": 0}
    return {parser: folder / parser for parser in sources}


@pytest.mark.parametrize("parser", ["pdfium", "mineru-artifact"])
@pytest.mark.parametrize(("question", "page", "fact"), ASKED)
def test_a_question_is_answered_with_the_same_fact_from_either_parse(
    libraries: dict[str, Path], parser: str, question: str, page: int, fact: str
) -> None:
    answer = paperledger("ask", question, "--library", libraries[parser], "--json").json
    assert answer["status"] in ("COMPLETED", "INCOMPLETE_PRECISE")
    cited = [item for item in answer["citations"] if fact in item["quote"]]
    assert [item["page"] for item in cited] == [page]
    assert cited[0]["rectangles"]
    if not cited[0]["location_ref"].startswith("table_ref_"):  # of a table the answer shows no more than its beginning
        assert fact in answer["answer"]["markdown"]


@pytest.mark.parametrize("parser", ["pdfium", "mineru-artifact"])
@pytest.mark.parametrize(("query", "page", "words"), ROWS)
def test_a_cell_is_found_in_the_table_of_either_parse(
    libraries: dict[str, Path], parser: str, query: str, page: int, words: str
) -> None:
    found = paperledger("search", query, "--library", libraries[parser], "--json", "--top-k", "5").json["locations"]
    tables = [item for item in found if item["location_ref"].startswith("table_ref_")]
    items: list[dict[str, Any]] = [
        item
        for table in tables
        for item in paperledger("read", table["location_ref"], "--library", libraries[parser], "--json").json["items"]
    ]
    assert [span["page"] for item in items for span in item["spans"] if words in span["text"]][:1] == [page]


def test_with_output_and_pdf_side_by_side_a_paper_is_one_paper_whatever_parser_came_first(tmp_path: Path) -> None:
    name = "emnlp2024-main-126"
    (tmp_path / f"{name}.pdf").write_bytes((DATA / "papers" / f"{name}.pdf").read_bytes())
    (tmp_path / name).symlink_to(DATA / "mineru" / name, target_is_directory=True)
    library = tmp_path / "library"
    pdf = tmp_path / f"{name}.pdf"
    first = paperledger("add", pdf, "--parser", "mineru-artifact", "--library", library, "--json").json
    assert first["counts"] == {"ready": 1, "skipped": 0, "failed": 0}
    second = paperledger("add", pdf, "--library", library, "--json").json
    assert second["counts"] == {"ready": 0, "skipped": 1, "failed": 0}
    assert second["papers"][0]["paper_id"] == first["papers"][0]["paper_id"]


def test_the_five_paperloom_papers_are_added_and_searched(tmp_path: Path) -> None:
    library = tmp_path / "library"
    ran = paperledger("add", DATA / "paperloom", "--library", library, "--json", "--jobs", "1")
    assert ran.code == 0, ran.out
    assert ran.json["counts"] == {"ready": 5, "skipped": 0, "failed": 0}
    assert ran.json["pages"] == 15 + 15 + 16 + 24 + 75
    found = paperledger(
        "search", "maximum path lengths per-layer complexity self-attention", "--library", library, "--json"
    ).json["locations"]
    best = paperledger("read", found[0]["location_ref"], "--library", library, "--json").json["items"][0]
    assert found[0]["location_ref"].startswith("table_ref_")
    assert "Recurrent | $O(n\\cdot d^{2})$ | O(n) | O(n)" in best["span_text"]

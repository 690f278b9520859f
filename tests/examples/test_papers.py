"""The sample papers: reproducible, two pages each, and every question answered where questions.yaml says."""

# pypdfium2 ships no types: its documents, pages and properties are unknown to the checker
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import importlib.util
import re
import shutil
import unicodedata
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import TypedDict

import pypdfium2
import pytest
import yaml

PAPERS = Path(__file__).parents[2] / "examples" / "papers"
NAMES = sorted(path.stem for path in PAPERS.glob("*.pdf"))


class Question(TypedDict):
    id: str
    question: str
    paper: str
    page: int
    quote: str
    answer: str


QUESTIONS: list[Question] = yaml.safe_load((PAPERS / "questions.yaml").read_text(encoding="utf-8"))


def letters_and_digits(text: str) -> str:
    """What a quotation keeps whatever the line breaks and hyphens."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())


def page_texts(pdf: Path) -> list[str]:
    with pypdfium2.PdfDocument(pdf) as document:
        return [letters_and_digits(page.get_textpage().get_text_range()) for page in document]


def declared_title(name: str) -> str:
    found = re.search(r'^  title: "(.+)",$', (PAPERS / f"{name}.typ").read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None
    return found[1]


@pytest.fixture
def builder_elsewhere(tmp_path: Path) -> ModuleType:
    """The build script beside a copy of the sources without PDFs, under another path."""
    pytest.importorskip("typst", reason="the sample papers are rebuilt only where typst is installed")
    for source in [*PAPERS.glob("*.typ"), PAPERS / "build.py"]:
        shutil.copy(source, tmp_path)
    spec = importlib.util.spec_from_file_location("sample_papers_build", tmp_path / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if version("typst") != module.TYPST_VERSION:
        pytest.skip(f"the PDFs were built with typst {module.TYPST_VERSION}, installed is {version('typst')}")
    return module


def test_a_rebuild_under_another_path_gives_the_committed_bytes(builder_elsewhere: ModuleType, tmp_path: Path) -> None:
    assert sorted(builder_elsewhere.PAPERS) == NAMES
    assert builder_elsewhere.main([]) == 0
    differing = [n for n in NAMES if (tmp_path / f"{n}.pdf").read_bytes() != (PAPERS / f"{n}.pdf").read_bytes()]
    assert differing == []
    assert builder_elsewhere.main(["--check"]) == 0


def test_the_check_notices_another_pdf_and_leaves_it(builder_elsewhere: ModuleType, tmp_path: Path) -> None:
    for name in NAMES:
        (tmp_path / f"{name}.pdf").write_bytes(b"%PDF-1.7 something else")
    assert builder_elsewhere.main(["--check"]) == 1
    assert {(tmp_path / f"{name}.pdf").read_bytes() for name in NAMES} == {b"%PDF-1.7 something else"}


def test_an_unknown_option_builds_nothing(builder_elsewhere: ModuleType, tmp_path: Path) -> None:
    assert builder_elsewhere.main(["--chekc"]) == 2
    assert list(tmp_path.glob("*.pdf")) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_paper_has_two_pages_and_shows_its_title_first(name: str) -> None:
    pages = page_texts(PAPERS / f"{name}.pdf")
    assert len(pages) == 2
    assert pages[0].startswith(letters_and_digits(declared_title(name)))


@pytest.mark.parametrize("name", NAMES)
def test_the_properties_name_title_and_authors_as_the_first_page_does(name: str) -> None:
    with pypdfium2.PdfDocument(PAPERS / f"{name}.pdf") as document:
        properties = document.get_metadata_dict()
    assert properties["Title"] == declared_title(name)
    assert properties["Author"].startswith("The Paperledger engineers, ")
    assert letters_and_digits(properties["Author"]) in page_texts(PAPERS / f"{name}.pdf")[0]
    assert properties["CreationDate"].startswith("D:20261130")


@pytest.mark.parametrize("name", NAMES)
def test_a_paper_has_the_parts_that_a_parser_looks_for(name: str) -> None:
    text = "".join(page_texts(PAPERS / f"{name}.pdf"))
    for part in ("Abstract", "1 Introduction", "2 ", "Table 1:", "Figure 1:", "Conclusion", "References"):
        assert letters_and_digits(part) in text


@pytest.mark.parametrize("name", NAMES)
def test_a_paper_is_small_enough_to_ship(name: str) -> None:
    assert (PAPERS / f"{name}.pdf").stat().st_size < 150_000


@pytest.mark.parametrize("asked", QUESTIONS, ids=lambda q: q["id"])
def test_a_quotation_stands_on_the_named_page_and_on_no_other(asked: Question) -> None:
    quote = letters_and_digits(asked["quote"])
    found = {
        (f"{name}.pdf", n)
        for name in NAMES
        for n, text in enumerate(page_texts(PAPERS / f"{name}.pdf"), 1)
        if quote in text
    }
    assert found == {(asked["paper"], asked["page"])}
    assert asked["answer"] in asked["quote"]


def test_every_paper_has_a_question_that_a_number_answers() -> None:
    numeric = {q["paper"] for q in QUESTIONS if re.fullmatch(r"[\d.,]+( ?%| \w+)?", q["answer"])}
    assert numeric == {f"{name}.pdf" for name in NAMES}
    assert len({q["id"] for q in QUESTIONS}) == len(QUESTIONS)

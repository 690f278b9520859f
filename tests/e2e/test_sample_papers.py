from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.e2e.command_line import paperledger
from tests.places import ROOT, SAMPLE_PAPERS

QUESTIONS: list[dict[str, Any]] = yaml.safe_load((SAMPLE_PAPERS / "questions.yaml").read_text(encoding="utf-8"))

README = (ROOT / "README.md").read_text(encoding="utf-8")


def letters(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())


@pytest.mark.parametrize("case", QUESTIONS, ids=[case["id"] for case in QUESTIONS])
def test_the_offline_model_quotes_the_sentence_that_answers(case: dict[str, Any], library: Path) -> None:
    ran = paperledger("ask", case["question"], "--library", library, "--json")
    assert ran.code == 0, ran.out + ran.err
    answer = ran.json
    assert answer["status"] in ("COMPLETED", "INCOMPLETE_PRECISE")
    quoted = [
        citation
        for citation in answer["citations"]
        if letters(case["quote"]) in letters(citation["quote"]) and citation["page"] == case["page"]
    ]
    assert quoted, [citation["quote"] for citation in answer["citations"]]
    assert letters(case["quote"]) in letters(answer["answer"]["markdown"])


def test_every_quote_is_found_again_by_reading_its_location(library: Path) -> None:
    answer = paperledger("ask", QUESTIONS[0]["question"], "--library", library, "--json").json
    assert answer["citations"]
    for citation in answer["citations"]:
        read = paperledger("read", citation["location_ref"], "--library", library, "--json").json
        text = read["items"][0]["span_text"]
        assert text[citation["start"] : citation["end"]] == citation["quote"]
        spans = {span["evidence_id"]: span for span in read["items"][0]["spans"]}
        assert spans[citation["evidence_id"]]["text"] == citation["quote"]
        assert spans[citation["evidence_id"]]["boxes"] == citation["rectangles"]
        assert citation["rectangles"]


def test_asked_twice_the_answer_is_the_same_to_the_byte(library: Path) -> None:
    first, second = (paperledger("ask", QUESTIONS[0]["question"], "--library", library, "--json").json for _ in "ab")

    def lasting(answer: dict[str, Any]) -> dict[str, Any]:
        return {name: answer[name] for name in ("citations", "research_memory", "status")} | {
            "answer": {k: v for k, v in answer["answer"].items() if k not in ("answer_id", "question_id")}
        }

    assert lasting(first) == lasting(second)


def test_a_person_sees_the_answer_and_each_citation_with_its_words(library: Path) -> None:
    ran = paperledger("ask", QUESTIONS[0]["question"], "--library", library)
    assert ran.code == 0
    text = " ".join(ran.out.split())
    assert "[1]" in text
    assert re.search(r"p\. \d", text)
    assert "“" in text
    assert "ev_" in text
    assert "[[" not in text


def test_the_readme_shows_the_answer_that_the_demo_prints(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lines(text: str) -> list[str]:
        """Without what differs between versions of a parser: the ids."""
        return [re.sub(r"_[0-9a-f]{20}\b", "_", line.rstrip()) for line in text.strip().splitlines()]

    shown = re.search(r'^\$ paperledger ask "(How far [^"]+)"\n(.*?)^```$', README, re.DOTALL | re.MULTILINE)
    assert shown is not None
    monkeypatch.setenv("COLUMNS", "100")
    assert lines(shown[2]) == lines(paperledger("ask", shown[1], "--library", library).out)


def test_add_again_skips_and_changes_nothing(library: Path) -> None:
    before = paperledger("papers", "list", "--library", library, "--json").json
    ran = paperledger("add", SAMPLE_PAPERS, "--library", library, "--json", "--jobs", "1")
    assert ran.code == 0
    assert ran.json["counts"] == {"ready": 0, "skipped": 3, "failed": 0}
    assert paperledger("papers", "list", "--library", library, "--json").json == before


def test_index_verify_is_clean_and_status_counts_every_point(library: Path) -> None:
    verified = paperledger("index", "verify", "--library", library, "--json")
    assert (verified.code, verified.json["clean"], verified.json["papers"]) == (0, True, 3)
    status = paperledger("index", "status", "--library", library, "--json").json
    assert status["points"] == status["expected_points"] > 3


def test_search_structure_and_read_lead_to_one_another(library: Path) -> None:
    papers = paperledger("papers", "--library", library, "--json").json["papers"]
    assert all(paper["searchable"] for paper in papers)
    found = paperledger("search", "stale statistics after deletes", "--library", library, "--json", "--top-k", "3").json
    assert 1 <= len(found["locations"]) <= 3
    read = paperledger("read", found["locations"][0]["location_ref"], "--library", library, "--json").json
    assert read["items"][0]["paper_id"] == found["locations"][0]["paper_id"]
    outline = paperledger("structure", papers[0]["paper_id"][:8], "--library", library, "--json").json
    assert len(outline["nodes"]) >= 3
    section = paperledger("read", outline["nodes"][1]["location_ref"], "--library", library, "--json").json
    assert section["items"][0]["element_type"] == "section"
    for command in (
        ["search", "tables"],
        ["structure", papers[0]["paper_id"]],
        ["papers", "show", papers[0]["paper_id"]],
    ):
        assert paperledger(*command, "--library", library).code == 0


def test_an_exported_ledger_is_proved_from_the_file_alone(library: Path, tmp_path: Path) -> None:
    ledger = tmp_path / "out.jsonl"
    ran = paperledger("ask", QUESTIONS[0]["question"], "--library", library, "--json", "--ledger", ledger)
    assert ran.code == 0
    proved = paperledger("verify", ledger, "--json")
    assert (proved.code, proved.json["ok"]) == (0, True)
    assert proved.json["entries"] >= len(ran.json["citations"])
    ledger.write_text(ledger.read_text(encoding="utf-8").replace("25.6", "26.5"), encoding="utf-8")
    assert paperledger("verify", ledger, "--json").code == 1


def test_a_removed_paper_is_gone_from_every_answer(library: Path) -> None:
    papers = paperledger("papers", "--library", library, "--json").json["papers"]
    gone = next(paper for paper in papers if "BM25" in paper["title"])
    assert paperledger("papers", "remove", gone["paper_id"], "--library", library, "--json").code == 0
    answer = paperledger("ask", QUESTIONS[0]["question"], "--library", library, "--json").json
    assert gone["paper_id"] not in {citation["paper_id"] for citation in answer["citations"]}
    assert paperledger("index", "verify", "--library", library, "--json").code == 0
    assert paperledger("papers", "show", gone["paper_id"], "--library", library).code == 2

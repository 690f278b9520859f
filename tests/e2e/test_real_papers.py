"""The answer path on the sixteen shared papers: all ready, nothing twice, and the question that has a known answer."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.e2e.command_line import paperledger
from tests.places import DATA, needs_data

pytestmark = [needs_data(), pytest.mark.data]

QUESTION = "How many unique paper nodes does the literature graph have?"


@pytest.fixture(scope="module")
def shared_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shared") / "library"
    ran = paperledger("add", DATA / "papers", "--library", folder, "--json")
    assert ran.code == 0, ran.out[-2000:] + ran.err[-2000:]
    assert ran.json["counts"] == {"ready": 16, "skipped": 0, "failed": 0}
    assert ran.json["pages_per_second"] > 0
    return folder


def test_all_papers_are_ready_and_a_second_run_skips_them(shared_library: Path) -> None:
    verified = paperledger("index", "verify", "--library", shared_library, "--json")
    assert (verified.code, verified.json["papers"], verified.json["clean"]) == (0, 16, True)
    again = paperledger("add", DATA / "papers", "--library", shared_library, "--json", "--jobs", "1")
    assert (again.code, again.json["counts"]) == (0, {"ready": 0, "skipped": 16, "failed": 0})


def test_the_number_of_paper_nodes_is_quoted_and_no_other_number_is_given_for_it(shared_library: Path) -> None:
    ran = paperledger("ask", QUESTION, "--library", shared_library, "--json")
    assert ran.code == 0, ran.out + ran.err
    response = ran.json
    assert response["answer"]["outcome"] in ("answered", "partial")
    right = [c for c in response["citations"] if "37M unique paper nodes" in " ".join(c["quote"].split())]
    assert right
    assert right[0]["page"] == 2
    claims = re.split(r"\n\s*\n", response["answer"]["marker_markdown"])
    for claim in claims:
        if "37M" not in claim:
            assert not re.search(r"\b(12M|280M)\b", claim), claim
    for citation in response["citations"]:
        read = paperledger("read", citation["location_ref"], "--library", shared_library, "--json").json
        assert read["items"][0]["span_text"][citation["start"] : citation["end"]] == citation["quote"]


def test_asked_twice_answer_citations_and_evidence_ids_are_the_same(shared_library: Path) -> None:
    first, second = (paperledger("ask", QUESTION, "--library", shared_library, "--json").json for _ in "ab")
    assert first["citations"] == second["citations"]
    assert first["answer"]["markdown"] == second["answer"]["markdown"]
    assert first["answer"]["cited_evidence_ids"] == second["answer"]["cited_evidence_ids"]

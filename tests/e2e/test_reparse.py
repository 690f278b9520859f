from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.e2e.command_line import paperledger
from tests.places import ROOT

LEDGER = ROOT / "examples" / "papers" / "evidence-ledger.pdf"


@pytest.fixture
def library(tmp_path: Path) -> Path:
    folder = tmp_path / "library"
    assert paperledger("add", LEDGER, "--library", folder).code == 0
    return folder


def test_papers_are_parsed_again_rebuilt_and_pruned(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (paper,) = paperledger("papers", "--json", "--library", library).json["papers"]
    counts = paperledger("reparse", "--all", "--library", library, "--json").json["counts"]
    assert counts == {"ready": 0, "unchanged": 1, "failed": 0}
    found = paperledger("search", "evidence ledger", "--library", library, "--json").json
    ref = found["locations"][0]["location_ref"]

    # another release of the builder makes another model of the same artifact
    monkeypatch.setattr("reading_model.identity.BUILDER_VERSION", "builder-of-a-test")
    shutil.rmtree(library / "objects" / "pdf")
    ran = paperledger("reparse", paper["paper_id"][:8], "--from-artifact", "--library", library, "--json")
    assert (ran.code, ran.json["counts"]["ready"]) == (0, 1)
    new = ran.json["papers"][0]["model_version"]
    assert new != paper["model_version"]
    assert paperledger("read", ref, "--library", library).code == 2
    assert paperledger("index", "verify", "--library", library).code == 0
    ran = paperledger("reparse", "--all", "--from-artifact", "--prune", "--library", library)
    assert (ran.code, ran.out) == (0, "1 unchanged\npruned: 1 models, 0 artifacts\n")
    assert paperledger("papers", "--json", "--library", library).json["papers"][0]["model_version"] == new
    assert paperledger("index", "verify", "--library", library).code == 0

    ran = paperledger("reparse", "--all", "--library", library)
    assert ran.code == 0, "the artifact says that the file need not be parsed"
    shutil.rmtree(library / "objects")
    monkeypatch.setattr("reading_model.identity.BUILDER_VERSION", "builder-of-another-test")
    ran = paperledger("reparse", "--all", "--library", library)
    assert (ran.code, ran.out) == (1, "1 failed\n")
    assert "object_missing" in ran.err


def test_either_papers_or_all_of_them(library: Path) -> None:
    assert paperledger("reparse", "--library", library).code == 2
    assert paperledger("reparse", "--all", "abcd", "--library", library).code == 2
    assert paperledger("reparse", "abcd", "--library", library).code == 2

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from cli.settings import load_settings
from cli.wiring import open_library
from index.contract import IndexContract
from index.rebuilding import IndexRebuild
from reading_model.store import ACTIVE_CONTRACT, open_store
from tests.e2e.command_line import paperledger
from tests.places import SAMPLE_PAPERS

QUERY = "stale statistics after a deletion"


@pytest.fixture
def mine(built_library: Path, quick_folder: Path) -> Path:
    """A private copy of the built library; its index would take seconds to copy, and the first command builds it."""
    return Path(shutil.copytree(built_library, quick_folder / "library", ignore=shutil.ignore_patterns("index")))


def search(library: Path) -> list[str]:
    found = paperledger("search", QUERY, "--library", library, "--json")
    assert found.code == 0, found.out
    return [place["location_ref"] for place in found.json["locations"]]


def test_a_rebuild_freezes_the_measured_mean_and_changes_nothing_else(mine: Path) -> None:
    before = search(mine)
    status = paperledger("index", "status", "--library", mine, "--json").json
    assert status["papers"] == {"READY": 3}
    assert status["points"] == status["expected_points"] > 0
    assert status["mean_length"]["rebuild_advised"]
    shown = paperledger("index", "status", "--library", mine)
    assert "paperledger index rebuild" in " ".join(shown.out.split())
    rebuilt = paperledger("index", "rebuild", "--library", mine, "--json").json
    assert (rebuilt["papers"], rebuilt["resumed"]) == (3, 0)
    status = paperledger("index", "status", "--library", mine, "--json").json
    assert status["mean_length"]["frozen"] == rebuilt["avgdl"]
    assert not status["mean_length"]["rebuild_advised"]
    assert status["leftovers"] == []
    assert paperledger("index", "verify", "--library", mine, "--json").json["clean"]
    # another mean length moves scores a little, not what is found
    assert set(search(mine)[:3]) & set(before[:3])


def test_a_library_of_another_release_is_told_the_command_that_helps(mine: Path) -> None:
    store = open_store(load_settings(library=mine).store_url)
    theirs = replace(IndexContract.default(), analyzer="scholar-v0").text()
    store.control.set(ACTIVE_CONTRACT, theirs)
    store.close()
    refused = paperledger("search", QUERY, "--library", mine)
    assert refused.code == 3
    assert "paperledger index rebuild" in refused.err
    status = paperledger("index", "status", "--library", mine)
    assert status.code == 3
    assert "scholar-v0" in status.err
    rebuilt = paperledger("index", "rebuild", "--library", mine)
    assert rebuilt.code == 0, rebuilt.err
    assert "3 papers in a new index, verified point by point" in rebuilt.out
    assert search(mine)


def test_a_stopped_rebuild_says_how_to_go_on_and_leaves_the_old_index(
    mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = search(mine)

    def stopped(_self: IndexRebuild, *_arguments: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(IndexRebuild, "_switch", stopped)
        ended = paperledger("index", "rebuild", "--library", mine)
    assert ended.code == 1
    assert "The old index goes on serving" in ended.err
    assert "`paperledger index rebuild` to go on" in ended.err
    assert search(mine) == before
    assert "stopped" in paperledger("index", "status", "--library", mine).out
    assert paperledger("index", "rebuild", "--library", mine, "--json").json["resumed"] == 3


def test_status_and_rebuild_work_while_another_process_has_the_library(mine: Path) -> None:
    with open_library(load_settings(library=mine)) as opened:
        status = paperledger("index", "status", "--library", mine, "--json").json
        assert status["points"] is None
        assert "in use" in status["in_use"]
        assert paperledger("index", "rebuild", "--library", mine).code == 0
        assert opened.indexer.verify().clean
    assert paperledger("index", "verify", "--library", mine).out.splitlines()[-1].strip() == "clean"


def test_verify_names_what_is_wrong_and_repair_mends_it(mine: Path) -> None:
    search(mine)
    settings = load_settings(library=mine)
    with open_library(settings) as opened:
        (record, *_) = opened.store.papers.get()
        opened.indexer.remove_points(record.paper_id, [record.model_version or ""])
    wrong = paperledger("index", "verify", "--library", mine)
    assert wrong.code == 1
    assert "should have a point and have none" in wrong.out
    assert "index verify --repair" in " ".join(wrong.out.split())
    assert paperledger("index", "verify", "--repair", "--library", mine).code == 0
    assert paperledger("index", "verify", "--library", mine, "--json").json["clean"]


def test_a_new_title_is_searched_at_once(mine: Path) -> None:
    paper = paperledger("papers", "--library", mine, "--json").json["papers"][0]["paper_id"]
    found = paperledger("search", "cormorants", "--library", mine, "--json").json["locations"]
    assert found == []
    assert paperledger("papers", "edit", paper, "--title", "On Cormorants", "--library", mine).code == 0
    found = paperledger("search", "cormorants", "--library", mine, "--json").json["locations"]
    assert {place["paper_id"] for place in found} == {paper}
    assert paperledger("index", "verify", "--library", mine, "--json").json["clean"]


def test_a_title_from_a_bibliography_is_searched_at_once(mine: Path, tmp_path: Path) -> None:
    paper = paperledger("papers", "--library", mine, "--json").json["papers"][0]
    bib = tmp_path / "known.bib"
    bib.write_text(f"@article{{a, title = {{Cormorants}}, file = {{{paper['filename']}}}}}\n", encoding="utf-8")
    added = paperledger("add", SAMPLE_PAPERS, "--bib", bib, "--library", mine, "--json", "--jobs", "1")
    assert added.code == 0, added.out
    found = paperledger("search", "cormorants", "--library", mine, "--json").json["locations"]
    assert {place["paper_id"] for place in found} == {paper["paper_id"]}


def test_there_is_nothing_to_rebuild_without_a_library(tmp_path: Path) -> None:
    for command in ("status", "rebuild", "verify"):
        assert paperledger("index", command, "--library", tmp_path / "none").code == 3

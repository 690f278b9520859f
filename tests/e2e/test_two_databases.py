"""The same papers on SQLite and on MariaDB: the same ids, the same search results, the same answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evals.mariadb import MariaDB
from tests.e2e.command_line import paperledger
from tests.places import SAMPLE_PAPERS

pytestmark = pytest.mark.mariadb

QUERIES = ("stale statistics after deletes", "evidence that was never read", "two columns", "table of parsers")
QUESTION = "How many submissions may a run make at most?"


def hits_of(library: Path) -> list[dict[str, Any]]:
    return [paperledger("search", query, "--library", library, "--json").json for query in QUERIES]


def without_scores(hits: dict[str, Any]) -> dict[str, Any]:
    """The last digit of a score may differ: the engine's 32-bit sums depend on how it numbered the terms."""
    kept = [{k: v for k, v in place.items() if not k.endswith("_score")} for place in hits["locations"]]
    return {**hits, "locations": kept}


def seen(library: Path) -> dict[str, Any]:
    listed = paperledger("papers", "--library", library, "--json").json["papers"]
    answer = paperledger("ask", QUESTION, "--library", library, "--json").json
    return {
        "papers": [{k: v for k, v in paper.items() if k != "added_at"} for paper in listed],
        "outlines": [
            paperledger("structure", paper["paper_id"], "--library", library, "--json").json for paper in listed
        ],
        "hits": [without_scores(hits) for hits in hits_of(library)],
        "scores": [[place["sparse_score"] for place in hits["locations"]] for hits in hits_of(library)],
        "answer": (answer["answer"]["markdown"], answer["citations"]),
    }


def test_both_databases_give_the_same(
    library: Path, tmp_path: Path, mariadb: MariaDB, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_sqlite = seen(library)
    scores = on_sqlite.pop("scores")
    assert all(hits["locations"] for hits in on_sqlite["hits"])
    monkeypatch.setenv("PAPERLEDGER_DATABASE_URL", mariadb.new_database())
    other = tmp_path / "on-mariadb"
    added = paperledger("add", SAMPLE_PAPERS, "--library", other, "--json", "--jobs", "1")
    assert added.code == 0, added.out + added.err
    assert not list(other.glob("*.sqlite3"))
    on_mariadb = seen(other)
    for there, here in zip(on_mariadb.pop("scores"), scores, strict=True):
        assert there == pytest.approx(here, abs=0.0011)
    assert on_mariadb == on_sqlite
    again = paperledger("add", SAMPLE_PAPERS, "--library", other, "--json", "--jobs", "1")
    assert again.json["counts"] == {"ready": 0, "skipped": 3, "failed": 0}
    assert paperledger("index", "verify", "--library", other, "--json").json["clean"]
    assert paperledger("db", "current", "--library", other, "--json").json["up_to_date"]

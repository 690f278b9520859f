from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import paperledger
from evals.retrieval.beir import load_beir
from evals.retrieval.comparison import compare_on, table, write_files
from evals.retrieval.product import product_search
from index.contract import IndexContract
from tests.evals.retrieval.small_set import write_small_set


def test_product_and_controls_stand_in_one_table(tmp_path: Path) -> None:
    comparison = compare_on(load_beir(write_small_set(tmp_path), "test"), IndexContract.default())
    assert [system.name for system in comparison.systems] == ["paperledger", "rank-bm25", "bm25s", "bm25s, stemmed"]
    assert comparison.systems[0].scores.mean("nDCG@10") == 1.0
    lines = table(comparison).splitlines()
    assert lines[0].endswith("split test: 4 documents, 3 queries")
    assert lines[4].startswith("| paperledger | 1.0000 |")
    assert all("[" in line for line in lines[5:]), "each control has a difference with its interval"


def test_the_mean_length_is_that_of_the_documents(tmp_path: Path) -> None:
    data = load_beir(write_small_set(tmp_path), "test")
    with product_search(data.documents, IndexContract.default()) as search:
        assert 5 < search.contract.avgdl < 15
        assert search.ranking("mice", 10) == ["d3"]
        assert search.ranking("of the", 10) == []


def test_an_empty_corpus_is_searched_without_an_error() -> None:
    with product_search((), IndexContract.default()) as search:
        assert search.ranking("anything", 10) == []


def test_two_runs_write_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    data = load_beir(write_small_set(tmp_path / "data"), "test")
    for name in ("one", "two"):
        write_files(compare_on(data, IndexContract.default()), tmp_path / name)
    names = sorted(file.name for file in (tmp_path / "one").iterdir())
    assert names == ["bm25s-stemmed.run", "bm25s.run", "paperledger.run", "rank-bm25.run", "report.json", "table.md"]
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    run = (tmp_path / "one" / "paperledger.run").read_text(encoding="utf-8").splitlines()
    assert run[0] == "q1 Q0 d1 1 100 paperledger"


def test_the_command_prints_the_table_or_the_figures(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    arguments = ["eval", "retrieval", "--data", str(write_small_set(tmp_path / "data")), "--out", str(tmp_path / "out")]
    shown = CliRunner().invoke(paperledger, arguments)
    assert shown.exit_code == 0
    assert shown.stdout == (tmp_path / "out" / "table.md").read_text(encoding="utf-8")
    printed = json.loads(CliRunner().invoke(paperledger, [*arguments, "--json"]).stdout)
    assert printed == json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    assert printed["systems"][0]["means"]["nDCG@10"] == 1.0


def test_the_command_says_what_is_wrong_with_the_data(tmp_path: Path) -> None:
    data = write_small_set(tmp_path)
    wrong = CliRunner().invoke(paperledger, ["eval", "retrieval", "--data", str(data), "--split", "dev", "--json"])
    assert wrong.exit_code == 2
    assert json.loads(wrong.stdout)["error"] == "evaluation_data_missing"


def test_a_table_names_queries_that_were_left_out(tmp_path: Path) -> None:
    write_small_set(tmp_path)
    with (tmp_path / "qrels" / "test.tsv").open("a", encoding="utf-8") as stream:
        stream.write("q4\td1\t0\n")
    comparison = compare_on(load_beir(tmp_path, "test"), IndexContract.default())
    assert "1 left out without a relevant document" in table(comparison)
    assert comparison.summary()["queries_without_relevant_document"] == ["q4"]


@pytest.mark.parametrize("name", ["eval"])
def test_help_knows_the_command(name: str) -> None:
    assert name in CliRunner().invoke(paperledger, ["--help"]).stdout

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import paperledger
from evals.errors import EvaluationDataMalformed, EvaluationDataMissing, EvaluationPackageMissing
from evals.retrieval.golden import load_golden
from evals.retrieval.obligations import measure_obligations, write_obligations
from evals.retrieval.papers import Unit, searched_papers
from tests.evals.retrieval.golden_set import write_golden_set
from tests.places import DATA, needs_data


def test_an_obligation_is_met_by_a_place_of_its_paper_that_holds_the_quotation() -> None:
    unit = Unit("ref", "gulls", 2, 3, "We saw that gulls\nnest on cliffs (always).")
    assert unit.holds("gulls", "Gulls nest on cliffs.")
    assert unit.holds("gulls", "Gulls nest on cliffs.", page=3)
    assert not unit.holds("gulls", "Gulls nest on cliffs.", page=4)
    assert not unit.holds("terns", "Gulls nest on cliffs.")
    assert not unit.holds("gulls", "Gulls nest in trees.")


def test_product_and_textbook_are_asked_the_same_ways(tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    data = write_golden_set(tmp_path / "set")
    runner = CliRunner()
    shown = runner.invoke(paperledger, ["eval", "obligations", "--data", str(data), "--out", str(tmp_path / "out")])
    assert shown.exit_code == 0
    assert shown.stdout == (tmp_path / "out" / "obligations.md").read_text(encoding="utf-8")
    assert "| the claim's queries | paperledger | 1 of 2 | 0.500 |" in shown.stdout
    assert "* birds: bert_masked_lm_pretraining, by the claim's queries" in shown.stdout
    summary = json.loads((tmp_path / "out" / "obligations.json").read_text(encoding="utf-8"))
    asked = [(result["asked_by"], result["system"]) for result in summary["results"]]
    assert len(set(asked)) == len(asked) == 6
    joined = next(result for result in summary["results"] if result["asked_by"] == "all messages joined")
    assert joined["met"] == 2, "the assistant's message speaks of sand"
    last = next(result for result in summary["results"] if result["asked_by"] == "the last message")
    assert (last["met"], last["mrr"]) == (0, 0.0)
    printed = runner.invoke(paperledger, ["eval", "obligations", "--data", str(data), "--json"]).stdout
    assert json.loads(printed) == summary


def test_a_paper_that_cannot_be_added_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"no pdf")
    with pytest.raises(EvaluationDataMalformed) as caught, searched_papers({"broken": broken}):
        pass
    assert caught.value.file == broken
    with pytest.raises(EvaluationDataMissing), searched_papers({"absent": tmp_path / "absent.pdf"}):
        pass


def test_a_missing_yaml_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(EvaluationPackageMissing, match="pyyaml"):
        load_golden(write_golden_set(tmp_path))


@pytest.mark.data
@needs_data()
def test_the_shared_obligations_are_met_as_often_as_before(tmp_path: Path) -> None:
    """What is held, not what is wished for: docs/evals.md has both."""
    results = measure_obligations(load_golden(DATA / "paperloom"))
    write_obligations(results, tmp_path)
    product = {result.asked_by: result for result in results if result.system == "paperledger"}
    assert product["the claim's queries"].met >= 13
    assert product["the claim's queries"].mrr >= 0.54
    assert product["all messages joined"].met >= 8

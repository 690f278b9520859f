from __future__ import annotations

from pathlib import Path

import pytest

from evals.errors import EvaluationDataMalformed, EvaluationDataMissing
from evals.retrieval.golden import load_golden
from tests.evals.retrieval.golden_set import write_golden_set
from tests.places import DATA, needs_data


def test_obligations_are_known_by_paper_and_quotation(tmp_path: Path) -> None:
    golden = load_golden(write_golden_set(tmp_path))
    assert [(entry.claim, entry.paper, entry.page, entry.quote) for entry in golden.obligations] == [
        ("nests", "gulls", 1, "Gulls nest on cliffs."),
        ("eggs", "terns", 1, "Terns hide their eggs in sand."),
    ]
    assert golden.obligations[0].queries == ("nests of gulls", "cliffs")
    assert golden.obligations[0].messages == ("Where do gulls nest?", "On cliffs or in sand?", "Yes.")
    assert sorted(golden.papers) == ["gulls", "terns"]


@pytest.mark.parametrize(
    ("name", "old", "new", "problem"),
    [
        ("cases.yaml", "[nests, eggs]", "[nests, feathers]", "case birds: the claim 'feathers' is in no claims file"),
        ("claims.yaml", "39f3231d5f9642acbc4cfea4351f98c4", "0", "stand for 0 known anchors"),
        ("claims.yaml", "paper_id: gulls", "paper_id: terns", "of that paper, not one"),
        ("claims.yaml", "claims/v1", "claims/v2", "schema_version"),
        ("pack.yaml", "page: 1, ", "", "anchors.0.page"),
        ("cases.yaml", "cases:", "cases: [", "no YAML"),
        ("manifest.yaml", "claim_files: [claims.yaml]", "claim_files: claims.yaml", "claim_files"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, name: str, old: str, new: str, problem: str) -> None:
    file = write_golden_set(tmp_path) / name
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(EvaluationDataMalformed) as caught:
        load_golden(tmp_path)
    assert caught.value.file == file
    assert problem in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    (write_golden_set(tmp_path) / "pack.yaml").unlink()
    with pytest.raises(EvaluationDataMissing, match=r"pack\.yaml"):
        load_golden(tmp_path)


def test_a_file_that_is_no_unicode_is_an_error_of_its_line(tmp_path: Path) -> None:
    (write_golden_set(tmp_path) / "pack.yaml").write_bytes(b"anchors:\n  - \xff\n")
    with pytest.raises(EvaluationDataMalformed, match="line 2: no UTF-8"):
        load_golden(tmp_path)


@pytest.mark.data
@needs_data()
def test_the_shared_core_cases_have_sixteen_obligations_at_seven_places() -> None:
    golden = load_golden(DATA / "paperloom")
    assert len(golden.obligations) == 16
    assert len({(entry.paper, entry.quote) for entry in golden.obligations}) == 7
    assert len(golden.papers) == 5

from __future__ import annotations

from pathlib import Path

from tests.stress.mutate_pdfs import survey


def test_every_broken_pdf_ends_in_a_named_outcome_and_harms_nothing_else(tmp_path: Path) -> None:
    found = survey(tmp_path, count=40, jobs=2, seed=3)
    assert found.wrong == ()
    assert found.outcomes["ready"] > 5, "mutants must get past the header"
    assert found.grown_mb < 200

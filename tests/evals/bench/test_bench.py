"""Each benchmark as a user starts it, in quick mode."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from pydantic import TypeAdapter

from evals.bench.__main__ import bench
from evals.bench.figures import FigureGroup, Report, Verdict, verdict
from evals.bench.harness import RunNotAccepted, measure_overhead
from evals.bench.ingestion import IngestInputs, bench_ingest, ingest_alone
from evals.bench.large import LargeSize, large_group
from evals.bench.library import open_library
from evals.bench.progress import Progress
from evals.mariadb import MariaDB
from tests.places import SAMPLE_PAPERS

QUIET = Progress(write=lambda _: None)


def run(*arguments: str) -> Report:
    result = CliRunner().invoke(bench, [*arguments, "--quick", "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    read = TypeAdapter(Report).validate_json(result.stdout)
    assert read.quick
    for group in read.groups:
        for figure in group.figures:
            assert figure.lowest <= figure.median <= figure.highest
            assert figure.verdict is verdict(figure.median, figure.target)
    return read


def medians(report: Report) -> dict[str, float]:
    return {figure.name: figure.median for group in report.groups for figure in group.figures}


def test_ingest_tells_steps_ratios_and_memory() -> None:
    found = medians(run("ingest"))
    assert found["to committed model / bare pass"] > found["parse / bare pass"] > 1
    assert found["bare pass / plain text"] > 1
    steps = ("parse", "build", "store")
    assert found["pages/s a core, to committed model"] == pytest.approx(
        1000 / sum(found[f"{step}, a page"] for step in steps), rel=0.5
    )
    whole = found["peak memory, both processes"]
    assert whole == found["peak memory, parsing worker"] + found["peak memory, process that stores"]
    assert 20 < whole < 2000


def test_retrieval_tells_search_reading_and_indexing() -> None:
    found = medians(run("retrieval"))
    assert found["search / engine query, p50 of processor time"] > 1
    assert found["search p95"] >= found["search p50"] > 0
    assert found["indexing, locations/s a core"] > 0
    assert found["bm25s: query p95, processor time"] >= found["bm25s: query p50, processor time"] > 0
    assert found["rank-bm25: indexing, locations/s a core"] > 0


@pytest.mark.mariadb
def test_retrieval_reads_from_mariadb_too(mariadb: MariaDB) -> None:  # the fixture says where there is none
    found = medians(run("retrieval"))
    assert found["exact read of 8 from MariaDB p95"] >= found["exact read of 8 from MariaDB p50"] > 0


def test_mariadb_that_is_not_there_is_skipped_with_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evals.bench.retrieval.missing_parts", lambda: ["mariadbd"])
    report = run("retrieval")
    assert not any("MariaDB" in name for name in medians(report))
    assert any("mariadbd not installed" in note for note in report.notes)


def test_a_large_library_is_searched_before_and_after_its_points_are_merged(tmp_path: Path) -> None:
    size = LargeSize(papers=12, locations_a_paper=3, scope=2, queries=4, queries_over_all=2)
    group = large_group(tmp_path, size, QUIET)
    assert isinstance(group, FigureGroup)
    found = {figure.name: figure.median for figure in group.figures}
    assert found["search p95"] >= found["search p50"] > 0
    assert found["search p95, points not merged yet"] > 0
    assert found["search p95, whole library as scope"] > 0
    assert group.title == "12 papers, 36 locations, scope of 2, 4 queries"


@pytest.mark.parametrize("lacking", ["disk", "memory"])
def test_a_library_too_large_for_the_machine_is_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lacking: str
) -> None:
    monkeypatch.setattr("evals.bench.large.available_gb", lambda: 1.0)
    said = large_group(tmp_path, LargeSize(papers=10**9 if lacking == "disk" else 2000), QUIET)
    assert isinstance(said, str)
    assert f"GB of {lacking} are needed" in said
    assert list(tmp_path.iterdir()) == []


def test_harness_tells_overhead_and_streams() -> None:
    found = medians(run("harness"))
    assert found["overhead / SDK alone, processor time"] > 1
    assert found["streams without an answer"] == 0
    assert found["whole stream p50"] >= found["first event p50"] > 0


def test_absent_papers_are_skipped_with_a_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evals.bench.ingestion.is_measurable", lambda: False)
    inputs = IngestInputs(sample_papers=_one_paper(tmp_path), shared_papers=tmp_path / "no", long_file=tmp_path / "no")
    report = bench_ingest(inputs, quick=False, progress=QUIET)
    assert len(report.groups) == 1
    assert any("shared papers were skipped" in note for note in report.notes)
    assert any("memory was skipped" in note for note in report.notes)


def test_shared_papers_are_a_group_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evals.bench.ingestion.is_measurable", lambda: False)
    paper = _one_paper(tmp_path)
    inputs = IngestInputs(sample_papers=paper, shared_papers=paper, long_file=tmp_path / "no")
    titles = [group.title for group in bench_ingest(inputs, quick=False, progress=QUIET).groups]
    assert [title.partition(":")[0] for title in titles] == ["sample papers", "shared papers"]


def test_a_long_document_that_fails_is_no_figure(tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.4 and nothing else")
    with pytest.raises(ValueError, match="not taken in"):
        ingest_alone(broken, tmp_path / "library")


async def test_a_run_without_an_accepted_answer_is_no_figure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def failed(*_: Any) -> Any:
        class Failed:
            status = "FAILED_TECHNICAL"

        return Failed()

    monkeypatch.setattr("evals.bench.harness.ResearchRuntime.run", failed)
    with open_library(tmp_path) as library, pytest.raises(RunNotAccepted, match="FAILED_TECHNICAL"):
        await measure_overhead(library, ["anything"], QUIET)


def test_the_table_is_what_people_get(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Report("retrieval", quick=True, python="3", cores=1, groups=())
    monkeypatch.setattr("evals.bench.__main__.bench_retrieval", lambda **_: made)
    result = CliRunner().invoke(bench, ["retrieval", "--quick"])
    assert result.stdout.startswith("bench retrieval, quick")
    with pytest.raises(json.JSONDecodeError):
        json.loads(result.stdout)


def test_reached_and_not_reached_are_said_in_words() -> None:
    assert [kind.value for kind in Verdict] == ["reached", "not reached", ""]


def _one_paper(folder: Path) -> Path:
    papers = folder / "papers"
    papers.mkdir()
    name = "evidence-ledger.pdf"
    (papers / name).write_bytes((SAMPLE_PAPERS / name).read_bytes())
    return papers

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from index.contract import IndexContract
from index.engine import IndexPoint, SparseVector
from index.errors import ContractMalformed, ContractMismatch, IndexOperationRunning, IndexUnavailable, PointsIncomplete
from index.indexer import ACTIVE_CONTRACT, Indexer, active_contract
from index.reports import StartReport
from reading_model.errors import StoreError
from reading_model.models import IndexStatus, LocationKind, PaperMetadata
from tests.index.conftest import OpenLibrary
from tests.index.libraries import Library, Place

WINDY = ["windy hill", "windy lake", "quiet barn"]


def status(library: Library, paper_id: str) -> IndexStatus:
    return library.store.papers.get([paper_id])[0].index_status


def test_a_paper_becomes_current_ready_and_searchable_at_once(library: Library) -> None:
    version = library.save("p", WINDY, metadata=PaperMetadata(title="Gulls"))
    assert library.indexer.status().papers == {IndexStatus.PENDING: 1}
    assert library.indexer.index_model("p", version) == 3
    current = library.store.models.current(["p"])["p"]
    assert (current.model_version, current.index_status, current.point_count) == (version, IndexStatus.READY, 3)
    assert current.index_contract == library.contract.text()
    assert library.found("windy") == ["p", "p"]
    report = library.indexer.status()
    assert (report.papers, report.expected_points, report.points, report.cards) == ({IndexStatus.READY: 1}, 3, 3, 1)
    assert library.indexer.verify().clean


def test_page_and_section_locations_get_no_point(library: Library) -> None:
    places = [Place("windy", LocationKind.PAGE), Place("windy", LocationKind.SECTION), Place("windy")]
    assert library.indexer.index_model("p", library.save("p", places)) == 1
    assert library.locations.count() == 1
    assert library.indexer.verify().clean


def test_after_another_parse_nothing_of_the_first_is_found(library: Library) -> None:
    first = library.put("p", ["windy hill", "old words"])
    second = library.put("p", ["windy hill again"], parse="2")
    assert library.current() == {"p": second}
    assert (library.locations.count(first), library.locations.count(second)) == (0, 1)
    assert library.found("old") == []
    assert library.cards.count() == 1
    assert library.indexer.verify().clean


def test_while_another_parse_fails_the_first_goes_on_serving(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    first = library.put("p", WINDY)
    second = library.save("p", ["other"], parse="2")

    def broken(points: Sequence[IndexPoint]) -> None:
        message = "no space left"
        raise IndexUnavailable(message)

    monkeypatch.setattr(library.locations, "upsert", broken)
    with pytest.raises(IndexUnavailable):
        library.indexer.index_model("p", second)
    monkeypatch.undo()
    assert library.current() == {"p": first}
    assert library.found("windy") == ["p", "p"]
    assert library.store.models.set_index_status(second, IndexStatus.PENDING, expected=[IndexStatus.FAILED])


def test_points_that_got_lost_are_noticed_before_the_paper_switches(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = library.save("p", WINDY)
    monkeypatch.setattr(library.locations, "upsert", lambda points: None)
    with pytest.raises(PointsIncomplete, match="3 points"):
        library.indexer.index_model("p", version)
    assert library.current() == {}


def test_a_model_that_is_being_built_is_not_built_twice(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    version = library.save("p", WINDY)
    written = library.locations.upsert
    seen: list[IndexStatus] = []

    def meanwhile(points: Sequence[IndexPoint]) -> None:
        with pytest.raises(IndexOperationRunning):
            library.indexer.index_model("p", version)
        seen.append(status(library, "p"))
        written(points)

    monkeypatch.setattr(library.locations, "upsert", meanwhile)
    assert library.indexer.index_model("p", version) == 3
    assert seen == [IndexStatus.PENDING], "a paper without a current model waits"


def test_building_again_serves_meanwhile(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    version = library.put("p", WINDY)
    written = library.locations.upsert
    during: list[IndexStatus] = []

    def meanwhile(points: Sequence[IndexPoint]) -> None:
        during.append(status(library, "p"))
        assert library.found("windy") == ["p", "p"]
        written(points)

    monkeypatch.setattr(library.locations, "upsert", meanwhile)
    library.indexer.index_model("p", version)
    assert during == [IndexStatus.REBUILDING]
    assert status(library, "p") is IndexStatus.READY
    assert library.locations.count() == 3


def test_an_unknown_model_is_an_error(library: Library) -> None:
    with pytest.raises(StoreError, match="no model"):
        library.indexer.index_model("p", "rm_unknown")


def test_removing_a_paper_leaves_no_points(library: Library) -> None:
    library.put("p", WINDY)
    library.put("q", ["windy shore"])
    library.indexer.remove_points("p", library.store.models.versions("p"))
    library.store.papers.delete("p")
    assert library.found("windy") == ["q"]
    assert library.cards.count() == 1
    assert library.indexer.verify().clean


def test_a_clean_start_changes_nothing(library: Library) -> None:
    library.put("p", WINDY)
    assert library.indexer.check() == StartReport()


def test_a_start_marks_a_paper_with_lost_points_and_repair_builds_it(library: Library) -> None:
    version = library.put("p", WINDY)
    library.put("q", ["windy shore"])
    library.locations.delete_models([version])
    assert library.indexer.check() == StartReport(incomplete_papers=("p",))
    assert status(library, "p") is IndexStatus.PENDING
    assert library.indexer.verify().unfinished == ("p",)
    assert library.indexer.repair() == ("p",)
    assert status(library, "p") is IndexStatus.READY
    assert library.indexer.repair() == ()
    assert library.indexer.verify().clean


def test_a_start_marks_a_rebuild_that_was_cut_short(library: Library) -> None:
    version = library.put("p", WINDY)
    assert library.store.models.set_index_status(version, IndexStatus.REBUILDING, expected=[IndexStatus.READY])
    assert library.indexer.check() == StartReport(incomplete_papers=("p",))


def test_a_start_puts_cards_right(library: Library) -> None:
    library.put("p", WINDY)
    library.put("q", WINDY)
    library.cards.delete_models(["p"])
    library.store.papers.delete("q")
    report = library.indexer.check()
    assert len(report.removed_models) == 1
    assert [payload.paper_id for _, payload in library.cards.scroll()] == ["p"]
    assert library.indexer.verify().clean


def test_a_start_refuses_papers_of_another_contract(library: Library) -> None:
    version = library.put("p", WINDY)
    library.store.models.activate("p", version, contract=IndexContract.default(avgdl=9).text(), point_count=3)
    with pytest.raises(ContractMismatch, match="paper p"):
        library.indexer.check()


def test_verify_names_what_is_missing_unexpected_and_altered(library: Library) -> None:
    version = library.put("p", WINDY)
    records = list(library.store.locations.of_models([version]))
    points = dict(library.locations.scroll())
    by_ref = {payload.location_ref: (number, payload) for number, payload in points.items()}
    altered, lost = records[0].location.ref, records[1].location.ref
    vector = SparseVector((1,), (1.0,))
    library.locations.delete_models([version])
    kept = [by_ref[records[2].location.ref], (by_ref[altered][0], replace(by_ref[altered][1], text_sha256="1" * 64))]
    stray = ("00000000-0000-0000-0000-000000000001", replace(by_ref[lost][1], location_ref="stray"))
    library.locations.upsert([IndexPoint(number, vector, payload) for number, payload in (*kept, stray)])
    library.cards.delete_models(["p"])
    report = library.indexer.verify()
    assert (report.missing, report.unexpected, report.altered) == (tuple(sorted([lost, "p"])), ("stray",), (altered,))
    assert (report.papers, report.points, report.cards, report.clean) == (1, 3, 0, False)


def test_changed_metadata_alters_the_card_until_it_is_refreshed(library: Library) -> None:
    library.put("p", WINDY, metadata=PaperMetadata(title="Gulls"))
    library.store.papers.set_metadata("p", PaperMetadata(title="Gulls", venue="Birds"))
    assert library.indexer.verify().altered == ("p",)
    library.indexer.refresh_card("p")
    assert library.indexer.verify().clean


def test_a_new_library_starts_with_the_default_contract_and_keeps_it(library: Library) -> None:
    assert active_contract(library.store) == IndexContract.default()
    assert library.store.control.get(ACTIVE_CONTRACT) == IndexContract.default().text()
    measured = IndexContract.default(avgdl=123.4)
    library.store.control.set(ACTIVE_CONTRACT, measured.text())
    assert active_contract(library.store) == measured


def test_a_library_of_other_rules_or_of_none_is_refused(library: Library) -> None:
    library.store.control.set(ACTIVE_CONTRACT, replace(IndexContract.default(), analyzer="other").text())
    with pytest.raises(ContractMismatch, match="this library"):
        active_contract(library.store)
    library.store.control.set(ACTIVE_CONTRACT, "nonsense")
    with pytest.raises(ContractMalformed):
        active_contract(library.store)


def test_a_killed_build_leaves_the_library_whole(tmp_path: Path, open_library: OpenLibrary) -> None:
    library = open_library(tmp_path, None)
    served = library.put("served", WINDY)
    killed = library.save("killed", [f"windy place number {n}" for n in range(1500)])
    library.close()
    code = """
        import sys
        from pathlib import Path
        from tests.index.libraries import Library
        library = Library(Path(sys.argv[1]))
        written = library.locations.upsert
        def loud(points):
            written(points)
            print("batch", flush=True)
        library.locations.upsert = loud
        library.indexer.index_model("killed", sys.argv[2])
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), str(tmp_path), killed], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout
        for _ in range(3):
            assert child.stdout.readline() == "batch\n"
        child.send_signal(signal.SIGKILL)
    again = open_library(tmp_path, None)
    assert again.locations.count(killed) >= 300
    assert again.current() == {"served": served}
    assert again.found("windy") == ["served", "served"]
    assert again.indexer.check() == StartReport(), "its owner's lease has not run out"
    assert again.store.leases.end_all() == 1
    assert again.indexer.check() == StartReport(removed_models=(killed,))
    assert again.indexer.verify().clean
    assert again.indexer.index_model("killed", killed) == 1500
    assert again.indexer.verify().clean
    again.close()


def test_an_indexer_takes_over_what_a_dead_process_was_building(library: Library) -> None:
    version = library.save("p", WINDY)
    library.store.models.set_index_status(version, IndexStatus.BUILDING, expected=[IndexStatus.PENDING], owner="dead")
    other = Indexer(library.store, library.locations, library.cards, library.contract)
    assert other.index_model("p", version) == 3
